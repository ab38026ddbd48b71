/* Findings that pages of docs/findings describe, and neighbours of them: another target, class, operator, message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "documented.h"
#include "elements_agree.h"
#include "words.h"

#define MODEL(dtype, shape, more)                                                                                       \
	"{\"model\":1,\"framework\":\"onnx\"" more ",\"inputs\":[{\"id\":0,\"shape\":" shape ",\"dtype\":\"" dtype           \
	"\"}],\"nodes\":[{\"op\":\"x\",\"api\":\"onnx.X\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":0}}],"     \
	"\"outputs\":[{\"id\":1,\"shape\":" shape ",\"dtype\":\"" dtype "\"}]}],\"outputs\":[1]}"
#define NODE(from, to)                                                                                                  \
	"{\"op\":\"x\",\"api\":\"onnx.X\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":" from "}}],\"outputs\":[{\"id\":" to      \
	",\"shape\":[2],\"dtype\":\"float32\"}]}"
#define PLAIN MODEL("float32", "[2]", "")
#define DIFFERS(how) "{\"first\":{\"id\":1,\"node\":0,\"how\":\"" how "\",\"wrong\":\"target\"}}"
#define NAN_TO_0 DIFFERS("1 of 2 elements, first at [0]: 0.0 instead of nan")
#define ERROR(message) "{\"error\":{\"type\":\"TractError\",\"message\":\"" message "\",\"where\":\"\"}}"
#define EQUAL ERROR("Evaluating #2 \\\"n0\\\" Eq\\nCaused by:\\n Bool is not a number")

/* "documented NAME", "similar NAME, NAME" or "". */
static void finds(finding f, const char *wanted)
{
	documented_bug list[DOCUMENTED_MOST];
	arena *a = arena_new();
	buf b = {0};
	const char **texts[] = {&f.bucket, &f.pass, &f.log, &f.title, &f.model, &f.apis, &f.detail};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		*texts[i] = *texts[i] ? *texts[i] : "";
	int n = documented_find(&f, a, list);
	for (int i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i ? ", " : list[i].same ? "documented " : "similar ", list[i].name);
	assert_string_equal(buf_text(&b), wanted);
	buf_free(&b);
	arena_free(a);
}

static finding wrong(const char *backend, const char *apis, const char *detail, const char *model)
{
	return (finding){.backend = backend, .kind = "inconsistency", .apis = apis, .detail = detail, .model = model};
}

static finding error(const char *backend, const char *apis, const char *detail, const char *model)
{
	return (finding){.backend = backend, .kind = "error", .apis = apis, .detail = detail, .model = model};
}

static void wrong_results(void **state)
{
	(void)state;
	finds(wrong("mnn", "onnx.Abs", NAN_TO_0, PLAIN), "documented mnn-abs-nan");
	finds(wrong("mnn", "onnx.Abs_13", NAN_TO_0, PLAIN), "documented mnn-abs-nan");
	finds(wrong("mnn", "onnx.Abs", DIFFERS("3.0 instead of 4.0"), PLAIN), "similar mnn-abs-nan");
	finds(wrong("mnn", "onnx.Abs", DIFFERS("nan instead of 0.0"), PLAIN), "similar mnn-abs-nan");
	finds(wrong("tvm", "onnx.Abs", NAN_TO_0, PLAIN), "");
	finds(wrong("mnnx", "onnx.Abs", NAN_TO_0, PLAIN), "");
	finds(wrong("mnn", "onnx.Neg", NAN_TO_0, PLAIN), "");
	finds(wrong("mnn", "onnx.Abs + onnx.Neg", NAN_TO_0, PLAIN), ""); /* the page has several operators, none of them Neg */
	finds(error("mnn", "onnx.Abs", NAN_TO_0, PLAIN), "");
	finds(wrong("mnn", "onnx.Abs", NAN_TO_0, MODEL("float32", "[2]", ",\"gradients\":true")), "");
}

/* A wrong reference is the product, whatever the backend. */
static void references(void **state)
{
	(void)state;
	static const char MVN[] = "{\"first\":{\"how\":\"0.0 instead of nan; a second reference agrees with the target\",\"wrong\":\"reference\"}}";
	finds(wrong("tract", "onnx.MeanVarianceNormalization", MVN, PLAIN), "documented onnx-mvn-constant");
	static const char MEMORY[] =
	    "{\"owner\":\"onnxruntime (reference)\",\"first\":{\"cause\":\"uninitialized-memory\",\"how\":\"x\",\"wrong\":\"reference\"}}";
	finds(wrong("tract", "onnx.ConvInteger", MEMORY, MODEL("int8", "[2,0]", "")), "documented onnx-matmulinteger-empty");
	finds(wrong("tract", "onnx.ConvInteger", MEMORY, MODEL("int8", "[2,10]", "")), "");
	finding f = wrong("onnxruntime-basic", "onnx.MatMul + onnx.BatchNormalization", DIFFERS("1.0 instead of 2.0"), PLAIN);
	f.pass = "onnx.BatchNormalization writes over its inputs";
	finds(f, "documented onnx-batchnormalization-inputs");
}

static void errors(void **state)
{
	(void)state;
	/* The page shows the outermost cause, and its title names the dtype. */
	finds(error("tract", "onnx.Equal", EQUAL, MODEL("bool", "[2]", "")), "documented tract-equal-bool");
	finds(error("tract", "onnx.Equal", EQUAL, PLAIN), "similar tract-equal-bool");
	finds(error("tract", "onnx.Equal", ERROR("Impossible to unify"), PLAIN), "similar tract-equal-bool");
	finds(error("openvino", "onnx.Less", EQUAL, MODEL("bool", "[2]", "")), "");
	finding f = error("tract", "onnx.RotaryEmbedding", ERROR("why"), PLAIN);
	f.title = "tract: RotaryEmbedding fails: eval() called on a Dummy op. This is a bug.";
	finds(f, "documented tract-rotaryembedding"); /* the page quotes it */
	f.title = "tract: RotaryEmbedding fails: why";
	finds(f, "similar tract-rotaryembedding"); /* not its pages on two operators */
	/* One operator of three is the page's: similar, since the message is the same. */
	static const char EDGE[] = ERROR("Exception during initialization: Argument type mismatch when adding edge."), *apis = "onnx.Dropout + onnx.Neg";
	static const char TWO[] = "{\"model\":1,\"framework\":\"onnx\",\"inputs\":[{\"id\":0,\"shape\":[2],\"dtype\":\"float32\"}],\"nodes\":["
				  NODE("0", "1") "," NODE("1", "2") "],\"outputs\":[2]}";
	finds(error("onnxruntime", apis, EDGE, TWO), "similar onnx-dropout-training-edge");
	finds(error("onnxruntime", apis, ERROR("why"), TWO), "");
	finds(error("onnxruntime", apis, EDGE, PLAIN), ""); /* the page needs three operators */
}

static finding crash(const char *bucket, const char *apis, const char *log, const char *model)
{
	return (finding){.backend = "tract", .kind = "crash", .bucket = bucket, .apis = apis, .log = log, .model = model};
}

static void crashes(void **state)
{
	(void)state;
	static const char ABORT[] = "crash|tract|compile|6|x", DIVIDE[] = "thread panicked at core/src/dim.rs:1:2:\nattempt to divide by zero\n";
	static const char INVALID[] = MODEL("float32", "[2]", ",\"near_miss\":true");
	finds(crash(ABORT, "onnx.SpaceToDepth", DIVIDE, INVALID), "documented tract-spacetodepth-zero");
	finds(crash(ABORT, "onnx.SpaceToDepth", DIVIDE, PLAIN), ""); /* the page needs an invalid model */
	finds(crash("crash|tract|compile|8|x", "onnx.SpaceToDepth", DIVIDE, INVALID), "similar tract-spacetodepth-zero");
	finds(crash(ABORT, "onnx.SpaceToDepth", "panicked at a.rs:1:\nno such axis\n", INVALID), "similar tract-spacetodepth-zero");
	/* Two pages: one quotes the words, the other does not show its own. */
	finds(crash(ABORT, "onnx.GatherND", "panicked at core/gather_nd.rs:7:\nassertion failed: index < dim\n", PLAIN),
	    "similar tract-gathernd-batch-mismatch, tract-gathernd-negative");
}

static void validation(void **state)
{
	(void)state;
	finding f = {.backend = "tract", .kind = "accepts-invalid", .apis = "onnx.TopK", .model = PLAIN,
	    .detail = ERROR("[ShapeInferenceError] Axis has less than the requested k elements.")};
	finds(f, "documented tract-topk-beyond");
	f.detail = ERROR("rank must be 2");
	finds(f, "similar tract-topk-beyond");
	f.kind = "memory"; /* no page has a class for it */
	finds(f, "");
}

static void elements(void **state)
{
	(void)state;
	assert_true(elements_agree("inf", "54.5", "float32 (1,) [inf]", "float32 (1,) [100.0]"));
	assert_false(elements_agree("54.5", "inf", "float32 (1,) [inf]", "float32 (1,) [100.0]"));
	assert_false(elements_agree("-inf", "54.5", "[inf]", "[100.0]"));
	assert_true(elements_agree("0.1269", "3.5", "float32 (2,) [1.0, 0.1269]", "float32 (2,) [1.0, 3.5]"));
	assert_false(elements_agree("1.0", "0.0", "[1.0]", "[0.0]")); /* too common */
	assert_false(elements_agree("nan", "0.0", "killed by signal 6", "[0.0]"));
	assert_false(elements_agree("", "", "[nan]", "[0.0]"));
	assert_false(elements_agree("nan", "0.0", "[nan]", "[nan]"));
}

static void weights(void **state)
{
	(void)state;
	words a = {.n = 0}, b = {.n = 0}, pages[3] = {{.n = 0}, {.n = 0}, {.n = 0}};
	words_add(&a, "Evaluating #2 \"y\" of __lshift__ at 0x12");
	words_add(&b, "evaluating LSHIFT");
	for (int i = 0; i < 3; i++)
		words_add(&pages[i], "evaluating");
	words_corpus c = {pages, 3};
	assert_int_equal(a.n, 2);
	assert_true(words_weight(&c, &a, &b) == words_weight(&c, &a, NULL));
	words_remove(&a, &pages[0]);
	assert_true(words_weight(&c, &a, NULL) == 2); /* on no page: log2 of 4 */
	words_add(&a, "evaluating LSHIFT");
	assert_int_equal(a.n, 2);
}

/* Members are escaped; an upstream thread is named. */
static void printed(void **state)
{
	(void)state;
	finding f = wrong("mnn", "onnx.Abs", NAN_TO_0, PLAIN);
	result_fact facts[DOCUMENTED_MOST];
	arena *a = arena_new();
	buf b = {0};
	f.bucket = f.pass = f.log = f.title = "";
	assert_int_equal(documented_facts(&f, a, facts), 1);
	assert_string_equal(facts[0].name, "documented");
	assert_string_equal(facts[0].text, "docs/findings/mnn-abs-nan.md: MNN: Abs(NaN) returns 0 (upstream: not found)");
	documented_json(&f, &b);
	assert_string_equal(b.text, "[{\"page\":\"docs/findings/mnn-abs-nan.md\",\"title\":\"MNN: Abs(NaN) returns 0\","
				    "\"upstream\":\"not found\",\"match\":\"documented\"}]");
	buf_free(&b);
	f.backend = "nothing";
	documented_json(&f, &b);
	assert_string_equal(b.text, "[]");
	buf_free(&b);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_results), cmocka_unit_test(references), cmocka_unit_test(errors),
	    cmocka_unit_test(crashes), cmocka_unit_test(validation), cmocka_unit_test(elements), cmocka_unit_test(weights),
	    cmocka_unit_test(printed)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

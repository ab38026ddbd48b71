/* onnxruntime through its C API, every slot of it, and a screen's verdicts. Skipped where the library is not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "screen.h"
#include "venv.h"

static bool find_library(char path[PATH_MAX])
{
	char python[PATH_MAX];
	const char *live = getenv("RULESMITH_LIVE");
	if (venv_python(python, "onnx", NULL) && ort_find(path, python))
		return true;
	if (live && strcmp(live, "1") == 0)
		fail_msg("there is no library of onnxruntime, and RULESMITH_LIVE=1");
	return false;
}

static screen opened;

static screen *open_screen(void)
{
	char path[PATH_MAX];
	diag d = {""};
	if (!find_library(path))
		skip();
	if (!screen_open(&opened, path, ORT_OPTIMISE_ALL, &d))
		fail_msg("%s", d.text);
	return &opened;
}

/* A test that fails leaves its screen open: the library would hang in the next one. */
static int tear_down(void **state)
{
	(void)state;
	screen_close(&opened);
	return 0;
}

#define T(id, shape, dtype) "{\"id\":" #id ",\"shape\":[" shape "],\"dtype\":\"" dtype "\"}"
#define X(ref) "{\"name\":\"X\",\"pos\":true,\"value\":{\"ref\":" #ref "}}"
#define NODE(api, args, more, out)                                                                 \
	"{\"op\":\"" api "-0\",\"api\":\"" api "\",\"args\":[" args "]" more ",\"outputs\":[" out "]}"
#define MODEL(inputs, nodes, outputs)                                                              \
	"{\"model\":1,\"framework\":\"onnx\",\"seed\":1,\"index\":3,\"values\":5,\"inputs\":[" inputs                \
	"],\"nodes\":[" nodes "],\"outputs\":[" outputs "]}"
#define ATTRIBUTE(name, text) ",{\"name\":\"" name "\",\"pos\":false,\"value\":{\"const\":\"" text "\"}}"
#define F32 "float32"

static void expect(screen *s, enum screen_verdict want, const char *text, const char *model)
{
	screen_answer a;
	screen_look(s, model, (screen_request){.preset = AGREE_MEASURED}, &a);
	if (a.verdict != want || !strstr(a.text.text, text))
		fail_msg("verdict %d, '%s'; wanted %d, '%s': %s", a.verdict, a.text.text, want, text, model);
}

#define INVALID(api, args, more)                                                                                       \
	"{\"model\":1,\"framework\":\"onnx\",\"seed\":1,\"index\":3,\"values\":5,\"near_miss\":true,\"inputs\":[" T(0, "2,3", F32) \
	"," T(1, "2,4", F32) "],\"nodes\":[" NODE("onnx.Relu", X(0), "", T(2, "2,3", F32)) "," NODE(api, args, more, T(3, "2,3", F32)) \
	"],\"outputs\":[3]}"
#define SECOND(name, ref) ",{\"name\":\"" name "\",\"pos\":true,\"value\":{\"ref\":" #ref "}}"

/* An invalid model is fine if reference and target reject its last call, and is left to the full oracle if they run it. */
static void invalid(void **state)
{
	(void)state;
	screen *s = open_screen();
	expect(s, SCREEN_OK, "", INVALID("onnx.Add", "{\"name\":\"A\",\"pos\":true,\"value\":{\"ref\":2}}" SECOND("B", 1), ""));
	expect(s, SCREEN_PASS, "a change that only the worker applies",
	    "{\"model\":1,\"framework\":\"onnx\",\"seed\":1,\"index\":3,\"values\":5,\"near_miss\":true,\"change\":{\"argument\":\"X\","
	    "\"item\":0,\"kind\":\"dtype\",\"to\":\"int8\"},\"inputs\":[" T(0, "2", F32) "],\"nodes\":["
	    NODE("onnx.Relu", X(0), "", T(1, "2", F32)) "],\"outputs\":[1]}");
	expect(s, SCREEN_PASS, "an invalid model ran", INVALID("onnx.Add", "{\"name\":\"A\",\"pos\":true,\"value\":{\"ref\":2}}" SECOND("B", 0), ""));
}

static void verdicts(void **state)
{
	(void)state;
	screen *s = open_screen();
	expect(s, SCREEN_OK, "",
	    MODEL(T(0, "2,3", F32), NODE("onnx.Add", X(0) "," X(0), "", T(1, "2,3", F32)) ","
		NODE("onnx.Relu", X(1), "", T(2, "2,3", F32)), "2"));
	expect(s, SCREEN_OK, "", /* nothing in it */
	    MODEL(T(0, "0,3", F32), NODE("onnx.Relu", X(0), "", T(1, "0,3", F32)), "1"));
	expect(s, SCREEN_OK, "", /* one without dimensions */
	    MODEL(T(0, "", "float16"), NODE("onnx.Exp", X(0), "", T(1, "", "float16")), "1"));
	expect(s, SCREEN_PASS, "another shape",
	    MODEL(T(0, "2,3", F32), NODE("onnx.Relu", X(0), "", T(1, "3,2", F32)), "1"));
	expect(s, SCREEN_PASS, "rank or dtype",
	    MODEL(T(0, "2,3", F32), NODE("onnx.Relu", X(0), "", T(1, "6", F32)), "1"));
	expect(s, SCREEN_PASS, "rank or dtype",
	    MODEL(T(0, "2", F32), NODE("onnx.Relu", X(0), "", T(1, "2", "float64")), "1"));
	expect(s, SCREEN_PASS, "rank or dtype", /* also of what is no output */
	    MODEL(T(0, "2", F32), NODE("onnx.Relu", X(0), "", T(1, "3,3", F32)) ","
		NODE("onnx.Relu", X(1), "", T(2, "2", F32)), "2"));
	expect(s, SCREEN_PASS, "", MODEL(T(0, "2,3", F32) "," T(1, "5", F32),
	    NODE("onnx.Add", X(0) "," X(1), "", T(2, "2,3", F32)), "2")); /* rejected */
	expect(s, SCREEN_PASS, "operator set", MODEL(T(0, "2", F32), NODE("onnx.Relu_5", X(0), "", T(1, "2", F32)), "1"));
	expect(s, SCREEN_PASS, "", "{\"model\":1}");
	expect(s, SCREEN_PASS, "", "");
	expect(s, SCREEN_UNSUPPORTED, "Could not find an implementation for",
	    MODEL("", NODE("onnx.RandomNormal",
		"{\"name\":\"shape\",\"pos\":false,\"value\":[2]},{\"name\":\"dtype\",\"pos\":false,\"value\":{\"const\":\"10\"}}",
		",\"random\":true", T(0, "2", "float16")) "," NODE("onnx.Relu", X(0), "", T(1, "2", "float16")), "1"));
	expect(s, SCREEN_UNDEFINED, "",
	    MODEL(T(0, "2", F32), NODE("onnx.Relu", X(0), ",\"random\":true", T(1, "2", F32)), "1"));
}

#define SHAPES(sizes, also, more) "{\"model\":1,\"framework\":\"onnx\",\"seed\":1,\"index\":3,\"values\":5,\"inputs\":["   \
	"{\"id\":0,\"shape\":[2,3],\"dtype\":\"float32\",\"dims\":[\"d0_0\",null]}],\"nodes\":["                       \
	NODE("onnx.Relu", X(0), "", "{\"id\":1,\"shape\":[2,3],\"dtype\":\"float32\",\"also\":" also "}")           \
	"],\"outputs\":[1],\"dims\":{\"d0_0\":" sizes "}" more "}"

/* Calls whose attributes are part of the model's text, which is read once for all shapes. */
static void several_shapes_of_calls_with_attributes(void **state)
{
	(void)state;
	buf model = {0};
	screen_answer a;
	screen *s = open_screen();
	buf_puts(&model, "{\"model\":1,\"framework\":\"onnx\",\"seed\":1,\"index\":3,\"values\":5,\"inputs\":[{\"id\":0,"
			 "\"shape\":[2,3],\"dtype\":\"float32\",\"dims\":[\"d0_0\",null]}],\"nodes\":[");
	for (int i = 0; i < 40; i++)
		buf_printf(&model,
		    "%s{\"op\":\"onnx.LeakyRelu-0\",\"api\":\"onnx.LeakyRelu\",\"args\":[{\"name\":\"X\",\"pos\":true,\"value\":{\"ref\":%d}}"
		    ATTRIBUTE("alpha", "0.5") "],\"outputs\":[{\"id\":%d,\"shape\":[2,3],\"dtype\":\"float32\",\"also\":[[7,3],[5,3]]}]}",
		    i ? "," : "", i, i + 1);
	buf_puts(&model, "],\"outputs\":[40],\"dims\":{\"d0_0\":[2,7,5]}}");
	screen_look(s, model.text, (screen_request){.preset = AGREE_MEASURED}, &a);
	assert_string_equal(a.text.text, "");
	assert_int_equal(a.verdict, SCREEN_OK);
	assert_int_equal(a.assignments, 3);
	buf_free(&model);
}

/* One session of the target runs all shapes. */
static void several_shapes(void **state)
{
	(void)state;
	screen *s = open_screen();
	expect(s, SCREEN_OK, "", SHAPES("[2,7,5]", "[[7,3],[5,3]]", ""));
	screen_answer a;
	screen_look(s, SHAPES("[2,7,5]", "[[7,3],[5,3]]", ""), (screen_request){.preset = AGREE_MEASURED}, &a);
	assert_int_equal(a.assignments, 3);
	expect(s, SCREEN_PASS, "another shape", SHAPES("[2,7,5]", "[[7,3],[6,3]]", ""));
}

/* Each run has its own filling; an elementwise kernel writes over all of it. */
static int filled;
static void *(*fill)(ort_allocator *, size_t);

static void *count_and_fill(ort_allocator *self, size_t size)
{
	filled++;
	return fill(self, size);
}

static void tensors_are_allocated_by_us(void **state)
{
	(void)state;
	screen *s = open_screen();
	fill = s->engine.allocator.head.alloc;
	s->engine.allocator.head.alloc = count_and_fill;
	expect(s, SCREEN_OK, "", MODEL(T(0, "2,3", F32), NODE("onnx.Neg", X(0), "", T(1, "2,3", F32)), "1"));
	assert_true(filled >= 4); /* two runs of each */
}

/* onnxruntime with a fault: the runs from one number to another add to the first element of its first result, or of what it was
 * fed. */
static struct fault {
	ort_calls copy;
	int from, to, seen;
	float by;
	bool of_input;
} fault;

static ort_status *run_with_fault(ort_session *session, const ort_run_options *options, const char *const *in,
    const ort_value *const *fed, size_t nin, const char *const *out, size_t nout, ort_value **found)
{
	void *data;
	ort_status *status = fault.copy.run(session, options, in, fed, nin, out, nout, found);
	if (status || ++fault.seen < fault.from || fault.seen > fault.to)
		return status;
	status = fault.copy.data(fault.of_input ? (ort_value *)fed[0] : found[0], &data);
	if (!status)
		*(float *)data += fault.by;
	return status;
}

static void expect_of_fault(screen *s, int from, int to, float by, bool of_input, enum screen_verdict want, const char *text)
{
	fault.from = from, fault.to = to, fault.seen = 0, fault.by = by, fault.of_input = of_input;
	expect(s, want, text, MODEL(T(0, "2,3", F32), NODE("onnx.Sigmoid", X(0), "", T(1, "2,3", F32)), "1"));
}

static void faults_are_left_to_the_judge(void **state)
{
	(void)state;
	screen *s = open_screen();
	fault.copy = s->engine.lib.call;
	s->engine.lib.call.run = run_with_fault;
	for (int run = 1; run <= 4; run++)
		expect_of_fault(s, run, run, 1, true, SCREEN_PASS, "an input was written to");
	expect_of_fault(s, 1, 1, 1e-6f, false, SCREEN_PASS, "not deterministic"); /* bit for bit */
	expect_of_fault(s, 2, 2, 1, false, SCREEN_PASS, "not deterministic");
	expect_of_fault(s, 3, 3, 1, false, SCREEN_PASS, "the target differs");
	expect_of_fault(s, 3, 3, 1e-3f, false, SCREEN_PASS, "the target differs");
	expect_of_fault(s, 3, 4, 1e-6f, false, SCREEN_OK, ""); /* rounding */
	expect_of_fault(s, 4, 4, 1e-6f, false, SCREEN_PASS, "the target's second run differs"); /* bit for bit */
	expect_of_fault(s, 5, 5, 1, false, SCREEN_OK, ""); /* there are four runs */
	/* A cast of fewer bits: 2^-25 of the result, in the low half of its bits. */
	static const char cast[] = MODEL("{\"id\":0,\"shape\":[2],\"dtype\":\"float32\",\"range\":[1,6]}",
	    NODE("onnx.Cast_13", X(0) ATTRIBUTE("to", "11"), "", T(1, "2", "float64")), "1");
	fault.from = 3, fault.to = 4, fault.seen = 0, fault.by = 3.8518599e-34f;
	memset(s->checks, 0, sizeof *s->checks);
	s->checks->chosen = 1; /* the call is not due */
	expect(s, SCREEN_PASS, "the target differs", cast);
	fault.to = 3, fault.seen = 0;
	memset(s->checks, 0, sizeof *s->checks); /* due: the third run is of the newest Cast */
	expect(s, SCREEN_PASS, "the newest version of onnx.Cast_13 differs", cast);
	fault.to = 0, fault.seen = 0;
	memset(s->checks, 0, sizeof *s->checks);
	expect(s, SCREEN_OK, "", cast);
	assert_int_equal(fault.seen, 5);
	fault.from = fault.to = 4, fault.seen = 0, fault.by = 1e-6f; /* of what is drawn no two runs are alike */
	expect(s, SCREEN_OK, "",
	    MODEL(T(0, "2", F32), NODE("onnx.Neg", X(0), "", T(1, "2", F32)) "," NODE("onnx.Sigmoid", X(1), ",\"random\":true", T(2, "2", F32))
		"," NODE("onnx.Relu", X(1), "", T(3, "2", F32)), "2,3"));
}

/* A constant is fed to the reference alone, and is the same for both. */
static void constants_are_initializers(void **state)
{
	(void)state;
	static const char model[] = MODEL(T(0, "2,3", F32) ",{\"id\":1,\"shape\":[3],\"dtype\":\"float32\",\"constant\":true}," T(2, "2,3", F32),
	    NODE("onnx.Sub", X(0) "," X(1), "", T(3, "2,3", F32)) "," NODE("onnx.Sub", X(3) "," X(2), "", T(4, "2,3", F32)), "4");
	screen *s = open_screen();
	expect(s, SCREEN_OK, "", model);
	fault.copy = s->engine.lib.call;
	s->engine.lib.call.run = run_with_fault;
	fault.from = fault.to = 3, fault.seen = 0, fault.by = 1, fault.of_input = false;
	expect(s, SCREEN_PASS, "the target differs", model);
	fault.from = fault.to = 2, fault.seen = 0, fault.of_input = true;
	expect(s, SCREEN_PASS, "an input was written to", model);
}

static void libraries(void **state)
{
	(void)state;
	ort o;
	diag d = {""};
	char path[PATH_MAX];
	assert_false(ort_open(&o, "/nonexistent/libonnxruntime.so.1", &d));
	assert_non_null(strstr(d.text, "libonnxruntime.so.1"));
	assert_false(ort_open(&o, "libm.so.6", &d));
	assert_non_null(strstr(d.text, "OrtGetApiBase"));
	assert_false(ort_find(path, "/nonexistent/bin/python"));
	assert_false(ort_find(path, "python3"));
	setenv("RULEFUZZ_ONNXRUNTIME", "/a/library", 1);
	assert_true(ort_find(path, "python3"));
	assert_string_equal(path, "/a/library");
	unsetenv("RULEFUZZ_ONNXRUNTIME");
}

/* A model with a setting. */
#define SET(name, value) MODEL(T(0, "2,3", F32), NODE("onnx.Relu", X(0), "", T(1, "2,3", F32)), "1],\"settings\":{\"" name "\":\"" value "\"}"  ",\"x\":[")

/* Settings are applied, or left to the full oracle. */
static void settings(void **state)
{
	(void)state;
	screen *s = open_screen();
	expect(s, SCREEN_OK, "", SET("execution_mode", "ORT_PARALLEL"));
	expect(s, SCREEN_OK, "", SET("intra_op_num_threads", "2"));
	expect(s, SCREEN_OK, "", SET("inter_op_num_threads", "2"));
	expect(s, SCREEN_OK, "", SET("graph_optimization_level", "ORT_ENABLE_BASIC"));
	expect(s, SCREEN_OK, "", SET("enable_mem_pattern", "False"));
	expect(s, SCREEN_OK, "", SET("free_dimensions", "fixed"));
	expect(s, SCREEN_OK, "", SET("session.disable_prepacking", "1"));
	expect(s, SCREEN_OK, "", SET("use_deterministic_compute", "True"));
	expect(s, SCREEN_PASS, "not an optimization level: ORT_SOME", SET("graph_optimization_level", "ORT_SOME"));
	expect(s, SCREEN_PASS, "a setting for the full oracle: execution_mode", SET("execution_mode", "ORT_BOTH"));
	expect(s, SCREEN_PASS, "", SET("session.load_model_format", "ORT")); /* an entry arrives */
	expect(s, SCREEN_PASS, "a setting for the full oracle: enable_mem_reuse", SET("enable_mem_reuse", "False"));
	expect(s, SCREEN_PASS, "a setting for the full oracle: enable_mem_pattern", SET("enable_mem_pattern", "True"));
	expect(s, SCREEN_OK, "", MODEL(T(0, "2,3", F32), NODE("onnx.Relu", X(0), "", T(1, "2,3", F32)), "1")); /* not kept */
}

static void refuses_what_is_no_model(void **state)
{
	(void)state;
	diag d = {""};
	int code;
	buf file = {.text = "not a model", .length = 11};
	screen *s = open_screen();
	assert_null(engine_load(&s->engine, &file, false, NULL, &code, &d));
	assert_int_equal(code, 7); /* INVALID_PROTOBUF */
	assert_non_null(strstr(d.text, "protobuf"));
	assert_true(strchr("0123456789", s->engine.lib.version[0]) != NULL);
}

#define TEST(name) cmocka_unit_test_teardown(name, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {TEST(libraries), TEST(verdicts), TEST(invalid), TEST(several_shapes), TEST(several_shapes_of_calls_with_attributes),
	    TEST(tensors_are_allocated_by_us), TEST(faults_are_left_to_the_judge), TEST(constants_are_initializers), TEST(settings), TEST(refuses_what_is_no_model)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Calls as text: parsed, bound as frameworks bind them, and answered by recorded signatures and by rules of whole APIs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bind.h"
#include "call_reader.h"
#include "call_kinds.h"
#include "call_numbers.h"
#include "call_twin.h"
#include "rulesmith.h"

/* ---- text */

static void values_read_and_print_alike(void **state)
{
	(void)state;
	static const struct {
		const char *text, *printed;
	} CASES[] = {
	    {"1", "1"}, {" -9223372036854775808 ", "-9223372036854775808"}, {"1e-5", "1e-5"}, {"-inf", "-inf"}, {".5", ".5"},
	    {"None", "None"}, {"True", "True"}, {"torch.float32", "torch.float32"}, {"'a b'", "'a b'"}, {"\"it's\"", "'it's'"},
	    {"[1, [2,], ()]", "[1, [2], ()]"}, {"(1,)", "(1,)"}, {"(1)", "1"}, {"(1, 2)", "(1, 2)"},
	    {"f32[2,3]", "float32[2, 3]"}, {"bool[]", "bool[]"}, {"?[4]", "[4]"}, {"i64[5] in 0..9", "int64[5] in 0..9"},
	    {"i64([2, 3])", "int64([2, 3])"}, {"i32(4)", "int32(4)"},
	};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		arena *memory = arena_new();
		call_value v;
		diag d = {{0}};
		buf text = {0};
		assert_true(call_parse_value(CASES[i].text, memory, &v, &d));
		call_print(&text, &v);
		assert_string_equal(buf_text(&text), CASES[i].printed);
		buf_free(&text);
		arena_free(memory);
	}
}

static void faults_name_the_column(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message;
	} CASES[] = {
	    {"", "column 1: expected the name of an API"}, {"f", "column 2: expected '(' behind the name"},
	    {"f(1", "column 4: expected a comma or ')'"}, {"f(1 2)", "column 5: expected a comma or ')'"},
	    {"f(x=1, 2)", "column 9: a positional argument follows a keyword argument"},
	    {"f('a)", "column 6: the string is not terminated"}, {"f(f32[2,-1])", "column 12: the sizes of a tensor must be integers >= 0"},
	    {"f(q7[2])", "column 3: unknown dtype"}, {"f([1 2])", "column 6: expected a comma or the end of the list"},
	    {"f(99999999999999999999)", "column 3: the integer has more than 64 bits"}, {"f() g", "column 5: expected nothing behind the call"},
	    {"f([[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]])", "column 20: lists are nested too deep"}, {"f(i64[2] in 0)", "column 14: expected '..'"},
	    {"f(i64([1], 2))", "column 14: expected one value: the elements of the tensor"}, {"f(1x)", "column 3: expected a number"},
	};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		arena *memory = arena_new();
		call c;
		diag d = {{0}};
		assert_false(call_parse(CASES[i].text, memory, &c, &d));
		assert_string_equal(diag_what(&d), CASES[i].message);
		arena_free(memory);
	}
}

/* ---- binding, with the frameworks' signatures */

static void check_bound(const char *text, const char *parameter, const char *value)
{
	arena *memory = arena_new();
	call c;
	diag d = {{0}};
	binding b;
	size_t n;
	buf printed = {0};
	assert_true(call_parse(text, memory, &c, &d));
	const overload *overloads = signatures_find(c.api, memory, &n);
	const bool bound = bind_overload(&c, overloads, n, memory, &b);
	assert_int_equal(bound, value != NULL);
	if (bound) {
		const int at = parameter_find(b.to, parameter);
		assert_true(at >= 0);
		const call_value *v = bound_value(&b, at);
		if (v)
			call_print(&printed, v);
		assert_string_equal(buf_text(&printed), value);
	}
	buf_free(&printed);
	arena_free(memory);
}

static void calls_bind_as_frameworks_bind_them(void **state)
{
	(void)state;
	check_bound("torch.nn.functional.max_pool2d(f32[1,3,8,8], 2)", "kernel_size", "2");
	check_bound("torch.nn.functional.max_pool2d(f32[1,3,8,8], 2)", "dilation", "1");
	check_bound("torch.nn.functional.max_pool2d(f32[1,3,8,8], 2)", "stride", "");
	check_bound("torch.nn.functional.max_pool2d(f32[1,3,8,8], stride=3, kernel_size=(2, 2))", "stride", "3");
	check_bound("torch.nn.functional.max_pool2d(f32[1,3,8,8])", "stride", NULL);
	check_bound("torch.nn.functional.max_pool2d(f32[1,3,8,8], 2, kernel_size=2)", "stride", NULL);
	check_bound("torch.nn.functional.max_pool2d(f32[1,3,8,8], 2, size=2)", "stride", NULL);
	check_bound("torch.Tensor.view(f32[4,6], 2, 12)", "size", "[2, 12]");
	check_bound("torch.Tensor.view(f32[4,6], (2, 12))", "size", "(2, 12)");
	check_bound("torch.permute(f32[2,3], 1, 0)", "dims", NULL);
	check_bound("torch.cdist(f32[2,3], f32[4,3])", "compute_mode", "'use_mm_for_euclid_dist_if_necessary'"); /* annotated as int */
	check_bound("torch.max(f32[3,4], 1)", "dim", "1");
	check_bound("torch.max(f32[3,4], f32[3,4])", "other", "float32[3, 4]");
	check_bound("torch.max((3, 4), (3, 4))", "other", "(3, 4)");
	check_bound("torch.add(f32[3], 1.5)", "other", "1.5");
	check_bound("torch.add(f32[3], f32[3], 2)", "alpha", NULL);
	check_bound("torch.add(f32[3], f32[3], alpha=2)", "alpha", "2");
	check_bound("onnx.Concat(f32[2], f32[3], axis=0)", "inputs", "[float32[2], float32[3]]");
	check_bound("onnx.Concat(f32[2], f32[3], axis=0)", "axis", "0");
	check_bound("onnx.Concat([f32[2], f32[3]], axis=0)", "inputs", "[float32[2], float32[3]]");
	check_bound("onnx.Concat((2, 3), axis=0)", "inputs", "[(2, 3)]");
	check_bound("tf.raw_ops.Squeeze(input=f32[2], axis=[])", "axis", "");
	check_bound("tf.raw_ops.Squeeze(input=f32[2], axis=[0])", "axis", "[0]");
	check_bound("onnx.Reshape(f32[2,3], [3, 2])", "shape", "[3, 2]");
	check_bound("tf.raw_ops.Reshape(tensor=f32[2,3], shape=[3, 2])", "shape", "[3, 2]");
	check_bound("tf.raw_ops.Reshape(f32[2,3], [3, 2])", "shape", NULL);
}

static void numbers_stand_for_tensors(void **state)
{
	(void)state;
	arena *memory = arena_new();
	call c;
	diag d = {{0}};
	binding b, tensors;
	size_t n;
	assert_true(call_parse("torch.add(f32[3], 1.5)", memory, &c, &d));
	const overload *overloads = signatures_find(c.api, memory, &n);
	assert_true(bind_overload(&c, overloads, n, memory, &b));
	assert_true(bind_numbers(&b, overloads, n, &tensors));
	const call_value *other = bound_value(&tensors, parameter_find(tensors.to, "other"));
	assert_int_equal(other->kind, CALL_TENSOR);
	assert_int_equal(other->n, 0);
	assert_true(bound_number(other));
	assert_false(bind_numbers(&tensors, overloads, n, &b));
	arena_free(memory);
}

static void twins_have_the_same_parameters(void **state)
{
	(void)state;
	static const struct {
		const char *call, *twin; /* NULL: none */
	} CASES[] = {
	    {"torch.Tensor.std(f32[3], dim=0)", "torch.std"}, {"torch.std(f32[3], dim=0)", "torch.Tensor.std"},
	    {"torch.Tensor.view(f32[3], 3)", NULL}, {"torch.Tensor.count_nonzero(f32[3], 0)", "torch.count_nonzero"},
	    {"torch.linalg.norm(f32[3])", NULL}, {"relu(f32[3])", NULL},
	};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		arena *memory = arena_new();
		call c, twins[TWINS_MOST];
		diag d = {{0}};
		assert_true(call_parse(CASES[i].call, memory, &c, &d));
		const unsigned n = call_twins(&c, memory, twins);
		assert_int_equal(n, CASES[i].twin != NULL);
		if (n)
			assert_string_equal(twins[0].api, CASES[i].twin);
		arena_free(memory);
	}
	arena *memory = arena_new();
	call c, twins[TWINS_MOST];
	diag d = {{0}};
	assert_true(call_parse("torch.Tensor.std(self=f32[3])", memory, &c, &d));
	assert_int_equal(call_twins(&c, memory, twins), 1);
	assert_string_equal(twins[0].args[0].name, "input");
	arena_free(memory);
}

static void kinds_of_calls_are_rejected(void **state)
{
	(void)state;
	static const struct {
		const char *call;
		bool rejected;
	} CASES[] = {
	    {"torch.permute(f32[2,3,4], (0, 1))", true}, {"torch.permute(f32[2,3,4], (0, 0, 1))", true}, {"torch.permute(f32[2,3,4], (2, 0, 1))", false},
	    {"torch.clamp(f32[3])", true}, {"torch.clamp(f32[3], min=0)", false}, {"torch.tril(f32[3], diagonal=1)", true},
	    {"torch.tril(f32[3,3])", false},
	};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		arena *memory = arena_new();
		call c;
		diag d = {{0}};
		binding b;
		size_t n;
		buf why = {0};
		assert_true(call_parse(CASES[i].call, memory, &c, &d));
		const overload *overloads = signatures_find(c.api, memory, &n);
		assert_true(bind_overload(&c, overloads, n, memory, &b));
		assert_int_equal(call_always_rejected(c.api, &b, &why), CASES[i].rejected);
		assert_int_equal(why.length > 0, CASES[i].rejected);
		buf_free(&why);
		arena_free(memory);
	}
}

static void numbers_are_in_ranges(void **state)
{
	(void)state;
	static const struct {
		const char *call, *parameter;
		number_answer answer;
		const char *why;
	} CASES[] = {
	    {"torch.nn.functional.dropout(f32[3], 0.3)", "p", NUMBER_ACCEPTED, ""}, {"torch.nn.functional.dropout(f32[3])", "p", NUMBER_ACCEPTED, ""},
	    {"torch.nn.functional.dropout(f32[3], p=1.75)", "p", NUMBER_REJECTED, "p = 1.75: rejected from 1.5 to 1e+30"},
	    {"torch.nn.functional.dropout(f32[3], 1.25)", "p", NUMBER_UNKNOWN, ""}, {"torch.nn.functional.dropout(f32[3], 2)", "p", NUMBER_REJECTED, "p = 2: rejected from 1.5 to 1e+30"},
	    {"torch.nn.functional.hardtanh(f32[3], 2.0, 5.0)", "min_val", NUMBER_ACCEPTED, ""},
	    {"torch.nn.functional.hardtanh(f32[3], 5.0, 2.0)", "max_val", NUMBER_REJECTED, "min_val = 5, max_val = 2: rejected if min_val > max_val"},
	    {"torch.nn.functional.hardtanh(f32[3], 5.0, 2.0)", "inplace", NUMBER_UNLISTED, ""},
	    {"torch.full_like(f32[3], 1e20)", "fill_value", NUMBER_ACCEPTED, ""}, {"torch.full_like(f16[3], 1e20)", "fill_value", NUMBER_UNLISTED, ""},
	    {"torch.full_like(i64[3], 500)", "fill_value", NUMBER_ACCEPTED, ""}, {"torch.full_like(i8[3], 500)", "fill_value", NUMBER_UNLISTED, ""},
	};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		arena *memory = arena_new();
		call c;
		diag d = {{0}};
		binding b;
		size_t n;
		buf why = {0};
		assert_true(call_parse(CASES[i].call, memory, &c, &d));
		const overload *overloads = signatures_find(c.api, memory, &n);
		assert_true(bind_overload(&c, overloads, n, memory, &b));
		const int at = parameter_find(b.to, CASES[i].parameter);
		assert_true(at >= 0);
		assert_int_equal(call_number(c.api, &b, (size_t)at, &why), CASES[i].answer);
		assert_string_equal(buf_text(&why), CASES[i].why);
		buf_free(&why);
		arena_free(memory);
	}
}

/* ---- answers, of a table written by hand */

static bool always(const int64_t *s)
{
	(void)s;
	return true;
}

static bool one(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return true;
}

static bool three(const int64_t *s, int64_t *out)
{
	memcpy(out, s, 3 * sizeof *out);
	return true;
}

static bool equal(const int64_t *s)
{
	return s[0] == s[1];
}

static const rs_arg X[] = {{"x", 0, 1}}, X_K[] = {{"x", 0, 1}, {"k", 1, 1}};
static const rs_value VECTOR[] = {{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1}},
    CUBE[] = {{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 3}},
    VECTOR_K[] = {{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1}, {.kind = RS_INT, .first = 1}};
static const rs_arg X_MASK[] = {{"x", 0, 1}, {"mask", 1, 1}};
static const rs_value CUBE_MATRIX[] = {{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 3}, {.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 2, .first = 3}},
    VECTOR_VECTOR[] = {{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1}, {.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1, .first = 1}};
static const uint8_t FLOATS[] = {RS_FLOAT32, RS_FLOAT32, RS_FLOAT32};
static const rs_op OPS[] = {
    {.name = "t.even-0", .api = "t.even", .valid = equal, .propagate = one, .args = X_K, .values = VECTOR_K, .nargs = 2, .nvalues = 2,
	.nsym = 2, .nin = 1, .nout = 1, .nodim = 1, .out_ranks = (const uint8_t[]){1}, .dtypes = FLOATS, .ndtypes = 1,
	.records = (const int64_t[]){2, 2}, .nrecords = 1},
    {.name = "t.fill-0", .api = "t.fill", .valid = always, .propagate = three, .args = X_MASK, .values = CUBE_MATRIX, .nargs = 2, .nvalues = 2,
	.nsym = 5, .nin = 2, .nout = 1, .nodim = 3, .out_ranks = (const uint8_t[]){3}, .dtypes = FLOATS, .ndtypes = 1,
	.records = (const int64_t[]){2, 3, 4, 3, 4}, .nrecords = 1},
    {.name = "t.fill-1", .api = "t.fill", .valid = always, .propagate = one, .args = X_MASK, .values = VECTOR_VECTOR, .nargs = 2, .nvalues = 2,
	.nsym = 2, .nin = 2, .nout = 1, .nodim = 1, .out_ranks = (const uint8_t[]){1}, .dtypes = FLOATS, .ndtypes = 1,
	.records = (const int64_t[]){2, 2}, .nrecords = 1},
    {.name = "t.relu-0", .api = "t.relu", .valid = always, .propagate = one, .args = X, .values = VECTOR, .nargs = 1, .nvalues = 1,
	.nsym = 1, .nin = 1, .nout = 1, .nodim = 1, .out_ranks = (const uint8_t[]){1}, .dtypes = FLOATS, .ndtypes = 1,
	.records = (const int64_t[]){2}, .nrecords = 1},
    {.name = "t.relu-1", .api = "t.relu", .valid = always, .propagate = three, .args = X, .values = CUBE, .nargs = 1, .nvalues = 1,
	.nsym = 3, .nin = 1, .nout = 1, .nodim = 3, .out_ranks = (const uint8_t[]){3}, .dtypes = FLOATS, .ndtypes = 1,
	.records = (const int64_t[]){2, 3, 4}, .nrecords = 1},
};
static const rs_table TABLE = {.abi = RS_ABI, .framework = "t", .version = "1", .fingerprint = "0", .ops = OPS, .nops = sizeof OPS / sizeof *OPS};
static const rs_table *const TABLES[] = {&TABLE};
static const rs_library LIBRARY = {.abi = RS_ABI, .ntables = 1, .tables = TABLES};

/* t.even: x[0] == k, out = x. t.fill: out = x. t.relu: x[-1] > 0, out = x. docs/reference/file-formats.md has the grammar. */
static const unsigned char CODE[] = "t.even\0Bx\0k\0A@"
	"A@A" "@" "B@@@" "B@I@" "X" "@"
	"A@A" "A@@A@"
	"@"
	"t.fill\0Bx\0mask\0A@"
	"A@@" "A@A" "A@@A@"
	"@"
	"t.relu\0Ax\0A@"
	"A@A" "@" "B@@A" "A@" "\\" "@"
	"A@A" "A@@A@"
	"@";
static const uint32_t STARTS[] = {0, 37, 66};
static const rs_api_rules RULES = {.framework = "t", .code = CODE, .size = sizeof CODE - 1, .starts = STARTS, .n = 3};
static const rs_api_rules *const ALL[] = {&RULES};
static const rs_api_library APIS = {.version = RS_API_RULES, .n = 1, .rules = ALL};

static void check_answer(const rs_api_library *apis, const char *call, const char *answer)
{
	char *text = rs_answer(&LIBRARY, apis, call);
	assert_non_null(text);
	assert_string_equal(text, answer);
	free(text);
}

static void recorded_signatures_answer(void **state)
{
	(void)state;
	check_answer(NULL, "t.relu(f32[5])", "{\"api\":\"t.relu\",\"valid\":true,\"outputs\":[[5]],\"signature\":\"t.relu-0\"}");
	check_answer(NULL, "t.relu(x=(2, 0, 4))", "{\"api\":\"t.relu\",\"valid\":true,\"outputs\":[[2,0,4]],\"signature\":\"t.relu-1\"}");
	check_answer(NULL, "t.relu(f32[5,6])", "{\"api\":\"t.relu\",\"unknown\":\"no recorded signature has these ranks and arguments\"}");
	check_answer(NULL, "t.even(f32[5], k=5)", "{\"api\":\"t.even\",\"valid\":true,\"outputs\":[[5]],\"signature\":\"t.even-0\"}");
	check_answer(NULL, "t.even(f32[5], 4)",
	    "{\"api\":\"t.even\",\"valid\":false,\"why\":\"the rule rejects the sizes\",\"signature\":\"t.even-0\",\"symbols\":[5,4]}");
	check_answer(NULL, "t.relu(i64[5])", "{\"api\":\"t.relu\",\"valid\":false,\"why\":\"the dtypes are rejected: int64\"}");
	check_answer(NULL, "t.relu(u8[5])", "{\"api\":\"t.relu\",\"unknown\":\"the dtypes were never observed together: uint8\"}");
	check_answer(NULL, "t.none(f32[5])", "{\"api\":\"t.none\",\"unknown\":\"no rule of this name\"}");
	check_answer(NULL, "t.relu(y=f32[5])", "{\"api\":\"t.relu\",\"unknown\":\"no overload of the framework takes these arguments\"}");
	check_answer(NULL, "t.relu(", "{\"error\":\"column 8: expected a value\"}");
}

static void rules_of_apis_answer(void **state)
{
	(void)state;
	check_answer(&APIS, "t.relu(f32[5,6])", "{\"api\":\"t.relu\",\"valid\":true,\"outputs\":[[5,6]],\"signature\":\"\"}");
	check_answer(&APIS, "t.relu(f32([1.0, 2.0]))", "{\"api\":\"t.relu\",\"valid\":true,\"outputs\":[[2]],\"signature\":\"t.relu-0\"}");
	check_answer(&APIS, "t.relu(f32(1.0))", 
	    "{\"api\":\"t.relu\",\"unknown\":\"the rule of the API does not cover these arguments\"}");
	check_answer(&APIS, "t.relu(f32[5,0])", "{\"api\":\"t.relu\",\"unknown\":"
		"\"the rule rejects the sizes by a clause that was only observed for other ranks or axes\"}");
	check_answer(&APIS, "t.relu(f32[2,3,4,5])",
	    "{\"api\":\"t.relu\",\"unknown\":\"x = float32[2, 3, 4, 5]: this rank was never observed\"}");
	check_answer(&APIS, "t.relu(bool[2,3])", "{\"api\":\"t.relu\",\"valid\":false,\"why\":\"the dtypes are rejected: bool\"}");
	check_answer(&APIS, "t.even(f32[5], 4)",
	    "{\"api\":\"t.even\",\"valid\":false,\"why\":\"x[0] == k[0], but 5 and 4\",\"signature\":\"t.even-0\",\"symbols\":[5,4]}");
}

/* x has never a lower rank than the mask: unlike fewer dimensions of the mask, more of them are not covered. */
static void ranks_keep_their_order(void **state)
{
	(void)state;
	check_answer(&APIS, "t.fill(f32[2,3,4], f32[4])", "{\"api\":\"t.fill\",\"valid\":true,\"outputs\":[[2,3,4]],\"signature\":\"\"}");
	check_answer(&APIS, "t.fill(f32[2], f32[3,2])",
	    "{\"api\":\"t.fill\",\"unknown\":\"sizes of x and mask that differ like this were never observed\"}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(values_read_and_print_alike), cmocka_unit_test(faults_name_the_column),
	    cmocka_unit_test(calls_bind_as_frameworks_bind_them), cmocka_unit_test(numbers_stand_for_tensors),
	    cmocka_unit_test(twins_have_the_same_parameters), cmocka_unit_test(kinds_of_calls_are_rejected), cmocka_unit_test(numbers_are_in_ranges),
	    cmocka_unit_test(recorded_signatures_answer), cmocka_unit_test(rules_of_apis_answer),
	    cmocka_unit_test(ranks_keep_their_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The oldest operator set of a call, by the table of versions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "op_versions.h"
#include "rulesmith.h"

static int unary(const char *operator, uint8_t dtype)
{
	return op_oldest_set(operator, &dtype, 1, &dtype, 1);
}

static void oldest_sets(void **state)
{
	(void)state;
	assert_int_equal(unary("Acos", RS_FLOAT32), 7);
	assert_int_equal(unary("Acos", RS_BFLOAT16), 22); /* the older one lacks it */
	assert_int_equal(unary("Acosh", RS_FLOAT16), 9);
	assert_int_equal(unary("Abs", RS_FLOAT32), 13); /* earlier versions have another definition */
	assert_int_equal(unary("Nothing", RS_FLOAT32), 0);
	assert_int_equal(unary("", RS_FLOAT32), 0);
	assert_int_equal(unary("Zzz", RS_FLOAT32), 0);
}

/* The last input's dtypes also apply to all later ones; an omitted input fits every version. */
static void many_inputs(void **state)
{
	(void)state;
	const uint8_t made[] = {RS_FLOAT32, RS_FLOAT32};
	uint8_t gru[] = {RS_FLOAT32, RS_FLOAT32, RS_FLOAT32, OP_NO_DTYPE, RS_INT32, OP_NO_DTYPE};
	assert_int_equal(op_oldest_set("GRU", gru, 6, made, 2), 14);
	gru[4] = RS_INT64; /* lengths are int32 */
	assert_int_equal(op_oldest_set("GRU", gru, 6, made, 2), 22);
	uint8_t taken[20];
	memset(taken, RS_FLOAT32, sizeof taken);
	assert_int_equal(op_oldest_set("Sum", taken, 20, made, 1), 8);
	taken[19] = RS_BFLOAT16;
	assert_int_equal(op_oldest_set("Sum", taken, 20, made, 1), 13);
}

static void newest_sets(void **state)
{
	(void)state;
	assert_int_equal(op_newest_set("onnx.AveragePool_11"), 18);
	assert_int_equal(op_newest_set("onnx.AveragePool_19"), 21);
	assert_int_equal(op_newest_set("onnx.AveragePool"), 26);
	assert_int_equal(op_newest_set("onnx.Upsample_9"), 9); /* deprecated in 10 */
	assert_int_equal(op_newest_set("onnx.CausalConvWithState_27"), 0);
	assert_int_equal(op_newest_set("onnx.Nothing"), 0);
	assert_int_equal(op_newest_set("own.Add"), 0);
	assert_int_equal(op_version("onnx.Cast_13"), 13);
	assert_int_equal(op_version("onnx.Cast"), 0);
	assert_int_equal(op_ir_version(7), 3);
	assert_int_equal(op_ir_version(17), 8);
	assert_int_equal(op_ir_version(26), 13);
}

static const rs_value VALUES[] = {{.kind = RS_ELEMENTS, .dtype = RS_INT64}, {.kind = RS_LIST, .count = 2},
    {.kind = RS_INT, .first = 0}, {.kind = RS_CONST, .text = "1"}, {.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1, .first = 1}};
static const rs_arg LAST[] = {{"x", 4, 1}}, BOTH[] = {{"shape", 0, 1}, {"x", 4, 1}};

static rs_op unary_op(const char *api)
{
	return (rs_op){.name = api, .api = api, .args = LAST, .values = VALUES + 4, .nargs = 1, .nvalues = 1, .nin = 1, .nout = 1};
}

static bool in_set(const char *api, uint8_t dtype, int set)
{
	const uint8_t row[] = {dtype, dtype};
	rs_op op = unary_op(api);
	return op_in_set(&op, row, set);
}

static void sets_have_calls(void **state)
{
	(void)state;
	assert_false(in_set("onnx.Acosh", RS_FLOAT32, 8));
	assert_true(in_set("onnx.Acosh", RS_FLOAT32, 9)); /* the same call as at 22 */
	assert_false(in_set("onnx.Acosh", RS_BFLOAT16, 21)); /* but not of this dtype */
	assert_true(in_set("onnx.Acosh", RS_BFLOAT16, 22));
	assert_false(in_set("onnx.Acosh_9", RS_FLOAT32, 9)); /* is there as onnx.Acosh */
	assert_false(in_set("onnx.Abs", RS_FLOAT32, 12));
	assert_true(in_set("onnx.Abs_6", RS_FLOAT32, 12)); /* another call than at 13 */
	assert_false(in_set("onnx.Abs_6", RS_FLOAT32, 13));
	assert_false(in_set("onnx.AveragePool_11", RS_FLOAT32, 10));
	assert_true(in_set("own.Add", RS_FLOAT32, 7));
	assert_true(in_set("onnx.com_microsoft.FusedMatMul", RS_FLOAT32, 7)); /* of another domain, beside any set */
	assert_false(in_set("onnx.com_microsoft.Gelu", RS_FLOAT32, 8)); /* its body has an Erf, which is of set 9 */
	assert_true(in_set("onnx.com_microsoft.Gelu", RS_FLOAT32, 9));
	assert_false(in_set("onnx.Nothing", RS_FLOAT32, 26));
}

/* Known elements are inputs, too: a row has no dtype for them. */
static void elements_are_inputs(void **state)
{
	(void)state;
	rs_op op = {.name = "onnx.Sum", .api = "onnx.Sum", .args = BOTH, .values = VALUES, .nargs = 2, .nvalues = 5, .nin = 1, .nout = 1};
	assert_false(op_in_set(&op, (const uint8_t[]){RS_FLOAT32, RS_FLOAT32}, 12)); /* the elements are int64 */
	op.values = VALUES + 4, op.args = LAST, op.nargs = op.nvalues = 1;
	assert_true(op_in_set(&op, (const uint8_t[]){RS_FLOAT32, RS_FLOAT32}, 12));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(oldest_sets), cmocka_unit_test(many_inputs),
	    cmocka_unit_test(newest_sets), cmocka_unit_test(sets_have_calls), cmocka_unit_test(elements_are_inputs)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

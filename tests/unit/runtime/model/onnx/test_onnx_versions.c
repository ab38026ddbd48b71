/* The oldest operator set of a call, by the table of versions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "onnx_versions.h"
#include "rulesmith.h"

static int unary(const char *operator, uint8_t dtype)
{
	return onnx_oldest_set(operator, &dtype, 1, &dtype, 1);
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
	uint8_t gru[] = {RS_FLOAT32, RS_FLOAT32, RS_FLOAT32, ONNX_NO_DTYPE, RS_INT32, ONNX_NO_DTYPE};
	assert_int_equal(onnx_oldest_set("GRU", gru, 6, made, 2), 14);
	gru[4] = RS_INT64; /* lengths are int32 */
	assert_int_equal(onnx_oldest_set("GRU", gru, 6, made, 2), 22);
	uint8_t taken[20];
	memset(taken, RS_FLOAT32, sizeof taken);
	assert_int_equal(onnx_oldest_set("Sum", taken, 20, made, 1), 8);
	taken[19] = RS_BFLOAT16;
	assert_int_equal(onnx_oldest_set("Sum", taken, 20, made, 1), 13);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(oldest_sets), cmocka_unit_test(many_inputs)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Rows of dtypes with 4-bit integers, by ONNX's type constraints. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "four_bits.h"

static const rs_value VALUES[] = {{.kind = RS_TENSOR}, {.kind = RS_TENSOR}, {.kind = RS_TENSOR}};
static const rs_arg ARGS[] = {{"x", 0, 1}, {"scale", 1, 1}, {"zero_point", 2, 1}};

/* The number of 4-bit rows for the last of these rows; the last one is `to`. */
static unsigned narrowed(const char *api, unsigned nin, const uint8_t *rows, unsigned nrows, uint8_t *to)
{
	const rs_op op = {.api = api, .args = ARGS, .values = VALUES, .nargs = (uint16_t)nin, .nvalues = (uint16_t)nin, .nin = (uint16_t)nin,
	    .nout = 1, .dtypes = rows, .ndtypes = (uint16_t)nrows};
	unsigned found = 0;
	four_bits types;
	for (unsigned type = 0; four_bits_find(&types, &op) && type < FOUR_BITS_TYPES; type++)
		found += four_bits_row(&types, rows + (nrows - 1) * (nin + 1), type, to);
	return found;
}

static void quantizers(void **state)
{
	(void)state;
	uint8_t to[4];
	const uint8_t dequantize[] = {RS_INT16, RS_FLOAT32, RS_INT16, RS_FLOAT32, RS_INT8, RS_FLOAT32, RS_INT8, RS_FLOAT32};
	assert_int_equal(narrowed("onnx.DequantizeLinear", 3, dequantize, 2, to), 1);
	assert_memory_equal(to, ((const uint8_t[]){RS_INT4, RS_FLOAT32, RS_INT4, RS_FLOAT32}), 4);
	assert_int_equal(narrowed("onnx.DequantizeLinear_21", 3, dequantize, 2, to), 1);
	assert_int_equal(narrowed("onnx.DequantizeLinear_19", 3, dequantize, 2, to), 0);
	const uint8_t quantize[] = {RS_FLOAT32, RS_FLOAT32, RS_INT16, RS_INT16, RS_FLOAT32, RS_FLOAT32, RS_UINT8, RS_UINT8};
	assert_int_equal(narrowed("onnx.QuantizeLinear", 3, quantize, 2, to), 1);
	assert_memory_equal(to, ((const uint8_t[]){RS_FLOAT32, RS_FLOAT32, RS_UINT4, RS_UINT4}), 4);
	const uint8_t plain[] = {RS_FLOAT32, RS_FLOAT32, RS_INT16, RS_FLOAT32, RS_FLOAT32, RS_UINT8};
	assert_int_equal(narrowed("onnx.QuantizeLinear", 2, plain, 2, to), 0); /* an attribute decides the dtype */
}

static void other_calls(void **state)
{
	(void)state;
	uint8_t to[4];
	const uint8_t same[] = {RS_FLOAT32, RS_FLOAT32, RS_INT8, RS_INT8}, cast[] = {RS_FLOAT16, RS_FLOAT32, RS_INT8, RS_FLOAT32};
	assert_int_equal(narrowed("onnx.Transpose", 1, same, 2, to), 1);
	assert_memory_equal(to, ((const uint8_t[]){RS_INT4, RS_INT4}), 2);
	assert_int_equal(narrowed("onnx.Cast", 1, cast, 2, to), 1);
	assert_memory_equal(to, ((const uint8_t[]){RS_INT4, RS_FLOAT32}), 2);
	assert_int_equal(narrowed("onnx.Cast_19", 1, cast, 2, to), 0);
	assert_int_equal(narrowed("onnx.Abs", 1, same, 2, to), 0);
	assert_int_equal(narrowed("onnx.Transpose", 1, cast, 1, to), 0); /* has no integers */
	assert_int_equal(narrowed("own.Transpose", 1, same, 2, to), 0);
	const uint8_t bits[] = {RS_UINT8, RS_INT8, RS_INT8, RS_INT8}; /* elements of one size only */
	assert_int_equal(narrowed("onnx.BitCast", 1, bits, 2, to), 0);
	assert_true(four_bits_has((const uint8_t[]){RS_INT8, RS_UINT4}, 2) && !four_bits_has(bits, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(quantizers), cmocka_unit_test(other_calls)};
	return cmocka_run_group_tests_name("four_bits", tests, NULL, NULL);
}

/* Elements of inputs: each dtype holds the drawn number, rounded to it, and nothing else is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "elements.h"

enum { NUMEL = 300, SEEDS = 20 };
static const unsigned char UNTOUCHED = 0xa5;

/* A 16-bit float with this many mantissa bits. */
static double narrow(uint16_t bits, int mantissa, int bias)
{
	int exponent = bits >> mantissa & (2 * bias + 1), fraction = bits & ((1 << mantissa) - 1);
	double x = exponent ? ldexp((1 << mantissa) + fraction, exponent - bias - mantissa) : ldexp(fraction, 1 - bias - mantissa);
	return bits >> 15 ? -x : x;
}

static double half(const void *p)
{
	uint16_t bits;
	memcpy(&bits, p, 2);
	return narrow(bits, 10, 15);
}

static double brain(const void *p)
{
	uint16_t bits;
	memcpy(&bits, p, 2);
	return narrow(bits, 7, 127);
}

static double single(const void *p)
{
	float x;
	memcpy(&x, p, sizeof x);
	return x;
}

static double whole(const void *p)
{
	double x;
	memcpy(&x, p, sizeof x);
	return x;
}

static const struct {
	uint8_t dtype;
	unsigned size, parts; /* bytes of a part; 2 parts: a complex number */
	double (*read)(const void *p);
	double error; /* of a part, relative to its size */
} FLOATS[] = {{RS_FLOAT16, 2, 1, half, 0x1p-11}, {RS_BFLOAT16, 2, 1, brain, 0x1.01p-8}, {RS_FLOAT32, 4, 1, single, 0x1p-24},
    {RS_FLOAT64, 8, 1, whole, 0}, {RS_COMPLEX32, 2, 2, half, 0x1p-11}, {RS_COMPLEX64, 4, 2, single, 0x1p-24},
    {RS_COMPLEX128, 8, 2, whole, 0}};
enum { NFLOATS = sizeof FLOATS / sizeof *FLOATS, REFERENCE = 3 };

/* Fills elements of FLOATS[k], and checks that nothing after them is written. */
static void fill(int k, graph_tensor t, uint64_t seed, unsigned char out[NUMEL * 16 + 16])
{
	t.dtype = FLOATS[k].dtype;
	t.numel = NUMEL;
	memset(out, UNTOUCHED, NUMEL * 16 + 16);
	elements_fill(&t, seed, out);
	for (unsigned i = NUMEL * FLOATS[k].size * FLOATS[k].parts; i < NUMEL * 16 + 16; i++)
		assert_int_equal(out[i], UNTOUCHED);
}

static double part(int k, const unsigned char *out, int i, unsigned side)
{
	return FLOATS[k].read(out + ((size_t)i * FLOATS[k].parts + side) * FLOATS[k].size);
}

/* With one seed, each dtype has the same numbers, rounded to the dtype; so do the first parts of complex
 * numbers. */
static void floats_differ_by_rounding(void **state)
{
	(void)state;
	unsigned char drawn[NUMEL * 16 + 16], out[NUMEL * 16 + 16];
	for (uint64_t seed = 0; seed < SEEDS; seed++)
		for (int class = RS_VALUES_UNIT; class <= RS_VALUES_LARGE; class++) {
			graph_tensor t = {.values = (uint8_t)class};
			fill(REFERENCE, t, seed, drawn);
			for (int k = 0; k < NFLOATS; k++) {
				fill(k, t, seed, out);
				for (int i = 0; i < NUMEL; i++) {
					double x = part(REFERENCE, drawn, i, 0), got = part(k, out, i, 0);
					if (!(fabs(got - x) <= FLOATS[k].error * fabs(x) + 0x1p-25))
						fail_msg("class %d, %s: %.17g, not %.17g", class, rs_dtype_name((rs_dtype)FLOATS[k].dtype), got, x);
				}
			}
		}
}

/* Whole numbers of a range: each occurs, and no other; a complex number's second part is 0. */
static void whole_numbers_are_of_their_range(void **state)
{
	(void)state;
	unsigned char out[NUMEL * 16 + 16];
	for (int k = 0; k < NFLOATS; k++) {
		unsigned seen = 0;
		fill(k, (graph_tensor){.values = RS_VALUES_SMALL, .low = -3, .high = 4}, 7, out);
		for (int i = 0; i < NUMEL; i++) {
			double x = part(k, out, i, 0);
			assert_true(x == floor(x) && x >= -3 && x <= 3);
			assert_true(FLOATS[k].parts == 1 || part(k, out, i, 1) == 0);
			seen |= 1u << (int)(x + 3);
		}
		assert_int_equal(seen, 0x7f);
	}
}

/* Floats are made whole: of one sign or both, with or without zero, exact in the dtype. */
static void floats_are_made_whole(void **state)
{
	(void)state;
	unsigned spans = 0;
	for (uint64_t draw = 0; draw < 100; draw++) {
		graph_tensor t = {.dtype = RS_FLOAT32, .values = RS_VALUES_SMALL};
		elements_make_whole(&t, draw);
		assert_true(elements_are_whole(&t));
		assert_true((t.low == 1 || t.low == -5) && (t.high == 0 || t.high == 6));
		assert_false(t.low == 1 && t.high == 0);
		spans |= t.low == 1 ? 1 : t.high == 0 ? 2 : 4;
		t = (graph_tensor){.dtype = RS_BFLOAT16, .values = RS_VALUES_LARGE};
		elements_make_whole(&t, draw);
		assert_true(t.low >= -3 && t.high <= 4 && elements_are_whole(&t));
		t = (graph_tensor){.dtype = RS_FLOAT32, .values = RS_VALUES_POSITIVE};
		elements_make_whole(&t, draw);
		assert_true(t.low == 1 && t.high == 6);
		t = (graph_tensor){.dtype = RS_FLOAT32, .values = RS_VALUES_UNIT}; /* none from 0.1 to 0.9 */
		elements_make_whole(&t, draw);
		assert_false(elements_are_whole(&t));
		t = (graph_tensor){.dtype = RS_COMPLEX64, .values = RS_VALUES_SMALL};
		elements_make_whole(&t, draw);
		assert_false(elements_are_whole(&t));
		t = (graph_tensor){.dtype = RS_INT64, .values = RS_VALUES_SMALL};
		elements_make_whole(&t, draw);
		assert_true(t.low == 0 && t.high == 0);
	}
	assert_int_equal(spans, 7);
}

/* Of class any: about a quarter are of one kind, which the seed selects; the others are small. */
static void floats_are_special(void **state)
{
	(void)state;
	unsigned char out[NUMEL * 16 + 16];
	for (int k = 0; k < NFLOATS && FLOATS[k].parts == 1; k++)
		for (uint64_t seed = 0; seed < SEEDS; seed++) {
			unsigned found[4] = {0}, finite = 0;
			fill(k, (graph_tensor){.values = RS_VALUES_ANY}, seed, out);
			for (int i = 0; i < NUMEL; i++) {
				double x = part(k, out, i, 0), size = fabs(x);
				bool beyond = FLOATS[k].size == 2 && size >= (k ? 0x1p128 : 0x1p16); /* narrow() reads NaN and infinities as numbers */
				bool nan = isnan(x) || (beyond && size > (k ? 0x1p128 : 0x1p16)), infinite = isinf(x) || (beyond && !nan);
				bool end = !nan && !infinite && (size == 100 || size > 60000 || (size && size <= 0x1p-14));
				found[0] += nan, found[1] += infinite, found[2] += x == 0 || size == 1, found[3] += end;
				finite += !nan && !infinite && !end && size > 0 && size <= 5;
			}
			assert_true(found[seed % 4] > NUMEL / 8 && found[seed % 4] < NUMEL / 2);
			assert_true(finite + found[seed % 4] >= NUMEL);
		}
}

/* Elements of 4 bits: their range, a byte each in memory, and two in a byte when packed. */
static void integers_of_four_bits(void **state)
{
	(void)state;
	assert_true(elements_low(RS_INT4) == -8 && elements_high(RS_INT4) == 7);
	assert_true(elements_low(RS_UINT4) == 0 && elements_high(RS_UINT4) == 15);
	for (int is_signed = 0; is_signed < 2; is_signed++) {
		int8_t all[NUMEL];
		unsigned seen = 0;
		graph_tensor t = {.dtype = is_signed ? RS_INT4 : RS_UINT4, .values = RS_VALUES_LARGE, .numel = NUMEL};
		elements_fill(&t, 7, all);
		for (int i = 0; i < NUMEL; i++) {
			assert_true(all[i] >= elements_low(t.dtype) && all[i] <= elements_high(t.dtype));
			seen |= 1u << (all[i] & 15);
		}
		assert_int_equal(seen, 0xffff);
	}
	uint8_t odd[] = {0x01, 0xfe, 0x07};
	assert_int_equal(elements_bytes(RS_INT4, 3), 2);
	elements_pack(RS_INT4, 3, odd);
	assert_true(odd[0] == 0xe1 && odd[1] == 0x07);
	const uint8_t spare[] = {0xe1, 0x57}, other[] = {0xe1, 0x06}, first[] = {0xe2, 0x07};
	assert_true(elements_same(RS_INT4, 3, odd, spare));
	assert_false(elements_same(RS_INT4, 4, odd, spare));
	assert_false(elements_same(RS_INT4, 3, odd, other) || elements_same(RS_INT4, 3, odd, first));
	uint8_t bytes[] = {0x01, 0xfe};
	elements_pack(RS_INT8, 2, bytes);
	assert_true(elements_bytes(RS_INT8, 2) == 2 && bytes[0] == 0x01 && bytes[1] == 0xfe);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(floats_differ_by_rounding), cmocka_unit_test(whole_numbers_are_of_their_range),
	    cmocka_unit_test(floats_are_made_whole), cmocka_unit_test(floats_are_special), cmocka_unit_test(integers_of_four_bits)};
	return cmocka_run_group_tests_name("elements", tests, NULL, NULL);
}

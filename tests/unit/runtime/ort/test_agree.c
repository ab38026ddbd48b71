/* When elements agree: the same table as compare.py's rules, and all floats of 16 bits. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "agree.h"
#include "rulesmith.h"

static const agreement PAPER = {.preset = AGREE_NEURI};

static bool floats(float got, float want)
{
	return agree(PAPER, RS_FLOAT32, &got, &want, 1);
}

static bool doubles(double got, double want)
{
	return agree(PAPER, RS_FLOAT64, &got, &want, 1);
}

static bool halves(uint8_t dtype, uint16_t got, uint16_t want)
{
	return agree(PAPER, dtype, &got, &want, 1);
}

static void special_numbers(void **state)
{
	(void)state;
	float other_nan = -NAN;
	assert_true(floats(NAN, other_nan));
	assert_false(floats(NAN, 0));
	assert_false(floats(0, NAN));
	assert_false(floats(NAN, INFINITY));
	assert_true(floats(INFINITY, INFINITY));
	assert_false(floats(INFINITY, -INFINITY));
	assert_false(floats(INFINITY, 3e38f)); /* however large */
	assert_false(floats(3e38f, INFINITY));
	assert_true(floats(0.0f, -0.0f));
	assert_true(floats(1e-40f, 0));
	assert_false(doubles(-INFINITY, NAN));
	assert_true(doubles(-0.0, 0.0));
}

/* |got - want| <= 1e-3 + 1e-2 |want|: of want, not of got. */
static void tolerance_is_of_what_is_wanted(void **state)
{
	(void)state;
	assert_true(doubles(1e-3, 0));
	assert_false(doubles(nextafter(1e-3, 1), 0));
	assert_true(doubles(-1e-3, 0));
	double edge = 1e-3 + 1e-2 * 8; /* exact beside 8 but for its last bits */
	assert_true(doubles(8 + 0.99 * edge, 8));
	assert_false(doubles(8 + 1.01 * edge, 8));
	assert_true(doubles(100, 101));
	assert_true(doubles(1010.9, 1000.9));
	assert_false(doubles(989, 1000));
	assert_true(doubles(1000, 1010));
	assert_false(doubles(1010.2, 1000));
	assert_true(floats(1.0109f, 1.0f));
	assert_false(floats(1.0111f, 1.0f));
}

/* By way of the bits of a float, which is scaled so that what is subnormal comes out right. */
static double value_of(uint16_t bits, bool brain)
{
	bool top = !brain && (bits & 0x7c00) == 0x7c00;
	uint32_t wide = (uint32_t)bits << 16;
	float x;
	if (!brain)
		wide = (uint32_t)(bits & 0x8000) << 16 | (uint32_t)(bits & 0x7fff) << 13 | (top ? 0x7f800000 : 0);
	memcpy(&x, &wide, sizeof x);
	return brain || top ? (double)x : (double)x * 0x1p112;
}

static bool near_by_rule(double got, double want, double absolute, double relative)
{
	return got == want || (isnan(got) && isnan(want))
	       || (isfinite(got) && isfinite(want) && fabs(got - want) <= absolute + relative * fabs(want));
}

/* Every number of 16 bits beside neighbours near and far, against another conversion. */
static void all_halves(void **state)
{
	(void)state;
	static const int STEPS[] = {1, 2, 9, 17, 21, 22, 41, 1024, 0x8000};
	for (int brain = 0; brain < 2; brain++)
		for (uint32_t i = 0; i < 0x10000; i++)
			for (size_t k = 0; k < sizeof STEPS / sizeof *STEPS; k++) {
				uint16_t a = (uint16_t)i, b = (uint16_t)(i + (uint32_t)STEPS[k]);
				double x = value_of(a, brain), y = value_of(b, brain);
				bool want = brain ? near_by_rule(x, y, 5e-2, 5e-2) : near_by_rule(x, y, 1e-2, 2e-2);
				if (halves(brain ? RS_BFLOAT16 : RS_FLOAT16, a, b) != want)
					fail_msg("%s: %g beside %g", brain ? "bfloat16" : "float16", x, y);
			}
}

static void integers_are_exact(void **state)
{
	(void)state;
	static const struct {
		uint8_t dtype;
		int64_t got, want;
	} CASES[] = {{RS_INT64, INT64_MAX, INT64_MAX - 1}, {RS_INT32, 1000000, 1000001}, {RS_UINT8, 255, 254},
	    {RS_BOOL, 1, 0}, {RS_UINT64, -1, -2}, {RS_INT16, 5, 6}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		assert_false(agree(PAPER, CASES[i].dtype, &CASES[i].got, &CASES[i].want, 1));
		assert_true(agree(PAPER, CASES[i].dtype, &CASES[i].got, &CASES[i].got, 1));
	}
	const uint8_t four[][2] = {{0x21, 0x03}, {0x21, 0xf3}, {0x21, 0x04}}; /* the last half byte is of no element */
	assert_true(agree(PAPER, RS_UINT4, four[0], four[1], 3));
	assert_false(agree(PAPER, RS_UINT4, four[0], four[2], 3));
	int64_t one = 1, two = 2;
	assert_true(agree(PAPER, RS_INT64, &one, &two, 0));
}

static bool complexes(double a, double b, double c, double d)
{
	const double got[] = {a, b}, want[] = {c, d};
	const float got_single[] = {(float)a, (float)b}, want_single[] = {(float)c, (float)d};
	bool both = agree(PAPER, RS_COMPLEX128, got, want, 1);
	assert_int_equal(both, agree(PAPER, RS_COMPLEX64, got_single, want_single, 1));
	return both;
}

/* numpy's |.| is the absolute value, and a complex number with a NaN part is NaN. */
static void complex_numbers(void **state)
{
	(void)state;
	assert_true(complexes(1, 2, 1, 2));
	assert_true(complexes(100, 0.5, 100, -0.25)); /* the small part within the size of the whole */
	assert_false(complexes(100, 0.9, 100, -0.9));
	assert_true(complexes(NAN, 1, 3, NAN));
	assert_false(complexes(NAN, 1, 3, 1));
	assert_true(complexes(INFINITY, 1, INFINITY, 1));
	assert_false(complexes(INFINITY, 1, INFINITY, 1.0001));
	assert_false(complexes(INFINITY, 1, 5, 1));
}

static void any_element_counts(void **state)
{
	(void)state;
	double got[100], want[100];
	for (int i = 0; i < 100; i++)
		got[i] = want[i] = i;
	got[99] += 0.5;
	assert_true(agree(PAPER, RS_FLOAT64, got, want, 100));
	got[99] += 1;
	assert_false(agree(PAPER, RS_FLOAT64, got, want, 100));
	assert_true(agree(PAPER, RS_FLOAT64, got, want, 99));
}

/* Within the floor of the dtype; whole numbers that may be exact within a half. */
static void what_is_measured(void **state)
{
	(void)state;
	const agreement real = {.preset = AGREE_MEASURED}, whole = {.preset = AGREE_MEASURED, .exact = true};
	const agreement isra = {.preset = AGREE_ISRA};
	float one = 1.0f, near = 1.00001f, far = 1.0001f, large = 1e6f, next = 1e6f + 1, half = 1e6f + 0.5f;
	assert_true(agree(real, RS_FLOAT32, &near, &one, 1));
	assert_false(agree(real, RS_FLOAT32, &far, &one, 1));
	assert_true(agree(real, RS_FLOAT32, &next, &large, 1));
	assert_false(agree(whole, RS_FLOAT32, &next, &large, 1));
	assert_true(agree(whole, RS_FLOAT32, &half, &large, 1));
	float tenth = 1.1f, more = 1.11f;
	assert_true(agree(isra, RS_FLOAT32, &one, &tenth, 1));
	assert_false(agree(isra, RS_FLOAT32, &more, &one, 1));
	int32_t a = 1, b = 2;
	for (int i = 0; i <= AGREE_ISRA; i++)
		assert_false(agree((agreement){.preset = (enum agree_preset)i}, RS_INT32, &a, &b, 1));
	assert_int_equal(agree_parse("isra"), AGREE_ISRA);
	assert_int_equal(agree_parse("loose"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_measured), cmocka_unit_test(special_numbers),
	    cmocka_unit_test(tolerance_is_of_what_is_wanted), cmocka_unit_test(all_halves),
	    cmocka_unit_test(integers_are_exact), cmocka_unit_test(complex_numbers),
	    cmocka_unit_test(any_element_counts)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

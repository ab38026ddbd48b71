/* Intervals compared with numbers computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tally.h"

static void assert_near(double value, double want)
{
	if (!(fabs(value - want) < 5e-5))
		fail_msg("%.6f, not %.6f", value, want);
}

static void test_wilson(void **state)
{
	(void)state;
	static const double CASES[][4] = {/* hits, n, low, high */
	    {8, 10, 0.49016, 0.94332}, {0, 10, 0, 0.27753}, {10, 10, 0.72247, 1},
	    {995, 1000, 0.98835, 0.99786}, {0.5, 1, 0.05462, 0.94538}, {0, 0, 0, 1}};
	for (unsigned i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		double low, high;
		wilson(CASES[i][0], CASES[i][1], &low, &high);
		assert_near(low, CASES[i][2]);
		assert_near(high, CASES[i][3]);
	}
}

static rate rate_of(const double (*clusters)[2], unsigned n)
{
	sums s = {0};
	for (unsigned i = 0; i < n; i++)
		sums_add(&s, clusters[i][0], clusters[i][1]);
	return sums_rate(&s);
}

/* One operator all right, one all wrong: twenty inputs give no more evidence than one. */
static void test_clusters_that_differ(void **state)
{
	(void)state;
	static const double APART[][2] = {{10, 10}, {0, 10}};
	rate r = rate_of(APART, 2);
	assert_near(r.value, 0.5);
	assert_near(r.effect, 20);
	assert_near(r.low, 0.05462);
	assert_near(r.high, 0.94538);
}

/* Operators with equal rates: as if the inputs were independent. */
static void test_clusters_that_agree(void **state)
{
	(void)state;
	static const double ALIKE[][2] = {{4, 5}, {4, 5}};
	rate r = rate_of(ALIKE, 2);
	assert_near(r.effect, 1);
	assert_near(r.low, 0.49016);
	assert_near(r.high, 0.94332);
}

static void test_all_right(void **state)
{
	(void)state;
	static const double RIGHT[][2] = {{10, 10}, {10, 10}, {10, 10}, {0, 0}};
	rate r = rate_of(RIGHT, 4);
	assert_near(r.value, 1);
	assert_near(r.effect, 10);
	assert_near(r.low, 0.43850); /* three of three: 3 / (3 + z²) */
	assert_near(r.high, 1);
}

static void test_nothing(void **state)
{
	(void)state;
	rate r = rate_of(NULL, 0);
	assert_true(r.inputs == 0 && r.value == 0 && r.low == 0 && r.high == 1);
}

static void test_measures(void **state)
{
	(void)state;
	tally t = {0};
	counts c[STRATA] = {[STRATUM_TOTAL] = {.both = 8, .said_only = 2, .was_only = 4, .neither = 6, .right = 6}};
	c[STRATUM_ZERO] = (counts){.neither = 3};
	tally_add(&t, c);
	assert_near(tally_rate(&t, STRATUM_TOTAL, PRECISION).value, 0.8);
	assert_near(tally_rate(&t, STRATUM_TOTAL, RECALL).value, 8.0 / 12);
	assert_near(tally_rate(&t, STRATUM_TOTAL, RIGHT).value, 0.75);
	assert_true(tally_rate(&t, STRATUM_ZERO, PRECISION).inputs == 0);
	assert_int_equal(t.all[STRATUM_ZERO].neither, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_wilson),
	    cmocka_unit_test(test_clusters_that_differ),
	    cmocka_unit_test(test_clusters_that_agree),
	    cmocka_unit_test(test_all_right),
	    cmocka_unit_test(test_nothing),
	    cmocka_unit_test(test_measures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

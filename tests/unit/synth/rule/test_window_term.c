/* Recognizes windows in every notation; the recognized term equals the original. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "expr.h"
#include "rng.h"
#include "window_term.h"

static const char *const WINDOWS[] = {"(s0 + 2*s3 + s4 - s1*s4 - 1)//s2 + 1", "(s0 + 2*s3 - s4*s1 + s4 - 1)//s2 + 1",
    "(s0 - s1)//s2 + 1", "(s0 + s2 - s1)//s2", "s0 - s1 + 1", "s0 + s3 + s4 - s1 + 1", "(s0 + s3 + s4 - s1)//s2 + 1",
    "s0 + s4 - s1*s4", "(s0 + 2*s3 - s1)//s1 + 1"};
static const char *const OTHERS[] = {"s0", "s0 - s1", "s0//s1", "(s0 - 1)//s1 + 1", "(s0 - s1)//s2 + 2", "s0 + s1 + 1",
    "(s0 - 2*s1)//s2 + 1", "s0 - s1*s4 + 1", "1 - s1 + 1", "(s0 - s1 - s3)//s2 + 1", "(max(s0, s3) - s1)//s2 + 1",
    "(s0 - s1 + 1)//s2 + 1"};

static int64_t value(const expr *e, const int64_t *s, int64_t otherwise)
{
	wide v = otherwise;
	if (e)
		assert_true(expr_eval(e, s, &v));
	return (int64_t)v;
}

static const char *const ROUNDED[] = {"min((s0 + 2*s3 - s1*s4 + s4 - 2)//s2 + 2, (s0 + s3 - 1)//s2 + 1)",
    "min((s0 - 1)//s2 + 1, (s0 - s1 - 1)//s2 + 2)", "min((s0 + s3 - 1)//s2 + 1, (s0 + s3*2 - s1 - 1)//s2 + 2)"};
static const char *const TRUNCATED[] = {"(s0 - s1)//s2 + 1 if s0 >= s1 else 1 - (s1 - s0)//s2",
    "(s0 - (s1 - 1)*s4 - 1)//s2 + 1 if s0 + s4 >= s1*s4 + 1 else 1 - (s1*s4 + 1 - s0 - s4)//s2",
    "(s0 - s1)//s2 + 1 if s1 < s0 + 1 else 1 - (s1 - s0)//s2"};
static const char *const MISROUNDED[] = {"min((s0 - 1)//s2 + 1, (s0 - s1)//s2 + 2)", "min((s0)//s2 + 1, (s0 - s1 - 1)//s2 + 2)",
    "min((s0 - 1)//s3 + 1, (s0 - s1 - 1)//s2 + 2)", "max((s0 - 1)//s2 + 1, (s0 - s1 - 1)//s2 + 2)",
    "(s0 - s1)//s2 + 1 if s0 > s1 else 1 - (s1 - s0)//s2", "(s0 - s1)//s2 + 1 if s0 >= s1 else 1 - (s0 - s1)//s2",
    "(s0 - s1)//s2 + 1 if s0 <= s1 else 1 - (s1 - s0)//s2", "(s0 - s1)//s2 + 1 if s0 >= s1 else 1 - (s1 - s0)//s3",
    "(s0 - s1)//s2 + 1 if s0 >= s1 else 2 - (s1 - s0)//s2"};

static void recognizes_windows(void **state)
{
	(void)state;
	rng g = rng_seed(5);
	for (size_t k = 0; k < sizeof WINDOWS / sizeof *WINDOWS; k++) {
		expr_pool *pool = expr_pool_new();
		const expr *e = expr_parse(pool, WINDOWS[k], 5, "test", 1, NULL);
		window_term w;
		assert_true(window_term_of(&w, pool, e));
		for (int n = 0; n < 200; n++) {
			int64_t s[5];
			for (int i = 0; i < 5; i++)
				s[i] = rng_range(&g, i == 1 || i == 2 ? 1 : -9, 20);
			int64_t dilated = value(w.dilation, s, 1) * (value(w.kernel, s, 0) - 1) + 1;
			int64_t rest = value(w.size, s, 0) + 2 * value(w.padding, s, 0) - dilated, stride = value(w.stride, s, 1);
			int64_t floor = rest / stride - (rest % stride != 0 && (rest < 0) != (stride < 0));
			assert_int_equal(floor + 1, value(e, s, 0));
		}
		expr_pool_free(pool);
	}
}

/* The value of the named term, by its definition in whole windows. */
static int64_t rounded(const window_term *w, const int64_t *s)
{
	int64_t dilated = value(w->dilation, s, 1) * (value(w->kernel, s, 0) - 1) + 1, padding = value(w->padding, s, 0);
	int64_t size = value(w->size, s, 0), stride = value(w->stride, s, 1), rest = size + 2 * padding - dilated;
	if (w->rounding == WINDOW_TRUNC)
		return rest / stride + 1;
	int64_t n = rest / stride + 1 + (rest % stride > 0);
	return (n - 1) * stride >= size + padding ? n - 1 : n;
}

static void expect_rounded(const char *const *texts, size_t ntexts, enum window_rounding rounding)
{
	rng g = rng_seed(6);
	for (size_t k = 0; k < ntexts; k++) {
		expr_pool *pool = expr_pool_new();
		const expr *e = expr_parse(pool, texts[k], 5, "test", 1, NULL);
		window_term w;
		assert_true(window_term_of(&w, pool, e));
		assert_int_equal(w.rounding, rounding);
		for (int n = 0; n < 300; n++) { /* random sizes, kernels, strides, paddings up to half a kernel, dilations */
			int64_t s[5];
			for (int i = 0; i < 5; i++)
				s[i] = rng_range(&g, 1, 12);
			s[3] = s[1] / 2;
			if (rounding == WINDOW_CEIL)
				s[0] += s[1] * s[4];
			assert_int_equal(rounded(&w, s), value(e, s, 0));
		}
		expr_pool_free(pool);
	}
}

static void distinguishes_roundings(void **state)
{
	(void)state;
	expect_rounded(ROUNDED, sizeof ROUNDED / sizeof *ROUNDED, WINDOW_CEIL);
	expect_rounded(TRUNCATED, sizeof TRUNCATED / sizeof *TRUNCATED, WINDOW_TRUNC);
}

static void expect_none(const char *const *texts, size_t ntexts)
{
	for (size_t k = 0; k < ntexts; k++) {
		expr_pool *pool = expr_pool_new();
		window_term w;
		if (window_term_of(&w, pool, expr_parse(pool, texts[k], 5, "test", 1, NULL)))
			fail_msg("%s", texts[k]);
		expr_pool_free(pool);
	}
}

static void rejects_other_expressions(void **state)
{
	(void)state;
	expect_none(OTHERS, sizeof OTHERS / sizeof *OTHERS);
	expect_none(MISROUNDED, sizeof MISROUNDED / sizeof *MISROUNDED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(recognizes_windows), cmocka_unit_test(rejects_other_expressions),
	    cmocka_unit_test(distinguishes_roundings)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

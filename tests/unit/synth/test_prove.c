/* The prover: known theorems and variations of them, and the drift test, which compares Z3's terms with
 * expr_eval on the same values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "rng.h"
#include "prove.h"

enum { SYMBOLS = 6 };

typedef struct fixture {
	expr_pool *pool;
	prover *prover;
} fixture;

static int setup(void **state)
{
	static fixture f;
	f = (fixture){expr_pool_new(), prover_new()};
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	fixture *f = *state;
	expr_pool_free(f->pool);
	prover_free(f->prover);
	return 0;
}

static const expr *parse(fixture *f, const char *text)
{
	diag d = {""};
	const expr *e = expr_parse(f->pool, text, SYMBOLS, "test", 0, &d);
	if (!e)
		fail_msg("%s", d.text);
	return e;
}

static void expect_equal(fixture *f, const char *a, const char *b, verdict want)
{
	verdict got = prove_equal(f->prover, parse(f, a), parse(f, b));
	if (got != want)
		fail_msg("%s = %s: got %d, wanted %d", a, b, got, want);
}

static void test_equal(void **state)
{
	fixture *f = *state;
	expect_equal(f, "s0 + s1", "s1 + s0", PROVED);
	expect_equal(f, "s0 - (s1 - s2)", "s0 - s1 + s2", PROVED);
	expect_equal(f, "s0*(s1 + s2)", "s0*s1 + s0*s2", PROVED);
	expect_equal(f, "min(s0, s1) + max(s0, s1)", "s0 + s1", PROVED);
	expect_equal(f, "max(s0, s1) - s1", "max(s0 - s1, 0)", PROVED);
	expect_equal(f, "s0 + s1", "s0 - s1", REFUTED);
	expect_equal(f, "s0*s1", "s0*s1 + s0//1000003", REFUTED);
	/* outside the few witnesses: only Z3 can refute it */
	expect_equal(f, "max(s0, 1000)", "max(s0, 1000) + max(s0 - 123456, 0)", REFUTED);
}

static void test_division_is_floor(void **state)
{
	fixture *f = *state;
	expect_equal(f, "(s0 + 2)//2", "s0//2 + 1", PROVED);
	expect_equal(f, "s0//2//2", "s0//4", PROVED);
	expect_equal(f, "-7//2", "-4", PROVED);
	expect_equal(f, "7//-2", "-4", PROVED);
	expect_equal(f, "-7//-2", "3", PROVED);
	expect_equal(f, "-7%2", "1", PROVED);
	expect_equal(f, "7%-2", "-1", PROVED);
	expect_equal(f, "-7%-2", "-1", PROVED);
	expect_equal(f, "7%-2", "1", REFUTED);
}

static void test_negative_divisors(void **state)
{
	fixture *f = *state;
	expect_equal(f, "s0//-3", "(0 - s0)//3", PROVED);
	expect_equal(f, "s0%-3", "0 - (0 - s0)%3", PROVED);
	expect_equal(f, "s0//-3", "0 - s0//3", REFUTED); /* C's division */
	expect_equal(f, "s0%-3", "s0%3", REFUTED);	 /* Z3's remainder */
	expect_equal(f, "s0//s1", "(0 - s0)//(0 - s1)", PROVED);
	expect_equal(f, "s0%s1", "0 - (0 - s0)%(0 - s1)", PROVED);
}

static void test_no_value(void **state)
{
	fixture *f = *state;
	expect_equal(f, "1//0", "2%0", PROVED); /* neither has a value */
	expect_equal(f, "1//0", "1", REFUTED);
	expect_equal(f, "s0//s0", "1", REFUTED); /* not at 0 */
	expect_equal(f, "s0%s0", "s0//s0 - 1", PROVED);
	expect_equal(f, "0*(s0//s1)", "0", REFUTED);
	expect_equal(f, "0*(s0//s1)", "0*(s0%s1)", PROVED);
	expect_equal(f, "s0//(s1 - s2)", "s0//(s2 - s1)", REFUTED);
}

static void test_choice_is_lazy(void **state)
{
	fixture *f = *state;
	expect_equal(f, "s0//s1 if s1 != 0 else 0", "0 if s1 == 0 else s0//s1", PROVED);
	expect_equal(f, "s0//s1 if s1 > 0 else 0", "s0//s1", REFUTED);
	expect_equal(f, "1 if s0//s1 == s0//s1 else 2", "1 if s1 != 0 else 2", PROVED);
	expect_equal(f, "s0 if s0 < s1 else s1", "min(s0, s1)", PROVED);
}

static void expect_implied(
    fixture *f, const char *premise, const char *clause, const bool *domain, verdict want)
{
	const expr *premises[2] = {parse(f, premise), parse(f, "s5 == s5")};
	verdict got = prove_implied(f->prover, premises, 2, parse(f, clause), domain, SYMBOLS);
	if (got != want)
		fail_msg("%s implies %s: got %d, wanted %d", premise, clause, got, want);
}

static void test_implied(void **state)
{
	fixture *f = *state;
	bool domain[SYMBOLS] = {true, true};
	expect_implied(f, "s0 > s1", "s0 >= s1 + 1", NULL, PROVED);
	expect_implied(f, "s0 >= s1", "s0 >= s1 + 1", NULL, REFUTED);
	expect_implied(f, "s0 > 0", "s0 != 0", NULL, PROVED);
	expect_implied(f, "s0 > s1", "s0 > 0", NULL, REFUTED);
	expect_implied(f, "s0 > s1", "s0 > 0", domain, PROVED);
	expect_implied(f, "s2 > s3", "s2 > 0", domain, REFUTED); /* not dimensions */
	expect_implied(f, "s0 == s1 or s0 == 1 or s1 == 1", "max(s0, s1) == s0*s1 or s0 == s1", NULL,
	    REFUTED); /* 1 and -1 */
	expect_implied(f, "s0 == s1 or s0 == 1 or s1 == 1",
	    "max(s0, s1) == s0*s1 or s0 == s1 or s0*s1 == 0", domain, PROVED);
	expect_implied(f, "s0//s1 >= 1", "s1 != 0", NULL, PROVED); /* no value: false */
	expect_implied(f, "s0 > 0 and s1 > 0", "s0//s1 >= 0", NULL, PROVED);
	expect_implied(f, "s0 > 0", "s0//s1 == s0//s1", NULL, REFUTED);
}

/* The form in which floor.c writes templates: a multiple of the positive divisor is moved out of the
 * division. The coefficients are -2 to 2; for a divisor of 2 the constant is reduced to 0 or 1. */
static void test_templates(void **state)
{
	fixture *f = *state;
	static const char *const WRITTEN[][2] = {{"(s0 + s1)//s1", "s0//s1 + 1"}, {"(s0 - s1)//s1", "s0//s1 - 1"},
	    {"(s0 + 2*s1)//s1", "s0//s1 + 2"}, {"(s0 - 2*s1)//s1", "s0//s1 - 2"}};
	const expr *positive = parse(f, "s1 > 0");
	where there = {&positive, 1, NULL, 0};
	for (size_t k = 0; k < sizeof WRITTEN / sizeof *WRITTEN; k++) {
		prover_reset(f->prover);
		if (prove_agree(f->prover, parse(f, WRITTEN[k][0]), parse(f, WRITTEN[k][1]), &there) != PROVED)
			fail_msg("%s is not proved to be %s", WRITTEN[k][0], WRITTEN[k][1]);
	}
	expect_equal(f, "(s0 + 5)//2", "(s0 + 1)//2 + 2", PROVED);
	expect_equal(f, "(s0 - 4)//2", "s0//2 - 2", PROVED);
	expect_equal(f, "(s0 - 3)//2", "(s0 + 1)//2 - 2", PROVED);
}

/* Two texts that agree under conditions, and not otherwise. */
static void test_where(void **state)
{
	fixture *f = *state;
	bool dims[SYMBOLS] = {true, true};
	const expr *positive = parse(f, "s1 > 0"), *a = parse(f, "s0//s1*0"), *zero = parse(f, "0");
	where nowhere = {.n = 0}, there = {&positive, 1, NULL, 0}, natural = {NULL, 0, dims, SYMBOLS};
	assert_int_equal(prove_agree(f->prover, a, zero, &nowhere), REFUTED); /* s1 == 0: no value */
	assert_int_equal(prove_agree(f->prover, a, zero, &there), PROVED);
	assert_int_equal(prove_agree(f->prover, a, zero, &natural), REFUTED);
	assert_int_equal(prove_agree(f->prover, parse(f, "max(s0, 0)"), parse(f, "s0"), &natural), PROVED);
	assert_int_equal(prove_agree(f->prover, parse(f, "max(s2, 0)"), parse(f, "s2"), &natural), REFUTED);
	assert_int_equal(prove_agree(f->prover, parse(f, "s0 >= 1"), parse(f, "s0 != 0"), &natural), PROVED);
	assert_int_equal(prove_agree(f->prover, parse(f, "s2 >= 1"), parse(f, "s2 != 0"), &natural), REFUTED);
	assert_int_equal(prove_agree(f->prover, parse(f, "s0//s1 == 2"), parse(f, "s0//s1 == 2 and s1 != 0"), &natural), PROVED);
}

/* ---- drift: one definition, two evaluators */

static const expr *random_expr(fixture *f, rng *r, int depth, const int64_t *s);

static const expr *random_test(fixture *f, rng *r, int depth, const int64_t *s)
{
	enum op op = FIRST_COMPARE + rng_below(r, LAST_COMPARE - FIRST_COMPARE + 1);
	const expr *a = random_expr(f, r, depth, s), *b = random_expr(f, r, depth, s);
	const expr *test = expr_make(f->pool, op, a, b);
	if (depth == 0 || rng_below(r, 4))
		return test;
	return expr_make(f->pool, rng_below(r, 2) ? OP_AND : OP_OR, test, random_test(f, r, depth - 1, s));
}

static const expr *random_expr(fixture *f, rng *r, int depth, const int64_t *s)
{
	if (depth == 0 || rng_below(r, 5) == 0)
		return expr_const(f->pool, s[rng_below(r, SYMBOLS)]);
	const expr *a = random_expr(f, r, depth - 1, s), *b = random_expr(f, r, depth - 1, s);
	if (rng_below(r, 6) == 0)
		return expr_ite(f->pool, random_test(f, r, depth - 1, s), a, b);
	return expr_make(f->pool, FIRST_ARITH + rng_below(r, LAST_ARITH - FIRST_ARITH + 1), a, b);
}

/* Z3 must find the value of expr_eval, and no value if expr_eval has none. */
static void test_no_drift(void **state)
{
	fixture *f = *state;
	rng r = rng_seed(20);
	int with_value = 0;
	for (int round = 0; round < 1500; round++) {
		int64_t s[SYMBOLS];
		for (int i = 0; i < SYMBOLS; i++)
			s[i] = round % 3 ? rng_range(&r, -3, 5) : rng_range(&r, -1000000, 1000000);
		const expr *e = random_expr(f, &r, 1 + round % 4, s);
		wide value;
		bool has = expr_eval(e, s, &value);
		if (has && value != (int64_t)value)
			continue;
		const expr *none = expr_make(f->pool, OP_DIV, expr_const(f->pool, 1), expr_const(f->pool, 0));
		const expr *want = has ? expr_const(f->pool, (int64_t)value) : none;
		if (prove_equal(f->prover, e, want) != PROVED) {
			buf text = {0};
			expr_print(&text, e);
			fail_msg("%s: expr_eval gives %s %lld", text.text, has ? "value" : "no value",
			    has ? (long long)value : 0);
		}
		with_value += has;
	}
	assert_in_range(with_value, 700, 1499);
}

static void test_budget(void **state)
{
	fixture *f = *state;
	long asked, unknown, before;
	prover_counts(f->prover, &asked, &before);
	expect_implied(f, "s0 > 2 and s1 > 2 and s2 > 2",
	    "s0*s0*s0*s0*s0 + s1*s1*s1*s1*s1 != s2*s2*s2*s2*s2", NULL, UNKNOWN);
	long asked_after;
	prover_counts(f->prover, &asked_after, &unknown);
	assert_int_equal(asked_after, asked + 1);
	assert_int_equal(unknown, before + 1);
	expect_equal(f, "s0 + 1 - 1", "s0", PROVED); /* and the prover continues */
}

/* Compares a and b in the box where `given` holds (NULL: everywhere). If they differ, the returned input
 * must show it. */
static void expect_distinguished(fixture *f, const char *given, const char *a, const char *b, int64_t low, int64_t high, verdict want)
{
	prover *finder = prover_new_finder();
	int64_t lows[SYMBOLS], highs[SYMBOLS], x[SYMBOLS];
	const expr *holds = given ? parse(f, given) : NULL, *ea = parse(f, a), *eb = b ? parse(f, b) : NULL;
	for (int i = 0; i < SYMBOLS; i++) {
		lows[i] = low;
		highs[i] = high;
	}
	for (unsigned seed = 0; seed < 3; seed++) {
		distinction d = {.holds = &holds, .n = holds != NULL, .a = ea, .b = eb, .low = lows, .high = highs, .nsym = SYMBOLS, .seed = seed};
		wide va, vb;
		if (prover_distinguish(finder, &d, x) != want)
			fail_msg("%s | %s within %lld..%lld: not %d", a, b ? b : "", (long long)low, (long long)high, want);
		if (want != REFUTED)
			continue;
		for (int i = 0; i < SYMBOLS; i++)
			assert_in_range(x[i] - low, 0, high - low);
		assert_true(!holds || expr_holds(holds, x));
		if (!eb || expr_is_bool(ea))
			assert_true(expr_holds(ea, x) != (eb ? expr_holds(eb, x) : true));
		else if (expr_eval(ea, x, &va) && expr_eval(eb, x, &vb))
			assert_true(va != vb);
	}
	prover_free(finder);
}

static void test_distinguish(void **state)
{
	fixture *f = *state;
	expect_distinguished(f, NULL, "s0 + s1", "s1 + s0", -3, 64, PROVED);
	expect_distinguished(f, NULL, "(s0 + 1)//2", "s0//2", 0, 64, REFUTED);
	expect_distinguished(f, "s0%2 == 0", "(s0 + 1)//2", "s0//2", 0, 64, PROVED);
	expect_distinguished(f, NULL, "min(s0, 65)", "s0", 0, 64, PROVED); /* in the box, not beyond */
	expect_distinguished(f, NULL, "min(s0, 65)", "s0", 0, 66, REFUTED);
	expect_distinguished(f, NULL, "s0//s1", "s0//s1 + 0*s2", 0, 4, PROVED);
	expect_distinguished(f, "s0 > 0", "s0//s1", "s0//max(s1, 1)", 0, 4, REFUTED); /* only one has a value */
	expect_distinguished(f, NULL, "s0 < s1", "s0 <= s1", 0, 64, REFUTED);
	expect_distinguished(f, "s0 != s1", "s0 < s1", "s0 <= s1", 0, 64, PROVED);
	expect_distinguished(f, "s0 > 2", "s0 > 1", NULL, 0, 64, PROVED);
	expect_distinguished(f, "s0 > 2 and s1 + s2 == 7", "s0 > 3 or s1 > 60", NULL, 0, 64, REFUTED);
	expect_distinguished(f, "s0*s1 == 24 and s0 > s1", "s0 != 8", NULL, 0, 64, REFUTED); /* one input of a few */
}

static void test_recycling(void **state)
{
	fixture *f = *state;
	const expr *a = parse(f, "s0 + s1"), *b = parse(f, "s1 + s0");
	for (int i = 0; i < 4500; i++)
		assert_int_equal(prove_equal(f->prover, a, b), PROVED);
	prover_reset(f->prover);
	expect_equal(f, "s0 + s1", "s1 + s0", PROVED);
}

/* Z3 reports an error and forgets it at the next call: no later answer proves anything. Symbols below 0 have
 * no name in Z3, which then treats them all as one; a comparison is not a number; witnesses are omitted beyond
 * 64 symbols. When errors were read only once a query, at its end, each of these was PROVED or ended the
 * program. */
static void test_errors(void **state)
{
	fixture *f = *state;
	expr_pool *q = f->pool;
	const expr *far = expr_sym(q, 100), *s0 = expr_sym(q, 0), *less = parse(f, "s0 < s1");
	const expr *a = expr_make(q, OP_ADD, expr_sym(q, -3), far), *b = expr_make(q, OP_ADD, expr_sym(q, -2), far);
	const expr *part = expr_make(q, OP_DIV, far, a), *other = expr_make(q, OP_DIV, far, b);
	const expr *ill[] = {expr_make(q, OP_DIV, s0, less), expr_make(q, OP_MOD, s0, less), expr_make(q, OP_MAX, less, s0),
	    expr_ite(q, s0, s0, s0)};
	const expr *above = expr_make(q, OP_GT, a, s0), *below = expr_make(q, OP_GT, b, s0);
	long asked, before, unknown;
	prover_counts(f->prover, &asked, &before);
	assert_int_equal(prove_equal(f->prover, a, b), UNKNOWN);
	assert_int_equal(prove_equal(f->prover, part, other), UNKNOWN);
	assert_int_equal(prove_implied(f->prover, &above, 1, below, NULL, 0), UNKNOWN);
	for (int k = 0; k < 4; k++) {
		const expr *with_far = expr_make(q, OP_ADD, ill[k], far);
		assert_int_equal(prove_equal(f->prover, with_far, with_far), UNKNOWN);
		assert_int_equal(prove_equal(f->prover, far, with_far), UNKNOWN);
		const expr *holds = expr_make(q, OP_GE, with_far, s0), *same = expr_make(q, OP_GE, far, far);
		assert_int_equal(prove_implied(f->prover, &holds, 1, same, NULL, 0), UNKNOWN); /* an error among the premises */
		assert_int_equal(prove_implied(f->prover, &same, 1, holds, NULL, 0), UNKNOWN);
	}
	prover_counts(f->prover, &asked, &unknown);
	assert_int_equal(unknown - before, 3 + 4 * 4);
	expect_equal(f, "s0 + 1 - 1", "s0", PROVED); /* and the prover continues */
	expect_equal(f, "s0 + 1", "s0", REFUTED);
}

static void test_version(void **state)
{
	(void)state;
	assert_non_null(strchr(prover_version(), '.'));
	assert_null(strchr(prover_version(), '_')); /* a macro that was undefined */;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_equal, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_division_is_floor, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_negative_divisors, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_no_value, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_choice_is_lazy, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_implied, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_no_drift, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_budget, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_distinguish, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_recycling, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_errors, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_where, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_templates, setup, teardown),
	    cmocka_unit_test(test_version),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Expressions: text and tree, evaluation, hash-consing, and texts that must be rejected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "rng.h"
#include "expr.h"

static char *text_of(const expr *e)
{
	buf b = {0};
	expr_print(&b, e);
	return b.text;
}

static const expr *parse(expr_pool *p, const char *text)
{
	diag d = {""};
	const expr *e = expr_parse(p, text, 8, "t", 1, &d);
	if (!e)
		print_message("%s\n", d.text);
	return e;
}

/* Canonical texts survive a round trip. */
static void prints_what_it_parses(void **state)
{
	static const char *const TEXTS[] = {"s0", "-3", "s0 + s1*2", "(s0 + s1)*2", "s0 - (s1 - s2)",
	    "s0 - s1 - s2", "(s2 + 2*s6 - s4)//s5 + 1", "s0//(s1//s2)", "s0%s1%s2", "min(s0, max(s1, 2))",
	    "s0 if s1 < 0 else s2", "(s0 if s1 == 1 else s2) + 1", "min(s0 if s1 > 2 else s2, 3)",
	    "s0 == s1 or s0 == 1 or s1 == 1", "s0 == 1 and s1 == 2 or s2 == 3",
	    "(s0 == 1 or s1 == 2) and s2 == 3", "s0*(-1) >= -9223372036854775807",
	    "s0 if s1 == 1 or s2 == 1 else s3 if s4 != 0 else s5"};
	(void)state;
	expr_pool *p = expr_pool_new();
	for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
		const expr *e = parse(p, TEXTS[i]);
		assert_non_null(e);
		buf b = {0};
		expr_print(&b, e);
		assert_string_equal(b.text, TEXTS[i]);
		buf_free(&b);
	}
	expr_pool_free(p);
}

static void rejects_invalid_text(void **state)
{
	static const struct {
		const char *text, *why;
	} BAD[] = {{"", "expected a number"}, {"s0 +", "expected a number"}, {"s9", "no such symbol"},
	    {"s0 s1", "unexpected text"}, {"min(s0)", "expected ','"}, {"(s0", "expected ')'"},
	    {"99999999999999999999", "does not fit"}, {"(s0 < 1) + 2", "arithmetic takes numbers"},
	    {"s0 or s1", "take comparisons"}, {"s0 if s1 else s2", "takes a comparison"},
	    {"s0 < s1 < s2", "unexpected text"}, {"s0 if s1 < 2", "expected 'else'"},
	    {"__import__('os')", "expected a number"}, {"s0 ** 2", "expected a number"}};
	(void)state;
	expr_pool *p = expr_pool_new();
	for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
		diag d = {""};
		assert_null(expr_parse(p, BAD[i].text, 8, "file", 7, &d));
		assert_non_null(strstr(d.text, BAD[i].why));
		assert_memory_equal(d.text, "file:7: error: ", 15);
	}
	char deep[4001];
	memset(deep, '(', 4000);
	deep[4000] = '\0';
	diag d = {""};
	assert_null(expr_parse(p, deep, 8, "file", 7, &d));
	assert_non_null(strstr(d.text, "nested too deeply"));
	expr_pool_free(p);
}

static void has_value(expr_pool *p, const char *text, const int64_t *s, bool has, int64_t want)
{
	wide v;
	const expr *e = parse(p, text);
	assert_int_equal(expr_eval(e, s, &v), has);
	if (has)
		assert_true(v == want);
}

static void evaluates(void **state)
{
	static const int64_t S[8] = {7, -7, 2, -2, 0, 1, INT64_MAX, INT64_MIN};
	(void)state;
	expr_pool *p = expr_pool_new();
	has_value(p, "s0//s2", S, true, 3);
	has_value(p, "s1//s2", S, true, -4);
	has_value(p, "s0//s3", S, true, -4);
	has_value(p, "s0%s3", S, true, -1);
	has_value(p, "s1%s2", S, true, 1);
	has_value(p, "s0//s4", S, false, 0);
	has_value(p, "s0%s4", S, false, 0);
	has_value(p, "s6 + s6 - s6", S, true, INT64_MAX);
	has_value(p, "s6*s6//s6", S, true, INT64_MAX);
	has_value(p, "s6*s6*s6", S, false, 0); /* overflows 128 bits */
	has_value(p, "s7//s3*s3", S, true, INT64_MIN);
	has_value(p, "1 if s4 == 0 else 1//s4", S, true, 1); /* the other branch needs no value */
	has_value(p, "1//s4 if s4 == 0 else 1", S, false, 0);
	assert_false(expr_holds(parse(p, "s0//s4 == s0//s4"), S)); /* no value: does not hold */
	assert_true(expr_holds(parse(p, "s0%s4 == 0 or s4 == 0"), S));
	assert_true(expr_holds(parse(p, "s6 + 1 > s6"), S)); /* no wrap-around */
	expr_pool_free(p);
}

static void equal_trees_are_one(void **state)
{
	(void)state;
	expr_pool *p = expr_pool_new(), *q = expr_pool_new();
	const expr *e = parse(p, "(s0 + s1)*min(s2, 3)");
	assert_ptr_equal(e, parse(p, "(s0 + s1)*min(s2, 3)"));
	int map[8] = {4, 5, 6, 0, 0, 0, 0, 0};
	const expr *f = expr_copy(q, e, map);
	char *text = text_of(f);
	assert_string_equal(text, "(s4 + s5)*min(s6, 3)");
	assert_int_equal(expr_max_sym(f), 6);
	assert_int_equal(expr_compare(e, expr_copy(p, e, NULL)), 0);
	buf b = {.text = text, .capacity = 1};
	buf_free(&b);
	expr_pool_free(p);
	expr_pool_free(q);
}

/* For a text that ends too early, or values of the wrong kind: the column of the first error, and its
 * message. */
static void reports_error_column(void **state)
{
	static const struct {
		const char *text;
		int column;
		const char *why;
	} BAD[] = {{"min s0, 1)", 5, "expected '('"}, {"min", 4, "expected '('"}, {"max(s0 s1)", 8, "expected ','"}, {"max(s0, ", 9, "expected a number"},
	    {"max(, s0)", 5, "expected a number"}, {"max(s0, s1", 11, "expected ')'"}, {"max(s0 < 1, s1)", 16, "a function takes"},
	    {"max(s0, s1 < 1)", 16, "a function takes"}, {"s0 + (s1 < 1)", 14, "arithmetic takes"}, {"s0*(s1 < 1)", 12, "arithmetic takes"},
	    {"(s0 < 1)*s1", 12, "arithmetic takes"}, {"s0 *", 5, "expected a number"}, {"s0 <", 5, "expected a number"},
	    {"(s0 < 1) < 2", 13, "a comparison takes"}, {"2 < (s0 < 1)", 13, "a comparison takes"}, {"s0 < 1 or", 10, "expected a number"},
	    {"s0 < 1 and", 11, "expected a number"}, {"s0 < 1 and s1", 14, "take comparisons"}, {"s1 and s0 < 1", 14, "take comparisons"},
	    {"s0 < 1 or s1", 13, "take comparisons"}, {"s1 or s0 < 1", 13, "take comparisons"}, {"s0 if", 6, "expected a number"},
	    {"s0 if s1 < 1 else", 18, "expected a number"}, {"s0 if s1 < 1 else s2 < 1", 25, "takes a comparison"},
	    {"(s0 < 1) if s1 < 1 else s2", 27, "takes a comparison"}, {"s0 if s1 < 1 els s2", 14, "expected 'else'"}, {"s0 if s1 < 1 elses2", 14, "expected 'else'"},
	    {"s0 ifs1 < 1 else s2", 4, "unexpected text"}, {"s", 1, "expected a number"}, {"sx", 1, "expected a number"}, {"-", 1, "expected a number"},
	    {"-s0", 1, "expected a number"}, {"s0)", 3, "unexpected text"}, {"s8", 1, "no such symbol"}, {"s99999999999999999999", 1, "no such symbol"},
	    {"-9223372036854775809", 1, "does not fit"}, {"s0 = 1", 4, "unexpected text"}, {"s0 ! 1", 4, "unexpected text"}, {"mins(s0, 1)", 1, "expected a number"}};
	(void)state;
	expr_pool *p = expr_pool_new();
	for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
		diag d = {""};
		buf wanted = {0};
		buf_printf(&wanted, "file:7: error: expression \"%s\", column %d: ", BAD[i].text, BAD[i].column);
		assert_null(expr_parse(p, BAD[i].text, 8, "file", 7, &d));
		if (strncmp(d.text, wanted.text, wanted.length) != 0 || !strstr(d.text + wanted.length, BAD[i].why))
			fail_msg("%s (wanted %s%s)", d.text, wanted.text, BAD[i].why);
		buf_free(&wanted);
	}
	expr_pool_free(p);
}

/* The maximum nesting depth, in brackets and in choices. */
static void accepts_maximum_nesting(void **state)
{
	(void)state;
	expr_pool *p = expr_pool_new();
	for (int deep = 399; deep < 402; deep++) {
		buf brackets = {0}, choices = {0};
		diag d = {""};
		for (int i = 1; i < deep; i++) {
			buf_puts(&brackets, "(");
			buf_puts(&choices, "s0 if s1 < 1 else ");
		}
		buf_puts(&brackets, "s0");
		buf_puts(&choices, "s0");
		for (int i = 1; i < deep; i++)
			buf_puts(&brackets, ")");
		assert_int_equal(expr_parse(p, brackets.text, 8, "file", 7, &d) != NULL, deep <= 400);
		assert_int_equal(expr_parse(p, choices.text, 8, "file", 7, &d) != NULL, deep <= 400);
		buf_free(&brackets);
		buf_free(&choices);
	}
	expr_pool_free(p);
}

static const expr *random_tree(expr_pool *p, rng *r, int depth)
{
	if (depth == 0 || rng_below(r, 4) == 0)
		return rng_below(r, 3) ? expr_sym(p, (int)rng_below(r, 8)) : expr_const(p, rng_range(r, -9, 9));
	const expr *a = random_tree(p, r, depth - 1), *b = random_tree(p, r, depth - 1);
	if (rng_below(r, 8) == 0)
		return expr_ite(p, expr_make(p, (enum op)rng_range(r, FIRST_COMPARE, LAST_COMPARE), a, b), b, a);
	return expr_make(p, (enum op)rng_range(r, FIRST_ARITH, LAST_ARITH), a, b);
}

/* The printed text of any tree parses to a tree with the same value everywhere. */
static void text_preserves_meaning(void **state)
{
	(void)state;
	rng r = rng_seed(3);
	for (int round = 0; round < 3000; round++) {
		expr_pool *p = expr_pool_new();
		const expr *e = random_tree(p, &r, 5);
		buf b = {0};
		expr_print(&b, e);
		const expr *f = parse(p, b.text);
		assert_non_null(f);
		for (int k = 0; k < 8; k++) {
			int64_t s[8];
			wide x = 0, y = 0;
			for (int i = 0; i < 8; i++)
				s[i] = k == 7 ? (int64_t)rng_next(&r) : rng_range(&r, -4, 9);
			bool has = expr_eval(e, s, &x);
			assert_int_equal(expr_eval(f, s, &y), has);
			assert_true(!has || x == y);
		}
		buf_free(&b);
		expr_pool_free(p);
	}
}

static void detects_tautologies(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool nothing;
	} all[] = {{"1 == 1", true}, {"s0 > 0 or 1 >= 0", true}, {"s0 > 0 or -1 >= 0", false}, {"2 != 2", false}, {"s0 == s0 or s0 == 1", true}, {"s1 > 0 or s0 <= s0", true}, {"s0 == s1", false},
	    {"s0 < s0", false}, {"s0 // s1 == s0 // s1", false}, {"s0 == s0 and s1 > 0", false}};
	expr_pool *p = expr_pool_new();
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const expr *e = parse(p, all[i].text);
		assert_int_equal(expr_is_tautology(e), all[i].nothing);
	}
	expr_pool_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(prints_what_it_parses), cmocka_unit_test(rejects_invalid_text), cmocka_unit_test(reports_error_column), cmocka_unit_test(accepts_maximum_nesting),
	    cmocka_unit_test(evaluates), cmocka_unit_test(equal_trees_are_one),
	    cmocka_unit_test(text_preserves_meaning), cmocka_unit_test(detects_tautologies)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

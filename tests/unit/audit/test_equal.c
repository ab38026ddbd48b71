/* Small C functions compared with rules' texts: proved, WRONG, and how samplers end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "equal.h"
#include "rules.h"
#include "ruletext.h"
#include "shown.h"
#include "tabletext.h"

/* Trees, terms and rows are freed only when the short audit process exits. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static const char CODE[] =
    "typedef long int64_t; typedef _Bool bool;\n"
    "bool same(const int64_t *s) { return s[0] == s[1]; }\n"
    "bool least(const int64_t *s) { return s[0] >= s[1]; }\n"
    "bool beyond(const int64_t *s) { return s[2] == 0; }\n"
    "bool overflow(const int64_t *s) { return s[0] + s[1] == 0; }\n";

static const source *code(void)
{
	const char *why = "";
	const source *s = source_parse(CODE, strlen(CODE), &why);
	if (!s)
		fail_msg("%s", why);
	return s;
}

static enum verdict verdict_of(const char *function, char *clause)
{
	return equal_valid(code(), function, 2, 1, &clause).verdict;
}

static void test_valid(void **state)
{
	(void)state;
	assert_int_equal(verdict_of("same", "s0 == s1"), VERDICT_PROVED);
	assert_int_equal(verdict_of("same", "s1 - s0 == 0"), VERDICT_PROVED);
	assert_int_equal(verdict_of("least", "s0 + 1 > s1"), VERDICT_PROVED);
	assert_int_equal(verdict_of("least", "s0 > s1"), VERDICT_WRONG);
	assert_int_equal(verdict_of("same", "s0 >= s1"), VERDICT_WRONG);
	assert_int_equal(verdict_of("overflow", "s0 + s1 == 0"), VERDICT_UNKNOWN);
	assert_int_equal(verdict_of("beyond", "s0 == s1"), VERDICT_UNKNOWN);
	assert_int_equal(verdict_of("same", "s0 == s9"), VERDICT_UNKNOWN);
	assert_int_equal(verdict_of("same", "s0 == "), VERDICT_UNKNOWN);
	assert_int_equal(verdict_of("nowhere", "s0 == s1"), VERDICT_UNKNOWN);
}

static bool holds(const char *text, int64_t a, int64_t b)
{
	int64_t s[] = {a, b};
	if (setjmp(terms_escape))
		fail_msg("%s", terms_trouble);
	return term_holds(ruletext_clause(text, 2), s);
}

static void test_text(void **state)
{
	(void)state;
	assert_true(holds("s0//s1 == -4", -7, 2));
	assert_true(holds("s0 % s1 == 1", -7, 2));
	assert_true(holds("s0 % s1 == -1", 7, -2));
	assert_false(holds("s0//s1 == s0//s1", 1, 0));
	assert_true(holds("s1 == 0 or s0//s1 == 2", 1, 0));
	assert_true(holds("(s0 if s1 > 0 else 5) == 5", 1, 0));
	assert_true(holds("min(s0, s1) == 1 and max(s0, s1) == 2", 2, 1));
}

static bool greater(const int64_t *s)
{
	return s[0] > s[1];
}

static bool none(const int64_t *s, int64_t *out)
{
	(void)s;
	(void)out;
	return true;
}

static bool ends(const int64_t *s)
{
	(void)s;
	abort();
}

static char *shown(rs_valid_fn *valid, const char *detail)
{
	static char *clause[] = {"s0 >= s1"};
	audited_rule r = {.op = "x.f-0", .nsym = 2, .nvalid = 1, .valid = clause};
	rs_op op = {.valid = valid, .propagate = none};
	char *text = NULL;
	size_t n;
	FILE *f = tmpfile();
	assert_non_null(f);
	bool ok = shown_by_running(f, &op, &r, detail);
	rewind(f);
	text = calloc(1000, 1);
	n = fread(text, 1, 999, f);
	fclose(f);
	return ok && n ? text : (free(text), NULL);
}

static void test_shown(void **state)
{
	(void)state;
	char *text = shown(greater, "the rule accepts and the C rejects at [3,3]");
	assert_non_null(text);
	assert_string_equal(text,
	    "x.f-0: at [3,3]: the rule says valid true, outputs []; the compiled functions say valid false, outputs []\n");
	free(text);
	text = shown(ends, "both at [3,3]");
	assert_non_null(strstr(text, "they end their process"));
	free(text);
	assert_null(shown(greater, "the row names another rule"));
	assert_null(shown(greater, "both at [3]"));
	assert_null(shown(greater, "both at [3,x]"));
}

#define ROWS(VALUES) \
	"static const rs_arg args_1[] = {{\"input\", 0, 1}};\n" \
	"static const rs_value values_1[] = {" VALUES "};\n" \
	"static const char sample_1[] = \"D#\"\n\"%P.\";\n" \
	"static const rs_op OPS[] = {{.name = \"x.f\" \"-0\", .rule = \"id\", .valid = v, .propagate = p, .args = args_1," \
	" .values = values_1, .nsym = 2, .nin = 1, .nodim = 2, .out_ranks = (const uint8_t[]){2}, .sampler = RS_SAMPLER_DIRECT," \
	" .sample = sample_1, .back = \"P.\"}};\n"

static void test_rows(void **state)
{
	(void)state;
	rows t;
	const char *why;
	assert_true(tabletext_read(ROWS("{RS_TENSOR, f32, 2, 0, NULL}"), &t, &why));
	assert_int_equal(t.n, 1);
	assert_string_equal(t.row[0].name, "x.f-0");
	assert_string_equal(t.row[0].call, "input=T:f32,s0,s1|");
	assert_int_equal(t.row[0].sampler, 2);
	assert_string_equal(t.row[0].sample, "D#%P.");
	assert_string_equal(t.row[0].back, "P.");
	assert_int_equal(t.row[0].ranks[0], 2);
	assert_true(tabletext_read(ROWS("{RS_TENSOR, f32, 2, 0, NULL}, {RS_INT, 0, 0, 1, NULL}"), &t, &why));
	assert_string_not_equal(t.row[0].call, "input=T:f32,s0,s1|");
	assert_false(tabletext_read("int x;", &t, &why));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_valid), cmocka_unit_test(test_text),
	    cmocka_unit_test(test_shown), cmocka_unit_test(test_rows)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

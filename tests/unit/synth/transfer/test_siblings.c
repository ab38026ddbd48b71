/* Siblings: which of the rules with one structure each operator gets, and which rules then have low support. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "operators.h"
#include "siblings.h"

static void put_operator_of(buf *b, const char *api, int number, const char *args, const char *pass, const char *fail)
{
	int nsym, nodim;
	put_call(b, api, number, args, "1", &nsym, &nodim);
	buf_printf(b, ",\"pass\":[%s],\"fail\":[%s]}\n", pass, fail);
}

/* An operator of one dimension and one integer k, whose output is x + k in accepted calls. */
static void put_operator(buf *b, const char *api, int number, const char *pass, const char *fail)
{
	put_operator_of(b, api, number, "x=t1 k=i", pass, fail);
}

typedef struct house {
	records r;
	rule_store store;
	rule *rules;
	int *list;
	buf *logs, **log;
} house;

static void open_house(house *h, buf *lines)
{
	read_lines(&h->r, lines);
	size_t n = (size_t)h->r.n;
	h->store = rule_store_new();
	h->rules = calloc(n, sizeof *h->rules);
	h->list = calloc(n, sizeof *h->list);
	h->logs = calloc(n, sizeof *h->logs);
	h->log = calloc(n, sizeof *h->log);
	for (int i = 0; i < h->r.n; i++) {
		h->list[i] = i;
		h->log[i] = &h->logs[i];
	}
}

static void close_house(house *h)
{
	for (int i = 0; i < h->r.n; i++)
		buf_free(&h->logs[i]);
	free(h->logs);
	free(h->log);
	free(h->list);
	free(h->rules);
	rule_store_free(&h->store);
	records_free(&h->r);
}

static const expr **parse(house *h, const char *text)
{
	const expr **e = ARENA_ARRAY(h->store.memory, const expr *, 1);
	*e = expr_parse(h->store.pool, text, 2, "test", 1, NULL);
	assert_non_null(*e);
	return e;
}

static rule rule_of(house *h, const char *out, const char *clause, bool thin)
{
	rule r = {.out = parse(h, out), .nodim = 1, .layer = "columns", .thin = thin};
	if (clause) {
		r.clauses = parse(h, clause);
		r.nclauses = 1;
	}
	return r;
}

static int choose(house *h)
{
	return siblings_choose(&h->r, h->list, h->r.n, h->rules, h->log);
}

/* b-0 has no rejected call; a-0 and c-0 show when it would have. */
static void learns_how_it_fails(void **state)
{
	(void)state;
	house h;
	buf b = {0};
	put_operator(&b, "m.a", 0, "[[3,1],[4]],[[5,0],[5]]", "[3,-1]");
	put_operator(&b, "m.b", 0, "[[2,1],[3]],[[4,2],[6]]", "");
	put_operator(&b, "m.c", 0, "[[3,3],[6]]", "[4,-2]");
	open_house(&h, &b);
	h.rules[0] = rule_of(&h, "s0 + s1", "s1 >= 0", true);
	h.rules[1] = rule_of(&h, "s0 + s1", NULL, true);
	h.rules[2] = rule_of(&h, "s0 + s1", "s1 >= 0", true);
	assert_int_equal(choose(&h), 1);
	assert_string_equal(h.rules[1].layer, "sibling");
	assert_true(rule_equal(&h.rules[1], &h.rules[0]));
	assert_int_equal(h.rules[1].passed, 2);
	assert_int_equal(h.rules[1].failed, 0);
	assert_string_equal(h.rules[0].layer, "columns");
	for (int i = 0; i < 3; i++)
		assert_false(h.rules[i].thin); /* three APIs support it */
	assert_non_null(strstr(h.logs[1].text, "takes the rule of m.a-0"));
	close_house(&h);
}

/* Without an accepted record every rule agrees: a rule whose constant could differ has no support. */
static void takes_nothing_by_chance(void **state)
{
	(void)state;
	house h;
	buf b = {0};
	put_operator(&b, "m.a", 0, "[[3,1],[4]],[[2,2],[4]]", "");
	put_operator(&b, "m.b", 0, "", "");
	put_operator_of(&b, "m.c", 0, "x=t1 k=i axis=#1", "", "");
	put_operator_of(&b, "m.d", 0, "x=t1 k=i axis=#1", "[[3,1],[4]]", "");
	open_house(&h, &b);
	h.rules[0] = rule_of(&h, "s0 + s1", NULL, false);
	for (int i = 1; i < 4; i++)
		h.rules[i] = (rule){.why = "not solved"};
	assert_int_equal(choose(&h), 2);
	assert_true(rule_equal(&h.rules[1], &h.rules[0]));
	assert_string_equal(h.rules[2].why, "not solved");
	assert_true(rule_equal(&h.rules[3], &h.rules[0]));
	close_house(&h);
}

static void keeps_what_few_support_thin(void **state)
{
	(void)state;
	house h;
	buf b = {0};
	put_operator(&b, "m.a", 0, "[[3,1],[4]]", "[3,-1]");
	put_operator(&b, "m.b", 0, "[[2,1],[3]]", "[4,-2]");
	open_house(&h, &b);
	h.rules[0] = rule_of(&h, "s0 + s1", "s1 >= 0", true);
	h.rules[1] = rule_of(&h, "s0 + s1", "s1 >= 0", false);
	assert_int_equal(choose(&h), 0);
	assert_true(h.rules[0].thin);
	assert_false(h.rules[1].thin);
	close_house(&h);
}

/* More rules than are compared: an operator whose own rule is not among them, and whose records refute the
 * others, keeps its rule. Low support must not become none. */
static void stays_thin_without_a_contender(void **state)
{
	(void)state;
	enum { OPERATORS = MAX_CANDIDATES + 2 };
	house h;
	buf b = {0}, pass = {0};
	char text[32];
	for (int i = 0; i < OPERATORS; i++) {
		buf_clear(&pass);
		buf_printf(&pass, "[[3,1],[%d]]", 4 + i);
		put_operator(&b, "m.a", i + 1000, pass.text, "");
	}
	buf_free(&pass);
	open_house(&h, &b);
	for (int i = 0; i < OPERATORS; i++) {
		snprintf(text, sizeof text, "s0 + s1 + %d", i);
		h.rules[i] = rule_of(&h, text, NULL, true);
	}
	assert_int_equal(choose(&h), 0);
	for (int i = 0; i < OPERATORS; i++) {
		assert_true(h.rules[i].thin);
		assert_string_equal(h.rules[i].layer, "columns");
	}
	assert_non_null(strstr(h.logs[OPERATORS - 1].text, "none of the rules compared"));
	close_house(&h);
}

static void marks_one_structure(void **state)
{
	(void)state;
	house h;
	buf b = {0};
	int nsym, nodim;
	put_operator(&b, "m.a", 0, "[[3,1],[4]]", "");
	put_call(&b, "m.b", 0, "x=t2", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	put_call(&b, "m.c", 0, "mode=c x=t1 k=i", "1", &nsym, &nodim); /* constants aside */
	buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	open_house(&h, &b);
	bool of[] = {true, false, false}, marked[3] = {0};
	siblings_mark(&h.r, of, marked);
	assert_true(marked[0] && !marked[1] && marked[2]);
	close_house(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(learns_how_it_fails), cmocka_unit_test(takes_nothing_by_chance), cmocka_unit_test(keeps_what_few_support_thin),
	    cmocka_unit_test(stays_thin_without_a_contender), cmocka_unit_test(marks_one_structure)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

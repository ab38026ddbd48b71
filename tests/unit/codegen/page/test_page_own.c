/* Rules of signatures that are no instances of an API rule, as lines of a page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "operators.h"
#include "need.h"
#include "page_own.h"

enum { MOST_FORMS = 5, MOST_EXPRS = 10 };

typedef struct form {
	const char *args, *outs;
	const char *valid[MOST_EXPRS], *out[MOST_EXPRS];
} form;

static const expr **parsed(arena *memory, expr_pool *pool, const char *const *texts, int nsym, int *n)
{
	const expr **list = NEED_ARRAY(memory, const expr *, MOST_EXPRS);
	diag d;
	for (*n = 0; *n < MOST_EXPRS && texts[*n]; (*n)++)
		assert_non_null(list[*n] = expr_parse(pool, texts[*n], nsym, "test", 1, &d));
	return list;
}

/* The outputs and clauses that a page has for these signatures, a line each, then the signatures that it does not have. */
static void expect(const form *forms, int n, const char *wanted)
{
	arena *memory = arena_new();
	expr_pool *pool = expr_pool_new();
	rule_op ops[MOST_FORMS] = {{0}};
	view_row rows[MOST_FORMS] = {{0}};
	buf b = {0};
	records r;
	for (int i = 0; i < n; i++) {
		int nsym, nodim;
		put_call(&b, "m.f", i, forms[i].args, forms[i].outs, &nsym, &nodim);
		buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	}
	read_lines(&r, &b);
	for (int i = 0; i < n; i++) {
		const operator *op = &r.ops[i];
		rule *to = &ops[i].rule;
		ops[i].name = op->name;
		ops[i].call = op->call;
		ops[i].nsym = (unsigned)op->nsym;
		ops[i].nodim = (unsigned)op->nodim;
		to->clauses = parsed(memory, pool, forms[i].valid, op->nsym, &to->nclauses);
		to->out = parsed(memory, pool, forms[i].out, op->nsym, &to->nodim);
		assert_int_equal(to->nodim, op->nodim);
		rows[i].op = &ops[i];
	}
	const operator *calls[MOST_FORMS];
	for (int i = 0; i < n; i++)
		calls[i] = &r.ops[i];
	const api_view v = {.memory = memory, .pool = pool, .rows = rows, .ops = calls, .n = n};
	const page_own outputs = page_own_outputs(&v), clauses = page_own_clauses(&v);
	buf text = {0};
	for (int k = 0; k < outputs.n; k++)
		buf_printf(&text, "%s\n", outputs.list[k]);
	for (int k = 0; k < clauses.n; k++)
		buf_printf(&text, "* %s\n", clauses.list[k]);
	for (int i = 0; i < n; i++)
		if (!outputs.on[i] || !clauses.on[i])
			buf_printf(&text, "not %d\n", i);
	assert_string_equal(need_text(&text), wanted);
	buf_free(&text);
	records_free(&r);
	expr_pool_free(pool);
	arena_free(memory);
}

/* Statements that differ in an index only are one, if they are of all indices. */
static void indices_are_variables(void **state)
{
	(void)state;
	expect((form[]){{"x=t2 p=n2,2", "2", {"s2 >= 0", "s3 >= 0", "s4 >= 0", "s5 >= 0", "s2 < s0", "s4 < s1", "s3 < 9"},
		   {"s0 + s2 + s3", "s1 + s4 + s5"}}}, 1,
	    "out[i] = x[i] + p[i][0] + p[i][1] for each i\n"
	    "* p[i][j] >= 0 for each i, j\n"
	    "* p[i][0] < x[i] for each i\n"
	    "* p[0][1] < 9\n");
	expect((form[]){{"x=r1 k=l3", "1 1", {"s1 <= s2", "s3 > 0", "s4 > 0"}, {"s0", "s3"}}}, 1,
	    "out0[0] = x[0]\n"
	    "out1[0] = k[0]\n"
	    "* x.low <= x.high\n"
	    "* k[0] > 0\n"
	    "* k[1] > 0\n");
}

/* Lines that all signatures have need no mark; signatures with other lines are not on the page. */
static void lines_name_their_signatures(void **state)
{
	(void)state;
	static const form ONE = {"x=t1 p=n1,2", "1", {"s1 >= 0", "s2 >= 0"}, {"s0 + s1 + s2"}};
	static const form TWO = {"x=t2 p=n2,2", "2", {"s2 >= 0", "s3 >= 0", "s4 >= 0", "s5 >= 0"}, {"s0 + s2 + s3", "s1 + s4 + s5"}};
	static const form OTHER = {"x=t2 p=n2,2", "2", {"s2 >= 0", "s3 >= 0", "s4 >= 0", "s5 >= 0", "s0 > 2"}, {"s0 + s2 + s3", "s1 + s4 + s5"}};
	static const form THREE = {"x=t3 p=n3,2", "3", {"s3 >= 0", "s4 >= 0", "s5 >= 0", "s6 >= 0", "s7 >= 0", "s8 >= 0", "s0 > 2"}, {"s0 + s3 + s4", "s1 + s5 + s6", "s2 + s7 + s8"}};
	expect((form[]){TWO, THREE}, 2,
	    "out[i] = x[i] + p[i][0] + p[i][1] for each i\n"
	    "* p[i][j] >= 0 for each i, j\n"
	    "* x[0] > 2  if rank(x) == 3\n");
	expect((form[]){OTHER, THREE}, 2,
	    "out[i] = x[i] + p[i][0] + p[i][1] for each i\n"
	    "* p[i][j] >= 0 for each i, j\n"
	    "* x[0] > 2\n");
	expect((form[]){ONE, TWO}, 2,
	    "out[i] = x[i] + p[i][0] + p[i][1] for each i\n"
	    "* p[i][j] >= 0 for each i, j\n");
	expect((form[]){{"x=t1 p=n1,2", "1", {"s1 > 0"}, {"s0"}}, TWO}, 2,
	    "out[i] = x[i] + p[i][0] + p[i][1] for each i  if rank(x) == 2\n"
	    "out[0] = x[0]  if rank(x) == 1\n"
	    "* p[i][j] >= 0 for each i, j  if rank(x) == 2\n"
	    "* p[0][0] > 0  if rank(x) == 1\n");
}

/* Of many signatures, a line of one only is omitted. */
static void rare_lines_are_omitted(void **state)
{
	(void)state;
	static const form FEW = {"x=t1 p=n1,2", "1", {"s1 >= 0", "s2 >= 0"}, {"s0"}};
	expect((form[]){FEW, FEW, FEW, FEW, {"x=t1 p=n1,2", "1", {"s1 >= 0", "s2 > 7"}, {"s0"}}}, 5,
	    "out[0] = x[0]\n"
	    "* p[0][j] >= 0 for each j  in 4 of 5 signatures\n"
	    "* p[0][0] >= 0\n"
	    "not 4\n");
}

/* Numbers that differ between signatures get a name if all of them are what it names. */
static void numbers_have_names(void **state)
{
	(void)state;
	expect((form[]){{"x=t1 k=l1", "1 1", {"s0 == 2"}, {"s1", "s1"}}, {"x=t1 k=l1", "1 1 1", {"s0 == 3"}, {"s1", "s1", "s1"}}}, 2,
	    "out0[0] = k[0]\n"
	    "out1[0] = k[0]\n"
	    "out2[0] = k[0]  if len(out) == 3\n"
	    "* x[0] == len(out)\n");
	expect((form[]){{"x=t1 p=n1,2", "1", {"s1 < 1"}, {"s0"}}, {"x=t2 p=n1,2", "2", {"s2 < 2"}, {"s0", "s1"}}}, 2,
	    "out[i] = x[i] for each i\n"
	    "* p[0][0] < rank(x)\n");
	expect((form[]){{"x=t1 p=n1,2", "1", {"s0 - s1 > 0"}, {"s0 - s1"}}, {"x=t1 p=n1,2", "1", {"s0 - s2 > 0"}, {"s0 - s2"}}}, 2,
	    "out[0] = x[0] - p[0][0]  in -0\n"
	    "out[0] = x[0] - p[0][1]  in -1\n"
	    "* out[0] > 0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(indices_are_variables), cmocka_unit_test(lines_name_their_signatures),
	    cmocka_unit_test(rare_lines_are_omitted), cmocka_unit_test(numbers_have_names)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Connected equations are printed in one line, with the evidence for all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "chain.h"
#include "clause_evidence.h"
#include "operators.h"

enum { MOST = 8 };

typedef struct clauses {
	equation equations[MOST];
	int first[MOST], n;
} clauses;

/* left, right, condition; a clause that is no equation has no left side. */
static void make(clauses *c, const char *const (*texts)[3], int n)
{
	*c = (clauses){.n = n};
	for (int k = 0; k < n; k++) {
		if (!texts[k][0])
			continue;
		buf_puts(&c->equations[k].left, texts[k][0]);
		buf_puts(&c->equations[k].right, texts[k][1]);
		buf_puts(&c->equations[k].where, texts[k][2]);
	}
	chain_find(c->equations, n, c->first);
}

static void end(clauses *c)
{
	for (int k = 0; k < c->n; k++) {
		buf_free(&c->equations[k].left);
		buf_free(&c->equations[k].right);
		buf_free(&c->equations[k].where);
	}
}

static void assert_chain(clauses *c, int k, const char *text)
{
	buf said = {0};
	chain_put(&said, c->equations, c->n, c->first, k, NULL);
	assert_string_equal(buf_text(&said), text);
	buf_free(&said);
}

/* The third equation connects two separate ones; repeated sides are printed once, and numbers are ordered by
 * value. */
static void joins_equations(void **state)
{
	(void)state;
	static const char *const TEXTS[][3] = {{"p[10][0]", "p[2][0]", ""}, {NULL}, {"4*h[1]", "p[1][0]", ""}, {"p[2][0]", "4*h[1]", ""},
	    {"1", "x[0]", ""}, {"p[10][0]", "p[1][0]", ""}};
	clauses c;
	make(&c, TEXTS, 6);
	static const int FIRST[] = {0, 1, 0, 0, 4, 0};
	assert_memory_equal(c.first, FIRST, sizeof FIRST);
	assert_chain(&c, 0, "p[1][0] == p[2][0] == p[10][0] == 4*h[1]");
	end(&c);
}

/* A single equation is no chain. Equations under another condition, or about divisibility, do not join. */
static void leaves_others(void **state)
{
	(void)state;
	static const char *const TEXTS[][3] = {{"x[0]", "y[0]", ""}, {"z[0]", "w[0]", ""}, {"y[0]", "w[0]", " if k = 1"}, {"x[1]%y[0]", "0", ""},
	    {"x[2]%y[0]", "0", ""}, {"x[i]", "y[i]", " for each i"}, {"2", "y[i]", " for each i"}};
	clauses c;
	make(&c, TEXTS, 7);
	static const int FIRST[] = {0, 1, 2, 3, 4, 5, 5};
	assert_memory_equal(c.first, FIRST, sizeof FIRST);
	assert_chain(&c, 5, "x[i] == y[i] == 2 for each i");
	end(&c);
}

/* If the items of a list repeat with a period, one side stands for all of them. */
static void joins_items(void **state)
{
	(void)state;
	static const char *const TEXTS[][3] = {{"w[0][0]", "4*h[1]", ""}, {"w[2][0]", "4*h[1]", ""}, {"h[0]", "w[1][1]", " for each i if b = 1"},
	    {"h[0]", "w[3][1]", " for each i if b = 1"}, {"w[0][i]", "w[1][i]", " for each i"}, {"w[1][i]", "w[2][i]", " for each i"},
	    {"w[2][i]", "w[3][i]", " for each i"}};
	clauses c;
	buf b = {0}, said[3] = {{0}};
	records r;
	int nsym, nodim;
	put_call(&b, "m.f", 0, "h=l2 w=T4,2", "0", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	read_lines(&r, &b);
	const operator *op = &r.ops[0];
	make(&c, TEXTS, 7);
	static const int FIRST[] = {0, 0, 2, 2, 4, 4, 4}, EACH[] = {0, 2, 4};
	static const char *const SAID[] = {"w[2*k][0] == 4*h[1] for each k", "h[0] == w[2*k + 1][1] for each i, each k if b = 1",
	    "w[k][i] == w[0][i] for each i, each k"};
	assert_memory_equal(c.first, FIRST, sizeof FIRST);
	for (int k = 0; k < 3; k++) {
		chain_put(&said[k], c.equations, c.n, c.first, EACH[k], &(notation){.ops = &op, .n = 1});
		assert_string_equal(buf_text(&said[k]), SAID[k]);
		buf_free(&said[k]);
	}
	end(&c);
	records_free(&r);
}

/* Five failing records: the last one passed and is an outlier, and another of an empty tensor; three
 * clauses. */
static void counts_together(void **state)
{
	(void)state;
	static role roles[] = {{.kind = ROLE_DIM}};
	static int64_t fail[] = {1, 2, 3, 0, 9};
	operator op = {.nsym = 1, .roles = roles, .fail = fail, .nfail = 5, .beside = 1, .outside = 2};
	const operator *ops[] = {&op};
	uint64_t bits[] = {1 | 2 | 16, 2 | 8, 4, 31, 1, 2, 0};
	uint64_t *refused[] = {&bits[0], &bits[1], &bits[2]}, *open[] = {&bits[3]}, *passed[] = {&bits[4], &bits[5], &bits[6]};
	api_unify_clause list[] = {{.refused = &refused[0], .passed = &passed[0]}, {.refused = &refused[1], .passed = &passed[1]},
	    {.refused = &refused[2], .passed = &passed[2]}};
	api_unify_view v = {.ops = ops, .n = 1, .clauses = list, .nclauses = 3, .open = open};
	clause_evidence one = clause_evidence_of(&v, (bool[]){true, false, false});
	assert_int_equal(one.refused, 2); /* 1, 2; not 9, which passed */
	assert_int_equal(one.alone, 1);
	assert_int_equal(one.passed, 1);
	clause_evidence both = clause_evidence_of(&v, (bool[]){true, true, false});
	assert_int_equal(both.refused, 3);
	assert_int_equal(both.alone, 3);
	assert_int_equal(both.passed, 2);
	assert_false(both.empty);
	assert_true(clause_evidence_of(&v, (bool[]){false, true, false}).empty); /* alone it explains 0 */
	bits[3] = 0; /* the outputs explain all */
	assert_int_equal(clause_evidence_of(&v, (bool[]){true, true, false}).alone, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(joins_equations), cmocka_unit_test(leaves_others), cmocka_unit_test(joins_items), cmocka_unit_test(counts_together)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

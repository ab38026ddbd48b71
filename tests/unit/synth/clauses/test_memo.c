/* Memoized clause values equal solver_clause_holds, for any number of clauses in any order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "memo.h"
#include "operators.h"
#include "rng.h"
#include "solve.h"

/* Two operators x[s0], k=s1 with different records, so that their answers differ. */
static void put(buf *b, int number, const char *pass)
{
	int nsym, nodim;
	put_call(b, "m.f", number, "x=t1 k=i", "1", &nsym, &nodim);
	buf_printf(b, ",\"pass\":[%s],\"fail\":[]}\n", pass);
}

static bool holds(memo *m, int i, const operator *op, const expr *e)
{
	bool known;
	int *is = memo_of(m, i, e, &known);
	if (!known)
		*is = solver_clause_holds(op, e);
	bool holds = *is;
	assert_int_equal(*memo_of(m, i, e, &known), holds);
	assert_true(known);
	return holds;
}

static void answers_as_the_records_do(void **state)
{
	enum { NUMBERS = 3000, ASKED = 8 * NUMBERS, CONSTANTS = 3 }; /* few clauses of many operators: similar entries collide in the table */
	static const int64_t CONSTANT[CONSTANTS] = {3, 100, 500};
	records r;
	buf lines = {0};
	(void)state;
	put(&lines, 0, "[[1,7],[7]],[[2,300],[7]],[[400,5],[7]]");
	put(&lines, 1, "[[800,7],[7]],[[600,300],[7]]");
	read_lines(&r, &lines);
	expr_pool *pool = expr_pool_new();
	memo *j = memo_new();
	rng g = rng_seed(1);
	int held = 0;
	for (int k = 0; k < ASKED; k++) { /* most are queried more than once, also after the table has grown */
		int i = (int)rng_below(&g, NUMBERS);
		const operator *op = &r.ops[i % 2];
		const expr *e = expr_make(pool, rng_below(&g, 2) ? OP_GT : OP_LE, expr_sym(pool, (int)rng_below(&g, 2)),
		    expr_const(pool, CONSTANT[rng_below(&g, CONSTANTS)]));
		bool is = holds(j, i, op, e);
		assert_int_equal(is, solver_clause_holds(op, e));
		held += is;
	}
	assert_in_range(held, ASKED / 10, ASKED - ASKED / 10);
	memo_free(j);
	expr_pool_free(pool);
	records_free(&r);
	buf_free(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(answers_as_the_records_do)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

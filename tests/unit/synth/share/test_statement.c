/* Statements: the positions that a rule's clauses are said of, and which constants name them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "operators.h"
#include "statement.h"

enum { MOST_CLAUSES = 4 };

/* Whether a constant names the positions of the one statement that such clauses make. */
static bool has_axis(const char *args, const char *const *clauses, int n)
{
	buf b = {0};
	records r;
	int nsym, nodim;
	expr_pool *pool = expr_pool_new();
	const expr *list[MOST_CLAUSES];
	statement *room = calloc(MAX_STATEMENTS, sizeof *room);
	statements all = {.list = room};
	put_call(&b, "m.f", 0, args, "0", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	read_lines(&r, &b);
	for (int k = 0; k < n; k++)
		list[k] = expr_parse(pool, clauses[k], nsym, "test", 1, NULL);
	statements_add(&all, pool, &r.ops[0], &(rule){.clauses = list, .nclauses = n});
	assert_int_equal(all.n, 1);
	bool axis = false;
	for (int k = 0; k < all.list[0].nspans; k++)
		axis |= all.list[0].spans[k].axis != NULL;
	free(room);
	expr_pool_free(pool);
	records_free(&r);
	return axis;
}

/* dim=1 names the dimension that a clause is of, and one that it is not of. */
static void constants_name_dimensions(void **state)
{
	(void)state;
	assert_true(has_axis("x=t3 dim=#1", (const char *const[]){"s1 > 0"}, 1));
	assert_true(has_axis("x=t3 dim=#1", (const char *const[]){"s0 > 0", "s2 > 0"}, 2));
	assert_false(has_axis("x=t3 dim=#1", (const char *const[]){"s0 > 0"}, 1));
}

/* seed=0 does not name the low end of a range; dim=1 names a dimension in a clause that has an end of a range, too. */
static void ends_are_no_axes(void **state)
{
	(void)state;
	assert_false(has_axis("at=r2 seed=#0", (const char *const[]){"s2 >= 0"}, 1));
	assert_false(has_axis("at=r2 seed=#0", (const char *const[]){"s3 >= 0"}, 1));
	assert_true(has_axis("x=t3 at=r3 dim=#1", (const char *const[]){"s7 == 0 or s3 <= s0", "s7 == 0 or s5 <= s2"}, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(constants_name_dimensions), cmocka_unit_test(ends_are_no_axes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

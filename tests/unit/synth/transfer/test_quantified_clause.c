/* Quantified clauses: the positions over which a rule's clauses are quantified, and which constants name
 * them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "operators.h"
#include "quantified_clause.h"

enum { MOST_CLAUSES = 4 };

/* True if a constant names the positions of the only quantified clause that these clauses form. */
static bool has_axis(const char *args, const char *const *clauses, int n)
{
	buf b = {0};
	records r;
	int nsym, nodim;
	expr_pool *pool = expr_pool_new();
	const expr *list[MOST_CLAUSES];
	quantified_clause *room = calloc(MAX_QUANTIFIED, sizeof *room);
	quantified_clauses all = {.list = room};
	put_call(&b, "m.f", 0, args, "0", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	read_lines(&r, &b);
	for (int k = 0; k < n; k++)
		list[k] = expr_parse(pool, clauses[k], nsym, "test", 1, NULL);
	quantified_clauses_add(&all, pool, &r.ops[0], &(rule){.clauses = list, .nclauses = n}, true);
	assert_int_equal(all.n, 1);
	bool axis = false;
	for (int k = 0; k < all.list[0].nranges; k++)
		axis |= all.list[0].ranges[k].axis != NULL;
	free(room);
	expr_pool_free(pool);
	records_free(&r);
	return axis;
}

/* dim=1 names the dimension in a clause, or a dimension excluded from it. */
static void constants_name_dimensions(void **state)
{
	(void)state;
	assert_true(has_axis("x=t3 dim=#1", (const char *const[]){"s1 > 0"}, 1));
	assert_true(has_axis("x=t3 dim=#1", (const char *const[]){"s0 > 0", "s2 > 0"}, 2));
	assert_false(has_axis("x=t3 dim=#1", (const char *const[]){"s0 > 0"}, 1));
}

/* A clause about the dimension that axis=0 names is the same quantified clause as for the others. */
static void names_tell_nothing_apart(void **state)
{
	(void)state;
	has_axis("x=t3 y=t3 axis=#0", (const char *const[]){"s0 == s3 or s3 == 1", "s1 == s4 or s4 == 1", "s2 == s5 or s5 == 1"}, 3);
	assert_true(has_axis("x=t1 axis=#0", (const char *const[]){"s0 > 0"}, 1)); /* of all, and of the axis */
}

/* seed=0 does not name the low end of a range; dim=1 names a dimension in a clause that also has an end of a
 * range. */
static void ends_are_no_axes(void **state)
{
	(void)state;
	assert_false(has_axis("at=r2 seed=#0", (const char *const[]){"s2 >= 0"}, 1));
	assert_false(has_axis("at=r2 seed=#0", (const char *const[]){"s3 >= 0"}, 1));
	assert_true(has_axis("x=t3 at=r3 dim=#1", (const char *const[]){"s7 == 0 or s3 <= s0", "s7 == 0 or s5 <= s2"}, 2));
}

/* Number of clauses that one signature's first quantified clause becomes in the other. */
static int parts_in(const char *args, const char *clause, const char *other)
{
	buf b = {0};
	records r;
	int nsym, nodim, others;
	expr_pool *pool = expr_pool_new();
	quantified_clause *room = calloc(MAX_QUANTIFIED, sizeof *room);
	quantified_clauses all = {.list = room};
	parts p;
	put_call(&b, "m.f", 0, args, "0", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	put_call(&b, "m.f", 1, other, "0", &others, &nodim);
	buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	read_lines(&r, &b);
	const expr *e = expr_parse(pool, clause, nsym, "test", 1, NULL);
	quantified_clauses_add(&all, pool, &r.ops[0], &(rule){.clauses = &e, .nclauses = 1}, true);
	quantified_clause_instantiate(&p, &all.list[0], (instantiation){.statement = 0}, &(instance_site){.pool = pool, .op = &r.ops[1]});
	assert_true(p.there);
	free(room);
	expr_pool_free(pool);
	records_free(&r);
	return p.n;
}

/* A comparison of an expression with itself, or of a dimension with a number below any size, is no clause. */
static void what_is_always_so_is_no_clause(void **state)
{
	(void)state;
	assert_int_equal(parts_in("x=t2 y=t2", "s0*s1 <= s2*s3", "x=t2 y=t2"), 1);
	assert_int_equal(parts_in("x=t2 k=i", "s2 <= s1", "x=t2 k=i"), 1);
	assert_int_equal(parts_in("x=t2 k=i", "s2 <= s1", "x=t2 k=#0"), 0);
	assert_int_equal(parts_in("x=t2 k=i", "s2 <= s1", "x=t2 k=#1"), 1);
	assert_int_equal(parts_in("x=t2 k=i", "s2 < s1", "x=t2 k=#0"), 1);
	assert_int_equal(parts_in("x=t2 k=i", "s2 < s1", "x=t2 k=#-1"), 0);
}

/* The cache distinguishes outputs and alignments, and finds a template again. */
static void caches_instances(void **state)
{
	(void)state;
	buf b = {0};
	records r;
	int nsym, nodim;
	expr_pool *pool = expr_pool_new();
	clause_instances *known = clause_instances_new(1);
	quantified_clause *room = calloc(MAX_QUANTIFIED, sizeof *room);
	quantified_clauses all = {.list = room};
	parts p;
	put_call(&b, "m.f", 0, "x=t2", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	read_lines(&r, &b);
	const expr *outs[3], *clause = expr_parse(pool, "s0*s1 > 4", nsym, "test", 1, NULL);
	for (int k = 0; k < 3; k++)
		outs[k] = expr_parse(pool, (const char *const[]){"s0*s1", "s0 + s1", "s0*s1"}[k], nsym, "test", 1, NULL);
	quantified_clauses_add(&all, pool, &r.ops[0], &(rule){.out = outs, .nodim = 1, .clauses = &clause, .nclauses = 1}, true);
	quantified_clause *s = &all.list[0];
	s->number = clause_instances_number(known, &s->f);
	assert_int_equal(clause_instances_number(known, &s->f), s->number);
	for (int k = 0; k < 3; k++) {
		instance_site at = {pool, &r.ops[0], outs + k, known, clause_instances_outputs(&r.ops[0], outs + k), 0};
		quantified_clause_instantiate(&p, s, (instantiation){.statement = 0}, &at);
		assert_int_equal(p.n, 1);
		assert_ptr_equal(p.list[0], expr_make(pool, OP_GT, outs[k], expr_const(pool, 4)));
		quantified_clause_instantiate(&p, s, (instantiation){.dims = FROM_LEFT}, &at);
		assert_int_equal(p.n, 1);
	}
	clause_instances_free(known);
	free(room);
	expr_pool_free(pool);
	records_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(constants_name_dimensions), cmocka_unit_test(names_tell_nothing_apart), cmocka_unit_test(ends_are_no_axes),
	    cmocka_unit_test(what_is_always_so_is_no_clause), cmocka_unit_test(caches_instances)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

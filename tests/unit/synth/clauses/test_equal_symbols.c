/* Equalities implied by separate clauses (equality classes): found if the records support them, and only
 * then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "api_unify.h"
#include "learning.h"
#include "need.h"
#include "equal_symbols.h"

enum { DIMS = 8 };

/* Accepted: all but the last of eight integers cycle through `values` numbers; the last is free, or cycles
 * too if `bound`. Rejected: one accepted call with a single integer moved, for integers with index >=
 * `asked`. */
static void put_calls(buf *b, int values, int asked, bool bound)
{
	const char *comma = "";
	buf_puts(b, ",\"pass\":[");
	for (int v = 1; v <= values; v++)
		for (int free = 1; free <= (bound ? 1 : 6); free++) {
			buf_printf(b, "%s[[%d,%d,%d,%d,%d,%d,%d,%d],[%d]]", comma, v, v, v, v, v, v, v, bound ? v : free, v);
			comma = ",";
		}
	buf_puts(b, "],\"fail\":[");
	comma = "";
	for (int v = 1; v <= values; v++)
		for (int i = 0; i < asked; i++) {
			int64_t x[DIMS] = {v, v, v, v, v, v, v, v};
			x[i] += 1 + i % 3;
			buf_puts(b, comma);
			put_row(b, x, DIMS);
			comma = ",";
		}
	buf_puts(b, "]}\n");
}

static void learn_from(lesson *l, int values, int asked, bool bound)
{
	buf b = {0};
	int nsym, nodim;
	*l = (lesson){.op = NULL};
	put_call(&b, "m.learned", 0, "a=i b=i c=i d=i e=i f=i g=i h=i", "1", &nsym, &nodim);
	put_calls(&b, values, asked, bound);
	study_line(l, &b);
	assert_null(l->f.rules[0].why);
}

/* True if the learned rule accepts a call. */
static bool accepts(const lesson *l, const int64_t *x)
{
	return rule_accepts(l->op, &l->f.rules[0], x, NULL);
}

/* A subset of the first seven integers, one bit each, that the learned rule lets differ from the others; 0:
 * none. */
static int taken_apart(const lesson *l)
{
	for (int set = 1; set < (1 << 7) - 1; set++) {
		int64_t x[DIMS] = {0};
		for (int i = 0; i < 7; i++)
			x[i] = set >> i & 1 ? 5 : 3;
		if (accepts(l, x))
			return set;
	}
	return 0;
}

/* Four equations reject each single move; no record moves two of the seven. */
static void joins_what_was_moved_one_by_one(void **state)
{
	(void)state;
	lesson l;
	learn_from(&l, 9, 7, false);
	assert_int_equal(taken_apart(&l), 0);
	assert_true(accepts(&l, (int64_t[]){12, 12, 12, 12, 12, 12, 12, 40})); /* the last is free */
	forget(&l);
}

/* Two integers that are equal in all accepted calls, with no call rejected for one of them alone, may be
 * equal by chance. */
static void leaves_what_was_never_asked(void **state)
{
	(void)state;
	lesson l;
	learn_from(&l, 20, 6, true);
	assert_true(accepts(&l, (int64_t[]){3, 3, 3, 3, 3, 3, 9, 3}));
	assert_true(accepts(&l, (int64_t[]){3, 3, 3, 3, 3, 3, 3, 9}));
	assert_false(accepts(&l, (int64_t[]){3, 3, 3, 9, 9, 9, 3, 3}));
	forget(&l);
}

/* Few values, or few calls, give little support. */
static void leaves_what_few_calls_say(void **state)
{
	(void)state;
	lesson l;
	learn_from(&l, 3, 7, false);
	assert_int_not_equal(taken_apart(&l), 0);
	forget(&l);
}

/* A constant bound that rejects nothing beyond the implied equalities is removed; a bound by 0 stays. */
static void replaces_bounds(void **state)
{
	(void)state;
	lesson l;
	learn_from(&l, 9, 7, false);
	rule *r = &l.f.rules[0];
	expr_pool *p = l.f.pool;
	const expr *bounds[] = {expr_make(p, OP_LE, expr_sym(p, 0), expr_const(p, 9)), expr_make(p, OP_GT, expr_sym(p, 0), expr_const(p, 0))};
	r->clauses = bounds;
	r->nclauses = 2;
	equal_symbols_add(&l.f.solvers[0], l.f.memory);
	assert_true(accepts(&l, (int64_t[]){12, 12, 12, 12, 12, 12, 12, 1}));
	assert_false(accepts(&l, (int64_t[]){0, 0, 0, 0, 0, 0, 0, 1}));
	assert_false(accepts(&l, (int64_t[]){3, 3, 3, 9, 9, 9, 3, 3}));
	forget(&l);
}

/* An equation with a third symbol, which is 1 in all accepted calls. */
static void leaves_what_an_equation_relates(void **state)
{
	(void)state;
	lesson l;
	learn_from(&l, 9, 7, false);
	rule *r = &l.f.rules[0];
	expr_pool *p = l.f.pool;
	const expr *product = expr_make(p, OP_MUL, expr_sym(p, 1), expr_sym(p, 7));
	const expr *only[] = {expr_make(p, OP_EQ, expr_sym(p, 0), product)};
	r->clauses = only;
	r->nclauses = 1;
	equal_symbols_add(&l.f.solvers[0], l.f.memory);
	assert_true(accepts(&l, (int64_t[]){6, 3, 6, 6, 6, 6, 6, 2}));
	assert_false(accepts(&l, (int64_t[]){6, 3, 3, 6, 6, 6, 6, 2}));
	forget(&l);
}

static const char BROADCAST[] = "s0 == s2 or s0 == 1 or s2 == 1";

/* Tensors of two dimensions each that broadcast; the first dimension of the first one is 1 in no accepted
 * call. `rejected`: a rejected call in which it is 1. */
static void learn_broadcasting(lesson *l, const char *rejected, const char *clause)
{
	buf b = {0};
	const char *comma = "";
	int nsym, nodim;
	*l = (lesson){.op = NULL};
	put_call(&b, "m.learned", 0, "x=t2 y=t2", "2", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[");
	for (int i = 2; i < 6; i++)
		for (int j = 1; j < 5; j++) {
			buf_printf(&b, "%s[[%d,%d,%d,%d],[%d,%d]],[[%d,%d,1,%d],[%d,%d]]", comma, i, j, i, j, i, j, i, j, j, i, j);
			comma = ",";
		}
	buf_printf(&b, "],\"fail\":[[3,3,4,3],[3,3,3,4],[5,2,5,3],%s]}\n", rejected);
	study_line(l, &b);
	expr_pool *p = l->f.pool;
	rule *r = &l->f.rules[0];
	const expr **clauses = NEED_ARRAY(l->f.memory, const expr *, 2);
	diag d;
	clauses[0] = expr_parse(p, clause, nsym, "", 0, &d);
	clauses[1] = expr_parse(p, "s1 == s3 or s1 == 1 or s3 == 1", nsym, "", 0, &d);
	r->why = NULL;
	r->clauses = clauses;
	r->nclauses = 2;
	for (int k = 0; k < 2; k++)
		r->out[k] = expr_sym(p, k);
	equal_symbols_broadcast(&l->f.solvers[0]);
}

/* The output has the other size, although no call shows it, unless a call was rejected for it. */
static void says_what_broadcasts_comes_out(void **state)
{
	(void)state;
	lesson l;
	learn_broadcasting(&l, "[1,3,4,5]", BROADCAST); /* rejected for the other two dimensions */
	assert_true(l.f.rules[0].out[0] == expr_broadcast(l.f.pool, expr_sym(l.f.pool, 0), expr_sym(l.f.pool, 2)));
	forget(&l);
	learn_broadcasting(&l, "[1,3,4,3]", BROADCAST);
	assert_true(l.f.rules[0].out[0] == expr_sym(l.f.pool, 0));
	forget(&l);
}

/* From either side, and only for a clause that states broadcasting. */
static void knows_what_broadcasts(void **state)
{
	(void)state;
	static const struct {
		const char *clause;
		bool is;
	} EACH[] = {{"s2 == s0 or s0 == 1 or s2 == 1", true}, {"s0 == s2 or s2 == 1 or s0 == 1", true}, {"s2 == s0 or s2 == 1 or s0 == 1", true},
	    {"s0 == s2 or s0 == 1", false}, {"s0 == s2", false}, {"s0 == s2 or s0 == 1 or s0 == 1", false}, {"s0 == s2 or s2 == 1 or s2 == 1", false},
	    {"s0 == s2 or s0 == 2 or s2 == 1", false}, {"s0 == s2 or s0 == 1 or s2 == 2", false}, {"s0 == s2 or s0 == 1 or s3 == 1", false},
	    {"s0 == s2 or s1 == 1 or s2 == 1", false}, {"s0 != s2 or s0 == 1 or s2 == 1", false}, {"s0 == s2 or s0 > 1 or s2 == 1", false},
	    {"s0 == s2 or s0 == 1 or s2 <= 1", false}, {"s0 == s2 + 0*s3 or s0 == 1 or s2 == 1", false}, {"s1 == s3 or s1 == 1 or s3 == 1", false},
	    {"s0 == s2 and s0 == 1 and s2 == 1", false}, {"s0 == s2 or s0 == 1 and s2 == 1", false}, {"2 == s0 or s0 == 1 or s2 == 1", false},
	    {"s0 == s0 or s0 == 1 or s0 == 1", false}};
	for (size_t i = 0; i < sizeof EACH / sizeof *EACH; i++) {
		lesson l;
		learn_broadcasting(&l, "[1,3,4,5]", EACH[i].clause);
		const expr *wanted = EACH[i].is ? expr_broadcast(l.f.pool, expr_sym(l.f.pool, 0), expr_sym(l.f.pool, 2)) : expr_sym(l.f.pool, 0);
		if (l.f.rules[0].out[0] != wanted)
			fail_msg("%s", EACH[i].clause);
		forget(&l);
	}
}

/* ---- in an API's rule */

static void put_form(buf *b, int number, const char *args, int values)
{
	int nsym, nodim;
	put_call(b, "m.learned", number, args, "1", &nsym, &nodim);
	put_calls(b, values, 7, false);
}

/* Two signatures whose own equations differ, as their argument order does. An API rule's quantified clauses
 * are chosen by what they explain of both signatures; neither signature's records support the implied
 * equalities alone. */
static void joins_what_the_forms_of_a_family_tie(void **state)
{
	(void)state;
	records r;
	api_solver f;
	options o = {0};
	api_membership to[2];
	buf b = {0};
	put_form(&b, 0, "a=i b=i c=i d=i e=i f=i g=i h=i mode=c1", 9);
	put_form(&b, 1, "g=i e=i c=i a=i f=i d=i b=i h=i mode=c2", 12);
	read_lines(&r, &b);
	const operator *ops[] = {&r.ops[0], &r.ops[1]};
	api_solver_start(&f, ops, 2, &o);
	api_solver_find_shapes(&f);
	api_clauses_find(&f);
	api_unify(&f, to);
	assert_int_equal(to[0].representative, to[1].representative);
	for (int i = 0; i < 2; i++)
		assert_int_equal(taken_apart(&(lesson){.op = ops[i], .f = {.rules = &f.rules[i]}}), 0);
	api_solver_free(&f);
	records_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(joins_what_was_moved_one_by_one),
	    cmocka_unit_test(leaves_what_was_never_asked), cmocka_unit_test(leaves_what_an_equation_relates),
	    cmocka_unit_test(leaves_what_few_calls_say), cmocka_unit_test(replaces_bounds), cmocka_unit_test(says_what_broadcasts_comes_out), cmocka_unit_test(knows_what_broadcasts),
	    cmocka_unit_test(joins_what_the_forms_of_a_family_tie)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Refinement: which inputs may be queried, which rival rules the records leave open, and that answers decide
 * between them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "operators.h"
#include "inquiry.h"

typedef bool truth(const int64_t *x, int64_t *out);

static bool narrow(const int64_t *x, int64_t *out) /* a dimension, start, length */
{
	*out = x[2];
	return x[1] >= 0 && x[2] >= 0 && x[1] + x[2] <= x[0];
}

static void read_narrow(records *r)
{
	buf b = {0};
	int nsym, nodim;
	put_call(&b, "m.narrow", 0, "x=t1 start=i length=i", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[3,1,1],[1]],[[5,0,2],[2]],[[5,1,3],[3]],[[6,0,6],[6]]],\"fail\":[[3,3,1],[5,4,2]]}\n");
	read_lines(r, &b);
}

static rule rule_of(expr_pool *pool, const operator *op, arena *memory, const char *out, const char *const *clauses, int n)
{
	rule r = {.nodim = 1, .out = ARENA_ARRAY(memory, const expr *, 2), .clauses = ARENA_ARRAY(memory, const expr *, n + 1), .nclauses = n};
	r.out[0] = expr_parse(pool, out, op->nsym, "test", 0, NULL);
	for (int k = 0; k < n; k++)
		r.clauses[k] = expr_parse(pool, clauses[k], op->nsym, "test", 0, NULL);
	return r;
}

static void test_box(void **state)
{
	(void)state;
	arena *memory = arena_new();
	records r;
	buf line = {0};
	buf_puts(&line, "{\"op\":\"m.box-0\",\"api\":\"m.box\",\"args\":["
			"{\"name\":\"x\",\"pos\":true,\"value\":{\"tensor\":[\"s0\",\"s1\"],\"dtype\":\"int64\",\"range\":[\"s2\",\"s3\"]}},"
			"{\"name\":\"y\",\"pos\":true,\"value\":[{\"tensor\":[\"s4\"],\"dtype\":\"float32\"}]}],"
			"\"outputs\":[],\"pass\":[],\"fail\":[]}\n");
	read_lines(&r, &line);
	box b = box_of(&r.ops[0], memory);
	assert_int_equal(b.ntensors, 2);
	assert_true(box_allows(&b, (int64_t[]){64, 64, -1, 3, 4096}));
	assert_false(box_allows(&b, (int64_t[]){64, 65, -1, 3, 5})); /* too large */
	assert_false(box_allows(&b, (int64_t[]){2, 2, 0, 1, 4097}));
	assert_false(box_allows(&b, (int64_t[]){2, -1, 0, 1, 5}));
	assert_false(box_allows(&b, (int64_t[]){2, 2, 1, 1, 5})); /* no element fits in 1..0 */
	assert_true(box_allows(&b, (int64_t[]){0, 2, 0, 0, 5}));
	assert_false(box_allows(&b, (int64_t[]){0, 2, 0, 1, 5})); /* bounds are 0 for an empty tensor */
	int64_t x[] = {0, 2, -1, 4, 5}, y[] = {1, 2, 7, 4, 5};
	box_repair(&b, x);
	box_repair(&b, y);
	assert_true(box_allows(&b, x) && box_allows(&b, y));
	arena_free(memory);
	records_free(&r);
}

static bool has_rival(const rivals *s, const char *text)
{
	bool found = false;
	for (int k = 0; k < s->n && !found; k++) {
		buf b = {0};
		rival_print(&b, s, k);
		found = strcmp(b.text, text) == 0;
		buf_free(&b);
	}
	return found;
}

static void test_rivals(void **state)
{
	(void)state;
	records r;
	read_narrow(&r);
	expr_pool *pool = expr_pool_new();
	arena *memory = arena_new();
	const operator *op = &r.ops[0];
	rule own = rule_of(pool, op, memory, "s2", (const char *[]){"s1 + s2 <= s0"}, 1);
	rivals *s = ARENA_NEW(memory, rivals);
	rivals_collect(s, op, &own, pool, memory, NULL, NULL, 0);
	assert_true(has_rival(s, "also s1 >= 0"));	      /* no record has a negative start */
	assert_true(has_rival(s, "output 0 without a value")); /* or a negative length */
	assert_true(has_rival(s, "s1 + s2 <= s0 + 1 instead of s1 + s2 <= s0") == false); /* refuted by 3,3,1 */
	assert_false(has_rival(s, "not s1 + s2 <= s0"));
	assert_false(has_rival(s, "output 0 is s1"));
	for (int k = 0; k < s->n; k++)
		for (int i = 0; i < op->npass; i++) { /* every rival agrees with the records */
			const int64_t *x = op->pass + 4 * i;
			rule_view v = rule_look(op, &own, x);
			assert_true(v.accepts);
			assert_false(rival_differs(s, k, &v, x));
		}
	arena_free(memory);
	expr_pool_free(pool);
	records_free(&r);
}

/* Number of the first round's queries about a rule for which a predicate holds. */
typedef bool sort_of_question(const operator *op, const rule *r, const int64_t *x, int which);

static int count_first(operator *op, const char *out, const char *const *clauses, int n, sort_of_question *is, int which)
{
	expr_pool *pool = expr_pool_new();
	arena *memory = arena_new(), *scratch = arena_new();
	prover *finder = prover_new_finder();
	rule own = rule_of(pool, op, memory, out, clauses, n);
	inquiry q;
	int count = 0;
	inquiry_start(&q, op, 300, 1);
	inquiry_prepare(&q, &own, pool, scratch, finder, 0, false, NULL, NULL, 0);
	for (int i = 0; i < q.nquestions; i++)
		count += is(op, &own, q.questions[i].in, which);
	inquiry_free(&q);
	prover_free(finder);
	expr_pool_free(pool);
	arena_free(memory);
	arena_free(scratch);
	return count;
}

static bool breaks(const operator *op, const rule *r, const int64_t *x, int which)
{
	return single_violation_of(op, r, x) == which;
}

/* Twelve clauses, each supported by a record, so that no rival lacks one: all are queried. */
static void test_each_clause_is_broken(void **state)
{
	static const char *const CLAUSES[] = {"s0 >= 0", "s1 >= 0", "s2 >= 0", "s3 >= 0", "s4 >= 0", "s5 >= 0", "s6 >= 0",
	    "s7 >= 0", "s8 >= 0", "s9 >= 0", "s10 >= 0", "s11 >= 0"};
	records r;
	buf b = {0};
	int nsym, nodim;
	(void)state;
	put_call(&b, "m.many", 0, "k=l12", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[1,2,3,4,5,6,7,8,9,8,7,6],[1]],[[2,1,3,4,5,6,7,8,9,8,7,6],[2]]],\"fail\":[");
	for (int i = 0; i < 12; i++) {
		buf_puts(&b, i ? ",[" : "[");
		for (int k = 0; k < 12; k++)
			buf_printf(&b, "%s%d", k ? "," : "", k == i ? -1 : k + 1);
		buf_putc(&b, ']');
	}
	buf_puts(&b, "]}\n");
	read_lines(&r, &b);
	for (int k = 1; k < 12; k++) /* s0 is also the output */
		assert_in_range(count_first(&r.ops[0], "s0", CLAUSES, 12, breaks, k), 2, 12);
	records_free(&r);
}

static bool accepted(const operator *op, const rule *r, const int64_t *x, int which)
{
	(void)which;
	return rule_accepts(op, r, x, NULL);
}

/* One of three dimensions is twice another, one three times: changing one or two of them is rejected. */
static void test_joint_moves_are_asked(void **state)
{
	records r;
	buf b = {0};
	int nsym, nodim;
	(void)state;
	put_call(&b, "m.twice", 0, "x=t1 y=t1 z=t1", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[14,28,42],[14]],[[15,30,45],[15]]],\"fail\":[[14,29,42],[15,28,45],[14,28,43]]}\n");
	read_lines(&r, &b);
	assert_true(count_first(&r.ops[0], "s0", (const char *[]){"s1 == 2*s0", "s2 == 3*s0"}, 2, accepted, 0) >= 6);
	records_free(&r);
}

static bool moves_cells(const operator *op, const rule *r, const int64_t *x, int which)
{
	(void)op, (void)r, (void)which;
	return x[1] != 5 && x[2] == 4 * x[1] && x[3] == x[0] + x[1];
}

/* A recurrent layer's inputs and cells, 4*cells gates and their concatenation. If all records have the same
 * number of cells, a rule can fix it as a constant. The rule rejects the queries. */
static void test_refused_joint_moves_are_asked(void **state)
{
	records r;
	buf b = {0};
	int nsym, nodim;
	(void)state;
	put_call(&b, "m.cells", 0, "x=t1 c=t1 w=t1 v=t1", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[3,5,20,8],[5]],[[4,5,20,9],[5]],[[6,5,20,11],[5]]],"
		     "\"fail\":[[3,4,20,7],[3,5,16,8],[3,4,20,8],[3,5,20,9]]}\n");
	read_lines(&r, &b);
	assert_true(count_first(&r.ops[0], "s1", (const char *[]){"s1 == 5", "s2 == 20", "s3 == s0 + 5"}, 3, moves_cells, 0) > 3);
	records_free(&r);
}

/* Input classes, as bits: zero-size dimension (8), dimension of 1 (4), negative number (2), number outside
 * the box (1). */
static bool is_of_sort(const operator *op, const rule *r, const int64_t *x, int which)
{
	int sort = 8 * (x[0] == 0 || x[1] == 0) + 4 * (x[0] == 1 || x[1] == 1) + 2 * (x[2] < 0) + (x[2] > BOX_HIGH || x[2] < BOX_LOW);
	return rule_accepts(op, r, x, NULL) && sort == which;
}

/* A rule that accepts everything gets equally many queries of each class, or as many as were drawn, although
 * most draws belong to few classes. */
static void test_each_sort_is_asked(void **state)
{
	records r;
	buf b = {0};
	int nsym, nodim;
	(void)state;
	put_call(&b, "m.any", 0, "x=t2 k=i", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[7,2,3],[7]],[[6,4,9],[6]]],\"fail\":[]}\n");
	read_lines(&r, &b);
	int asked = 0, most = 0;
	for (int sort = 0; sort < 16; sort++) {
		int n = count_first(&r.ops[0], "s0", NULL, 0, is_of_sort, sort);
		asked += n > 0;
		most = n > most ? n : most;
	}
	assert_true(asked >= 12 && most <= 3);
	records_free(&r);
}

/* Queries about a rule until none is left, answered by the true rule; returns the number of wrong
 * predictions. */
static long ask_rule(operator *op, truth *is, const char *out, const char *const *clauses, int n, tally *to)
{
	expr_pool *pool = expr_pool_new();
	arena *memory = arena_new(), *scratch = arena_new();
	prover *finder = prover_new_finder();
	rule own = rule_of(pool, op, memory, out, clauses, n);
	operator before = *op;
	inquiry q;
	inquiry_start(&q, op, 200, 1);
	for (int round = 0; round < 3 && q.tally.wrong == 0; round++) {
		inquiry_prepare(&q, &own, pool, scratch, finder, round, round == 2, NULL, NULL, 0);
		for (int i = q.nall - q.nquestions; i < q.nall; i++) {
			question *k = &q.questions[i];
			for (int j = 0; j < i; j++)
				assert_memory_not_equal(k->in, q.questions[j].in, 3 * sizeof *k->in); /* each input is queried once */
			k->outcome = is(k->in, k->out) ? PASSED : FAILED;
		}
		if (q.nquestions)
			inquiry_learn(&q);
	}
	assert_int_equal(op->npass + op->nfail, before.npass + before.nfail + q.tally.kept);
	for (int k = 1; k < op->npass; k++) /* sorted, as records are */
		assert_true(op->pass[4 * k] >= op->pass[4 * (k - 1)]);
	*to = q.tally;
	inquiry_free(&q);
	assert_int_equal(op->npass, before.npass);
	assert_ptr_equal(op->pass, before.pass);
	prover_free(finder);
	expr_pool_free(pool);
	arena_free(memory);
	arena_free(scratch);
	return to->wrong;
}

static long ask(operator *op, truth *is, const char *const *clauses, int n, tally *to)
{
	return ask_rule(op, is, "s2", clauses, n, to);
}

/* A cell of `hidden` with 3*hidden gates; its two records have hidden equal to their batch. */
static bool cell(const int64_t *x, int64_t *out)
{
	*out = x[1];
	return x[1] > 0 && x[2] == 3 * x[1];
}

/* Without a rule, and with two accepted records of one size: queries try other sizes and vary the accepted
 * calls. */
static void test_without_a_rule_it_explores(void **state)
{
	records r;
	buf b = {0};
	int nsym, nodim, sizes = 0, apart = 0, failed = 0;
	bool seen[65] = {false};
	(void)state;
	put_call(&b, "m.cell", 0, "x=t2 w=t1", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[2,2,6],[2]],[[1,2,6],[2]]],\"fail\":[[2,2,7],[2,3,6]]}\n");
	read_lines(&r, &b);
	operator *op = &r.ops[0];
	arena *scratch = arena_new();
	inquiry q;
	inquiry_start(&q, op, 200, 1);
	for (int round = 0; round < 3; round++) {
		inquiry_explore(&q, scratch, round);
		for (int i = q.nall - q.nquestions; i < q.nall; i++) {
			question *k = &q.questions[i];
			k->outcome = cell(k->in, k->out) ? PASSED : FAILED;
		}
		inquiry_learn(&q);
	}
	for (int k = 0; k < op->npass; k++) {
		const int64_t *x = passing_record(op, k);
		sizes += x[1] < 65 && !seen[x[1]];
		seen[x[1] < 65 ? x[1] : 0] = true;
		apart += x[0] > 1 && x[0] != x[1];
	}
	failed = op->nfail;
	assert_true(sizes >= 6); /* 3*hidden is seen */
	assert_true(apart >= 3); /* and a batch that differs */
	assert_true(failed > 2 && failed <= 2 + 60);
	assert_int_equal(q.tally.wrong, q.tally.kept);
	arena_free(scratch);
	inquiry_free(&q);
	records_free(&r);
}

static bool anything(const int64_t *x, int64_t *out)
{
	*out = x[2];
	return x[2] >= 0;
}

/* A rule of a record subset makes no claim about accepted calls outside it (outliers). They are neither
 * mispredictions nor records to solve with. At most as many are written as the subset allows: half of (3 -
 * 1)*4 - 2. */
static void test_what_stands_apart(void **state)
{
	records r;
	(void)state;
	read_narrow(&r);
	operator *op = &r.ops[0];
	expr_pool *pool = expr_pool_new();
	arena *memory = arena_new(), *scratch = arena_new();
	prover *finder = prover_new_finder();
	rule own = rule_of(pool, op, memory, "s2", (const char *[]){"s1 >= 0", "s1 + s2 <= s0"}, 2);
	op->outside = 2;
	inquiry q;
	inquiry_start(&q, op, 200, 1);
	inquiry_prepare(&q, &own, pool, scratch, finder, 0, false, NULL, NULL, 0);
	int apart = 0, written = 0, within = 0;
	for (int i = 0; i < q.nall; i++) {
		question *k = &q.questions[i];
		k->outcome = anything(k->in, k->out) ? PASSED : FAILED;
		apart += k->outcome == PASSED && !rule_accepts(op, &own, k->in, NULL);
	}
	inquiry_learn(&q);
	for (int k = 0; k < q.nkept; k++)
		written += q.kept[k].passed && !rule_accepts(op, &own, q.kept[k].row, NULL);
	for (int k = 0; k < op->npass; k++)
		within += rule_accepts(op, &own, passing_record(op, k), NULL);
	assert_true(apart > 10);
	assert_int_equal(written, 3);
	assert_int_equal(within, op->npass);
	assert_int_equal(q.tally.wrong, 0);
	prover_free(finder);
	expr_pool_free(pool);
	arena_free(memory);
	arena_free(scratch);
	inquiry_free(&q);
	records_free(&r);
}

static void test_questions(void **state)
{
	(void)state;
	records r;
	tally t;
	read_narrow(&r);
	assert_true(ask(&r.ops[0], narrow, (const char *[]){"s1 + s2 <= s0"}, 1, &t) > 0);
	assert_true(t.kept >= t.wrong);
	assert_true(ask(&r.ops[0], narrow, (const char *[]){"s1 < s0", "s1 + s2 <= s0"}, 2, &t) > 0);
	assert_int_equal(ask(&r.ops[0], narrow, (const char *[]){"s1 >= 0", "s1 + s2 <= s0"}, 2, &t), 0);
	assert_int_equal(t.open, 0);
	assert_true(t.killed > 0 && t.proved > 0);
	records_free(&r);
}

static bool ends(const int64_t *x, int64_t *out)
{
	int64_t length;
	out[0] = x[1] + x[2];
	return narrow(x, &length);
}

static void read_ends(records *r)
{
	buf b = {0};
	int nsym, nodim;
	put_call(&b, "m.ends", 0, "x=t1 start=i length=i", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[3,1,1],[2]],[[5,0,2],[2]],[[5,1,3],[4]],[[6,0,6],[6]]],\"fail\":[[3,3,1],[5,4,2]]}\n");
	read_lines(r, &b);
}

/* Which branches of a rule's choices are rivals: a branch that the records do not need. */
static void assert_branches(const operator *op, const char *out, const char *clause, int n, const char *rival)
{
	expr_pool *pool = expr_pool_new();
	arena *memory = arena_new();
	rule own = rule_of(pool, op, memory, out, &clause, 1);
	rivals *s = ARENA_NEW(memory, rivals);
	rivals_collect(s, op, &own, pool, memory, NULL, NULL, 0);
	assert_int_equal(s->branches, n);
	assert_true(!rival || has_rival(s, rival));
	arena_free(memory);
	expr_pool_free(pool);
}

static void test_branches_are_rivals(void **state)
{
	records r;
	(void)state;
	read_ends(&r);
	assert_branches(&r.ops[0], "s1*s0 - s0*s1 + s0*s0 - s0*s0 + s1 + s2 + (1 if s0 + s1 == 117 else 0)", "s1 + s2 <= s0", 1,
	    "output 0 is s1*s0 - s0*s1 + s0*s0 - s0*s0 + s1 + s2 + 0");
	assert_branches(&r.ops[0], "s2 if s1 == 0 else s1 + s2", "s1 + s2 <= s0", 1, "output 0 is s1 + s2");
	assert_branches(&r.ops[0], "s2 if s0 == 6 else s1 + s2", "s1 + s2 <= s0", 1, "output 0 is s1 + s2");
	assert_branches(&r.ops[0], "2 if s1 == 0 and s2 == 2 else s1 + s2 if s1 > 0 else 6", "s1 + s2 <= s0", 1, NULL);
	assert_branches(&r.ops[0], "2*s1 + s2 - s1", "s1 + s2 <= (9 if s0 == 117 else s0)", 1, "s1 + s2 <= s0 instead of s1 + s2 <= (9 if s0 == 117 else s0)");
	assert_branches(&r.ops[0], "s1 + s2", "s1 + s2 <= s0", 0, NULL);
	records_free(&r);
}

/* No record takes one branch of a choice: a query takes it. */
static void test_branches_are_taken(void **state)
{
	static const char *const CLAUSES[] = {"s1 >= 0", "s2 >= 0", "s1 + s2 <= s0"};
	records r;
	tally t;
	(void)state;
	read_ends(&r);
	assert_int_equal(ask_rule(&r.ops[0], ends, "s1*s0 - s0*s1 + s0*s0 - s0*s0 + s1 + s2", CLAUSES, 3, &t), 0);
	assert_true(ask_rule(&r.ops[0], ends, "s1*s0 - s0*s1 + s0*s0 - s0*s0 + s1 + s2 + (1 if s0 + s1 == 117 else 0)", CLAUSES, 3, &t) > 0);
	records_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_box),
	    cmocka_unit_test(test_rivals),
	    cmocka_unit_test(test_questions),
	    cmocka_unit_test(test_without_a_rule_it_explores),
	    cmocka_unit_test(test_what_stands_apart),
	    cmocka_unit_test(test_each_clause_is_broken),
	    cmocka_unit_test(test_joint_moves_are_asked),
	    cmocka_unit_test(test_refused_joint_moves_are_asked),
	    cmocka_unit_test(test_each_sort_is_asked),
	    cmocka_unit_test(test_branches_are_rivals),
	    cmocka_unit_test(test_branches_are_taken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

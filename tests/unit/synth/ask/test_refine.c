/* Questions: which inputs may be asked, which readings the records leave open, and that answers settle them. */
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
	assert_false(box_allows(&b, (int64_t[]){2, 2, 1, 1, 5})); /* no element could be in 1..0 */
	assert_true(box_allows(&b, (int64_t[]){0, 2, 0, 0, 5}));
	assert_false(box_allows(&b, (int64_t[]){0, 2, 0, 1, 5})); /* without elements the bounds are 0 */
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
		for (int i = 0; i < op->npass; i++) { /* whatever is a rival agrees with the records */
			const int64_t *x = op->pass + 4 * i;
			rule_view v = rule_look(op, &own, x);
			assert_true(v.accepts);
			assert_false(rival_differs(s, k, &v, x));
		}
	arena_free(memory);
	expr_pool_free(pool);
	records_free(&r);
}

/* Asks about a rule until nothing is left, answers by the truth; how many answers it had wrong. */
static long ask(operator *op, truth *is, const char *const *clauses, int n, tally *to)
{
	expr_pool *pool = expr_pool_new();
	arena *memory = arena_new(), *scratch = arena_new();
	prover *finder = prover_new_finder();
	rule own = rule_of(pool, op, memory, "s2", clauses, n);
	operator before = *op;
	inquiry q;
	inquiry_start(&q, op, 200, 1);
	for (int round = 0; round < 3 && q.tally.wrong == 0; round++) {
		inquiry_prepare(&q, &own, pool, scratch, finder, round, round == 2, NULL, NULL, 0);
		for (int i = q.nall - q.nquestions; i < q.nall; i++) {
			question *k = &q.questions[i];
			for (int j = 0; j < i; j++)
				assert_memory_not_equal(k->in, q.questions[j].in, 3 * sizeof *k->in); /* once is enough */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_box),
	    cmocka_unit_test(test_rivals),
	    cmocka_unit_test(test_questions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

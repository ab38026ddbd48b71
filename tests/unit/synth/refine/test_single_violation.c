/* Inputs that violate one clause alone, and joint moves: their starting point, what they preserve, and when
 * none exists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "operators.h"
#include "single_violation.h"

enum { DRAWS = 2000, MOST = 4 };

typedef struct fixture {
	records r;
	expr_pool *pool;
	arena *memory;
	rule rule;
	box box;
} fixture;

static const expr *parse(fixture *f, const char *text)
{
	return expr_parse(f->pool, text, f->r.ops[0].nsym, "test", 0, NULL);
}

/* A dimension, start and length, and a rule about them. */
static void set_up(fixture *f, const char *out, const char *const *clauses, int n)
{
	buf b = {0};
	int nsym, nodim;
	put_call(&b, "m.narrow", 0, "x=t1 start=i length=i", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[3,1,1],[1]],[[5,0,2],[2]],[[6,0,6],[6]],[[8,4,2],[2]]],\"fail\":[[3,3,1],[5,4,2]]}\n");
	read_lines(&f->r, &b);
	f->pool = expr_pool_new();
	f->memory = arena_new();
	f->box = box_of(&f->r.ops[0], f->memory);
	f->rule = (rule){.nodim = 1, .out = ARENA_ARRAY(f->memory, const expr *, 2),
	    .clauses = ARENA_ARRAY(f->memory, const expr *, n + 1), .nclauses = n};
	f->rule.out[0] = parse(f, out);
	for (int k = 0; k < n; k++)
		f->rule.clauses[k] = parse(f, clauses[k]);
}

static void tear_down(fixture *f)
{
	arena_free(f->memory);
	expr_pool_free(f->pool);
	records_free(&f->r);
}

/* Draws inputs and counts how often each clause was violated alone. */
static void draw(fixture *f, int *times)
{
	single_violation s;
	int64_t x[3];
	memset(times, 0, MOST * sizeof *times);
	single_violation_start(&s, &f->box, &f->rule, 1, f->memory);
	for (int i = 0; i < DRAWS; i++) {
		int k = single_violation_draw(&s, x);
		assert_int_equal(k, box_allows(&f->box, x) ? single_violation_of(&f->r.ops[0], &f->rule, x) : -1);
		if (k < 0)
			continue;
		times[k]++;
		for (int j = 0; j < f->rule.nclauses; j++)
			assert_int_equal(expr_holds(f->rule.clauses[j], x), j != k);
	}
	assert_in_range(s.nrecent, 1, SINGLE_RECENT);
	for (int i = 0; i < s.nrecent; i++)
		assert_true(rule_accepts(&f->r.ops[0], &f->rule, s.recent[i], NULL));
}

static void test_drawn(void **state)
{
	fixture f;
	int times[MOST];
	(void)state;
	set_up(&f, "s2", (const char *[]){"s1 >= 0", "s1 + s2 <= s0"}, 2);
	draw(&f, times);
	assert_true(times[0] > 20 && times[1] > 20);
	tear_down(&f);
}

static void test_outputs_have_values(void **state)
{
	fixture f;
	int times[MOST];
	(void)state;
	set_up(&f, "s0//s2", (const char *[]){"s2 != 0", "s1 >= 0"}, 2); /* the first clause defines the output */
	draw(&f, times);
	assert_int_equal(times[0], 0);
	assert_true(times[1] > 20);
	tear_down(&f);
}

static verdict solve(fixture *f, int k, int64_t *x)
{
	prover *finder = prover_new_finder();
	verdict found = single_violation_solve(&f->box, &f->rule, k, f->pool, finder, 1, f->memory, x);
	prover_free(finder);
	return found;
}

static void test_solved(void **state)
{
	fixture f;
	int64_t x[3];
	(void)state;
	set_up(&f, "s2", (const char *[]){"s0 != 61 or s1 != 17 or s2 != 23", "s1 + s2 <= s0", "s0 + 1 >= s1 + s2"}, 3);
	assert_int_equal(solve(&f, 0, x), REFUTED);
	assert_true(x[0] == 61 && x[1] == 17 && x[2] == 23);
	assert_int_equal(solve(&f, 1, x), REFUTED);
	assert_int_equal(single_violation_of(&f.r.ops[0], &f.rule, x), 1);
	assert_int_equal(solve(&f, 2, x), PROVED); /* the second implies it */
	tear_down(&f);
}

static void test_moves(void **state)
{
	fixture f;
	int64_t x[3];
	int shared = 0, multiples = 0;
	(void)state;
	set_up(&f, "s2", NULL, 0);
	rng g = rng_seed(1);
	for (int i = 0; i < DRAWS; i++) {
		if (!point_move(&f.box, &g, NULL, 0, x))
			continue;
		bool sixes = x[0] == x[2] && x[1] == 0, all = x[0] == 4 * x[2] && x[1] == 2 * x[2], two = x[0] == 2 * x[1] && x[2] == 2;
		assert_true(sixes || all || two); /* 6, 0, 6 and 8, 4, 2: nothing else has two numbers to move, or a sum */
		shared += sixes;
		multiples += all;
	}
	assert_true(shared > 20 && multiples > 20);
	const int64_t nothing[] = {3, 1, 1}, *recent[] = {nothing};
	f.r.ops[0].npass = 1; /* also 3, 1, 1 */
	for (int i = 0; i < DRAWS; i++)
		assert_false(point_move(&f.box, &g, recent, 1, x));
	tear_down(&f);
}

/* Part of five equal numbers moves: all but one or two, or two or three. */
static void test_parts_move(void **state)
{
	records r;
	buf b = {0};
	int64_t x[5];
	int nsym, nodim, parts[6] = {0};
	(void)state;
	put_call(&b, "m.same", 0, "x=t2 y=t2 z=t1", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[2,2,2,2,2],[2]]],\"fail\":[]}\n");
	read_lines(&r, &b);
	arena *memory = arena_new();
	box space = box_of(&r.ops[0], memory);
	rng g = rng_seed(1);
	for (int i = 0; i < DRAWS; i++) {
		int moved = 0;
		int64_t to = 2;
		if (!point_part(&space, &g, NULL, 0, x))
			continue;
		for (int k = 0; k < 5; k++) {
			to = x[k] != 2 ? x[k] : to;
			moved += x[k] != 2;
		}
		for (int k = 0; k < 5; k++)
			assert_true(x[k] == 2 || x[k] == to);
		parts[moved]++;
	}
	assert_int_equal(parts[0] + parts[1] + parts[5], 0);
	assert_true(parts[2] > 10 && parts[3] > 10 && parts[4] > 10);
	arena_free(memory);
	records_free(&r);
}

/* 3 inputs, 5 cells: 20 gates, and a concatenation of 8, which neither 3 nor 5 divides. */
static void test_sums_move(void **state)
{
	records r;
	buf b = {0};
	int64_t x[4];
	int nsym, nodim, both = 0;
	(void)state;
	put_call(&b, "m.cells", 0, "x=t1 c=t1 w=t1 v=t1", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[3,5,20,8],[5]]],\"fail\":[]}\n");
	read_lines(&r, &b);
	arena *memory = arena_new();
	box space = box_of(&r.ops[0], memory);
	rng g = rng_seed(1);
	for (int i = 0; i < DRAWS; i++) {
		if (!point_move(&space, &g, NULL, 0, x))
			continue;
		assert_true(x[0] == 3 || x[1] == 5); /* one of the two moves, not both */
		both += x[0] == 3 && x[1] != 5 && x[2] == 4 * x[1] && x[3] == 3 + x[1];
	}
	assert_true(both > 20);
	arena_free(memory);
	records_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_drawn),
	    cmocka_unit_test(test_outputs_have_values),
	    cmocka_unit_test(test_solved),
	    cmocka_unit_test(test_moves),
	    cmocka_unit_test(test_sums_move),
	    cmocka_unit_test(test_parts_move),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

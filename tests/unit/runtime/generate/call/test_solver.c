/* Calls that Z3 completes: all numbers are read, also negative ones; known symbols and requested outputs
 * stay; a missing call is reported. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "sampling.h"
#include "solver.h"

enum { NSYM = 3 };

static const rs_op OP = {.name = "t.three-0",
    .smt = "(define-fun valid () Bool (and (= s0 (* 2 s1)) (> s2 (- 2000))))(define-fun o0 () Int (+ s0 s2))", .nsym = NSYM, .nodim = 1};

typedef struct question {
	rs_draw draw;
	int64_t s[NSYM], low[NSYM], high[NSYM], out[1];
	uint8_t known[NSYM], wanted[1];
} question;

/* All symbols are in this range; the given ones are known, and the given output is requested. */
static void ask(question *q, int64_t low, int64_t high)
{
	*q = (question){.s = {0}};
	for (int i = 0; i < NSYM; i++)
		q->low[i] = low, q->high[i] = high;
	q->draw = (rs_draw){.s = q->s, .low = q->low, .high = q->high, .out = q->out, .known = q->known, .wanted = q->wanted};
}

static int open_solver(void **state)
{
	char message[256];
	*state = solver_open(message, sizeof message);
	return 0;
}

static int close_solver(void **state)
{
	solver_close(*state);
	return 0;
}

static void numbers_are_read(void **state)
{
	if (!*state)
		skip(); /* no libz3 here */
	static const int64_t NUMBERS[] = {1, 9, 10, 98, 1989, 8000000000, -1, -9, -98, -1989, -8000000000};
	for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
		question q;
		ask(&q, -20000000000, 20000000000);
		q.s[1] = NUMBERS[i];
		q.known[1] = 1;
		assert_true(solver_complete(*state, &OP, &q.draw));
		assert_true(q.s[0] == 2 * NUMBERS[i] && q.s[1] == NUMBERS[i] && q.s[2] > -2000 && q.s[0] + q.s[2] >= 0);
	}
}

static void outputs_are_as_wanted(void **state)
{
	if (!*state)
		skip();
	question q;
	ask(&q, -1000, 1000);
	q.out[0] = 789;
	q.wanted[0] = 1;
	assert_true(solver_complete(*state, &OP, &q.draw));
	assert_true(q.s[0] == 2 * q.s[1] && q.s[0] + q.s[2] == 789);
	for (int i = 0; i < NSYM; i++)
		assert_true(q.s[i] >= -1000 && q.s[i] <= 1000);
}

static void what_comes_of_it_is_counted(void **state)
{
	if (!*state)
		skip();
	question q;
	solver_stats before = solver_get_stats(*state);
	ask(&q, 1, 9);
	assert_true(solver_complete(*state, &OP, &q.draw));
	q.s[0] = 3, q.known[0] = 1; /* odd */
	assert_false(solver_complete(*state, &OP, &q.draw));
	rs_op other = OP;
	other.smt = "(define-fun valid () Bool (no such function))";
	assert_false(solver_complete(*state, &other, &q.draw));
	other.smt = NULL;
	assert_false(solver_complete(*state, &other, &q.draw)); /* it is not queried */
	solver_stats s = solver_get_stats(*state);
	assert_int_equal(s.asked - before.asked, 3);
	assert_int_equal(s.found - before.found, 1);
	assert_int_equal(s.none - before.none, 1);
	assert_int_equal(s.unknown - before.unknown, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(numbers_are_read, open_solver, close_solver),
	    cmocka_unit_test_setup_teardown(outputs_are_as_wanted, open_solver, close_solver),
	    cmocka_unit_test_setup_teardown(what_comes_of_it_is_counted, open_solver, close_solver)};
	return cmocka_run_group_tests_name("solver", tests, NULL, NULL);
}

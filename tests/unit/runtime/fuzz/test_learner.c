/* When a generator is made anew: as soon as a call is known to fail, but less and less often. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "clock.h"
#include "learner.h"
#include "models.h"
#include "toy_table.h"

/* Lets the learner know that the i-th call fails, and asks for a generator. */
static void fail_and_renew(learner *l, rs_gen *calls, uint64_t i, rs_gen **gen, renewal *of)
{
	diag d = {""};
	judgement failed = {.verdict = VERDICT_unsupported, .message = ""};
	rs_graph *call = rs_graph_new();
	assert_true(rs_gen_model(calls, 1, i, call));
	assert_true(learner_take(l, call, &failed, &d));
	assert_true(learner_renew(l, &TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS}, gen, of, &d));
	rs_graph_free(call);
}

static void generators_are_made_less_and_less_often(void **state)
{
	(void)state;
	learner l;
	capabilities *known = capabilities_new(&TOY_TABLE, "toy", "{}");
	rs_gen *calls = open_models(&TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS}), *gen = NULL;
	learner_open(&l, known, "/nowhere/never-written");
	l.changed = clock_seconds(); /* nor is it written soon */
	renewal of = {.times = 15};
	fail_and_renew(&l, calls, 0, &gen, &of);
	assert_non_null(gen);
	assert_int_equal(rs_gen_count(gen), rs_gen_count(calls) - 1);
	assert_true(of.without == 1 && of.times == 16);
	fail_and_renew(&l, calls, 1, &gen, &of); /* two more are an eighth of 16, one is not */
	assert_int_equal(rs_gen_count(gen), rs_gen_count(calls) - 1);
	assert_true(of.without == 1 && of.times == 16);
	fail_and_renew(&l, calls, 2, &gen, &of);
	assert_int_equal(rs_gen_count(gen), rs_gen_count(calls) - 3);
	assert_true(of.without == 3 && of.times == 17);
	pthread_mutex_destroy(&l.lock);
	rs_gen_free(gen);
	rs_gen_free(calls);
	capabilities_free(known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(generators_are_made_less_and_less_often)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

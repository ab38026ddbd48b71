/* When a generator is made anew: as soon as a call is known to fail, but no longer once too much time went into that. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "clock.h"
#include "learner.h"
#include "models.h"
#include "toy_table.h"

static void generators_are_made_while_there_is_time(void **state)
{
	(void)state;
	diag d = {""};
	learner l;
	judgement failed = {.verdict = VERDICT_unsupported, .message = ""};
	capabilities *known = capabilities_new(&TOY_TABLE, "toy", "{}");
	rs_gen *calls = open_models(&TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS}), *gen = NULL;
	rs_graph *call = rs_graph_new();
	learner_open(&l, known, "/nowhere/never-written");
	l.changed = clock_seconds(); /* nor is it written soon */
	renewal of = {.since = clock_seconds(), .took = 3600};
	assert_true(rs_gen_model(calls, 1, 0, call));
	assert_true(learner_take(&l, call, &failed, &d));
	assert_true(learner_renew(&l, &TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS}, &gen, &of, &d));
	assert_null(gen); /* an hour is more than it may take */
	of.since -= 200 * 3600;
	assert_true(learner_renew(&l, &TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS}, &gen, &of, &d));
	assert_non_null(gen);
	assert_int_equal(rs_gen_count(gen), rs_gen_count(calls) - 1);
	assert_true(of.without == 1 && of.took > 3600);
	pthread_mutex_destroy(&l.lock);
	rs_graph_free(call);
	rs_gen_free(gen);
	rs_gen_free(calls);
	capabilities_free(known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(generators_are_made_while_there_is_time)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

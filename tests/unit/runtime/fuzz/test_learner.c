/* When a generator is replaced: at once for the first failing calls, then less and less often. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "clock.h"
#include "learner.h"
#include "models.h"
#include "toy_table.h"

/* Reports the result of the i-th call, and renews the generator. */
static void fail_and_renew(learner *l, rs_gen *calls, uint64_t i, enum verdict how, rs_gen **gen, renewal *of)
{
	diag d = {""};
	judgement failed = {.verdict = how, .message = ""};
	rs_graph *call = rs_graph_new();
	assert_true(rs_gen_model(calls, 1, i, call));
	assert_true(learner_take(l, call, &failed, 0, &d));
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
	renewal of = {.times = 3};
	fail_and_renew(&l, calls, 0, VERDICT_error, &gen, &of);
	assert_non_null(gen);
	assert_int_equal(rs_gen_count(gen), rs_gen_count(calls) - 1);
	assert_true(of.without == 1 && of.times == 4);
	fail_and_renew(&l, calls, 1, VERDICT_error, &gen, &of); /* two more are half of 4, one is not */
	assert_int_equal(rs_gen_count(gen), rs_gen_count(calls) - 1);
	assert_true(of.without == 1 && of.times == 4);
	fail_and_renew(&l, calls, 2, VERDICT_error, &gen, &of);
	assert_int_equal(rs_gen_count(gen), rs_gen_count(calls) - 3);
	assert_true(of.without == 3 && of.times == 5);
	pthread_mutex_destroy(&l.lock);
	rs_gen_free(gen);
	rs_gen_free(calls);
	capabilities_free(known);
}

/* Whose dtypes are not why: it was tried or trusted. */
static void what_is_refused_is_left_out_with_any_dtypes(void **state)
{
	(void)state;
	learner l;
	capabilities *known = capabilities_new(&TOY_TABLE, "toy", "{}");
	rs_gen *calls = open_models(&TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS}), *gen = NULL;
	const enum verdict ways[] = {VERDICT_error, VERDICT_unsupported};
	renewal of = {0};
	uint64_t left = rs_gen_count(calls);
	learner_open(&l, known, "/nowhere/never-written");
	l.changed = clock_seconds();
	for (int i = 0; i < 2; i++) {
		rs_graph *call = rs_graph_new();
		uint64_t at = 0;
		do /* an operator that has several rows */
			assert_true(rs_gen_model(calls, 1, at++, call));
		while (call->nodes[call->first].op->ndtypes < 2);
		left -= i == 0 ? 1 : call->nodes[call->first].op->ndtypes - 1u;
		rs_graph_free(call);
		fail_and_renew(&l, calls, at - 1, ways[i], &gen, &of);
		assert_int_equal(rs_gen_count(gen), left);
	}
	assert_int_equal(capabilities_count(known, CAPABILITY_rejects), 1); /* of all rows */
	pthread_mutex_destroy(&l.lock);
	rs_gen_free(gen);
	rs_gen_free(calls);
	capabilities_free(known);
}

/* A call that the reference of another version rejects is excluded when that happens for the third time. */
static void what_the_reference_rejects_is_left_out_at_last(void **state)
{
	(void)state;
	static const enum verdict WAYS[] = {VERDICT_rejected, VERDICT_mispredicted, VERDICT_unreadable};
	learner l;
	capabilities *known = capabilities_new(&TOY_TABLE, "toy", "{}");
	rs_gen *calls = open_models(&TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS}), *gen = NULL;
	renewal of = {0};
	learner_open(&l, known, "/nowhere/never-written");
	l.changed = clock_seconds();
	for (int i = 0; i < 3; i++) {
		fail_and_renew(&l, calls, 1, VERDICT_rejected, &gen, &of);
		fail_and_renew(&l, calls, 0, WAYS[i], &gen, &of);
		assert_int_equal(capabilities_count(known, CAPABILITY_invalid), i < 2 ? 0 : 2);
	}
	assert_non_null(gen);
	assert_int_equal(rs_gen_count(gen), rs_gen_count(calls) - 2);
	pthread_mutex_destroy(&l.lock);
	free(l.strikes);
	rs_gen_free(gen);
	rs_gen_free(calls);
	capabilities_free(known);
}

/* A call that the reference accepts more than nine times as often as it rejects it is kept. At nine times it is excluded. */
static void what_is_mostly_accepted_is_kept(void **state)
{
	(void)state;
	enum { REJECTED = 3, KEPT = 28 };
	for (unsigned accepted = KEPT - 1; accepted <= KEPT; accepted++) {
		learner l;
		capabilities *known = capabilities_new(&TOY_TABLE, "toy", "{}");
		rs_gen *calls = open_models(&TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS}), *gen = NULL;
		rs_graph *call = rs_graph_new();
		renewal of = {0};
		learner_open(&l, known, "/nowhere/never-written");
		l.changed = clock_seconds();
		assert_true(rs_gen_model(calls, 1, 0, call));
		learner_accepted(&l, call); /* before any rejection: not counted */
		for (int i = 0; i < REJECTED; i++) {
			assert_int_equal(capabilities_count(known, CAPABILITY_invalid), 0);
			fail_and_renew(&l, calls, 0, VERDICT_rejected, &gen, &of);
			for (unsigned k = 0; i == 0 && k < accepted; k++)
				learner_accepted(&l, call);
		}
		assert_int_equal(capabilities_count(known, CAPABILITY_invalid), accepted < KEPT);
		pthread_mutex_destroy(&l.lock);
		free(l.strikes);
		rs_graph_free(call);
		rs_gen_free(gen);
		rs_gen_free(calls);
		capabilities_free(known);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(generators_are_made_less_and_less_often),
	    cmocka_unit_test(what_is_refused_is_left_out_with_any_dtypes),
	    cmocka_unit_test(what_the_reference_rejects_is_left_out_at_last), cmocka_unit_test(what_is_mostly_accepted_is_kept)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Models beside those of a campaign: when it is their turn, and that they are judged, counted and observed but not numbered; their
 * triage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "buf.h"
#include "campaign.h"
#include "clock.h"
#include "models.h"
#include "toy_table.h"

static void turns(void **state)
{
	(void)state;
	beside all[] = {{.share = 0.25, .count = 2}, {.share = 0.5, .count = 9}};
	assert_null(beside_due(all, 2, 0)); /* the campaign's own models come first */
	assert_ptr_equal(beside_due(all, 2, 8), &all[0]);
	all[0].seconds = 2;
	assert_ptr_equal(beside_due(all, 2, 8), &all[1]);
	all[1].seconds = 4;
	assert_null(beside_due(all, 2, 8));
	assert_ptr_equal(beside_due(all, 2, 9), &all[0]);
	all[0].next = 2;
	assert_ptr_equal(beside_due(all, 2, 9), &all[1]);
	assert_null(beside_due(all, 0, 9));
}

typedef struct seen {
	rs_gen *gen;
	uint64_t made, noted, next;
} seen;

static bool make(void *context, uint64_t number, rs_graph *to)
{
	seen *s = context;
	assert_int_equal(number, s->made++);
	return rs_gen_model(s->gen, 77, number, to);
}

static bool note(void *context, const rs_graph *g, const judgement *j, uint64_t next, diag *d)
{
	seen *s = context;
	(void)d;
	assert_int_equal(g->seed, 77);
	assert_int_equal(g->index, s->noted++);
	assert_int_equal(j->verdict, VERDICT_ok);
	assert_true(next >= s->next);
	s->next = next;
	return true;
}

static void beside_a_campaign(void **state)
{
	enum { MODELS = 40, ASIDE = 6 };
	(void)state;
	diag d = {""};
	char db[] = "/tmp/rulefuzz-beside-XXXXXX";
	close(mkstemp(db));
	seen saw = {.gen = open_models(&TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS})};
	beside source = {.share = 1, .count = ASIDE, .context = &saw, .model = make, .observe = note};
	const char *const argv[] = {"sh", "tests/data/backends/fake.sh", "agree", NULL};
	campaign_phases phases = {.since = clock_seconds()};
	campaign_options o = {.table = &TOY_TABLE, .gen = {.nodes_low = 2, .nodes_high = 2}, .backend = "fake", .phases = &phases,
	    .worker = {.argv = argv, .start_seconds = 20, .call_seconds = 20, .stop_fd = -1}, .count = MODELS, .jobs = 1,
	    .triage_share = 1000, .beside = &source, .nbeside = 1};
	arena *a = arena_new();
	store *s = store_open(db, true, &d);
	run_row run = {.backend = "fake", .framework = TOY_TABLE.framework, .seed = 1, .versions = "{}"};
	assert_true(runs_begin(s, &run, &d));
	assert_int_equal(campaign_run(&o, s, &run, a, &d), CAMPAIGN_DONE);
	assert_int_equal(saw.noted, ASIDE);
	assert_int_equal(saw.next, ASIDE - 1); /* at the last one, that one was not done */
	assert_int_equal(run.next, MODELS);
	assert_int_equal(run.models, MODELS + ASIDE);
	assert_true(source.seconds > 0);
	store_close(s);
	arena_free(a);
	rs_gen_free(saw.gen);
	unlink(db);
}

/* Runs one model of a campaign, and ASIDE beside it, in a mode of the fake backend. Returns the run's row, and its seconds. */
static run_row fuzz(const char *mode, beside *source, uint64_t aside, double *seconds, buf *also)
{
	diag d = {""};
	char db[] = "/tmp/rulefuzz-beside-XXXXXX";
	close(mkstemp(db));
	seen saw = {.gen = open_models(&TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS})};
	*source = (beside){.share = 1, .count = aside, .context = &saw, .model = make};
	const char *const argv[] = {"sh", "tests/data/backends/fake.sh", mode, NULL};
	campaign_phases phases = {.since = clock_seconds()};
	campaign_options o = {.table = &TOY_TABLE, .gen = {.nodes_low = 1, .nodes_high = 1}, .backend = "fake", .phases = &phases,
	    .worker = {.argv = argv, .start_seconds = 20, .call_seconds = 20, .stop_fd = -1}, .count = 2 + aside, .jobs = 1,
	    .reduce_seconds = 1, .triage_share = 1000, .beside = source, .nbeside = 1};
	arena *a = arena_new();
	store *s = store_open(db, true, &d);
	run_row run = {.backend = "fake", .framework = TOY_TABLE.framework, .seed = 1, .versions = "{}"};
	finding f;
	assert_true(runs_begin(s, &run, &d));
	*seconds = -clock_seconds();
	assert_int_equal(campaign_run(&o, s, &run, a, &d), CAMPAIGN_DONE);
	*seconds += clock_seconds();
	assert_int_equal(store_get(s, 1, &f, a, &d), 1);
	buf_puts(also, f.also);
	store_close(s);
	arena_free(a);
	rs_gen_free(saw.gen);
	unlink(db);
	return run;
}

/* Triage has a share of its own: it does not count as time of the source whose models failed. */
static void without_triage(void **state)
{
	(void)state;
	buf also = {0};
	beside source;
	double seconds;
	const run_row run = fuzz("faults", &source, 3, &seconds, &also);
	assert_true(run.new_findings >= 3);
	assert_true(run.t_triage > seconds / 2);
	assert_true(source.seconds > 0.3);
	assert_true(source.seconds < seconds - run.t_triage);
	assert_string_equal(buf_text(&also), ""); /* of accepted invalid calls only */
	buf_free(&also);
}

/* Accepted invalid calls of one cause are one finding, which has their APIs; one is triaged. */
static void of_one_cause(void **state)
{
	(void)state;
	buf also = {0};
	beside source;
	double seconds;
	const run_row run = fuzz("causes", &source, 3, &seconds, &also);
	assert_int_equal(run.new_findings, 1);
	assert_int_equal(run.duplicates, run.models - 1);
	assert_string_equal(buf_text(&also), "fake.op0 + fake.op1 + fake.op2 + fake.op3 + fake.op4");
	buf_free(&also);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(turns), cmocka_unit_test(beside_a_campaign),
	    cmocka_unit_test(without_triage), cmocka_unit_test(of_one_cause)};
	return cmocka_run_group_tests_name("beside", tests, NULL, NULL);
}

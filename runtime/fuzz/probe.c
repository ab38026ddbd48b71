#include "probe.h"

#include <stdio.h>

#include "clock.h"

#define SAVE_SECONDS 5.0

typedef struct probe {
	capabilities *known;
	const char *path;
	double saved;
} probe;

/* next: the first model that was not judged. */
static bool note(void *context, const rs_graph *g, const judgement *j, uint64_t next, diag *d)
{
	probe *p = context;
	if (!capabilities_note(p->known, g, j->verdict, j->message))
		return diag_set(d, "out of memory");
	if (clock_seconds() - p->saved < SAVE_SECONDS)
		return true;
	p->saved = clock_seconds();
	*capabilities_next(p->known) = next;
	return capabilities_write(p->known, p->path, d);
}

static rs_gen_options calls_of(int64_t max_numel)
{
	return (rs_gen_options){.strategy = RS_CALLS, .max_numel = max_numel};
}

rs_gen *open_calls(const rs_table *table, int64_t max_numel, diag *d)
{
	char message[512];
	const rs_gen_options options = calls_of(max_numel);
	rs_gen *gen = rs_gen_new(table, &options, message, sizeof message);
	if (!gen)
		diag_set(d, "%s", message);
	return gen;
}

/* ---- the campaign */

/* 0 and d: there are none to make. */
static uint64_t count_calls(const rs_table *table, diag *d)
{
	rs_gen *gen = open_calls(table, CALLS_NUMEL, d);
	uint64_t count = gen ? rs_gen_count(gen) : 0;
	rs_gen_free(gen);
	return count;
}

enum campaign_end probe_target(const campaign_options *o, capabilities *known, const char *path, double seconds,
    store *s, arena *a, int64_t *found, diag *d)
{
	probe p = {.known = known, .path = path, .saved = clock_seconds()};
	campaign_options c = *o;
	tiers t; /* what they have of these calls */
	c.gen = calls_of(CALLS_NUMEL);
	c.seconds = seconds;
	c.probing = true;
	c.tiers = o->tiers && tiers_init(&t, o->backend) ? &t : NULL;
	c.spent = NULL;
	c.save_models = NULL;
	c.shards = 0; /* each shard learns all that it can */
	c.learner = NULL; /* every call is noted below */
	c.observe = note;
	c.context = &p;
	c.count = count_calls(o->table, d);
	uint64_t next = *capabilities_next(known);
	if (!c.count)
		return CAMPAIGN_INPUT;
	if (next >= c.count)
		return CAMPAIGN_DONE;
	const setting settings[] = {{"rules", o->table->fingerprint}, {"strategy", "calls"}};
	run_row run = {.backend = o->backend,
	    .framework = o->table->framework,
	    .next = next,
	    .versions = "{}",
	    .settings = settings,
	    .nsettings = 2};
	fprintf(stderr, "learning what %s can do: single calls %llu to %llu, for at most %.0f s\n", o->backend,
	    (unsigned long long)next, (unsigned long long)c.count - 1, seconds);
	if (!runs_begin(s, &run, d))
		return CAMPAIGN_INPUT;
	enum campaign_end end = campaign_run(&c, s, &run, a, d);
	*found += run.new_findings;
	*capabilities_next(known) = run.next;
	if (end <= CAMPAIGN_SHORT && !capabilities_write(known, path, d))
		return CAMPAIGN_INPUT;
	return end;
}

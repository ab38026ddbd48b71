#include "probe.h"

#include <stdio.h>
#include <stdlib.h>

#include "call_set.h"
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

/* ---- what was not tried */

#define OPTIONS {.strategy = RS_CALLS, .max_numel = 4096}

typedef struct kind {
	uint64_t name; /* of an API and dtypes of its inputs */
	bool refused, runs;
} kind;

typedef struct call {
	uint64_t hash, kind;
} call;

/* The one call of a model. */
static call name_call(const rs_graph *g)
{
	uint8_t row[UINT8_MAX + 1];
	const graph_node *n = &g->nodes[g->first];
	graph_row(g, n, row);
	return (call){rs_call_hash(n->op, row), call_mix(graph_name_hash(n->op->api), row, n->nin)};
}

/* The kind of that name in a table with room for more than there are calls. */
static kind *find_kind(kind *kinds, uint64_t mask, uint64_t name)
{
	uint64_t at = name & mask;
	while ((kinds[at].refused || kinds[at].runs) && kinds[at].name != name)
		at = (at + 1) & mask;
	kinds[at].name = name;
	return &kinds[at];
}

static bool presume(rs_gen *gen, rs_graph *g, kind *kinds, uint64_t mask, capabilities *known)
{
	size_t n;
	const uint64_t *without = capabilities_without(known, &n);
	uint64_t count = rs_gen_count(gen), next = *capabilities_next(known);
	for (uint64_t i = 0; i < next; i++) {
		if (!rs_gen_model(gen, 0, i, g))
			return false;
		call c = name_call(g);
		bool refused = call_set_has(without, n, c.hash);
		kind *k = find_kind(kinds, mask, c.kind);
		k->refused |= refused;
		k->runs |= !refused;
	}
	for (uint64_t i = next; i < count; i++) {
		if (!rs_gen_model(gen, 0, i, g))
			return false;
		call c = name_call(g);
		const kind *k = find_kind(kinds, mask, c.kind);
		if (k->refused && !k->runs && !capabilities_presume(known, c.hash))
			return false;
	}
	return true;
}

static rs_gen *open_calls(const rs_table *table, diag *d)
{
	char message[512];
	rs_gen *gen = rs_gen_new(table, &(rs_gen_options)OPTIONS, message, sizeof message);
	if (!gen)
		diag_set(d, "%s", message);
	return gen;
}

bool presume_refused(const rs_table *table, capabilities *known, diag *d)
{
	rs_gen *gen = open_calls(table, d);
	if (!gen)
		return false;
	uint64_t size = 64, count = rs_gen_count(gen), next = *capabilities_next(known);
	while (size < 2 * count)
		size *= 2;
	bool needed = next > 0 && next < count;
	kind *kinds = needed ? calloc(size, sizeof *kinds) : NULL;
	rs_graph *g = needed ? rs_graph_new() : NULL;
	bool ok = !needed || (kinds && g && presume(gen, g, kinds, size - 1, known)) || diag_set(d, "out of memory");
	free(kinds);
	rs_graph_free(g);
	rs_gen_free(gen);
	return ok;
}

/* ---- the campaign */

/* 0 and d: there are none to make. */
static uint64_t count_calls(const rs_table *table, diag *d)
{
	rs_gen *gen = open_calls(table, d);
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
	c.gen = (rs_gen_options)OPTIONS;
	c.seconds = seconds;
	c.probing = true;
	c.tiers = o->tiers && tiers_init(&t, o->backend) ? &t : NULL;
	c.save_models = NULL;
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

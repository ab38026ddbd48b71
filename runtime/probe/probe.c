#include "probe.h"

#include <stdio.h>
#include <stdlib.h>

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

/* With the calls that quantized models have. */
static rs_gen_options calls_of(int64_t max_numel)
{
	return (rs_gen_options){.strategy = RS_CALLS, .max_numel = max_numel, .features = {.quantized = 1}};
}

static rs_gen *open_with(const rs_table *table, const rs_gen_options *options, diag *d)
{
	char message[512];
	rs_gen *gen = rs_gen_new(table, options, message, sizeof message);
	if (!gen)
		diag_set(d, "%s", message);
	return gen;
}

rs_gen *open_calls(const rs_table *table, int64_t max_numel, diag *d)
{
	const rs_gen_options options = calls_of(max_numel);
	return open_with(table, &options, d);
}

rs_gen *open_invalid_calls(const rs_table *table, int64_t size, diag *d)
{
	rs_gen_options options = calls_of(CALLS_NUMEL);
	options.near_misses = 1000;
	options.dim_max = size;
	return open_with(table, &options, d);
}

/* ---- calls to retry */

static int find_key(void *context, const char *key, diag *d)
{
	bool fixed = false;
	int64_t id;
	int known = store_key(context, key, &id, &fixed, d);
	return known == 1 && fixed ? 0 : known;
}

bool probe_keep_found(capabilities *known, store *s, diag *d)
{
	return capabilities_keep(known, find_key, s, d);
}

typedef struct retries {
	rs_gen *gen;
	uint64_t *numbers; /* of the generator's models */
	uint64_t n;
	probe *probe;
} retries;

static bool make_retry(void *context, uint64_t index, rs_graph *to)
{
	const retries *r = context;
	return rs_gen_model(r->gen, 0, r->numbers[index], to);
}

static bool is_retry(rs_gen *gen, const capabilities *known, rs_graph *g, uint64_t number)
{
	uint8_t row[UINT8_MAX + 1];
	if (!rs_gen_model(gen, 0, number, g))
		return false;
	const graph_node *n = &g->nodes[g->first];
	graph_row(g, n, row);
	return capabilities_is_retry(known, rs_call_hash(n->op, row));
}

bool probe_retries(rs_gen *gen, const capabilities *known, uint64_t **numbers, uint64_t *n, diag *d)
{
	uint64_t count = rs_gen_count(gen), most = capabilities_retries(known);
	rs_graph *g = rs_graph_new();
	*n = 0;
	*numbers = calloc(most + 1, sizeof **numbers);
	for (uint64_t i = 0; g && *numbers && i < count && *n < most; i++)
		if (is_retry(gen, known, g, i))
			(*numbers)[(*n)++] = i;
	bool ok = diag_memory(d, g && *numbers);
	rs_graph_free(g);
	return ok;
}

/* ---- the campaigns */

static bool note_retry(void *context, const rs_graph *g, const judgement *j, uint64_t next, diag *d)
{
	const retries *r = context;
	(void)next;
	return diag_memory(d, capabilities_note(r->probe->known, g, j->verdict, j->message));
}

static campaign_options options_of(const campaign_options *o, double seconds, tiers *t)
{
	campaign_options c = *o;
	c.gen = calls_of(CALLS_NUMEL);
	c.seconds = seconds;
	c.phase = "probing";
	c.probing = true;
	c.tiers = o->tiers && tiers_init(t, o->backend) ? t : NULL; /* counted apart */
	c.spent = NULL;
	c.save_models = NULL;
	c.audited = 0;
	c.shards = 0;	  /* each shard probes all */
	c.learner = NULL; /* every call is noted */
	return c;
}

static enum campaign_end retry(probe *p, campaign_options c, store *s, arena *a, diag *d)
{
	uint64_t first = 0;
	retries r = {.gen = open_calls(c.table, CALLS_NUMEL, d), .probe = p};
	enum campaign_end end = r.gen && probe_retries(r.gen, p->known, &r.numbers, &r.n, d) ? CAMPAIGN_DONE : CAMPAIGN_INPUT;
	if (end == CAMPAIGN_DONE && r.n > 0) {
		fprintf(stderr, "probing %s: %llu call%s that failed before and %s not in this database\n", c.backend,
		    (unsigned long long)r.n, r.n == 1 ? "" : "s", r.n == 1 ? "is" : "are");
		c.count = r.n;
		c.model = make_retry;
		c.observe = note_retry;
		c.context = &r;
		end = campaign_phase(&c, "calls", &first, s, a, d);
	}
	free(r.numbers);
	rs_gen_free(r.gen);
	return end;
}

/* 0 and d: there are none to make. */
static uint64_t count_calls(const rs_table *table, diag *d)
{
	rs_gen *gen = open_calls(table, CALLS_NUMEL, d);
	uint64_t count = gen ? rs_gen_count(gen) : 0;
	rs_gen_free(gen);
	return count;
}

/* Goes on with those that no run has probed. */
static enum campaign_end go_on(probe *p, campaign_options c, store *s, arena *a, diag *d)
{
	c.observe = note;
	c.context = p;
	c.count = count_calls(c.table, d);
	uint64_t next = *capabilities_next(p->known);
	if (!c.count)
		return CAMPAIGN_INPUT;
	if (next >= c.count || c.seconds <= 0)
		return CAMPAIGN_DONE;
	fprintf(stderr, "probing %s: calls %llu to %llu, for at most %.0f s\n", c.backend, (unsigned long long)next,
	    (unsigned long long)c.count - 1, c.seconds);
	enum campaign_end end = campaign_phase(&c, "calls", &next, s, a, d);
	if (end <= CAMPAIGN_SHORT)
		*capabilities_next(p->known) = next;
	return end;
}

enum campaign_end probe_target(const campaign_options *o, capabilities *known, const char *path, double seconds,
    store *s, arena *a, diag *d)
{
	tiers t;
	probe p = {.known = known, .path = path, .saved = clock_seconds()};
	double start = clock_seconds();
	campaign_options c = options_of(o, seconds, &t);
	enum campaign_end end = capabilities_retries(known) ? retry(&p, c, s, a, d) : CAMPAIGN_DONE;
	c.seconds = seconds - (clock_seconds() - start);
	if (end <= CAMPAIGN_SHORT)
		end = go_on(&p, c, s, a, d);
	if (end <= CAMPAIGN_SHORT && !capabilities_write(known, path, d))
		return CAMPAIGN_INPUT;
	return end;
}

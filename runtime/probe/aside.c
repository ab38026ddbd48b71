#include "aside.h"

#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "graph.h"
#include "probe.h"

#define PROBING_SHARE 0.05
#define INVALID_SHARE 0.25
#define SMALL_SHARE 0.15 /* each feature */

static bool make_probe(void *context, uint64_t number, rs_graph *to)
{
	const aside *a = context;
	uint64_t call = number < a->nretries ? a->retries[number] : a->first + (number - a->nretries);
	return rs_gen_model(a->calls, 0, call, to);
}

static bool note_probe(void *context, const rs_graph *g, const judgement *j, uint64_t next, diag *d)
{
	const aside *a = context;
	return learner_probed(a->learner, g, j, next < a->nretries ? a->first : a->first + (next - a->nretries), d);
}

/* Round by round, each call once; those without a constraint of the round's kind are skipped. */
static bool make_invalid(void *context, uint64_t number, rs_graph *to)
{
	aside *a = context;
	const uint64_t calls = rs_gen_count(a->broken[0]);
	(void)number;
	for (uint64_t tries = 0; tries < calls; tries++, a->at++) {
		const uint64_t round = a->at / calls;
		if (!rs_gen_model(a->broken[round / CHANGE_ROUNDS % 2], round, a->at % calls, to))
			return false;
		if (to->near_miss)
			return a->at++, true;
	}
	return true; /* no constraint can be violated: a valid call */
}

/* Makes the generator at the first model, and again when calls turned out to fail, without them. */
static bool make_small(void *context, uint64_t number, rs_graph *to)
{
	small_models *m = context;
	const aside *a = m->all;
	diag none;
	char message[512];
	if (!m->gen && !(m->gen = rs_gen_new(a->table, &m->options, message, sizeof message)))
		return false;
	return learner_renew(a->learner, a->table, m->options, &m->gen, &m->renewed, &none) && rs_gen_model(m->gen, a->seed, number, to);
}

/* The tiers of small models: all but the last have each. The last one, which compiles several models as one, has its share of those
 * with a mutation only: others are compiled alone. False if there is one tier only. */
static bool tiers_of_small(tiers *t, const char *names, int feature)
{
	if (!tiers_init(t, names) || t->n < 2)
		return false;
	t->always = t->n - 1;
	t->n -= feature != ASIDE_MUTATION;
	return true;
}

static rs_gen_options options_of_small(const campaign_options *o, int feature)
{
	const uint32_t layouts = o->gen.features.layouts;
	rs_gen_options made = {.api = o->gen.api, .set = o->gen.set, .apis = o->gen.apis, .napis = o->gen.napis, .nodes_low = 1,
	    .nodes_high = 3, .no_chains = true, .dim_max = 4, .features = {.layouts = layouts}};
	uint32_t *const shares[ASIDE_FEATURES] = {[ASIDE_MUTATION] = &made.features.mutation, [ASIDE_SESSIONS] = &made.features.sessions,
	    [ASIDE_REGIONS] = &made.features.regions};
	*shares[feature] = 1000;
	return made;
}

static void add_small(aside *a, const campaign_options *o, int feature, uint32_t wanted)
{
	small_models *m = &a->small[feature];
	if (!wanted || !tiers_of_small(&m->tiers, o->backend, feature))
		return;
	m->all = a;
	m->options = options_of_small(o, feature);
	a->sources[a->n++] = (beside){.share = SMALL_SHARE, .count = UINT64_MAX, .tiers = &m->tiers, .context = m, .model = make_small};
}

bool aside_open(aside *a, learner *l, const campaign_options *o, uint64_t seed, diag *d)
{
	memset(a, 0, sizeof *a);
	a->table = o->table;
	a->seed = seed;
	a->learner = l;
	a->first = *capabilities_next(l->known);
	a->calls = open_calls(o->table, CALLS_NUMEL, d);
	if (!a->calls || !(a->broken[0] = open_invalid_calls(o->table, 1, d)) || !(a->broken[1] = open_invalid_calls(o->table, 3, d))
	    || !probe_retries(a->calls, l->known, &a->retries, &a->nretries, d))
		return false;
	const uint64_t calls = rs_gen_count(a->calls), left = a->first < calls ? calls - a->first : 0;
	if (o->gen.near_misses)
		a->sources[a->n++] = (beside){.share = INVALID_SHARE, .count = UINT64_MAX, .context = a, .model = make_invalid};
	add_small(a, o, ASIDE_MUTATION, o->gen.features.mutation);
	add_small(a, o, ASIDE_SESSIONS, o->gen.features.sessions);
	add_small(a, o, ASIDE_REGIONS, o->gen.features.regions);
	a->sources[a->n++] = (beside){.share = PROBING_SHARE,
	    .count = a->nretries + left,
	    .probing = true,
	    .tiers = tiers_init(&a->probed, o->backend) ? &a->probed : NULL,
	    .context = a,
	    .model = make_probe,
	    .observe = note_probe};
	return true;
}

void aside_close(aside *a)
{
	rs_gen_free(a->calls);
	rs_gen_free(a->broken[0]);
	rs_gen_free(a->broken[1]);
	for (int i = 0; i < ASIDE_FEATURES; i++)
		rs_gen_free(a->small[i].gen);
	free(a->retries);
}

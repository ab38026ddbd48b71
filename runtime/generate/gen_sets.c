#include "gen_sets.h"

#include <stdlib.h>
#include <string.h>

#include "call_set.h"
#include "chains.h"
#include "op_versions.h"
#include "stream.h"

struct gen_sets {
	const rs_table *table;
	rs_gen_options options; /* with copies of all data that it refers to */
	arena *arena;		/* of the copies */
	gen_maker *make;
	const gen *newest; /* the generator of the newest set */
	struct one {
		gen *gen; /* NULL: not made yet */
		bool empty; /* none of the requested APIs is in the set */
	} of[OP_SET_LAST + 1];
};

/* ---- copies of the options */

static bool copy_text(arena *a, const char **text)
{
	const char *copy = *text ? arena_strdup(a, *text) : NULL;
	bool ok = copy || !*text;
	*text = copy;
	return ok;
}

static bool copy_names(arena *a, rs_gen_options *o)
{
	const char **names = o->apis ? ARENA_ARRAY(a, const char *, o->napis + (size_t)1) : NULL;
	for (uint32_t i = 0; names && i < o->napis; i++)
		if (!(names[i] = arena_strdup(a, o->apis[i])))
			return false;
	bool ok = names || !o->apis;
	o->apis = names;
	return ok;
}

static bool copy_hashes(arena *a, rs_gen_options *o)
{
	uint64_t *without = ARENA_ARRAY(a, uint64_t, o->nwithout + 1);
	if (!without)
		return false;
	if (o->nwithout)
		memcpy(without, o->without, o->nwithout * sizeof *without);
	o->without = without;
	return true;
}

static bool keep_options(struct gen_sets *s, const rs_gen_options *options)
{
	rs_gen_options *o = &s->options;
	*o = *options;
	return copy_text(s->arena, &o->api) && copy_text(s->arena, &o->set) && copy_names(s->arena, o) && copy_hashes(s->arena, o);
}

/* ---- life */

bool gen_sets_open(gen *g, const rs_table *table, const rs_gen_options *options, gen_maker *make, diag *d)
{
	if (g->strategy->first)
		return diag_set(d, "a range of operator sets does not work with a strategy that learns from earlier models");
	struct gen_sets *s = g->sets = calloc(1, sizeof *s);
	if (!s || !(s->arena = arena_new()) || !keep_options(s, options))
		return diag_set(d, "out of memory");
	s->table = table;
	s->make = make;
	s->newest = g;
	return true;
}

void gen_sets_close(gen *g)
{
	struct gen_sets *s = g->sets;
	if (!s)
		return;
	for (int i = 0; i <= OP_SET_LAST; i++)
		rs_gen_free(s->of[i].gen);
	if (s->arena)
		arena_free(s->arena);
	free(s);
}

/* Whether an index has a call that is excluded. */
static bool has_excluded(const gen_index *x, const rs_gen_options *o)
{
	for (uint32_t i = 0; i < x->nops; i++)
		for (uint32_t r = 0; r < x->ops[i].nrows; r++)
			if (call_set_has(o->without, o->nwithout, rs_call_hash(x->ops[i].op, index_row(&x->ops[i], r))))
				return true;
	return false;
}

/* Whether a generator can draw an excluded call, also in a chain. */
static bool draws_excluded(const gen *g, const rs_gen_options *o)
{
	return has_excluded(&g->index, o) || (g->chains && has_excluded(&g->chains->forms, o));
}

void gen_sets_move(gen *from, gen *to)
{
	for (int i = 0; from->sets && to->sets && i <= OP_SET_LAST; i++) {
		struct one *old = &from->sets->of[i], *new = &to->sets->of[i];
		if (!old->gen || new->gen || draws_excluded(old->gen, &to->sets->options))
			continue;
		new->gen = old->gen;
		old->gen = NULL;
	}
}

/* ---- drawing */

/* False: out of memory. */
static bool make(struct gen_sets *s, uint32_t set)
{
	char message[512];
	rs_gen_options o = s->options;
	if (s->of[set].gen || s->of[set].empty)
		return true;
	o.opset_low = o.opset_high = set;
	s->of[set].gen = s->make(s->table, &o, s->newest, message, sizeof message);
	s->of[set].empty = !s->of[set].gen;
	return s->of[set].gen || strcmp(message, "out of memory") != 0;
}

gen *gen_sets_draw(gen *g, uint64_t seed, uint64_t index)
{
	struct gen_sets *s = g->sets;
	rng r = stream_rng(seed, index, STREAM_OPSET);
	uint32_t low = s->options.opset_low, high = s->options.opset_high;
	if (rng_below(&r, 1000) < s->options.opset_newest)
		return g;
	for (uint32_t set = low + rng_below(&r, high - low + 1); set < high; set++) {
		if (!make(s, set))
			return NULL;
		if (s->of[set].gen)
			return s->of[set].gen;
	}
	return g;
}

/* ---- counts, over all operator sets */

/* Calls `each` with every generator of an older set that was made. */
static void each_set(const gen *g, void (*each)(const gen *of, void *context), void *context)
{
	for (int i = 0; g->sets && i <= OP_SET_LAST; i++)
		if (g->sets->of[i].gen)
			each(g->sets->of[i].gen, context);
}

static void add_stats(const gen *of, void *context)
{
	gen_stats *sum = context;
	const gen_stats *s = &of->stats;
	sum->models += s->models, sum->nodes += s->nodes;
	sum->forward += s->forward, sum->backward += s->backward, sum->fresh += s->fresh;
	sum->symbolic += s->symbolic, sum->concrete += s->concrete;
	sum->asked_to_vary += s->asked_to_vary, sum->varying += s->varying;
}

gen_stats gen_get_stats(const rs_gen *g)
{
	gen_stats sum = {0};
	add_stats(g, &sum);
	each_set(g, add_stats, &sum);
	return sum;
}

gen_scope gen_get_scope(const rs_gen *g)
{
	return g->index.scope;
}

#include "gen_calls.h"

#include <stdlib.h>
#include <string.h>

#define LATER (1u << 24) /* turns of calls whose API and input dtypes have occurred before */

typedef struct call_place {
	uint32_t turn; /* number of earlier calls of its API */
	uint32_t lot;  /* order within a turn: if time runs out, calls with all first letters have run */
	uint32_t op, row;
} call_place;

typedef struct calls {
	call_place *places;
	uint32_t count;
	uint32_t apis; /* places of turn 0, one for each API; they come first */
} calls;

static int by_turn(const void *a, const void *b)
{
	const call_place *x = a, *y = b;
	if (x->turn != y->turn)
		return x->turn < y->turn ? -1 : 1;
	if (x->lot != y->lot)
		return x->lot < y->lot ? -1 : 1;
	return x->op != y->op ? (x->op < y->op ? -1 : 1) : x->row < y->row ? -1 : x->row > y->row;
}

static bool same_inputs(const index_op *a, uint32_t row, const index_op *b, uint32_t other)
{
	return a->nin == b->nin && memcmp(index_row(a, row), index_row(b, other), a->nin) == 0;
}

/* The calls of an API: first one signature for each row of input dtypes, then all others. */
static uint32_t place_api(const gen_index *x, const index_api *a, call_place *to)
{
	uint32_t firsts = 0, n;
	for (uint32_t i = a->first; i < a->first + a->count; i++)
		for (uint32_t row = 0; row < x->ops[i].nrows; row++) {
			uint32_t k = 0;
			while (k < firsts && !same_inputs(&x->ops[i], row, &x->ops[to[k].op], to[k].row))
				k++;
			if (k == firsts)
				to[firsts++] = (call_place){.op = i, .row = row};
		}
	n = firsts;
	for (uint32_t i = a->first; i < a->first + a->count; i++)
		for (uint32_t row = 0; row < x->ops[i].nrows; row++) {
			uint32_t k = 0;
			while (k < firsts && (to[k].op != i || to[k].row != row))
				k++;
			if (k == firsts)
				to[n++] = (call_place){.op = i, .row = row};
		}
	for (uint32_t i = 0; i < n; i++) {
		to[i].turn = i < firsts ? i : LATER + i;
		to[i].lot = (uint32_t)(graph_name_hash(x->ops[to[i].op].op->name) >> 32);
	}
	return n;
}

static bool open(gen *g, const rs_gen_options *options, diag *d)
{
	const gen_index *x = &g->index;
	calls *own = g->own = calloc(1, sizeof *own);
	size_t most = 0;
	(void)options;
	for (uint32_t i = 0; i < x->nops; i++)
		most += x->ops[i].nrows;
	if (own)
		own->places = malloc((most + 1) * sizeof *own->places);
	if (!own || !own->places)
		return diag_set(d, "out of memory");
	for (uint32_t i = 0; i < x->napis; i++) {
		uint32_t n = place_api(x, &x->apis[i], own->places + own->count);
		own->count += n;
		own->apis += n > 0;
	}
	qsort(own->places, own->count, sizeof *own->places, by_turn);
	return true;
}

static void close(gen *g)
{
	calls *own = g->own;
	free(own ? own->places : NULL);
	free(own);
}

static uint64_t count(const gen *g)
{
	const calls *own = g->own;
	return g->near_misses ? own->apis : own->count;
}

/* The rank of the first tensor. */
static unsigned rank_of(const index_op *o)
{
	for (unsigned i = 0; i < o->op->nvalues; i++)
		if (rs_is_tensor(o->op->values[i].kind))
			return o->op->values[i].count;
	return 0;
}

enum { LOWEST_OF = 8, USUAL_TRIES = 8 };

/* A random signature from `first` on; of `draws` ones that of lowest rank. */
static uint32_t draw_signature(gen *g, uint32_t first, uint32_t count, unsigned draws)
{
	const gen_index *x = &g->index;
	uint32_t op = first + rng_below(&g->rng, count);
	while (--draws) {
		uint32_t other = first + rng_below(&g->rng, count);
		op = rank_of(&x->ops[other]) < rank_of(&x->ops[op]) ? other : op;
	}
	return op;
}

/* Whether all inputs of a row are of the dtype that programs use most. */
static bool is_usual(const index_op *o, uint32_t row)
{
	for (unsigned i = 0; i < o->nin; i++)
		if (index_row(o, row)[i] != RS_FLOAT32)
			return false;
	return true;
}

/* A signature and dtypes of the same API, at random, but mostly of low rank, since checks often miss scalars and vectors. Half of
 * the calls have the usual dtype if it is found: a compiler has special code for it. */
static call_place draw_place(gen *g, call_place of)
{
	const gen_index *x = &g->index;
	const char *api = x->ops[of.op].op->api;
	uint32_t first = of.op, last = of.op;
	while (first > 0 && strcmp(x->ops[first - 1].op->api, api) == 0)
		first--;
	while (last + 1 < x->nops && strcmp(x->ops[last + 1].op->api, api) == 0)
		last++;
	uint32_t op = draw_signature(g, first, last - first + 1, rng_below(&g->rng, 2) ? LOWEST_OF : 2);
	op = x->ops[op].nrows ? op : of.op;
	const index_op *o = &x->ops[op];
	uint32_t row = rng_below(&g->rng, o->nrows);
	for (unsigned tries = rng_below(&g->rng, 2) * USUAL_TRIES; tries && !is_usual(o, row); tries--)
		row = rng_below(&g->rng, o->nrows);
	return (call_place){.op = op, .row = row};
}

/* Uses the rule if it finds numbers, else a record. All records of the index may be used, since the model has no other
 * call. */
static bool draw(gen *g, trial *t)
{
	const index_op *o = t->o;
	return (o->symbolic && gen_sample(g, t)) || gen_take_record(g, t, index_record(o, rng_below(&g->rng, o->nfull)));
}

static bool calls_model(gen *g, uint32_t nodes)
{
	const calls *own = g->own;
	call_place p = own->places[g->graph->index % count(g)];
	if (g->near_misses)
		p = draw_place(g, p);
	const index_op *o = &g->index.ops[p.op];
	(void)nodes;
	gen_begin_step(g);
	g->box.zero = false;
	trial_begin(&g->trial, o, index_row(o, p.row));
	g->stats.fresh++;
	return draw(g, &g->trial) && gen_commit(g, &g->trial) != GRAPH_NONE;
}

const gen_strategy calls_strategy = {.open = open, .model = calls_model, .count = count, .close = close, .dim_max = 8,
    .rank_max = INDEX_RANK_MAX};

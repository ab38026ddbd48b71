/* Hybrid concolic generation (NeuRI, section 3.3).
 *
 * A model grows node by node. Each step draws an API uniformly, so that none dominates, and inserts one of its signatures:
 *
 *   forward    An existing tensor becomes an input. The node goes to the end.
 *   backward   An output replaces an input of the model. The node goes before the first user of that input.
 *   fresh      No tensor fits. All inputs are new inputs of the model.
 *
 * Numbers come from the rule if it has enough support (symbolic), else from a stored record whose shapes match exactly
 * (concrete). The model is concrete at all times. */
#include "gen_neuri.h"

#include "chains.h"
#include "gen_chain.h"
#include "index_places.h"
#include "theme.h"

#include <string.h>

enum {
	DRAWS = 6,   /* APIs drawn before a node is inserted that always fits */
	TENSORS = 3, /* tensors tried for an API */
	PLACES = 2,  /* signatures tried for a tensor */
	HIGH = 6,	  /* a rank that few records have */
	HIGH_ONE_IN = 6,  /* share of drawn signatures of rank HIGH or more that is kept */
	LOWER = 4,	  /* maximum signatures drawn instead */
	FETCH = 6,   /* signatures of an API that are prefetched */
	KNOWN = 300, /* per mille of steps that first try a pair of APIs of a chain */
};

#define NONE UINT32_MAX /* no API */

typedef bool insert_fn(gen *g, const index_place *p, uint32_t tensor);

static bool try_places(
    gen *g, const index_place *p, uint32_t count, uint32_t tensor, insert_fn *insert)
{
	for (uint32_t i = 0; i < PLACES && i < count && !g->failed; i++)
		if (insert(g, theme_draw_place(g, p, count), tensor))
			return true;
	return false;
}

/* A dtype row with this dtype at an index; NULL: none. */
static const uint8_t *draw_row(gen *g, const index_op *o, unsigned place, unsigned dtype)
{
	uint32_t start = rng_below(&g->rng, o->nrows), i = start;
	do {
		const uint8_t *row = index_row(o, i);
		if (row[place] == dtype)
			return row;
		i = i + 1 < o->nrows ? i + 1 : 0;
	} while (i != start);
	return NULL;
}

/* ---- forward */

/* Connects some of the other inputs to existing tensors. */
static bool fix_others(gen *g, trial *t)
{
	bool any = false;
	for (unsigned i = 0; i < t->o->nin; i++) {
		if (t->inputs[i] != GRAPH_NONE || gen_chance(g, 3))
			continue;
		uint32_t x = gen_draw_of_type(g, t->o->inputs[i].rank, t->row[i]);
		if (x != GRAPH_NONE && gen_may_take(g, t, i, x)) {
			trial_fix_input(g, t, i, x);
			any = true;
		}
	}
	return any;
}

static bool begin_forward(
    gen *g, const index_op *o, const uint8_t *row, unsigned slot, uint32_t tensor)
{
	trial_begin(&g->trial, o, row);
	if (!gen_may_take(g, &g->trial, slot, tensor))
		return false;
	trial_fix_input(g, &g->trial, slot, tensor);
	return true;
}

static bool forward_symbolic(gen *g, const index_place *p, uint32_t tensor)
{
	trial *t = &g->trial;
	const index_op *o = &g->index.ops[p->op];
	const uint8_t *row = draw_row(g, o, p->slot, gen_tensor(g, tensor)->dtype);
	if (!row || !begin_forward(g, o, row, p->slot, tensor))
		return false;
	if (o->nin > 1 && fix_others(g, t)) {
		if (gen_sample(g, t))
			return gen_commit(g, t) != GRAPH_NONE;
		begin_forward(g, o, row, p->slot, tensor);
	}
	return gen_sample(g, t) && gen_commit(g, t) != GRAPH_NONE;
}

static bool forward_concrete(gen *g, const index_place *p, uint32_t tensor)
{
	trial *t = &g->trial;
	const index_op *o = &g->index.ops[p->op];
	const graph_tensor *x = gen_tensor(g, tensor);
	const uint8_t *row = p->slot < o->nin ? draw_row(g, o, p->slot, x->dtype) : NULL;
	const int64_t *record = index_record(o, p->what);
	if (!row || !gen_has_shape(x, o->inputs[p->slot].rank, record + o->inputs[p->slot].first))
		return false;
	trial_begin(t, o, row);
	if (!gen_may_take(g, t, p->slot, tensor))
		return false;
	t->inputs[p->slot] = tensor;
	return gen_take_record(g, t, record) && gen_commit(g, t) != GRAPH_NONE;
}

/* Inserts an API that takes results of a tensor's API in real models. */
static bool follow(gen *g)
{
	for (int i = 0; i < TENSORS && !g->failed; i++) {
		uint32_t count, tensor = gen_draw_tensor(g);
		const graph_tensor *t = tensor == GRAPH_NONE ? NULL : gen_tensor(g, tensor);
		const index_api *from = t && t->producer != GRAPH_NONE ? gen_index_api(&g->index, g->graph->nodes[t->producer].op->api) : NULL;
		uint32_t api = from ? chains_draw_consumer(g->chains, (uint32_t)(from - g->index.apis), &g->rng) : GRAPH_NONE;
		if (api == GRAPH_NONE)
			continue;
		const index_place *p = gen_index_type(&g->index, INDEX_INPUT, api, t->rank, t->dtype, &count);
		if (try_places(g, p, count, tensor, forward_symbolic)) {
			g->stats.forward++;
			return true;
		}
	}
	return false;
}

static bool forward(gen *g, uint32_t api)
{
	for (int i = 0; i < TENSORS && !g->failed; i++) {
		uint32_t count, tensor = gen_draw_tensor(g);
		if (tensor == GRAPH_NONE)
			continue;
		unsigned rank = gen_tensor(g, tensor)->rank, dtype = gen_tensor(g, tensor)->dtype;
		const index_place *p =
		    gen_index_type(&g->index, INDEX_INPUT, api, rank, dtype, &count);
		if (try_places(g, p, count, tensor, forward_symbolic))
			return true;
		if (!gen_index_has_rank(&g->index, INDEX_RECORD_INPUT, api, rank))
			continue;
		p = gen_index_shape(
		    &g->index, INDEX_RECORD_INPUT, api, rank, gen_tensor(g, tensor)->shape, &count);
		if (try_places(g, p, count, tensor, forward_concrete))
			return true;
	}
	return false;
}

/* ---- backward */

static bool begin_backward(gen *g, const index_op *o, const uint8_t *row, uint32_t tensor)
{
	trial *t = &g->trial;
	trial_begin(t, o, row);
	t->occupied = tensor;
	return gen_may_replace(g, t, tensor);
}

static bool backward_symbolic(gen *g, const index_place *p, uint32_t tensor)
{
	trial *t = &g->trial;
	const index_op *o = &g->index.ops[p->op];
	const graph_tensor *x = gen_tensor(g, tensor);
	const uint8_t *row = draw_row(g, o, o->nin + p->slot, x->dtype);
	return row && begin_backward(g, o, row, tensor) && gen_sample_back(g, t, p->slot, x->shape)
	       && gen_commit_back(g, t, p->slot) != GRAPH_NONE;
}

static bool backward_concrete(gen *g, const index_place *p, uint32_t tensor)
{
	trial *t = &g->trial;
	const index_op *o = &g->index.ops[p->op];
	const graph_tensor *x = gen_tensor(g, tensor);
	if (p->slot >= o->nout)
		return false;
	const uint8_t *row = draw_row(g, o, o->nin + p->slot, x->dtype);
	const int64_t *record = index_record(o, p->what);
	return row
	       && gen_has_shape(x, o->out_ranks[p->slot], record + index_output_place(o, p->slot))
	       && begin_backward(g, o, row, tensor) && gen_take_record(g, t, record)
	       && gen_commit_back(g, t, p->slot) != GRAPH_NONE;
}

static bool backward(gen *g, uint32_t api)
{
	for (int i = 0; i < TENSORS && g->ninputs && !g->failed; i++) {
		uint32_t count, tensor = g->inputs[rng_below(&g->rng, g->ninputs)];
		unsigned rank = gen_tensor(g, tensor)->rank, dtype = gen_tensor(g, tensor)->dtype;
		const index_place *p =
		    gen_index_type(&g->index, INDEX_OUTPUT, api, rank, dtype, &count);
		if (try_places(g, p, count, tensor, backward_symbolic))
			return true;
		if (!gen_index_has_rank(&g->index, INDEX_RECORD_OUTPUT, api, rank))
			continue;
		p = gen_index_shape(&g->index, INDEX_RECORD_OUTPUT, api, rank,
		    gen_tensor(g, tensor)->shape, &count);
		if (try_places(g, p, count, tensor, backward_concrete))
			return true;
	}
	return false;
}

/* ---- fresh */

/* A signature of an API, rarely one of a high rank: there are as many as of low ones. */
static const index_op *draw_signature(gen *g, const index_api *a)
{
	const index_op *o = theme_draw_signature(g, a);
	for (int i = 0; i < LOWER && g->mixed && o->nin && o->inputs[0].rank >= HIGH && !gen_chance(g, HIGH_ONE_IN); i++)
		o = theme_draw_signature(g, a);
	return o;
}

static bool fresh(gen *g, uint32_t api)
{
	const index_op *o = draw_signature(g, &g->index.apis[api]);
	trial *t = &g->trial;
	trial_begin(t, o, theme_draw_row(g, o));
	return gen_sample(g, t) && gen_commit(g, t) != GRAPH_NONE;
}

/* ---- models */

static bool connect(gen *g, uint32_t api)
{
	bool back = g->ninputs && gen_chance(g, 2);
	for (int i = 0; i < 2 && !g->failed; i++, back = !back)
		if (back ? backward(g, api) : forward(g, api)) {
			*(back ? &g->stats.backward : &g->stats.forward) += 1;
			return true;
		}
	return false;
}

/* Prefetches data about an API: its entry, then its signatures and places, then what these point to. Always inline: gcc
 * removes calls of a function that only prefetches. */
#define FETCHES static inline __attribute__((always_inline)) void

FETCHES fetch_entry(const gen_index *x, uint32_t api)
{
	const index_api *a = &x->apis[api];
	__builtin_prefetch(a->takes);
	__builtin_prefetch(a->returns);
	__builtin_prefetch(&a->first);
}

FETCHES fetch_operators(const gen_index *x, uint32_t api)
{
	const index_api *a = &x->apis[api];
	const index_op *o = &x->ops[a->first];
	__builtin_prefetch(x->places + a->inputs);
	__builtin_prefetch(x->places + a->outputs);
	for (uint32_t i = 0; i < FETCH && i < a->count; i++) {
		__builtin_prefetch(&o[i]);
		__builtin_prefetch(&o[i].op);
	}
}

FETCHES fetch_inputs(const gen_index *x, uint32_t api)
{
	const index_api *a = &x->apis[api];
	const index_op *o = &x->ops[a->first];
	for (uint32_t i = 0; i < FETCH && i < a->count; i++) {
		__builtin_prefetch(o[i].inputs);
		__builtin_prefetch((const char *)o[i].inputs + INDEX_LINE);
	}
}

/* An API drawn some draws ago. Its data is prefetched in the meantime, one level of pointers per draw, so that no access
 * has to wait. */
static uint32_t draw_api(gen *g)
{
	const gen_index *x = &g->index;
	uint32_t api = g->next[0];
	for (int i = 0; i + 1 < GEN_AHEAD; i++)
		g->next[i] = g->next[i + 1];
	g->next[2] = theme_draw_api(g);
	fetch_entry(x, g->next[2]);
	if (g->next[1] != NONE)
		fetch_operators(x, g->next[1]);
	if (g->next[0] != NONE)
		fetch_inputs(x, g->next[0]);
	return api;
}

static bool step(gen *g)
{
	gen_begin_step(g);
	if (g->graph->live_nodes && g->chains && g->chains->npairs && gen_per_mille(g, KNOWN) && follow(g))
		return true;
	for (int i = 0; i < DRAWS && !g->failed; i++) {
		uint32_t api = draw_api(g);
		if (g->graph->live_nodes && connect(g, api))
			return true;
		if ((!g->graph->live_nodes || gen_chance(g, 4)) && fresh(g, api)) {
			g->stats.fresh++;
			return true;
		}
	}
	g->stats.fresh++;
	return !g->failed && gen_last_resort(g);
}

static bool neuri_model(gen *g, uint32_t nodes)
{
	for (int i = 0; i < GEN_AHEAD; i++)
		g->next[i] = NONE; /* clears the state of the previous model */
	for (int i = 0; i < GEN_AHEAD; i++)
		draw_api(g);
	for (uint32_t i = 0, n; i < nodes; i += n) {
		n = theme_takes_chain(g) ? gen_insert_chain(g, nodes - i) : 0;
		if (g->failed || (!n && !step(g)))
			return false;
		n += !n;
	}
	return true;
}

const gen_strategy neuri_strategy = {
    .model = neuri_model, .dim_max = 8, .rank_max = INDEX_RANK_MAX};

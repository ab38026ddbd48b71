#include "gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "values.h"
#include "wide.h"

enum {
	RECENT = 8, /* preferred tensors */
	SCAN = 8,   /* tensors compared for an exact shape */
	ZERO_ONE_IN = 32, /* one in this many steps may make an empty tensor */
};

/* ---- the tensors of the model */

static bool make_room(gen *g)
{
	uint32_t want = g->graph->ctensors;
	if (g->room >= want)
		return true;
	uint32_t *inputs = realloc(g->inputs, want * sizeof *inputs);
	if (inputs)
		g->inputs = inputs;
	uint32_t *places = realloc(g->places, want * sizeof *places);
	if (places)
		g->places = places;
	if (!inputs || !places)
		return false;
	g->room = want;
	return true;
}

/* A full ring drops a random tensor, so that some old ones remain. */
static void remember(gen *g, uint32_t tensor)
{
	const graph_tensor *t = gen_tensor(g, tensor);
	gen_bucket *b = gen_of_type(g, t->rank, t->dtype);
	b->tensors[b->count < GEN_RING ? b->count++ : rng_below(&g->rng, GEN_RING)] = tensor;
}

void gen_enrol(gen *g, uint32_t tensor, bool replaceable)
{
	if (!make_room(g)) {
		g->failed = true;
		return;
	}
	remember(g, tensor);
	if (replaceable) {
		g->places[tensor] = g->ninputs;
		g->inputs[g->ninputs++] = tensor;
	}
}

uint32_t gen_draw_tensor(gen *g)
{
	const graph *m = g->graph;
	uint32_t span = m->ntensors > RECENT && !gen_chance(g, 4) ? RECENT : m->ntensors;
	uint32_t found = GRAPH_NONE;
	for (int i = 0; i < 3; i++) {
		uint32_t t = m->ntensors - 1 - rng_below(&g->rng, span);
		if (!m->tensors[t].live)
			continue;
		found = t;
		if (!m->tensors[t].nuses)
			break;
	}
	return found;
}

uint32_t gen_draw_of_type(gen *g, unsigned rank, unsigned dtype)
{
	const gen_bucket *b = gen_of_type(g, rank, dtype);
	if (!b->count)
		return GRAPH_NONE;
	uint32_t t = b->tensors[rng_below(&g->rng, b->count)];
	return gen_tensor(g, t)->live ? t : GRAPH_NONE;
}

bool gen_has_shape(const graph_tensor *t, unsigned rank, const int64_t *shape)
{
	if (t->rank != rank)
		return false;
	for (unsigned i = 0; i < rank; i++)
		if (t->shape[i] != shape[i])
			return false;
	return true;
}

/* A tensor of exactly an input's type, older than `end`; GRAPH_NONE: none. */
static uint32_t find_exact(gen *g, const trial *c, unsigned slot, uint32_t end)
{
	const index_input *x = &c->o->inputs[slot];
	const gen_bucket *b = gen_of_type(g, x->rank, c->row[slot]);
	uint32_t found = GRAPH_NONE, at = b->count ? rng_below(&g->rng, b->count) : 0;
	for (uint32_t i = 0; i < SCAN && i < b->count; i++, at = at ? at - 1 : b->count - 1) {
		uint32_t t = b->tensors[at];
		const graph_tensor *y = gen_tensor(g, t);
		if (t >= end || !y->live || !gen_has_shape(y, x->rank, c->v + x->first)
		    || !gen_may_take(g, c, slot, t))
			continue;
		if (found == GRAPH_NONE || !y->nuses)
			found = t;
		if (gen_chance(g, 2))
			break;
	}
	return found;
}

/* ---- element values */

/* Whether all tensors of a call hold integers or booleans: classes below finite are then due to floats that overflow. */
static bool has_integers_only(const trial *t)
{
	bool only = true;
	for (unsigned i = 0; i < t->o->nin + t->o->nout; i++)
		only &= t->row[i] <= RS_INT64;
	return only;
}

/* Whether wide integers are of the class of finite elements for a call: it is known, and only floats could overflow. */
static bool takes_wide(const gen *g, const trial *t)
{
	return g->features.wide_integers && t->o->classes && has_integers_only(t);
}

uint8_t gen_accepts(const gen *g, const trial *t, unsigned slot)
{
	const uint8_t *classes = t->o->classes;
	const index_op *o = t->o;
	uint8_t most = !classes	  ? (g->index.classes ? RS_VALUES_SMALL : RS_VALUES_ANY)
		       : o->plain ? classes[slot]
				  : values_takes(classes, o->nin, t->row, o->nin + o->nout, slot);
	most = most == RS_VALUES_LARGE && takes_wide(g, t) ? (uint8_t)RS_VALUES_FINITE : most;
	return most < t->widest ? most : t->widest;
}

/* The class of the outputs if no input is wider than this. */
static uint8_t gives(const trial *t, uint8_t class)
{
	const index_op *o = t->o;
	if (!o->classes)
		return RS_VALUES_ANY;
	return o->plain ? o->classes[o->nin + class]
			: values_gives(o->classes, o->nin, t->row, o->nin + o->nout, class);
}

/* The class of the integers in low..high-1. */
static uint8_t range_class(int64_t low, int64_t high)
{
	if (low >= high || (low >= 1 && high <= 2))
		return RS_VALUES_UNIT;
	if (low >= 1 && high <= 6)
		return RS_VALUES_POSITIVE;
	if (low >= -5 && high <= 6)
		return RS_VALUES_SMALL;
	return low >= -10000 && high <= 10001 ? RS_VALUES_LARGE : RS_VALUES_FINITE;
}

/* The class of a new model input that is made for this input. */
static uint8_t new_class(const gen *g, const trial *t, unsigned slot)
{
	const index_input *x = &t->o->inputs[slot];
	uint8_t most = gen_accepts(g, t, slot);
	if (x->ranged)
		return range_class(t->v[x->first + x->rank], t->v[x->first + x->rank + 1]);
	return most < RS_VALUES_SMALL ? most : (uint8_t)RS_VALUES_SMALL;
}

uint8_t gen_output_class(const gen *g, const trial *t)
{
	uint8_t class = RS_VALUES_UNIT;
	for (unsigned i = 0; i < t->o->nin; i++) {
		if (t->o->inputs[i].ranged)
			continue;
		uint8_t c = t->inputs[i] == GRAPH_NONE ? new_class(g, t, i)
						       : gen_tensor(g, t->inputs[i])->values;
		class = c > class ? c : class;
	}
	uint8_t given = gives(t, class);
	return given == RS_VALUES_ANY && class < RS_VALUES_ANY && takes_wide(g, t) ? (uint8_t)RS_VALUES_FINITE : given;
}

/* Whether an operator may get elements beyond its classes: its results may be non-finite, but it never raised. */
static bool takes_any(const gen *g, const index_op *o)
{
	return g->any_values && !o->delicate;
}

bool gen_takes_results(const trial *t, unsigned slot)
{
	return !index_isolated(t->o) && !t->o->inputs[slot].ranged;
}

bool gen_may_take(const gen *g, const trial *t, unsigned slot, uint32_t tensor)
{
	const index_op *o = t->o;
	return gen_takes_results(t, slot)
	       && (takes_any(g, o) || gen_tensor(g, tensor)->values <= gen_accepts(g, t, slot))
	       && tensor != t->occupied
	       && graph_precedes(g->graph, tensor, t->before);
}

bool gen_hold(const gen *g, trial *t, uint8_t class)
{
	uint8_t widest = RS_VALUES_ANY;
	if (!g->index.classes)
		return true;
	while (gives(t, widest) > class)
		if (widest-- == RS_VALUES_UNIT)
			return false;
	t->widest = widest;
	return true;
}

bool gen_may_replace(const gen *g, trial *t, uint32_t input)
{
	return gen_hold(g, t, gen_tensor(g, input)->values);
}

/* ---- a trial */

void trial_begin(trial *t, const index_op *o, const uint8_t *row)
{
	__builtin_prefetch(o->bounds); /* prefetch */
	__builtin_prefetch(o->form);
	t->o = o;
	t->row = row;
	t->before = t->occupied = GRAPH_NONE;
	t->reuse = 875;
	t->widest = RS_VALUES_ANY;
	t->symbolic = o->symbolic;
	index_clear(t->known, o->nsym);
	for (unsigned i = 0; i < o->nin; i++)
		t->inputs[i] = GRAPH_NONE;
}

void trial_fix_input(gen *g, trial *t, unsigned slot, uint32_t tensor)
{
	const graph_tensor *x = gen_tensor(g, tensor);
	unsigned first = t->o->inputs[slot].first;
	for (unsigned i = 0; i < x->rank; i++) {
		t->v[first + i] = x->shape[i];
		t->known[first + i] = 1;
	}
	t->inputs[slot] = tensor;
}

bool gen_sample(gen *g, trial *t)
{
	return sample_forward(t->o, t->v, t->known, g->box, &g->rng);
}

bool gen_sample_back(gen *g, trial *t, unsigned output, const int64_t *shape)
{
	return sample_backward(t->o, t->v, t->known, output, shape, g->box, &g->rng);
}

static bool size_allowed(const gen *g, unsigned rank, const int64_t *shape)
{
	int64_t n = bounded_numel(rank, shape, g->box.numel);
	return n <= g->box.numel && (n > 0 || g->box.zero);
}

bool gen_take_record(gen *g, trial *t, const int64_t *record)
{
	const index_op *o = t->o;
	const int64_t *out = record + o->nsym;
	for (unsigned i = 0; i < o->nout; out += o->out_ranks[i], i++)
		if (!size_allowed(g, o->out_ranks[i], out))
			return false;
	for (unsigned i = 0; i < o->nin; i++)
		if (t->inputs[i] == GRAPH_NONE
		    && !size_allowed(g, o->inputs[i].rank, record + o->inputs[i].first))
			return false;
	memcpy(t->v, record, o->width * sizeof *record);
	t->symbolic = false;
	return true;
}

/* ---- insertion */

void gen_draw_texts(gen *g, const index_op *o)
{
	for (unsigned i = 0; i < o->nconsts; i++) {
		const index_const *c = &o->consts[i];
		g->texts[i] = c->texts[c->count ? rng_below(&g->rng, c->count) : 0];
	}
}

/* Whether a call has 64-bit integers as its only results. */
static bool gives_long(const trial *t)
{
	bool is = t->o->nout > 0;
	for (unsigned i = 0; i < t->o->nout; i++)
		is &= t->row[t->o->nin + i] == RS_INT64;
	return is;
}

/* Makes a share of the inputs wide that accept all finite elements. */
static bool make_wide(gen *g, const trial *t, unsigned slot, graph_tensor *new, uint32_t id)
{
	rng r = rng_seed(g->graph->values ^ (uint64_t)id << 32);
	return g->features.wide_integers && t->o->classes && t->widest >= RS_VALUES_FINITE && gen_accepts(g, t, slot) >= RS_VALUES_FINITE && rng_below(&r, 1000) < g->wide && wide_make(new, gives_long(t), &r);
}

uint32_t gen_new_input(gen *g, const trial *t, unsigned slot)
{
	const index_input *x = &t->o->inputs[slot];
	uint32_t id = graph_input(g->graph, x->rank, t->v + x->first, t->row[slot]);
	if (id == GRAPH_NONE) {
		g->failed = true;
		return id;
	}
	graph_tensor *new = &g->graph->tensors[id];
	new->values = new_class(g, t, slot);
	if (x->ranged) {
		new->low = t->v[x->first + x->rank];
		new->high = t->v[x->first + x->rank + 1];
	} else if (!make_wide(g, t, slot, new, id) && g->whole && !t->o->delicate) { /* matrices of integers are often singular */
		elements_make_whole(new, g->graph->values ^ id);
	}
	g->elements += new->numel;
	return id;
}

static uint32_t make_input(gen *g, const trial *t, unsigned slot)
{
	uint32_t id = gen_new_input(g, t, slot);
	if (id != GRAPH_NONE && !index_isolated(t->o))
		gen_enrol(g, id, !t->o->inputs[slot].ranged);
	return id;
}

uint32_t gen_input_like(gen *g, const graph_tensor *like)
{
	uint32_t id = graph_input(g->graph, like->rank, like->shape, (rs_dtype)like->dtype);
	if (id == GRAPH_NONE)
		return id;
	graph_tensor *new = &g->graph->tensors[id];
	new->values = like->values;
	new->low = like->low, new->high = like->high, new->divisor = like->divisor;
	new->constant = like->constant;
	g->elements += like->numel;
	return id;
}

/* Existing tensors or new inputs for the unconnected inputs. */
static void complete_inputs(gen *g, trial *t)
{
	uint32_t end = g->graph->ntensors;
	for (unsigned i = 0; i < t->o->nin && !g->failed; i++) {
		if (t->inputs[i] == GRAPH_NONE && t->reuse && gen_per_mille(g, t->reuse))
			t->inputs[i] = find_exact(g, t, i, end);
		if (t->inputs[i] == GRAPH_NONE)
			t->inputs[i] = make_input(g, t, i);
	}
}

void gen_enrol_outputs(gen *g, const trial *t, uint32_t node)
{
	uint8_t class = gen_output_class(g, t);
	for (unsigned i = 0; i < t->o->nout && !g->failed; i++) {
		uint32_t id = g->graph->nodes[node].outputs + i;
		g->graph->tensors[id].values = class;
		g->elements += gen_tensor(g, id)->numel;
		gen_enrol(g, id, false);
	}
}

uint32_t gen_commit(gen *g, trial *t)
{
	const index_op *o = t->o;
	complete_inputs(g, t);
	if (g->failed)
		return GRAPH_NONE;
	graph_call call = {.op = o->op,
	    .symbols = t->v,
	    .inputs = t->inputs,
	    .out = t->v + o->nsym,
	    .out_dtypes = t->row + o->nin,
	    .form = o->form};
	if (o->nconsts) {
		gen_draw_texts(g, o);
		call.consts = g->texts;
	}
	uint32_t node = graph_insert(g->graph, &call, t->before);
	if (node == GRAPH_NONE)
		g->failed = true;
	else
		gen_enrol_outputs(g, t, node);
	*(t->symbolic ? &g->stats.symbolic : &g->stats.concrete) += !g->failed;
	return g->failed ? GRAPH_NONE : node;
}

uint32_t gen_commit_back(gen *g, trial *t, unsigned output)
{
	uint32_t input = t->occupied;
	t->before = graph_first_user(g->graph, input);
	uint32_t node = gen_commit(g, t);
	if (node == GRAPH_NONE)
		return node;
	graph_replace_alluse(g->graph, input, g->graph->nodes[node].outputs + output);
	graph_remove_input(g->graph, input);
	g->elements -= gen_tensor(g, input)->numel;
	uint32_t last = g->inputs[--g->ninputs];
	g->inputs[g->places[input]] = last;
	g->places[last] = g->places[input];
	return node;
}

bool gen_last_resort(gen *g)
{
	const index_op *o = &g->index.ops[g->index.cheap[rng_below(&g->rng, g->index.ncheap)]];
	trial *t = &g->trial;
	trial_begin(t, o, index_row(o, rng_below(&g->rng, o->nrows)));
	memcpy(t->v, index_record(o, o->small), o->width * sizeof *t->v);
	t->symbolic = false;
	return gen_commit(g, t) != GRAPH_NONE;
}

void gen_begin_step(gen *g)
{
	int64_t left = g->budget - g->elements, share = left / 8 > 64 ? left / 8 : 64;
	g->box.numel = share < g->max_numel ? share : g->max_numel;
	g->box.zero = gen_chance(g, ZERO_ONE_IN);
}

/* ---- queries */

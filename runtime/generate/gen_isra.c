/* Isra's generator (SCIS 2025, sections 3.2 and 3.3) on compiled rules.
 *
 * A model grows node by node in topological order. Existing nodes never change, so a valid model stays valid. The properties of a
 * node are chosen in the paper's order:
 *
 *   its API            uniformly
 *   its in-degree      uniformly among those of the API's signatures
 *   the first tensor   its rank uniformly; then, with the picking rate, an existing tensor of that
 *                      rank that the signature accepts, else a new input of the model
 *   its attributes     so that the rule accepts them with that tensor
 *   the other tensors  in order; with the picking rate an existing one that fits all choices
 *                      so far, else a new input
 *
 * Each choice is checked by completing the call with the rule (sample_forward with the known numbers). So no choice is
 * undone, and the work per node is bounded. */
#include "gen_isra.h"

#include "gen_chain.h"

#include <string.h>

enum {
	FIRST = 48,  /* tensors tried for the first input: the last quarter from any origin */
	BEGINNING = 4, /* one in this many tensors of a node without predecessor is tried */
	TENSORS = 8, /* existing tensors tried for an input with the rule; with a record all of a ring */
};

/* ---- the other tensors */

/* Whether a tensor has the dimensions that are determined for an input: those equal to a known number in every record. A
 * cheap check before the rule is evaluated. */
static bool agrees(const trial *t, unsigned slot, const graph_tensor *x, const bool *decided)
{
	unsigned first = t->o->inputs[slot].first;
	const uint8_t *groups = index_groups(t->o);
	for (unsigned i = 0; i < x->rank; i++)
		if (decided[groups[first + i]] && t->v[first + i] != x->shape[i])
			return false;
	return true;
}

static void find_decided(const trial *t, bool *decided)
{
	const uint8_t *groups = index_groups(t->o);
	memset(decided, 0, t->o->width);
	for (unsigned i = 0; i < t->o->nsym; i++)
		if (t->known[i])
			decided[groups[i]] = true;
}

static void forget_input(trial *t, unsigned slot)
{
	memset(t->known + t->o->inputs[slot].first, 0, t->o->inputs[slot].rank);
	t->inputs[slot] = GRAPH_NONE;
}

/* An existing tensor for an input with which the call can be completed: the output of a node, or (inputs) an input of the
 * model. */
static bool pick_of(gen *g, trial *t, unsigned slot, bool inputs, const bool *decided)
{
	const index_op *o = t->o;
	const gen_bucket *b = gen_of_type(g, o->inputs[slot].rank, t->row[slot]);
	uint32_t tries = o->symbolic ? TENSORS : GEN_RING;
	uint32_t at = b->count ? rng_below(&g->rng, b->count) : 0;
	for (uint32_t i = 0; i < b->count && tries; i++, at = at ? at - 1 : b->count - 1) {
		uint32_t x = b->tensors[at];
		const graph_tensor *y = gen_tensor(g, x);
		if ((y->producer == GRAPH_NONE) != inputs || !gen_may_take(g, t, slot, x)
		    || !agrees(t, slot, y, decided))
			continue;
		trial_fix_input(g, t, slot, x);
		if (gen_sample(g, t))
			return true;
		forget_input(t, slot);
		tries--;
	}
	return false;
}

static bool pick(gen *g, trial *t, unsigned slot)
{
	bool decided[INDEX_WIDTH_MAX];
	find_decided(t, decided);
	return pick_of(g, t, slot, false, decided) || pick_of(g, t, slot, true, decided);
}

/* Decides all numbers that are not dimensions of a tensor. */
static void fix_attributes(trial *t)
{
	const index_op *o = t->o;
	bool dimension[INDEX_WIDTH_MAX] = {false};
	for (unsigned i = 0; i < o->nin; i++)
		memset(dimension + o->inputs[i].first, true,
		    o->inputs[i].rank + (o->inputs[i].ranged ? 2u : 0u));
	for (unsigned i = 0; i < o->nsym; i++)
		t->known[i] |= !dimension[i];
}

/* Makes an input a new input of the model, with the shape in v. */
static void settle_new(trial *t, unsigned slot)
{
	const index_input *x = &t->o->inputs[slot];
	memset(t->known + x->first, 1, x->rank + (x->ranged ? 2u : 0u));
}

/* With the picking rate an existing tensor, else a new input with the shape in v. */
static void decide_input(gen *g, trial *t, unsigned slot)
{
	int64_t saved[INDEX_WIDTH_MAX];
	size_t size = t->o->width * sizeof *saved;
	memcpy(saved, t->v, size);
	if (gen_per_mille(g, g->picking)) {
		if (pick(g, t, slot))
			return;
		memcpy(t->v, saved, size);
	}
	settle_new(t, slot);
}

/* ---- the first tensor, which decides the signature and its attributes */

/* A dtype row that begins with this dtype; NULL: none. */
static const uint8_t *draw_row(gen *g, const index_op *o, unsigned dtype)
{
	uint32_t start = rng_below(&g->rng, o->nrows);
	for (uint32_t i = 0; i < o->nrows; i++) {
		const uint8_t *row = index_row(o, (start + i) % o->nrows);
		if (row[0] == dtype)
			return row;
	}
	return NULL;
}

static const index_op *draw_of_rank(gen *g, const index_span *degree, unsigned rank)
{
	const gen_index *x = &g->index;
	for (uint32_t i = 0; i < degree->count; i++) {
		const index_span *ops = &x->ranks[degree->first + i];
		if (x->ops[ops->first].nin && x->ops[ops->first].inputs[0].rank == rank)
			return &x->ops[ops->first + rng_below(&g->rng, ops->count)];
	}
	return NULL;
}

/* Whether a node takes the output of another node. */
static bool continues(const graph *m, uint32_t node)
{
	const graph_node *n = &m->nodes[node];
	for (unsigned i = 0; i < n->op->nin; i++)
		if (m->tensors[graph_node_input(m, n, i)].producer != GRAPH_NONE)
			return true;
	return false;
}

static bool take_first(gen *g, const index_span *degree, uint32_t tensor)
{
	trial *t = &g->trial;
	const graph_tensor *x = gen_tensor(g, tensor);
	const index_op *o = draw_of_rank(g, degree, x->rank);
	const uint8_t *row = o ? draw_row(g, o, x->dtype) : NULL;
	if (!row)
		return false;
	trial_begin(t, o, row);
	if (!gen_may_take(g, t, 0, tensor))
		return false;
	trial_fix_input(g, t, 0, tensor);
	return gen_sample(g, t);
}

/* Whether to take a tensor in this attempt: first outputs of nodes on a path, then of some other nodes, last inputs of the
 * model. */
static bool suits(gen *g, uint32_t tensor, int attempt)
{
	uint32_t node = gen_tensor(g, tensor)->producer;
	if (attempt >= FIRST * 3 / 4)
		return true;
	return node != GRAPH_NONE && (continues(g->graph, node) || gen_chance(g, BEGINNING));
}

/* Any tensor that fits. Outputs of nodes are preferred over inputs of the model, so that edges connect operations; nodes on
 * a path over nodes that begin one, so that paths become long. */
static bool pick_first(gen *g, const index_span *degree)
{
	for (int i = 0; i < FIRST && g->graph->ntensors; i++) {
		uint32_t tensor = rng_below(&g->rng, g->graph->ntensors);
		if (suits(g, tensor, i) && take_first(g, degree, tensor))
			return true;
	}
	return false;
}

/* Mostly a dtype that the model has; other dtypes rarely find a tensor to connect. */
static const uint8_t *draw_new_row(gen *g, const index_op *o)
{
	const uint8_t *row = NULL;
	if (o->nin && g->graph->ntensors && !gen_chance(g, 8))
		row = draw_row(g, o, gen_tensor(g, rng_below(&g->rng, g->graph->ntensors))->dtype);
	return row ? row : index_row(o, rng_below(&g->rng, o->nrows));
}

/* A new input of the model. Its rank is uniform, so that shapes spread over all ranks. */
static bool new_first(gen *g, const index_span *degree)
{
	const gen_index *x = &g->index;
	const index_span *rank = &x->ranks[degree->first + rng_below(&g->rng, degree->count)];
	const index_op *o = &x->ops[rank->first + rng_below(&g->rng, rank->count)];
	trial *t = &g->trial;
	trial_begin(t, o, draw_new_row(g, o));
	if (!gen_sample(g, t))
		return false;
	if (o->nin)
		settle_new(t, 0);
	return true;
}

/* ---- models */

static const index_span *draw_degree(gen *g)
{
	const gen_index *x = &g->index;
	const index_api *a = &x->apis[rng_below(&g->rng, x->napis)];
	return &x->degrees[a->degrees.first + rng_below(&g->rng, a->degrees.count)];
}

static bool step(gen *g)
{
	trial *t = &g->trial;
	const index_span *degree = draw_degree(g);
	bool found = gen_per_mille(g, g->picking) && pick_first(g, degree);
	if (!found && !new_first(g, degree))
		return false;
	t->reuse = 0;
	if (t->o->nin > 1) {
		fix_attributes(t);
		for (unsigned i = 1; i < t->o->nin; i++)
			decide_input(g, t, i);
	}
	*(found ? &g->stats.forward : &g->stats.fresh) += 1;
	return gen_commit(g, t) != GRAPH_NONE;
}

static bool isra_model(gen *g, uint32_t nodes)
{
	for (uint32_t i = 0, n; i < nodes; i += n) {
		n = gen_insert_chain(g, nodes - i);
		if (n)
			continue;
		n = 1;
		gen_begin_step(g);
		if (!g->failed && step(g))
			continue;
		g->stats.fresh++;
		if (g->failed || !gen_last_resort(g))
			return false;
	}
	return true;
}

const gen_strategy isra_strategy = {.model = isra_model, .dim_max = 5, .rank_max = 5,
    .any_values = true};

#include "constants.h"

#include <stdlib.h>
#include <string.h>

enum {
	FILLED_ONE_IN = 5, /* constants of a few whole numbers, or of one */
	RANK = INDEX_RANK_MAX,
};

/* Room for a model. fed: how many of a node's inputs depend on what is fed; by node. */
static bool make_room(gen *g)
{
	uint32_t want = g->graph->nnodes;
	if (g->fed_room > want)
		return true;
	uint32_t *fed = realloc(g->fed, 2 * ((size_t)want + 1) * sizeof *fed);
	if (!fed)
		return false;
	g->fed = fed;
	g->fed_room = 2 * (want + 1);
	return true;
}

static bool depends(const gen *g, uint32_t tensor)
{
	const graph_tensor *t = gen_tensor(g, tensor);
	return t->producer == GRAPH_NONE ? !t->constant : g->fed[t->producer] > 0;
}

static void count_fed(gen *g)
{
	const graph *m = g->graph;
	for (uint32_t i = m->first; i != GRAPH_NONE; i = m->nodes[i].next) {
		g->fed[i] = 0;
		for (unsigned k = 0; k < m->nodes[i].nin; k++)
			g->fed[i] += depends(g, graph_node_input(m, &m->nodes[i], k));
	}
}

/* ---- what folding may take */

static uint32_t times_taken(const graph *m, uint32_t tensor, uint32_t node)
{
	uint32_t n = 0;
	for (uint32_t u = m->tensors[tensor].uses; u != GRAPH_NONE; u = m->uses[u].next)
		n += m->uses[u].node == node;
	return n;
}

/* Of a node's results. */
static uint32_t times_followed(const graph *m, const graph_node *n, uint32_t by)
{
	uint32_t times = 0;
	for (unsigned i = 0; i < n->nout; i++)
		times += times_taken(m, n->outputs + i, by);
	return times;
}

/* Whether a node may depend on nothing that is fed: no result of the model is its own, and all that take its results
 * take something else that is not constant either. */
static bool may_fold(const gen *g, uint32_t node)
{
	const graph *m = g->graph;
	const graph_node *n = &m->nodes[node];
	if (g->fed[node] == 0)
		return true;
	for (unsigned i = 0; i < n->nout; i++) {
		const graph_tensor *t = gen_tensor(g, n->outputs + i);
		if (t->kept)
			return false;
		for (uint32_t u = t->uses; u != GRAPH_NONE; u = m->uses[u].next)
			if (g->fed[m->uses[u].node] <= times_followed(m, n, m->uses[u].node))
				return false;
	}
	return true;
}

static bool may_be_constant(const gen *g, uint32_t tensor)
{
	const graph *m = g->graph;
	for (uint32_t u = m->tensors[tensor].uses; u != GRAPH_NONE; u = m->uses[u].next) {
		uint32_t node = m->uses[u].node;
		if (g->fed[node] <= times_taken(m, tensor, node)
		    && (m->tensors[tensor].nuses > times_taken(m, tensor, node) || !may_fold(g, node)))
			return false;
	}
	return true;
}

/* A tensor depends on nothing any more; a node that does not either takes its results with it. */
static void forget_fed(gen *g, uint32_t tensor)
{
	const graph *m = g->graph;
	for (uint32_t u = m->tensors[tensor].uses; u != GRAPH_NONE; u = m->uses[u].next) {
		const graph_node *n = &m->nodes[m->uses[u].node];
		if (--g->fed[m->uses[u].node] > 0)
			continue;
		for (unsigned i = 0; i < n->nout; i++)
			forget_fed(g, n->outputs + i);
	}
}

/* ---- one constant */

/* The least share of any of its uses. */
static uint32_t share_of(const gen *g, uint32_t tensor)
{
	const graph *m = g->graph;
	uint32_t least = 1000;
	for (uint32_t u = m->tensors[tensor].uses; u != GRAPH_NONE; u = m->uses[u].next) {
		const graph_node *n = &m->nodes[m->uses[u].node];
		uint32_t share = weights_share(&g->weights, n->op, u - n->inputs);
		least = share < least ? share : least;
	}
	return least;
}

/* One element, or those of one dimension, or as it is. */
static void narrow(gen *g, uint32_t tensor)
{
	const graph_tensor *t = gen_tensor(g, tensor);
	int64_t shape[RANK];
	uint32_t how = rng_below(&g->rng, 3);
	if (how == 0 || t->numel < 2 || t->rank > RANK)
		return;
	unsigned left = how == 1 ? rng_below(&g->rng, t->rank) : t->rank;
	for (unsigned i = 0; i < t->rank; i++)
		shape[i] = i == left ? t->shape[i] : 1;
	graph_reshape_input(g->graph, tensor, shape);
}

/* All elements 0, 1, 2 or -1, as far as its class and dtype have them, or 0 and 1 as in a mask, or 1 and 2; of floats, where they
 * are whole numbers. */
static void fill(gen *g, uint32_t tensor)
{
	static const int8_t KINDS[][2] = {{1, 1}, {2, 2}, {1, 2}, {0, 0}, {0, 1}, {-1, -1}};
	graph_tensor *t = &g->graph->tensors[tensor];
	bool whole = t->dtype > RS_BOOL && t->dtype <= RS_INT64, real = t->dtype >= RS_FLOAT16 && t->dtype <= RS_FLOAT64;
	unsigned choices = t->values == RS_VALUES_POSITIVE ? 3 : t->values < RS_VALUES_POSITIVE ? 0 : t->dtype <= RS_UINT64 ? 5 : 6;
	if (!choices || !((real && g->whole) || (whole && !t->low && !t->high)))
		return;
	const int8_t *kind = KINDS[rng_below(&g->rng, choices)];
	t->low = kind[0];
	t->high = kind[1] + 1;
}

static void make_constant(gen *g, uint32_t tensor)
{
	g->graph->tensors[tensor].constant = true;
	forget_fed(g, tensor);
	narrow(g, tensor);
	if (gen_chance(g, FILLED_ONE_IN))
		fill(g, tensor);
}

bool gen_make_constants(gen *g)
{
	if (!g->initializers)
		return true;
	if (!make_room(g))
		return false;
	count_fed(g);
	for (uint32_t i = 0; i < g->graph->ntensors; i++) {
		const graph_tensor *t = gen_tensor(g, i);
		if (t->live && t->producer == GRAPH_NONE && !t->constant && t->dtype < RS_STRING
		    && rng_below(&g->rng, 1000000) < g->initializers * share_of(g, i) && may_be_constant(g, i))
			make_constant(g, i);
	}
	return true;
}

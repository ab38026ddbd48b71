#include "constants.h"

#include <stdlib.h>
#include <string.h>

enum {
	FILLED_ONE_IN = 3, /* fraction of constants that hold one or a few whole numbers */
	FOLDED_ONE_IN = 2, /* fraction of calls with a constant whose other operands may become constants, too */
	RANK = INDEX_RANK_MAX,
};

/* Allocates scratch for a model. fed: per node, the number of inputs that depend on model inputs. */
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

/* ---- what may be folded */

static uint32_t times_taken(const graph *m, uint32_t tensor, uint32_t node)
{
	uint32_t n = 0;
	for (uint32_t u = m->tensors[tensor].uses; u != GRAPH_NONE; u = m->uses[u].next)
		n += m->uses[u].node == node;
	return n;
}

/* The results of a node. */
static uint32_t times_followed(const graph *m, const graph_node *n, uint32_t by)
{
	uint32_t times = 0;
	for (unsigned i = 0; i < n->nout; i++)
		times += times_taken(m, n->outputs + i, by);
	return times;
}

/* Whether a node may depend on no model input: it computes no result of the model, and all users of its results also have
 * another input that is not constant. */
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

/* Marks a tensor as constant; a node whose inputs are all constant then passes this on to its results. */
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

/* The minimum weight share over its uses. */
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

/* Reduces a constant to one element or to one dimension, or leaves it. */
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
	graph_reshape_input(g->graph, tensor, shape, &g->failed);
}

static bool is_delicate(const graph *m, const graph_tensor *t)
{
	bool delicate = false;
	for (uint32_t u = t->uses; u != GRAPH_NONE; u = m->uses[u].next)
		delicate |= m->nodes[m->uses[u].node].op->flags & RS_DELICATE;
	return delicate;
}

/* The number of rows of KINDS that suit a constant; 0 for numbers with a range, which a call may need. */
static uint32_t count_kinds(const gen *g, const graph_tensor *t)
{
	bool real = t->dtype >= RS_FLOAT16 && t->dtype <= RS_FLOAT64, whole = t->dtype > RS_BOOL && t->dtype <= RS_INT64;
	if (real ? g->elements_of == RS_ELEMENTS_REAL || is_delicate(g->graph, t) : !whole)
		return 0;
	if (t->values < RS_VALUES_POSITIVE || t->low || t->high)
		return 0;
	return t->values == RS_VALUES_POSITIVE ? 3 : t->dtype <= RS_UINT64 ? 6 : 8;
}

/* Sets elements that optimizers match: all 0, 1, 2 or -1 if class and dtype allow it, or some 0, as in a mask. */
static void fill(gen *g, uint32_t tensor)
{
	static const int8_t KINDS[][2] = {{1, 1}, {2, 2}, {1, 2}, {0, 0}, {0, 0}, {0, 1}, {-1, -1}, {-1, 1}};
	graph_tensor *t = &g->graph->tensors[tensor];
	uint32_t kinds = count_kinds(g, t);
	if (!kinds)
		return;
	const int8_t *kind = KINDS[rng_below(&g->rng, kinds)];
	t->low = kind[0];
	t->high = kind[1] + 1;
}

static bool can_be_constant(const gen *g, uint32_t tensor)
{
	const graph_tensor *t = gen_tensor(g, tensor);
	return t->live && t->producer == GRAPH_NONE && !t->constant && t->dtype < RS_STRING && may_be_constant(g, tensor);
}

static void make_constant(gen *g, uint32_t tensor)
{
	g->graph->tensors[tensor].constant = true;
	forget_fed(g, tensor);
	narrow(g, tensor);
	if (gen_chance(g, FILLED_ONE_IN))
		fill(g, tensor);
}

/* ---- all of them */

/* A call with a constant and inputs without other uses: all of them may become constants. */
static bool may_be_folded(const gen *g, uint32_t node)
{
	const graph *m = g->graph;
	const graph_node *n = &m->nodes[node];
	unsigned constant = 0;
	for (unsigned k = 0; k < n->nin; k++) {
		const graph_tensor *t = gen_tensor(g, graph_node_input(m, n, k));
		if (t->producer != GRAPH_NONE || (!t->constant && t->nuses > 1))
			return false;
		constant += t->constant;
	}
	return constant && constant < n->nin && may_fold(g, node);
}

static void make_folded(gen *g, uint32_t node)
{
	const graph *m = g->graph;
	const graph_node *n = &m->nodes[node];
	for (unsigned k = 0; k < n->nin; k++)
		if (can_be_constant(g, graph_node_input(m, n, k)))
			make_constant(g, graph_node_input(m, n, k));
}

bool gen_make_constants(gen *g)
{
	const graph *m = g->graph;
	if (!g->initializers)
		return true;
	if (!make_room(g))
		return false;
	count_fed(g);
	for (uint32_t i = 0; i < m->ntensors; i++)
		if (can_be_constant(g, i) && rng_below(&g->rng, 1000000) < g->initializers * share_of(g, i))
			make_constant(g, i);
	for (uint32_t i = m->first; i != GRAPH_NONE; i = m->nodes[i].next)
		if (may_be_folded(g, i) && gen_chance(g, FOLDED_ONE_IN))
			make_folded(g, i);
	return !g->failed;
}

/* Special floats: float inputs of the class `any`, a quarter of whose elements are of one kind: NaN, infinities, zeros, or numbers
 * at the ends of the dtype (elements.h). Compilers simplify x * 0, log(exp(x)), max(x, x) and comparisons as if there were none.
 *
 * No input changes that leads to a call which fails on special elements. Constants change less often: graphs without
 * special weights remain the ones that are optimized most. */
#include "features.h"

enum {
	INPUTS_ONE_IN = 2,    /* fraction of the inputs that are fed */
	CONSTANTS_ONE_IN = 8, /* fraction of the constants */
};

static bool has_marked(const graph_node *n, const bool *marked)
{
	bool found = false;
	for (unsigned i = 0; i < n->nout; i++)
		found |= marked[n->outputs + i];
	return found;
}

/* Marks the tensors whose elements a call with special restrictions depends on. */
static void mark(const graph *m, bool *marked)
{
	for (uint32_t i = m->last; i != GRAPH_NONE; i = m->nodes[i].previous) {
		const graph_node *n = &m->nodes[i];
		bool all = n->op->flags & RS_DELICATE || has_marked(n, marked);
		for (unsigned k = 0; all && k < n->nin; k++)
			marked[graph_node_input(m, n, k)] = true;
	}
}

/* Fractions with a divisor are scales of quantized tensors. */
static bool suits(const graph *m, uint32_t tensor)
{
	const graph_tensor *t = &m->tensors[tensor];
	return t->live && t->producer == GRAPH_NONE && t->numel > 0 && t->dtype >= RS_FLOAT16 && t->dtype <= RS_FLOAT64
	       && !t->divisor && !graph_is_ranged(m, tensor);
}

bool gen_special_floats(gen *g, rng *r)
{
	graph *m = g->graph;
	if (rng_below(r, 1000) >= g->features.special_floats)
		return true;
	bool *marked = arena_zalloc(m->arena, m->ntensors + (size_t)1);
	if (!marked)
		return false;
	mark(m, marked);
	for (uint32_t i = 0; i < m->ntensors; i++) {
		graph_tensor *t = &m->tensors[i];
		if (!suits(m, i) || marked[i] || rng_below(r, t->constant ? CONSTANTS_ONE_IN : INPUTS_ONE_IN))
			continue;
		t->values = RS_VALUES_ANY;
		t->low = t->high = 0;
	}
	return true;
}

#include "pinned.h"

#include <string.h>

#include "values.h"

enum { TENSORS = 128 }; /* maximum of a call; signatures with more have no classes that dtypes narrow */

/* The class of elements that an input accepts in this call. */
static uint8_t takes(const graph *g, const graph_node *n, unsigned input)
{
	const rs_op *op = n->op;
	uint8_t row[TENSORS];
	unsigned ntensors = op->nin + (unsigned)op->nout;
	if (!op->classes)
		return op->flags & RS_DELICATE ? RS_VALUES_UNIT : RS_VALUES_ANY;
	if (ntensors > TENSORS)
		return op->classes[input];
	graph_row(g, n, row);
	return values_takes(op->classes, op->nin, row, ntensors, input);
}

/* Whether a call fails for some elements of an input. Float elements may give non-finite results instead, which is no
 * failure. */
static bool demands(const graph *g, const graph_node *n, unsigned input)
{
	const graph_tensor *t = &g->tensors[graph_node_input(g, n, input)];
	bool whole = t->dtype <= RS_INT64, unknown = !n->op->classes && n->op->flags & RS_DELICATE;
	return (whole || unknown) && takes(g, n, input) < RS_VALUES_SMALL;
}

static bool makes_pinned(const graph_node *n, const bool *pinned)
{
	for (unsigned i = 0; i < n->op->nout; i++)
		if (pinned[n->outputs + i])
			return true;
	return false;
}

const bool *find_pinned(const graph *g, arena *a)
{
	bool *pinned = arena_zalloc(a, g->ntensors + (size_t)1);
	if (!pinned)
		return NULL;
	for (uint32_t i = 0; i < g->ntensors; i++)
		pinned[i] = g->tensors[i].dtype <= RS_INT64 && (g->tensors[i].low || g->tensors[i].high);
	for (uint32_t i = g->last; i != GRAPH_NONE; i = g->nodes[i].previous) {
		const graph_node *n = &g->nodes[i];
		bool all = makes_pinned(n, pinned);
		for (unsigned k = 0; k < n->op->nin; k++)
			pinned[graph_node_input(g, n, k)] |= all || demands(g, n, k);
	}
	return pinned;
}

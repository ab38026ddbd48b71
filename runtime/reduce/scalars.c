#include "scalars.h"

#include <string.h>

#include "reduce.h"

enum { OPERANDS = 8 };

/* Whether the call is a plain one: positional tensors, then constants and integers by name. */
static bool is_plain(const graph_node *n)
{
	bool plain = !n->op->valid && n->nin > 1 && n->nin <= OPERANDS && n->op->nvalues == n->op->nargs && n->nin <= n->op->nargs;
	for (unsigned i = 0; plain && i < n->op->nargs; i++)
		plain = (i < n->nin) == (n->op->values[i].kind == RS_TENSOR) && (i < n->nin) == (n->op->args[i].by_position != 0);
	return plain;
}

static bool has_others(const graph *g, const graph_node *n)
{
	bool others = false, inputs = true;
	for (unsigned i = 1; i < n->nin; i++) {
		const graph_tensor *t = &g->tensors[graph_node_input(g, n, i)];
		others |= t->rank > 0;
		inputs &= t->producer == GRAPH_NONE;
	}
	return others && inputs;
}

/* The signature with scalars. NULL: out of memory. */
static rs_op *make_form(arena *ops, const rs_op *old, unsigned nin)
{
	rs_op *op = ARENA_NEW(ops, rs_op);
	rs_value *values = ARENA_ARRAY(ops, rs_value, nin);
	if (!op || !values)
		return NULL;
	*op = *old;
	memcpy(values, old->values, nin * sizeof *values);
	for (unsigned i = 1; i < nin; i++) {
		values[i].first = values[0].count;
		values[i].count = 0;
	}
	op->values = values;
	op->nvalues = op->nargs = (uint16_t)nin;
	op->nsym = values[0].count;
	return op;
}

static uint32_t make_scalar(graph *g, uint32_t like)
{
	const graph_tensor t = g->tensors[like];
	uint32_t id = graph_input(g, 0, t.shape, (rs_dtype)t.dtype);
	if (id == GRAPH_NONE)
		return id;
	graph_tensor *new = &g->tensors[id];
	new->values = t.values;
	new->low = t.low, new->high = t.high, new->divisor = t.divisor;
	new->constant = t.constant;
	return id;
}

bool reduce_to_scalars(graph *to, const graph *from, uint32_t node, arena *ops)
{
	const graph_node *old = &from->nodes[node];
	if (!old->live || (from->near_miss && node == from->last) || !is_plain(old) || old->nout != 1 || !has_others(from, old)
	    || !graph_copy(to, from))
		return false;
	uint32_t inputs[OPERANDS] = {graph_node_input(from, old, 0)};
	rs_op *op = make_form(ops, old->op, old->nin);
	for (unsigned i = 1; op && i < old->nin; i++)
		if ((inputs[i] = make_scalar(to, graph_node_input(from, old, i))) == GRAPH_NONE)
			return false;
	const graph_call call = {.op = op, .symbols = old->symbols, .inputs = inputs};
	return op && graph_replace_node(to, node, call) != GRAPH_NONE && reduce_finish(to);
}

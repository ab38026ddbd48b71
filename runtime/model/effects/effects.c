#include "effects.h"

#include <stdlib.h>

bool effects_writes(const graph_node *n, unsigned input)
{
	const alias_row *row = effects_copies(n, input) ? NULL : alias_find(n->op);
	return alias_writes(row, input) && (!alias_reshapes(row) || !n->op->writes || rs_writes(n->op, input));
}

bool effects_writes_any(const graph_node *n)
{
	bool copied = n->op->writes && !n->direct;
	if (copied || !alias_writes_any(alias_find(n->op)))
		return false;
	for (unsigned i = 0; i < n->nin; i++)
		if (effects_writes(n, i))
			return true;
	return false;
}

bool effects_any(const graph *g)
{
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		if (effects_writes_any(&g->nodes[i]))
			return true;
	return false;
}

/* ---- memory */

static uint32_t root_of(uint32_t *group, uint32_t tensor)
{
	while (group[tensor] != tensor)
		tensor = group[tensor] = group[group[tensor]];
	return tensor;
}

static void join(uint32_t *group, uint32_t a, uint32_t b)
{
	a = root_of(group, a);
	b = root_of(group, b);
	group[a > b ? a : b] = a < b ? a : b;
}

/* The result of a node may share memory with the operands that it is an alias of. */
static void join_results(const graph *g, const graph_node *n, uint32_t *group)
{
	const alias_row *row = alias_find(n->op);
	for (unsigned i = 0; row && i < n->nout; i++) {
		unsigned input;
		if (alias_of(row, i, &input) == ALIAS_NONE)
			continue;
		for (unsigned k = 0; k < n->nin; k++)
			if ((input == UINT32_MAX || input == k) && !effects_copies(n, k))
				join(group, n->outputs + i, graph_node_input(g, n, k));
	}
}

void effects_group(const graph *g, uint32_t *group)
{
	for (uint32_t i = 0; i < g->ntensors; i++)
		group[i] = i;
	for (uint32_t i = 0; i < g->ntensors; i++) {
		const graph_tensor *t = &g->tensors[i];
		if (t->live && t->layout && t->layout->same != GRAPH_NONE)
			join(group, i, t->layout->same);
	}
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		join_results(g, &g->nodes[i], group);
	for (uint32_t i = 0; i < g->ntensors; i++)
		group[i] = root_of(group, i);
}

/* The operand that a tensor is an alias of, or whose copy it is an alias of; GRAPH_NONE: none. */
static uint32_t base_of(const graph *g, uint32_t tensor, const graph_node **node, bool *copied)
{
	const graph_tensor *t = &g->tensors[tensor];
	unsigned input;
	if (t->producer == GRAPH_NONE)
		return GRAPH_NONE;
	*node = &g->nodes[t->producer];
	if (alias_of(alias_find((*node)->op), t->output, &input) == ALIAS_NONE || input >= (*node)->nin)
		return GRAPH_NONE;
	*copied = effects_copies(*node, input);
	return graph_node_input(g, *node, input);
}

static const graph_layout *layout_of(const graph *g, uint32_t tensor)
{
	const graph_layout *l = g->tensors[tensor].layout;
	return l && l->same != GRAPH_NONE ? g->tensors[l->same].layout : l;
}

bool effects_disjoint(const graph *g, uint32_t tensor)
{
	const graph_node *n = NULL;
	bool copied = false;
	for (uint32_t base; (base = base_of(g, tensor, &n, &copied)) != GRAPH_NONE; tensor = base) {
		if (!alias_disjoint(alias_find(n->op), n->symbols, g->tensors[tensor].numel, g->tensors[base].numel))
			return false;
		if (copied)
			return true;
	}
	const graph_tensor *t = &g->tensors[tensor];
	const graph_layout *l = layout_of(g, tensor);
	for (unsigned i = 0; l && i < t->rank; i++)
		if (t->shape[i] > 1 && !l->strides[i])
			return false;
	unsigned input;
	return t->producer == GRAPH_NONE || alias_of(alias_find(g->nodes[t->producer].op), t->output, &input) == ALIAS_NONE
	       || input != UINT32_MAX;
}

bool effects_dense(const graph *g, uint32_t tensor)
{
	const graph_tensor *t = &g->tensors[tensor];
	if (t->producer == GRAPH_NONE)
		return !layout_of(g, tensor);
	const graph_node *n = &g->nodes[t->producer];
	if (!alias_dense(alias_find(n->op), t->output))
		return false;
	for (unsigned i = 0; i < n->nin; i++)
		if (!effects_copies(n, i) && !effects_dense(g, graph_node_input(g, n, i)))
			return false;
	return true;
}

/* ---- dead code */

static bool is_idle(const graph *g, const graph_node *n)
{
	for (unsigned i = 0; i < n->nout; i++)
		if (g->tensors[n->outputs + i].nuses || g->tensors[n->outputs + i].kept)
			return false;
	return true;
}

/* Whether a node's write is observable. */
static bool is_seen(const graph *g, const graph_node *n, const uint32_t *group, const bool *seen)
{
	for (unsigned i = 0; i < n->nin; i++)
		if (seen[group[graph_node_input(g, n, i)]] && effects_writes(n, i))
			return true;
	return false;
}

bool effects_remove_unused(graph *g)
{
	uint32_t *group = malloc((g->ntensors + (size_t)1) * sizeof *group);
	bool *seen = calloc(g->ntensors + (size_t)1, sizeof *seen);
	bool ok = group && seen;
	if (ok)
		effects_group(g, group);
	for (uint32_t i = 0; ok && i < g->ntensors; i++) {
		const graph_tensor *t = &g->tensors[i];
		seen[group[i]] |= t->live && (t->kept || (t->producer == GRAPH_NONE && !t->constant));
	}
	for (uint32_t i = g->last, previous; ok && i != GRAPH_NONE; i = previous) {
		const graph_node *n = &g->nodes[i];
		previous = n->previous;
		if (is_idle(g, n) && !is_seen(g, n, group, seen))
			graph_remove_node(g, i);
		else
			for (unsigned k = 0; k < n->nin; k++)
				seen[group[graph_node_input(g, n, k)]] = true;
	}
	free(group);
	free(seen);
	if (ok)
		graph_remove_unused_inputs(g);
	return ok;
}

void effects_remove_after(graph *g, uint32_t node)
{
	for (uint32_t i = g->last, previous; i != node && i != GRAPH_NONE; i = previous) {
		previous = g->nodes[i].previous;
		for (unsigned k = 0; k < g->nodes[i].nout; k++)
			g->tensors[g->nodes[i].outputs + k].kept = false;
		graph_remove_node(g, i);
	}
}

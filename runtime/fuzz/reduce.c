#include "reduce.h"

#include "elements.h"

static bool finish(graph *g)
{
	bool outputs = false;
	graph_remove_unused(g);
	for (uint32_t i = 0; i < g->ntensors && !outputs; i++)
		outputs = g->tensors[i].live && g->tensors[i].kept;
	graph_number(g);
	return outputs && graph_check(g, NULL);
}

bool reduce_to_node(graph *to, const graph *from, uint32_t node)
{
	if (!from->nodes[node].live || !graph_copy(to, from))
		return false;
	for (uint32_t i = 0; i < to->ntensors; i++)
		to->tensors[i].kept = to->tensors[i].producer == node;
	return finish(to);
}

/* The class of an input that takes a tensor's place. */
static uint8_t class_for_users(const graph *g, uint32_t tensor)
{
	uint8_t values = RS_VALUES_SMALL;
	for (uint32_t u = g->tensors[tensor].uses; u != GRAPH_NONE; u = g->uses[u].next) {
		const graph_node *user = &g->nodes[g->uses[u].node];
		uint8_t taken = user->op->classes ? user->op->classes[u - user->inputs] : values;
		values = taken < values ? taken : values;
	}
	return values;
}

static bool has_whole_floats(const graph *g)
{
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (elements_are_whole(&g->tensors[i]))
			return true;
	return false;
}

static bool make_input(graph *g, uint32_t tensor)
{
	const graph_tensor *old = &g->tensors[tensor];
	uint8_t values = class_for_users(g, tensor);
	uint32_t input = graph_input(g, old->rank, old->shape, (rs_dtype)old->dtype);
	if (input == GRAPH_NONE)
		return false;
	g->tensors[input].values = values;
	if (has_whole_floats(g))
		elements_make_whole(&g->tensors[input], g->values ^ input);
	graph_replace_alluse(g, tensor, input);
	return true;
}

bool reduce_without_node(graph *to, const graph *from, uint32_t node)
{
	if (!from->nodes[node].live || !graph_copy(to, from))
		return false;
	for (unsigned i = 0; i < to->nodes[node].nout; i++) {
		uint32_t tensor = to->nodes[node].outputs + i;
		to->tensors[tensor].kept = false;
		if (to->tensors[tensor].nuses && !make_input(to, tensor))
			return false;
	}
	return finish(to);
}

bool reduce_to_call(graph *to, const graph *from, uint32_t node)
{
	if (!from->nodes[node].live || !graph_copy(to, from))
		return false;
	for (uint32_t i = 0; i < to->ntensors; i++)
		to->tensors[i].kept = to->tensors[i].producer == node;
	for (unsigned i = 0; i < to->nodes[node].nin; i++) {
		uint32_t tensor = graph_node_input(to, &to->nodes[node], i);
		if (to->tensors[tensor].producer != GRAPH_NONE && !make_input(to, tensor))
			return false;
	}
	return finish(to);
}

bool reduce_constant(graph *to, const graph *from, uint32_t tensor)
{
	bool any = false;
	if (!graph_copy(to, from))
		return false;
	for (uint32_t i = 0; i < to->ntensors; i++) {
		graph_tensor *t = &to->tensors[i];
		if (t->live && t->constant && (tensor == GRAPH_NONE || tensor == i)) {
			t->constant = false;
			any = true;
		}
	}
	return any && finish(to);
}

bool reduce_layout(graph *to, const graph *from, uint32_t tensor)
{
	bool any = false;
	if (!graph_copy(to, from))
		return false;
	for (uint32_t i = 0; i < to->ntensors; i++) {
		graph_tensor *t = &to->tensors[i];
		if (t->live && t->layout && (tensor == GRAPH_NONE || tensor == i)) {
			t->layout = NULL;
			any = true;
		}
	}
	return any && finish(to);
}

bool reduce_gradients(graph *to, const graph *from)
{
	if (!from->gradients || !graph_copy(to, from))
		return false;
	to->gradients = false;
	return finish(to);
}

bool reduce_module(graph *to, const graph *from)
{
	if (!from->module || !graph_copy(to, from))
		return false;
	to->module = false;
	return finish(to);
}

/* The public functions of include/model.h. */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>

#include "elements.h"
#include "graph.h"
#include "layout.h"

/* ---- the whole */

rs_graph *rs_graph_new(void)
{
	graph *g = malloc(sizeof *g);
	if (g && !graph_init(g)) {
		free(g);
		return NULL;
	}
	return g;
}

void rs_graph_free(rs_graph *g)
{
	if (g)
		graph_destroy(g);
	free(g);
}

bool rs_graph_check(const rs_graph *g, char *message, size_t room)
{
	diag d = {""};
	bool ok = graph_check(g, &d);
	if (!ok && room)
		snprintf(message, room, "%s", d.text);
	return ok;
}

uint32_t rs_graph_nodes(const rs_graph *g)
{
	return g->live_nodes;
}

uint64_t rs_graph_hash(const rs_graph *g)
{
	return graph_hash(g);
}

const char *rs_graph_framework(const rs_graph *g)
{
	return g->framework;
}

uint64_t rs_graph_seed(const rs_graph *g)
{
	return g->seed;
}

uint64_t rs_graph_index(const rs_graph *g)
{
	return g->index;
}

uint64_t rs_graph_values(const rs_graph *g)
{
	return g->values;
}

unsigned rs_graph_opset(const rs_graph *g)
{
	return g->opset;
}

bool rs_graph_gradients(const rs_graph *g)
{
	return g->gradients;
}

bool rs_graph_module(const rs_graph *g)
{
	return g->module;
}

/* ---- tensors */

rs_tensor rs_graph_tensor(const rs_graph *g, uint32_t tensor)
{
	const graph_tensor *t = &g->tensors[tensor];
	return (rs_tensor){.shape = t->shape,
	    .numel = t->numel,
	    .low = t->low,
	    .high = t->high,
	    .number = t->number,
	    .producer = t->producer,
	    .output = t->output,
	    .rank = t->rank,
	    .dtype = t->dtype,
	    .values = t->values,
	    .result = t->kept,
	    .random = t->producer != GRAPH_NONE && g->nodes[t->producer].random,
	    .constant = t->constant,
	    .strides = t->layout && t->layout->same == GRAPH_NONE ? t->layout->strides : NULL,
	    .offset = t->layout ? t->layout->offset : 0,
	    .same = t->layout ? t->layout->same : RS_NONE};
}

uint32_t rs_graph_next_input(const rs_graph *g, uint32_t after)
{
	for (uint32_t i = after == RS_NONE ? 0 : after + 1; i < g->ntensors; i++)
		if (g->tensors[i].live && g->tensors[i].producer == GRAPH_NONE)
			return i;
	return RS_NONE;
}

uint32_t rs_graph_next_result(const rs_graph *g, uint32_t after)
{
	uint32_t node = after == RS_NONE ? g->first : g->tensors[after].producer;
	unsigned output = after == RS_NONE ? 0 : g->tensors[after].output + 1u;
	for (; node != GRAPH_NONE; node = g->nodes[node].next, output = 0)
		for (; output < g->nodes[node].nout; output++)
			if (g->tensors[g->nodes[node].outputs + output].kept)
				return g->nodes[node].outputs + output;
	return RS_NONE;
}

bool rs_graph_elements(const rs_graph *g, uint32_t input, void *out)
{
	const graph_tensor *t = &g->tensors[input];
	if (!t->live || t->producer != GRAPH_NONE || !rs_dtype_size((rs_dtype)t->dtype))
		return false;
	t = t->layout && t->layout->same != GRAPH_NONE ? &g->tensors[t->layout->same] : t;
	graph_tensor stored = *t;
	int64_t shape[GRAPH_RANK_MAX];
	if (t->layout)
		stored.numel = layout_stored(t, shape);
	elements_fill(&stored, elements_seed(g, t), out);
	if (stored.numel < t->numel)
		layout_spread(t, shape, rs_dtype_size((rs_dtype)t->dtype), out);
	return true;
}

/* ---- nodes */

uint32_t rs_graph_first(const rs_graph *g)
{
	return g->first;
}

uint32_t rs_graph_next(const rs_graph *g, uint32_t node)
{
	return g->nodes[node].next;
}

const rs_op *rs_graph_op(const rs_graph *g, uint32_t node)
{
	return g->nodes[node].op;
}

const int64_t *rs_graph_symbols(const rs_graph *g, uint32_t node)
{
	return g->nodes[node].symbols;
}

uint32_t rs_graph_input(const rs_graph *g, uint32_t node, unsigned i)
{
	return graph_node_input(g, &g->nodes[node], i);
}

uint32_t rs_graph_output(const rs_graph *g, uint32_t node, unsigned i)
{
	return g->nodes[node].outputs + i;
}

bool rs_graph_random(const rs_graph *g, uint32_t node)
{
	return g->nodes[node].random;
}

/* ---- values */

rs_walk rs_graph_walk(const rs_graph *g, uint32_t node)
{
	return (rs_walk){.graph = g, .node = node};
}

/* Sets only the fields of its kind: writers call this for every value of every model. */
bool rs_walk_next(rs_walk *w, rs_item *item)
{
	const graph_node *n = &w->graph->nodes[w->node];
	if (w->value >= n->op->nvalues)
		return false;
	const rs_value *v = &n->op->values[w->value++];
	item->kind = v->kind;
	switch (v->kind) {
	case RS_TENSOR:
	case RS_RANGED:
		item->kind = RS_TENSOR;
		item->tensor = graph_node_input(w->graph, n, w->input);
		item->copy = rs_writes(n->op, w->input++) && !n->direct;
		break;
	case RS_INT:
		item->number = n->symbols[v->first];
		break;
	case RS_CONST:
		item->text = n->consts ? n->consts[w->constant] : v->text;
		w->constant++;
		break;
	default:
		item->dtype = v->dtype;
		item->count = v->kind == RS_ELEMENTS ? 1 : v->count;
	}
	return true;
}

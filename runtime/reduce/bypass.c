#include "bypass.h"

#include <string.h>

#include "reduce.h"

static bool same_kind(const graph_tensor *a, const graph_tensor *b)
{
	return a->live && b->live && a->rank == b->rank && a->dtype == b->dtype && !a->also == !b->also
	       && memcmp(a->shape, b->shape, a->rank * sizeof *a->shape) == 0;
}

/* The tensor that is the first operand, `depth` calls before. GRAPH_NONE: there is none. */
static uint32_t find_source(const graph *g, uint32_t tensor, unsigned depth)
{
	for (; depth && tensor != GRAPH_NONE; depth--) {
		uint32_t producer = g->tensors[tensor].producer;
		bool has = producer != GRAPH_NONE && g->nodes[producer].nin;
		tensor = has ? graph_node_input(g, &g->nodes[producer], 0) : GRAPH_NONE;
	}
	return tensor;
}

bool reduce_bypass(graph *to, const graph *from, uint32_t node, unsigned depth)
{
	const graph_node *n = &from->nodes[node];
	uint32_t made = n->outputs, source = n->live && n->nout == 1 ? find_source(from, made, depth) : GRAPH_NONE;
	if (source == GRAPH_NONE || (from->near_miss && node == from->last))
		return false;
	const graph_tensor *t = &from->tensors[made], *s = &from->tensors[source];
	bool results = s->producer != GRAPH_NONE || !t->kept; /* an input cannot be a result of the model */
	if (!t->nuses || !same_kind(s, t) || s->values > t->values || !results || !graph_copy(to, from))
		return false;
	graph_replace_alluse(to, made, source);
	return reduce_finish(to);
}

bool reduce_merge(graph *to, const graph *from, uint32_t input, uint32_t earlier)
{
	const graph_tensor *t = &from->tensors[input], *e = &from->tensors[earlier];
	if (earlier >= input || t->producer != GRAPH_NONE || e->producer != GRAPH_NONE || !t->nuses || !e->nuses || t->layout || e->layout
	    || !same_kind(t, e) || e->values > t->values || !t->constant || !e->constant || graph_is_ranged(from, input)
	    || graph_is_ranged(from, earlier) || !graph_copy(to, from))
		return false;
	graph_replace_alluse(to, input, earlier);
	return reduce_finish(to);
}

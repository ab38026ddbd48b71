#include "near.h"

#include <stdlib.h>
#include <string.h>

#include "index_op.h"

enum {
	TRIES = 24,
	NUMEL = 4096, /* elements of a tensor that grows */
};

/* What a symbol of the last call is. */
enum place { FIXED, ATTRIBUTE, DIMENSION };

typedef struct broken {
	graph *g;
	const graph_node *n;
	int64_t *s;    /* the call's symbols, */
	int64_t *out;  /* and room for its outputs */
} broken;

/* The input whose dimension a symbol is, and whether it may change: it is the model's own, no constant, and nobody else's. */
static enum place find_place(const broken *b, unsigned symbol, uint32_t *tensor)
{
	const rs_op *op = b->n->op;
	unsigned input = 0;
	for (unsigned i = 0; i < op->nvalues; i++) {
		const rs_value *v = &op->values[i];
		if (v->kind == RS_INT && v->first == symbol)
			return ATTRIBUTE;
		if (!rs_is_tensor(v->kind))
			continue;
		*tensor = graph_node_input(b->g, b->n, input++);
		if (symbol < v->first || symbol >= v->first + v->count)
			continue;
		const graph_tensor *t = &b->g->tensors[*tensor];
		bool own = t->producer == GRAPH_NONE && t->nuses == 1 && !t->constant && v->kind == RS_TENSOR;
		return own ? DIMENSION : FIXED;
	}
	return FIXED;
}

static int64_t move(rng *r, int64_t value)
{
	static const int64_t STEPS[] = {1, -1, 1, -1, 2, -2, 5};
	uint32_t step = rng_below(r, 9);
	return step < 7 ? value + STEPS[step] : step == 7 ? 0 : -value;
}

static bool take_dimension(broken *b, uint32_t tensor, const int64_t *shape)
{
	graph_tensor *t = &b->g->tensors[tensor];
	int64_t *copy = ARENA_ARRAY(b->g->arena, int64_t, t->rank + 1u);
	if (!copy)
		return false;
	memcpy(copy, shape, t->rank * sizeof *copy);
	t->shape = copy;
	t->numel = bounded_numel(t->rank, copy, NUMEL);
	return true;
}

/* Whether the call is now refused, and every tensor may be. */
static bool is_broken(const broken *b, enum place place, uint32_t tensor, const int64_t *shape)
{
	if (place == DIMENSION) {
		const graph_tensor *t = &b->g->tensors[tensor];
		for (unsigned i = 0; i < t->rank; i++)
			if (shape[i] < 0)
				return false;
		if (bounded_numel(t->rank, shape, NUMEL) > NUMEL)
			return false;
	}
	return !rs_eval(b->n->op, b->s, b->out);
}

/* The first symbol of an input tensor of the call. */
static unsigned first_symbol(const broken *b, unsigned symbol)
{
	const rs_op *op = b->n->op;
	for (unsigned i = 0; i < op->nvalues; i++)
		if (rs_is_tensor(op->values[i].kind) && symbol >= op->values[i].first
		    && symbol < op->values[i].first + op->values[i].count)
			return op->values[i].first;
	return symbol;
}

static bool try_once(broken *b, rng *r, bool *done)
{
	uint32_t tensor = GRAPH_NONE;
	unsigned symbol = rng_below(r, b->n->nsym);
	enum place place = find_place(b, symbol, &tensor);
	int64_t was = b->s[symbol], now = move(r, was);
	if (place == FIXED || now == was)
		return true;
	b->s[symbol] = now;
	const int64_t *shape = b->s + first_symbol(b, symbol);
	if (!is_broken(b, place, tensor, shape)) {
		b->s[symbol] = was;
		return true;
	}
	*done = true;
	return place != DIMENSION || take_dimension(b, tensor, shape);
}

bool near_miss(graph *g, rng *r)
{
	graph_node *n = g->last == GRAPH_NONE ? NULL : &g->nodes[g->last];
	bool done = false;
	if (!n || !n->op->valid || !n->nsym || n->op->flags & (RS_THIN | RS_HELD | RS_RANDOM | RS_UNFIT))
		return true;
	broken b = {.g = g, .n = n, .s = ARENA_ARRAY(g->arena, int64_t, n->nsym), .out = ARENA_ARRAY(g->arena, int64_t, n->op->nodim + 1u)};
	if (!b.s || !b.out)
		return false;
	memcpy(b.s, n->symbols, n->nsym * sizeof *b.s);
	for (int i = 0; i < TRIES && !done; i++)
		if (!try_once(&b, r, &done))
			return false;
	if (done) {
		n->symbols = b.s;
		g->near_miss = true;
	}
	return true;
}

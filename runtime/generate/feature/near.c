#include "near.h"

#include <stdlib.h>
#include <string.h>

#include "index_op.h"

enum {
	TRIES = 24,
	NUMEL = 4096,	/* elements of a tensor that grows */
	SPAN = 64,	/* how far from a number its bound is looked for */
	SYMBOLS = 256,	/* of a call that may be broken, and its output dimensions */
};

/* What a symbol of a call is. */
enum place { FIXED, ATTRIBUTE, DIMENSION };

/* An argument of a call that has a number to move. */
typedef struct target {
	uint32_t node;
	unsigned arg;
} target;

typedef struct broken {
	graph *g;
	const rs_table *t;
	uint32_t node;
	const rs_op *op;
	int64_t s[SYMBOLS]; /* the call's symbols, */
	int64_t out[SYMBOLS]; /* and room for its outputs */
} broken;

/* ---- what may move */

/* The input whose dimension a symbol is, and whether it may change: it is the model's own, no constant, and nobody else's. */
static enum place find_place(const graph *g, uint32_t node, unsigned symbol, uint32_t *tensor, unsigned *axis)
{
	const graph_node *n = &g->nodes[node];
	unsigned input = 0;
	for (unsigned i = 0; i < n->op->nvalues; i++) {
		const rs_value *v = &n->op->values[i];
		if (v->kind == RS_INT && v->first == symbol)
			return ATTRIBUTE;
		if (!rs_is_tensor(v->kind))
			continue;
		*tensor = graph_node_input(g, n, input++);
		if (symbol < v->first || symbol >= v->first + v->count)
			continue;
		const graph_tensor *t = &g->tensors[*tensor];
		bool own = t->producer == GRAPH_NONE && t->nuses == 1 && !t->constant && v->kind == RS_TENSOR;
		*axis = symbol - v->first;
		return own ? DIMENSION : FIXED;
	}
	return FIXED;
}

/* The symbols of an argument's values: from *first up to the one returned. */
static unsigned symbols_of(const rs_op *op, unsigned arg, unsigned *first)
{
	unsigned end = arg + 1 < op->nargs ? op->args[arg + 1].value : op->nvalues, last = 0;
	*first = op->nsym;
	for (unsigned i = op->args[arg].value; i < end; i++) {
		const rs_value *v = &op->values[i];
		bool tensor = rs_is_tensor(v->kind);
		if (!tensor && v->kind != RS_INT)
			continue;
		*first = v->first < *first ? v->first : *first;
		unsigned behind = v->first + (tensor ? v->count : 1u);
		last = behind > last ? behind : last;
	}
	return last;
}

static bool may_move(const graph *g, uint32_t node, unsigned arg)
{
	uint32_t tensor;
	unsigned first, axis, last = symbols_of(g->nodes[node].op, arg, &first);
	for (unsigned k = first; k < last; k++)
		if (find_place(g, node, k, &tensor, &axis) != FIXED)
			return true;
	return false;
}

static bool may_break(const graph_node *n)
{
	return n->op->valid && n->nsym && n->nsym <= SYMBOLS && n->op->nodim <= SYMBOLS
	       && !(n->op->flags & (RS_THIN | RS_HELD | RS_RANDOM | RS_UNFIT));
}

/* One of all that may move, each as likely; its node is GRAPH_NONE where nothing may. */
static target draw_target(const graph *g, rng *r)
{
	target found = {.node = GRAPH_NONE};
	uint32_t n = 0;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		for (unsigned k = 0; may_break(&g->nodes[i]) && k < g->nodes[i].op->nargs; k++)
			if (may_move(g, i, k) && rng_below(r, ++n) == 0)
				found = (target){i, k};
	return found;
}

/* ---- where to */

/* Whether each of an operator's flags, True or False, is one of another's. */
static bool has_flags_of(const rs_op *a, const rs_op *b)
{
	for (unsigned i = 0, k; i < b->nargs; i++) {
		const rs_value *w = &b->values[b->args[i].value];
		if (w->kind != RS_CONST || (strcmp(w->text, "True") != 0 && strcmp(w->text, "False") != 0))
			continue;
		for (k = 0; k < a->nargs && strcmp(a->args[k].name, b->args[i].name) != 0; k++)
			;
		const rs_value *v = k < a->nargs ? &a->values[a->args[k].value] : NULL;
		if (!v || v->kind != RS_CONST || strcmp(v->text, w->text) != 0)
			return false;
	}
	return true;
}

/* Whether numbers decide how many results an API has, as a split's: it has another call form, of the same flags, that has
 * another number of them. Those of an API stand together in a table. */
static bool is_decided_by_numbers(const rs_table *t, const rs_op *op)
{
	const rs_op *begin = t->ops, *end = begin + t->nops;
	for (int step = -1; step <= 1 && op >= begin && op < end; step += 2)
		for (const rs_op *o = op + step; o >= begin && o < end && strcmp(o->api, op->api) == 0; o += step)
			if (o->nout != op->nout && has_flags_of(o, op) && has_flags_of(op, o))
				return true;
	return false;
}

/* Whether a number that the rule refuses is a miss: where numbers decide how many results there are, another form may take
 * it, if it is positive; and of what is given as elements a negative one often says something else. */
static bool is_miss(const broken *b, unsigned arg, enum place place, int64_t value)
{
	if (b->op->values[b->op->args[arg].value].kind == RS_ELEMENTS && value < 0)
		return false;
	return (place == ATTRIBUTE && value < 1) || !is_decided_by_numbers(b->t, b->op);
}

static bool refuses(broken *b, unsigned symbol, int64_t value)
{
	int64_t was = b->s[symbol];
	b->s[symbol] = value;
	bool refused = !rs_eval(b->op, b->s, b->out);
	b->s[symbol] = was;
	return refused;
}

/* The nearest number in a direction, 1 or -1, that the rule refuses, as far as halving finds it; the number itself where none is
 * near. */
static int64_t find_bound(broken *b, unsigned symbol, int direction)
{
	int64_t was = b->s[symbol], good = 0, bad = 1;
	while (bad < SPAN && !refuses(b, symbol, was + direction * bad))
		good = bad, bad *= 2;
	if (bad >= SPAN)
		return was;
	while (bad - good > 1) {
		int64_t middle = good + (bad - good) / 2;
		*(refuses(b, symbol, was + direction * middle) ? &bad : &good) = middle;
	}
	return was + direction * bad;
}

static int64_t draw_value(broken *b, rng *r, unsigned symbol, enum place place)
{
	static const int64_t STEPS[] = {1, -1, 2, -2, 5};
	int64_t was = b->s[symbol];
	switch (rng_below(r, 6)) {
	case 0: /* dimensions less often: what takes tensors without elements is not always known */
		return place == DIMENSION ? find_bound(b, symbol, 1) : 0;
	case 1:
		return -1;
	case 2:
		return find_bound(b, symbol, 1);
	case 3:
		return find_bound(b, symbol, -1);
	case 4:
		return -was;
	default:
		return was + STEPS[rng_below(r, 5)];
	}
}

/* Whether a tensor may have another size there. */
static bool is_size(const graph_tensor *t, unsigned axis, int64_t size)
{
	int64_t numel = size;
	for (unsigned i = 0; i < t->rank; i++)
		if (i != axis && (__builtin_mul_overflow(numel, t->shape[i], &numel) || numel > NUMEL))
			return false;
	return size >= 0 && numel <= NUMEL;
}

/* ---- breaking */

static bool take_dimension(graph *g, uint32_t tensor, unsigned axis, int64_t size)
{
	graph_tensor *t = &g->tensors[tensor];
	int64_t *copy = ARENA_ARRAY(g->arena, int64_t, t->rank + 1u);
	if (!copy)
		return false;
	memcpy(copy, t->shape, t->rank * sizeof *copy);
	copy[axis] = size;
	t->shape = copy;
	t->numel = bounded_numel(t->rank, copy, NUMEL);
	return true;
}

static bool takes_of_dead(const graph *g, const graph_node *n, const bool *dead)
{
	for (unsigned i = 0; i < n->nin; i++) {
		uint32_t producer = g->tensors[graph_node_input(g, n, i)].producer;
		if (producer != GRAPH_NONE && dead[producer])
			return true;
	}
	return false;
}

/* Makes a node the last one, and its results the model's: what takes them goes. False: out of memory. */
static bool make_last(graph *g, uint32_t node)
{
	bool *dead = ARENA_ARRAY(g->arena, bool, g->nnodes);
	if (!dead)
		return false;
	dead[node] = true;
	for (uint32_t i = g->nodes[node].next; i != GRAPH_NONE; i = g->nodes[i].next)
		dead[i] = takes_of_dead(g, &g->nodes[i], dead);
	for (uint32_t i = 0; i < g->ntensors; i++) {
		graph_tensor *t = &g->tensors[i];
		if (t->producer != GRAPH_NONE && dead[t->producer])
			t->kept = t->producer == node;
	}
	graph_remove_unused(g);
	graph_move_last(g, node);
	graph_keep_unused(g);
	return true;
}

static bool break_it(broken *b, unsigned symbol, int64_t value, enum place place, uint32_t tensor, unsigned axis)
{
	graph *g = b->g;
	int64_t *copy = ARENA_ARRAY(g->arena, int64_t, b->op->nsym + 1u);
	if (!copy || !make_last(g, b->node) || (place == DIMENSION && !take_dimension(g, tensor, axis, value)))
		return false;
	memcpy(copy, b->s, b->op->nsym * sizeof *copy);
	copy[symbol] = value;
	g->nodes[b->node].symbols = copy;
	return g->near_miss = true;
}

static bool try_once(broken *b, rng *r, bool *done)
{
	uint32_t tensor = GRAPH_NONE;
	target at = draw_target(b->g, r);
	if (at.node == GRAPH_NONE)
		return *done = true;
	const graph_node *n = &b->g->nodes[at.node];
	b->node = at.node;
	b->op = n->op;
	memcpy(b->s, n->symbols, n->nsym * sizeof *b->s);
	unsigned first, axis = 0, last = symbols_of(n->op, at.arg, &first), symbol = first + rng_below(r, last - first);
	enum place place = find_place(b->g, at.node, symbol, &tensor, &axis);
	if (place == FIXED)
		return true;
	int64_t value = draw_value(b, r, symbol, place);
	if (value == b->s[symbol] || (place == DIMENSION && !is_size(&b->g->tensors[tensor], axis, value))
	    || !is_miss(b, at.arg, place, value) || !refuses(b, symbol, value))
		return true;
	*done = true;
	return break_it(b, symbol, value, place, tensor, axis);
}

bool near_miss(graph *g, const rs_table *t, rng *r)
{
	bool done = false;
	broken b = {.g = g, .t = t};
	for (int i = 0; i < TRIES && !done; i++)
		if (!try_once(&b, r, &done))
			return false;
	return true;
}

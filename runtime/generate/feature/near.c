#include "near.h"

#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "framework.h"
#include "index_op.h"

enum {
	TRIES = 24,
	NUMEL = 4096,	/* maximum elements of a tensor that grows */
	SPAN = 64,	/* distance from a number within which its bound is searched */
	SYMBOLS = 256,	/* maximum symbols of a call, and output dimensions */
};

/* The role of a symbol in a call. */
enum place { FIXED, ATTRIBUTE, DIMENSION };

/* An argument of a call with a number that can change. */
typedef struct target {
	uint32_t node;
	unsigned arg;
} target;

typedef struct broken {
	graph *g;
	const rs_table *t;
	uint32_t node;
	const rs_op *op;
	int64_t s[SYMBOLS]; /* symbols of the call */
	int64_t out[SYMBOLS]; /* room for its outputs */
} broken;

/* ---- symbols that may change */

/* The input that a symbol is a dimension of, and whether it can change: a model input that is not a constant and has no other
 * use. */
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

/* The symbols of an argument's values: from *first up to the returned one. */
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
	       && !(n->op->flags & (RS_BY_RECORD | RS_HELD | RS_RANDOM | RS_UNFIT));
}

/* A random argument that can change, uniformly; its node is GRAPH_NONE if there is none. */
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

/* ---- new numbers */

static bool is_flag(const rs_value *v)
{
	return v->kind == RS_CONST && (strcmp(v->text, "True") == 0 || strcmp(v->text, "False") == 0);
}

/* Whether each flag (True or False) of a signature is one of another signature. */
static bool has_flags_of(const rs_op *a, const rs_op *b)
{
	for (unsigned i = 0; i < b->nargs; i++) {
		const rs_value *w = &b->values[b->args[i].value], *v = graph_argument(a, b->args[i].name);
		if (is_flag(w) && (!v || v->kind != RS_CONST || strcmp(v->text, w->text) != 0))
			return false;
	}
	return true;
}

/* Whether a value is a constant whole number, such as the dimension of a squeeze. */
static bool is_whole(const rs_value *v)
{
	if (v->kind != RS_CONST)
		return false;
	const char *digits = v->text + (v->text[0] == '-');
	return *digits && strspn(digits, "0123456789") == strlen(digits);
}

/* The index of the first value from a position on that is not a constant whole number; the number of values if all are. */
static unsigned skip_whole(const rs_op *op, unsigned i)
{
	while (i < op->nvalues && is_whole(&op->values[i]))
		i++;
	return i;
}

/* Whether two signatures take the same values except constant whole numbers, at least one of them a tensor. */
static bool take_the_same(const rs_op *a, const rs_op *b)
{
	if (a->nin != 1 || b->nin != 1)
		return false;
	unsigned i = skip_whole(a, 0), k = skip_whole(b, 0);
	for (; i < a->nvalues && k < b->nvalues; i = skip_whole(a, i + 1), k = skip_whole(b, k + 1)) {
		const rs_value *v = &a->values[i], *w = &b->values[k];
		if (v->kind != w->kind || (v->kind == RS_CONST && strcmp(v->text, w->text) != 0))
			return false;
	}
	return i == a->nvalues && k == b->nvalues;
}

/* The rank of a signature's first tensor. */
static unsigned rank_taken(const rs_op *op)
{
	unsigned i = 0;
	while (i < op->nvalues && !rs_is_tensor(op->values[i].kind))
		i++;
	return i < op->nvalues ? op->values[i].count : 0;
}

/* Whether an API has another signature that a change of numbers selects: with another number of results, as for split, or
 * with output ranks that are neither constant nor at a constant distance from the input's rank, as for squeeze. The
 * signatures of an API are adjacent in a table. */
static bool is_decided_by_numbers(const rs_table *t, const rs_op *op)
{
	const rs_op *begin = t->ops, *end = begin + t->nops;
	bool ranks = false, distances = false;
	for (int step = -1; step <= 1 && op >= begin && op < end; step += 2)
		for (const rs_op *o = op + step; o >= begin && o < end && strcmp(o->api, op->api) == 0; o += step) {
			if (o->nout != op->nout && has_flags_of(o, op) && has_flags_of(op, o))
				return true;
			if (o->nout != op->nout || !o->nout || !take_the_same(o, op))
				continue;
			unsigned one = o->out_ranks[0], other = op->out_ranks[0];
			ranks = ranks || one != other;
			distances = distances || one + rank_taken(op) != other + rank_taken(o);
		}
	return ranks && distances;
}

/* Whether a symbol has one value in all records. Then a clause over it may hold only for the records. */
static bool is_always_the_same(const rs_op *op, unsigned symbol)
{
	unsigned width = rs_record_width(op);
	for (unsigned i = 1; i < op->nrecords; i++)
		if (rs_record_number(op, (size_t)i * width + symbol) != rs_record_number(op, symbol))
			return false;
	return true;
}

/* Whether a number that the rule rejects is really invalid. Another signature may accept a positive number if numbers
 * decide the number or ranks of results, or if it never varied in the records; a negative element often has another
 * meaning. */
static bool is_miss(const broken *b, unsigned symbol, unsigned arg, enum place place, int64_t value)
{
	if (b->op->values[b->op->args[arg].value].kind == RS_ELEMENTS && value < 0)
		return false;
	if (place == ATTRIBUTE && value < 1)
		return true;
	return !is_always_the_same(b->op, symbol) && !is_decided_by_numbers(b->t, b->op);
}

/* ---- the rule's answer */

/* Frameworks accept empty tensors more often than rules predict. */
static bool makes_nothing(broken *b)
{
	if (!b->op->propagate(b->s, b->out))
		return false;
	for (unsigned i = 0; i < b->op->nodim; i++)
		if (b->out[i] == 0)
			return true;
	return false;
}

/* Makes the bounds of elements as narrow as possible; returns whether there are any. A rule that rejects only by bounds
 * means that the framework rejects some elements. */
static bool narrow_bounds(broken *b)
{
	bool any = false;
	for (unsigned i = 0; i < b->op->nvalues; i++) {
		const rs_value *v = &b->op->values[i];
		if (v->kind != RS_RANGED)
			continue;
		b->s[v->first + v->count] = 0;
		b->s[v->first + v->count + 1u] = 1;
		any = true;
	}
	return any;
}

static bool refuses(broken *b, unsigned symbol, int64_t value)
{
	int64_t symbols[SYMBOLS];
	memcpy(symbols, b->s, b->op->nsym * sizeof *symbols);
	b->s[symbol] = value;
	bool refused = !rs_eval(b->op, b->s, b->out) && !makes_nothing(b);
	if (refused && narrow_bounds(b))
		refused = !rs_eval(b->op, b->s, b->out);
	memcpy(b->s, symbols, b->op->nsym * sizeof *symbols);
	return refused;
}

/* The nearest number in a direction, 1 or -1, that the rule rejects, found by bisection; the number itself if none is near. */
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
	case 0:
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

/* Whether a tensor can have another size there: it must not be empty. */
static bool is_size(const graph_tensor *t, unsigned axis, int64_t size)
{
	int64_t numel = size;
	for (unsigned i = 0; i < t->rank; i++)
		if (i != axis && (__builtin_mul_overflow(numel, t->shape[i], &numel) || numel > NUMEL))
			return false;
	return size > 0 && numel <= NUMEL;
}

/* ---- violating the constraint */

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

/* Makes a node the last one and its results the model's; removes its users. False: out of memory. */
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
	    || !is_miss(b, symbol, at.arg, place, value) || !refuses(b, symbol, value))
		return true;
	*done = true;
	return break_it(b, symbol, value, place, tensor, axis);
}

/* Makes a change that no rule covers. False: out of memory. */
static bool change_it(graph *g, graph_change change, uint32_t node)
{
	if (change.kind == CHANGE_NONE)
		return true;
	if (!make_last(g, node))
		return false;
	g->change = change;
	return g->near_miss = true;
}

static bool break_rule(graph *g, const rs_table *t, rng *r)
{
	bool done = false;
	broken b = {.g = g, .t = t};
	for (int i = 0; i < TRIES && !done; i++)
		if (!try_once(&b, r, &done))
			return false;
	return true;
}

bool near_miss(graph *g, const rs_table *t, rng *r)
{
	uint32_t node;
	if (framework_has_files(g->framework) || !rng_below(r, 2))
		return break_rule(g, t, r);
	graph_change change = change_draw(g, r, &node);
	return change_it(g, change, node);
}

bool near_miss_of_round(graph *g, const rs_table *t, uint64_t round, rng *r)
{
	uint32_t node;
	graph_change change = change_of_round(g, round, r, &node);
	if (change.kind == CHANGE_NONE && round % CHANGE_ROUNDS == CHANGE_ROUNDS - 1)
		return break_rule(g, t, r);
	return change_it(g, change, node);
}

#include "numbers.h"

#include <stdlib.h>
#include <string.h>

#include "computed.h"
#include "reduce.h"
#include "room.h"

static bool add(numbers *ns, number one)
{
	number *items = room_for_one(ns->items, ns->n, &ns->room, sizeof *items);
	if (!items)
		return false;
	ns->items = items;
	ns->items[ns->n++] = one;
	return true;
}

static bool read_input(const graph *g, uint32_t tensor, numbers *ns)
{
	const graph_tensor *t = &g->tensors[tensor];
	bool ok = true;
	for (unsigned i = 0; ok && i < t->rank; i++)
		ok = add(ns,
		    (number){.kind = NUMBER_DIMENSION, .owner = tensor, .place = (uint16_t)i, .value = t->shape[i]});
	if ((t->low || t->high) && graph_is_ranged(g, tensor))
		ok = ok && add(ns, (number){.kind = NUMBER_LOW, .owner = tensor, .value = t->low})
		     && add(ns, (number){.kind = NUMBER_HIGH, .owner = tensor, .value = t->high});
	return ok;
}

static bool read_node(const graph *g, uint32_t node, numbers *ns)
{
	const graph_node *n = &g->nodes[node];
	for (unsigned i = 0; n->op->propagate && i < n->op->nvalues; i++) {
		uint16_t symbol = n->op->values[i].first;
		if (n->op->values[i].kind == RS_INT
		    && !add(ns,
			(number){.kind = NUMBER_ATTRIBUTE, .owner = node, .place = symbol, .value = n->symbols[symbol]}))
			return false;
	}
	return true;
}

bool numbers_read(const graph *g, numbers *ns)
{
	ns->n = 0;
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (g->tensors[i].live && g->tensors[i].producer == GRAPH_NONE && !read_input(g, i, ns))
			return false;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		if (!read_node(g, i, ns))
			return false;
	return true;
}

bool numbers_copy(numbers *to, const numbers *from)
{
	to->n = 0;
	for (size_t i = 0; i < from->n; i++)
		if (!add(to, from->items[i]))
			return false;
	return true;
}

void numbers_free(numbers *ns)
{
	free(ns->items);
	*ns = (numbers){0};
}

double numbers_size(const numbers *ns)
{
	double size = 0;
	for (size_t i = 0; i < ns->n; i++) {
		double value = (double)ns->items[i].value;
		size += value < 0 ? 0.5 - value : value;
	}
	return size;
}

/* ---- apply. A copy's shapes and symbols are its own, and may be written. */

static void put(graph *g, const number *one)
{
	graph_tensor *t = &g->tensors[one->owner];
	switch (one->kind) {
	case NUMBER_DIMENSION:
		((int64_t *)t->shape)[one->place] = one->value;
		break;
	case NUMBER_LOW:
		t->low = one->value;
		break;
	case NUMBER_HIGH:
		t->high = one->value;
		break;
	default:
		((int64_t *)g->nodes[one->owner].symbols)[one->place] = one->value;
	}
}

static bool count(graph_tensor *t)
{
	t->numel = 1;
	for (unsigned i = 0; i < t->rank; i++)
		if (t->shape[i] < 0 || __builtin_mul_overflow(t->numel, t->shape[i], &t->numel))
			return false;
	return true;
}

/* The symbols that are dimensions and ranges of a node's operands. */
static void take_inputs(graph *g, const graph_node *n)
{
	int64_t *symbols = (int64_t *)n->symbols;
	unsigned input = 0;
	for (unsigned i = 0; i < n->op->nvalues; i++) {
		const rs_value *v = &n->op->values[i];
		if (!rs_is_tensor(v->kind))
			continue;
		const graph_tensor *t = &g->tensors[graph_node_input(g, n, input++)];
		memcpy(symbols + v->first, t->shape, t->rank * sizeof *symbols);
		if (v->kind == RS_RANGED) {
			symbols[v->first + v->count] = t->low;
			symbols[v->first + v->count + 1] = t->high;
		}
	}
}

static bool give_outputs(graph *g, const graph_node *n, const int64_t *out)
{
	for (unsigned i = 0; i < n->nout; out += n->op->out_ranks[i], i++) {
		graph_tensor *t = &g->tensors[n->outputs + i];
		int64_t before = t->numel;
		memcpy((int64_t *)t->shape, out, t->rank * sizeof *out);
		if (!count(t) || (before && !t->numel))
			return false;
	}
	return true;
}

/* Evaluates the rule with these symbols. */
static bool follow_rule(graph *to, const graph_node *n, const rs_op *rule, const int64_t *symbols)
{
	int64_t *out = malloc((rule->nodim + (size_t)1) * sizeof *out);
	bool ok = out && rule->propagate && rs_eval(rule, symbols, out) && give_outputs(to, n, out);
	free(out);
	return ok;
}

/* The same with elements that the model computes from shapes; *known: whether they are known. */
static bool follow_elements(graph *to, const graph_node *n, const rs_op *rule, bool *known)
{
	const shape_instance now = {.g = to};
	int64_t *symbols = malloc((rule->nsym + (size_t)1) * sizeof *symbols);
	*known = symbols && computed_symbols(to, n, rule, shapes_in(&now), symbols);
	bool ok = *known && follow_rule(to, n, rule, symbols);
	free(symbols);
	return ok;
}

/* Whether a call computes elements from shapes, with an unchanged number of elements. */
static bool computes_elements(const graph *to, const graph_node *n)
{
	shape_values v;
	const shape_instance now = {.g = to};
	return n->nout == 1 && shape_values_of(to, n->outputs, shapes_in(&now), &v) && v.count == to->tensors[n->outputs].numel;
}

static bool follow(graph *to, const graph *from, uint32_t node, const rs_table *table)
{
	const graph_node *n = &to->nodes[node];
	bool known = false, ok;
	take_inputs(to, n);
	const rs_op *rule = computed_rule(table, n->op);
	ok = rule && follow_elements(to, n, rule, &known);
	if (known)
		return ok;
	if (memcmp(n->symbols, from->nodes[node].symbols, n->nsym * sizeof *n->symbols) == 0)
		return true;
	return n->op->valid ? follow_rule(to, n, n->op, n->symbols) : computes_elements(to, n);
}

/* Whether an input has elements, and a range that is absent or not empty. */
static bool is_input(graph_tensor *t)
{
	return count(t) && ((!t->low && !t->high) || t->low < t->high);
}

bool numbers_apply(graph *to, const graph *from, const numbers *ns, uint32_t *rejecting)
{
	*rejecting = GRAPH_NONE;
	if (!graph_copy(to, from))
		return false;
	for (size_t i = 0; i < ns->n; i++)
		put(to, &ns->items[i]);
	for (uint32_t i = 0; i < to->ntensors; i++)
		if (to->tensors[i].live && to->tensors[i].producer == GRAPH_NONE && !is_input(&to->tensors[i]))
			return false;
	for (uint32_t i = to->first; i != GRAPH_NONE; i = to->nodes[i].next)
		if (!follow(to, from, i, ns->table)) {
			*rejecting = i;
			return false;
		}
	return reduce_finish(to);
}

bool number_is_of(const graph *g, const number *one, uint32_t node)
{
	const graph_node *n = &g->nodes[node];
	if (one->kind == NUMBER_ATTRIBUTE)
		return one->owner == node;
	for (unsigned i = 0; i < n->nin; i++)
		if (graph_node_input(g, n, i) == one->owner)
			return true;
	return false;
}

int numbers_symbol(const graph *g, const graph_node *n, const number *one)
{
	unsigned input = 0;
	for (unsigned i = 0; i < n->op->nvalues; i++) {
		const rs_value *v = &n->op->values[i];
		if (!rs_is_tensor(v->kind) || graph_node_input(g, n, input++) != one->owner)
			continue;
		if (one->kind == NUMBER_DIMENSION)
			return v->first;
		if (v->kind == RS_RANGED)
			return v->first + v->count + (one->kind == NUMBER_HIGH);
	}
	return -1;
}

/* Shape arithmetic: integers that decide the shape of a call's results are computed from the shapes of tensors of the model,
 * instead of being written into it:
 *
 *   Reshape(x, [4, -1])  ─►  Reshape(x, Concat(Slice(Shape(x), 0, 1), [-1]))
 *
 * The rules tell which arguments decide shapes. The elements are those of before, or others with which the rule predicts the
 * same shapes: the dimension in place of -1. The inserted calls are ordinary ones. */
#include "features.h"

#include <string.h>

#include "computed.h"
#include "shape_terms.h"

enum {
	WIDTH = INDEX_WIDTH_MAX,
	ARGUMENTS = 8, /* arguments of a call that may be computed */
	ALTERNATIVES = 8,
	LEFT_ONE_IN = 5, /* of the arguments that could be computed */
	SAME_ONE_IN = 2, /* of the elements that others can replace */
};

/* ---- arguments that decide shapes */

static bool predicts(const rs_op *op, const int64_t *symbols, const int64_t *out)
{
	int64_t now[WIDTH];
	return op->propagate(symbols, now) && memcmp(now, out, op->nodim * sizeof *now) == 0;
}

/* Whether the shapes of a call's results depend on one of its symbols. */
static bool decides(const rs_op *op, int64_t *symbols, unsigned at, const int64_t *out)
{
	static const int64_t STEPS[] = {1, -1, 2, 5, 64};
	int64_t before = symbols[at];
	bool same = true;
	for (unsigned i = 0; i < sizeof STEPS / sizeof *STEPS && same; i++) {
		if (!__builtin_add_overflow(before, STEPS[i], &symbols[at]))
			same = predicts(op, symbols, out);
	}
	symbols[at] = before;
	return !same;
}

/* Whether an argument is integers, and one of them decides a shape. */
static bool is_shape(const rs_op *op, int64_t *symbols, unsigned arg, const int64_t *out)
{
	unsigned first, count = op->args[arg].by_position ? computed_integers(op, arg, &first) : 0;
	uint8_t dtype = op->values[op->args[arg].value].dtype;
	if (!count || count > SHAPE_OPERANDS || (dtype != RS_INT64 && dtype != RS_INT32))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (decides(op, symbols, first + i, out))
			return true;
	return false;
}

static bool suits(const rs_op *op)
{
	return op->valid && op->nsym <= WIDTH && op->nodim <= WIDTH && op->nin < INDEX_TENSORS_MAX && op->nout <= INDEX_TENSORS_MAX
	       && !op->writes && !graph_has_ranges(op);
}

/* ---- elements */

/* Replaces some elements by dimensions with which the rule predicts the same shapes. */
static void exchange(const shape_terms *t, const rs_op *op, int64_t *symbols, unsigned first, unsigned count, const int64_t *out)
{
	int64_t now[WIDTH];
	for (unsigned i = first; i < first + count && !(op->flags & RS_BY_RECORD); i++) {
		int64_t before = symbols[i];
		bool exchanged = rng_below(t->r, SAME_ONE_IN) > 0;
		for (unsigned k = 0; exchanged && k < ALTERNATIVES && k < t->ndims; k++) {
			symbols[i] = t->dims[rng_below(t->r, t->ndims)].size;
			if (symbols[i] != before && rs_eval(op, symbols, now) && memcmp(now, out, op->nodim * sizeof *now) == 0)
				break;
			symbols[i] = before;
		}
	}
}

static bool any_computable(const int64_t *n, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (shape_term_exists(n[i]))
			return true;
	return false;
}

/* ---- one call */

/* A call that gets a signature with tensors for some arguments. */
typedef struct change {
	const rs_op *op;
	int64_t symbols[WIDTH];
	uint32_t inputs[INDEX_TENSORS_MAX + 1];
} change;

/* Replaces an argument by a tensor. False: out of memory. */
static bool take_tensor(gen *g, change *c, unsigned arg, uint32_t tensor)
{
	int64_t symbols[WIDTH];
	const shape_form *f = shape_form_of(g, c->op, arg);
	if (!f)
		return false;
	const rs_op *old = c->op, *new = f->op;
	unsigned slot = 0, at = new->args[arg].value;
	for (unsigned i = 0; i < at; i++)
		slot += rs_is_tensor(new->values[i].kind);
	memmove(c->inputs + slot + 1, c->inputs + slot, (old->nin - slot) * sizeof *c->inputs);
	c->inputs[slot] = tensor;
	if (new->values[at].count)
		symbols[new->values[at].first] = g->graph->tensors[tensor].shape[0];
	for (unsigned i = 0; i < old->nsym; i++)
		if (f->map[i] != UINT16_MAX)
			symbols[f->map[i]] = c->symbols[i];
	memcpy(c->symbols, symbols, new->nsym * sizeof *symbols);
	c->op = new;
	return true;
}

static void begin(const graph *m, uint32_t node, change *c)
{
	const graph_node *n = &m->nodes[node];
	c->op = n->op;
	memcpy(c->symbols, n->symbols, n->nsym * sizeof *c->symbols);
	for (unsigned i = 0; i < n->nin; i++)
		c->inputs[i] = graph_node_input(m, n, i);
}

/* The elements of an argument as a tensor; GRAPH_NONE: they stay written, or memory ran out. */
static uint32_t compute(shape_terms *t, const rs_op *op, int64_t *symbols, unsigned arg, const int64_t *out)
{
	unsigned first, count = computed_integers(op, arg, &first), rank = op->values[op->args[arg].value + 1].kind == RS_LIST;
	uint8_t dtype = op->values[op->args[arg].value].dtype;
	exchange(t, op, symbols, first, count, out);
	if (!any_computable(symbols + first, count) || (dtype != RS_INT64 && !shape_has(t->g, SHAPE_CAST)))
		return GRAPH_NONE;
	uint32_t tensor = shape_terms_make(t, symbols + first, count, rank);
	return dtype == RS_INT64 || t->failed ? tensor : shape_terms_cast(t, tensor, dtype);
}

/* The arguments that decide shapes, a random selection. */
static unsigned draw_arguments(const graph_node *n, rng *r, unsigned *args)
{
	int64_t symbols[WIDTH], out[WIDTH];
	unsigned count = 0;
	if (!suits(n->op))
		return 0;
	memcpy(symbols, n->symbols, n->nsym * sizeof *symbols);
	if (!rs_eval(n->op, symbols, out))
		return 0;
	for (unsigned i = 0; i < n->op->nargs && count < ARGUMENTS; i++)
		if (is_shape(n->op, symbols, i, out) && rng_below(r, LEFT_ONE_IN))
			args[count++] = i;
	return count;
}

static bool change_call(gen *g, uint32_t node, rng *r)
{
	graph *m = g->graph;
	unsigned args[ARGUMENTS], count = draw_arguments(&m->nodes[node], r, args);
	int64_t symbols[WIDTH], out[WIDTH];
	shape_terms t;
	change c;
	if (!count || !shape_terms_begin(&t, g, r, node))
		return true;
	const rs_op *op = m->nodes[node].op;
	begin(m, node, &c);
	memcpy(symbols, c.symbols, op->nsym * sizeof *symbols);
	rs_eval(op, symbols, out);
	for (unsigned i = 0; i < count; i++) {
		uint32_t tensor = compute(&t, op, symbols, args[i], out);
		if (t.failed || (tensor != GRAPH_NONE && !take_tensor(g, &c, args[i], tensor)))
			return false;
	}
	const graph_call call = {.op = c.op, .symbols = c.symbols, .inputs = c.inputs, .consts = m->nodes[node].consts};
	return c.op == op || graph_replace_node(m, node, call) != GRAPH_NONE;
}

bool gen_compute_shapes(gen *g, rng *r)
{
	graph *m = g->graph;
	if (rng_below(r, 1000) >= g->features.shape_arithmetic)
		return true;
	if (!shape_operators_of(g))
		return false;
	for (uint32_t i = m->first, next; i != GRAPH_NONE; i = next) {
		next = m->nodes[i].next;
		if (!change_call(g, i, r))
			return false;
	}
	graph_remove_unused(m);
	return true;
}

#include "written.h"

#include <string.h>

#include "computed.h"
#include "reduce.h"

enum { WIDTH = 256, TENSORS = 64 /* symbols and inputs of a changed call */ };

/* A call whose operand is being replaced by integers. */
typedef struct writing {
	const graph *g;
	const graph_node *old;
	const shape_values *v; /* the integers */
	unsigned operand, input;
	rs_op *op;
	rs_value *values;
	int64_t symbols[WIDTH];
	uint32_t inputs[TENSORS];
} writing;

static bool is_integer(uint8_t dtype)
{
	return dtype == RS_INT32 || dtype == RS_INT64;
}

/* The elements of an operand; *same: whether all shape instances have them. */
static bool find_elements(const graph *g, uint32_t tensor, shape_values *v, bool *same)
{
	shape_values other;
	shape_instance instance = {.g = g};
	if (!shape_values_of(g, tensor, shapes_in(&instance), v) || !is_integer(v->dtype))
		return false;
	*same = true;
	for (instance.assignment = 1; instance.assignment < g->assignments; instance.assignment++)
		*same &= shape_values_of(g, tensor, shapes_in(&instance), &other) && shape_values_equal(v, &other);
	return true;
}

static void add_number(writing *w, int64_t n)
{
	w->values[w->op->nvalues++] = (rs_value){.kind = RS_INT, .first = w->op->nsym};
	w->symbols[w->op->nsym++] = n;
}

static void write_elements(writing *w)
{
	w->values[w->op->nvalues++] = (rs_value){.kind = RS_ELEMENTS, .dtype = w->v->dtype, .count = 1};
	if (w->v->rank)
		w->values[w->op->nvalues++] = (rs_value){.kind = RS_LIST, .count = (uint16_t)w->v->count};
	for (unsigned i = 0; i < w->v->count; i++)
		add_number(w, w->v->n[i]);
}

/* An unchanged value, with its symbols. */
static void copy_value(writing *w, const rs_value *v)
{
	unsigned n = v->kind == RS_INT ? 1 : v->kind == RS_TENSOR ? v->count : 0;
	rs_value *new = &w->values[w->op->nvalues++];
	*new = *v;
	new->first = n ? w->op->nsym : v->first;
	memcpy(w->symbols + w->op->nsym, w->old->symbols + v->first, n * sizeof *w->symbols);
	w->op->nsym = (uint16_t)(w->op->nsym + n);
	if (v->kind == RS_TENSOR)
		w->inputs[w->op->nin++] = graph_node_input(w->g, w->old, w->input - 1);
}

/* Fills the new signature. */
static void fill(writing *w, rs_arg *args)
{
	const rs_op *old = w->old->op;
	for (unsigned i = 0, arg = 0; i < old->nvalues; i++) {
		if (arg < old->nargs && old->args[arg].value == i) {
			args[arg] = old->args[arg];
			args[arg++].value = w->op->nvalues;
		}
		bool tensor = old->values[i].kind == RS_TENSOR;
		if (tensor && w->input++ == w->operand)
			write_elements(w);
		else
			copy_value(w, &old->values[i]);
	}
}

static bool make_op(writing *w, arena *ops)
{
	const rs_op *old = w->old->op;
	w->op = ARENA_NEW(ops, rs_op);
	w->values = ARENA_ARRAY(ops, rs_value, old->nvalues + SHAPE_VALUES_MAX + 2u);
	rs_arg *args = ARENA_ARRAY(ops, rs_arg, old->nargs + 1);
	if (!w->op || !w->values || !args)
		return false;
	*w->op = *old;
	w->op->args = args;
	w->op->values = w->values;
	w->op->nvalues = w->op->nsym = w->op->nin = 0;
	w->op->dtypes = NULL;
	w->op->ndtypes = 0;
	fill(w, args);
	return true;
}

/* The signature of the table if all arguments are written again; else the new one. */
static const rs_op *choose_op(const writing *w, const rs_op *rule)
{
	bool whole = rule && rule->nvalues == w->op->nvalues && rule->nsym == w->op->nsym && rule->nin == w->op->nin;
	return whole ? rule : w->op;
}

static bool fits(const graph_node *n)
{
	return !n->op->valid && n->nsym + SHAPE_VALUES_MAX <= WIDTH && n->nin <= TENSORS && !graph_has_ranges(n->op);
}

bool reduce_written(graph *to, const graph *from, uint32_t node, unsigned operand, const rs_table *table, arena *ops)
{
	const graph_node *old = &from->nodes[node];
	shape_values v;
	bool same;
	if (!old->live || (from->near_miss && node == from->last) || operand >= old->nin || !fits(old)
	    || !find_elements(from, graph_node_input(from, old, operand), &v, &same))
		return false;
	writing w = {.g = from, .old = old, .v = &v, .operand = operand};
	const rs_op *rule = computed_rule(table, old->op);
	if (!make_op(&w, ops))
		return false;
	const rs_op *op = choose_op(&w, rule);
	const graph_call call = {.op = op, .symbols = w.symbols, .inputs = w.inputs, .consts = old->consts};
	if ((op != rule && !same) || !graph_copy(to, from) || graph_replace_node(to, node, call) == GRAPH_NONE)
		return false;
	return reduce_finish(to);
}

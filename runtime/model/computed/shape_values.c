#include "shape_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "framework.h"
#include "op_versions.h"

enum { CALLS_MAX = 256 /* calls looked at for one tensor */ };

/* An evaluation: whose shapes, and how many more calls. */
typedef struct evaluation {
	const graph *g;
	shape_source shapes;
	unsigned left;
} evaluation;

typedef shape_values values;

static bool evaluate(evaluation *e, uint32_t tensor, values *v);

static const int64_t *instance_shape(const void *context, uint32_t tensor)
{
	const shape_instance *i = context;
	return graph_shape_in(&i->g->tensors[tensor], i->assignment);
}

shape_source shapes_in(const shape_instance *i)
{
	return (shape_source){instance_shape, i};
}

static bool is_float(uint8_t dtype)
{
	return dtype >= RS_FLOAT16 && dtype <= RS_FLOAT64;
}

bool shape_values_equal(const shape_values *a, const shape_values *b)
{
	if (a->dtype != b->dtype || a->rank != b->rank || a->count != b->count)
		return false;
	for (unsigned i = 0; i < a->count; i++)
		if (is_float(a->dtype) ? a->x[i] != b->x[i] : a->n[i] != b->n[i])
			return false;
	return true;
}

/* ---- arguments */

static bool read_text(const char *text, values *v)
{
	char *end;
	v->n[v->count] = strtoll(text, &end, 10);
	bool whole = end != text && !*end;
	v->x[v->count] = strtod(text, &end);
	v->count++;
	return whole || (end != text && !*end);
}

/* Appends the numbers of the next value of a walk, which is not a tensor. */
static bool read_numbers(rs_walk *w, values *v)
{
	rs_item item;
	if (v->count == SHAPE_VALUES_MAX || !rs_walk_next(w, &item))
		return false;
	switch (item.kind) {
	case RS_INT:
		v->n[v->count] = item.number;
		v->x[v->count++] = (double)item.number;
		return true;
	case RS_CONST:
		return read_text(item.text, v);
	case RS_LIST:
		v->rank++;
		for (unsigned i = 0; i < item.count; i++)
			if (!read_numbers(w, v))
				return false;
		return v->rank == 1;
	default:
		return false;
	}
}

/* The value that a walk is at: a tensor, written elements or the numbers of an attribute. */
static bool read_value(evaluation *e, rs_walk *w, values *v)
{
	rs_walk next = *w;
	rs_item item;
	*v = (values){.dtype = RS_INT64};
	if (!rs_walk_next(&next, &item))
		return false;
	if (item.kind == RS_TENSOR) {
		*w = next;
		return evaluate(e, item.tensor, v);
	}
	if (item.kind == RS_ELEMENTS) {
		v->dtype = item.dtype;
		*w = next;
	}
	return read_numbers(w, v);
}

static void skip_value(rs_walk *w)
{
	const rs_op *op = w->graph->nodes[w->node].op;
	rs_item item;
	for (unsigned n = graph_value_size(&op->values[w->value]); n--;)
		rs_walk_next(w, &item);
}

static bool find_argument(const evaluation *e, uint32_t node, const char *name, rs_walk *w)
{
	const rs_op *op = e->g->nodes[node].op;
	*w = rs_graph_walk(e->g, node);
	for (unsigned i = 0; i < op->nargs; i++, skip_value(w))
		if (strcmp(op->args[i].name, name) == 0)
			return true;
	return false;
}

static bool has_argument(const evaluation *e, uint32_t node, const char *name)
{
	rs_walk w;
	return find_argument(e, node, name, &w);
}

static bool argument(evaluation *e, uint32_t node, const char *name, values *v)
{
	rs_walk w;
	return find_argument(e, node, name, &w) && read_value(e, &w, v);
}

/* An argument of one number; `missing` if there is no such argument. */
static bool number(evaluation *e, uint32_t node, const char *name, int64_t missing, int64_t *n)
{
	values v = {.count = 1, .n = {missing}};
	bool ok = !has_argument(e, node, name) || argument(e, node, name, &v);
	*n = v.n[0];
	return ok && v.count == 1;
}

/* The walk at the i-th operand: an argument by position, or an item of the first one if that is a list. */
static bool find_operand(const evaluation *e, uint32_t node, unsigned i, rs_walk *w)
{
	const rs_op *op = e->g->nodes[node].op;
	bool list = op->nargs && op->values[op->args[0].value].kind == RS_LIST;
	unsigned count = list ? op->values[op->args[0].value].count : op->nargs;
	rs_item item;
	*w = rs_graph_walk(e->g, node);
	if (i >= count || !op->args[0].by_position || (!list && !op->args[i].by_position))
		return false;
	if (list)
		rs_walk_next(w, &item);
	while (i--)
		skip_value(w);
	return true;
}

static bool operand(evaluation *e, uint32_t node, unsigned i, values *v)
{
	rs_walk w;
	return find_operand(e, node, i, &w) && read_value(e, &w, v);
}

/* ---- shapes */

static int64_t from_end(int64_t n, int64_t count)
{
	return n < 0 ? n + count : n;
}

static int64_t clamp(int64_t n, int64_t low, int64_t high)
{
	return n < low ? low : n > high ? high : n;
}

/* The shape of the first operand, a tensor or written elements; *rank: its dimensions. NULL: it is neither. */
static const int64_t *shape_of_operand(evaluation *e, uint32_t node, int64_t *rank, int64_t *written)
{
	const graph_node *n = &e->g->nodes[node];
	values v;
	if (n->nin) {
		uint32_t tensor = graph_node_input(e->g, n, 0);
		*rank = e->g->tensors[tensor].rank;
		return e->shapes.of(e->shapes.context, tensor);
	}
	if (!operand(e, node, 0, &v))
		return NULL;
	*rank = v.rank;
	*written = v.count;
	return written;
}

static bool of_shape(evaluation *e, uint32_t node, values *v)
{
	int64_t rank, written, start, end;
	const int64_t *shape = shape_of_operand(e, node, &rank, &written);
	if (!shape || !number(e, node, "start", 0, &start) || !number(e, node, "end", rank, &end))
		return false;
	start = clamp(from_end(start, rank), 0, rank);
	end = clamp(from_end(end, rank), start, rank);
	if (end - start > SHAPE_VALUES_MAX)
		return false;
	*v = (values){.rank = 1, .count = (unsigned)(end - start)};
	memcpy(v->n, shape + start, v->count * sizeof *v->n);
	return true;
}

static bool of_size(evaluation *e, uint32_t node, values *v)
{
	int64_t rank, written;
	const int64_t *shape = shape_of_operand(e, node, &rank, &written);
	*v = (values){.count = 1, .n = {1}};
	for (int64_t i = 0; shape && i < rank; i++)
		if (__builtin_mul_overflow(v->n[0], shape[i], &v->n[0]))
			return false;
	return shape;
}

static bool filled(evaluation *e, uint32_t node, values *v)
{
	values shape;
	rs_walk w;
	rs_item item;
	if (!operand(e, node, 0, &shape) || shape.count > 1 || !find_argument(e, node, "value", &w))
		return false;
	int64_t count = shape.count ? shape.n[0] : 1;
	const char *at = rs_walk_next(&w, &item) && item.kind == RS_CONST ? strrchr(item.text, '[') : NULL;
	if (!at || count < 0 || count > SHAPE_VALUES_MAX)
		return false;
	*v = (values){.rank = shape.count != 0, .count = (unsigned)count};
	for (unsigned i = 0; i < v->count; i++)
		v->x[i] = (double)(v->n[i] = strtoll(at + 1, NULL, 10));
	return true;
}

/* ---- moving elements */

static void copy_element(values *to, unsigned i, const values *from, unsigned k)
{
	to->n[i] = from->n[k];
	to->x[i] = from->x[k];
}

static bool gathered(evaluation *e, uint32_t node, values *v)
{
	values data, at;
	if (!operand(e, node, 0, &data) || !operand(e, node, 1, &at) || data.rank != 1)
		return false;
	*v = (values){.rank = at.rank, .count = at.count};
	for (unsigned i = 0; i < at.count; i++) {
		int64_t k = from_end(at.n[i], data.count);
		if (k < 0 || k >= data.count)
			return false;
		copy_element(v, i, &data, (unsigned)k);
	}
	return true;
}

/* A slice of the only axis, forward. */
static bool sliced(evaluation *e, uint32_t node, values *v)
{
	values data;
	int64_t start, end, axis, step;
	if (!operand(e, node, 0, &data) || data.rank != 1 || !number(e, node, "starts", 0, &start) || !number(e, node, "ends", 0, &end)
	    || !number(e, node, "axes", 0, &axis) || !number(e, node, "steps", 1, &step) || step < 1 || (axis != 0 && axis != -1))
		return false;
	start = clamp(from_end(start, data.count), 0, data.count);
	end = clamp(from_end(end, data.count), 0, data.count);
	*v = (values){.rank = 1};
	for (int64_t i = start; i < end; i += step)
		copy_element(v, v->count++, &data, (unsigned)i);
	return true;
}

static bool with_rank(evaluation *e, uint32_t node, values *v, uint8_t from, uint8_t to)
{
	bool ok = operand(e, node, 0, v) && v->rank == from && v->count == 1;
	v->rank = to;
	return ok;
}

static bool unsqueezed(evaluation *e, uint32_t node, values *v)
{
	return with_rank(e, node, v, 0, 1);
}

static bool squeezed(evaluation *e, uint32_t node, values *v)
{
	return with_rank(e, node, v, 1, 0);
}

static bool reshaped(evaluation *e, uint32_t node, values *v)
{
	values shape;
	if (!operand(e, node, 0, v) || !operand(e, node, 1, &shape) || shape.rank != 1 || shape.count > 1)
		return false;
	v->rank = (uint8_t)shape.count;
	return v->count == 1 && (!shape.count || shape.n[0] == 1 || shape.n[0] == -1);
}

static bool joined(evaluation *e, uint32_t node, values *v)
{
	values one;
	*v = (values){.rank = 1};
	rs_walk w;
	for (unsigned i = 0; find_operand(e, node, i, &w); i++) {
		if (!operand(e, node, i, &one) || one.rank != 1 || v->count + one.count > SHAPE_VALUES_MAX)
			return false;
		for (unsigned k = 0; k < one.count; k++)
			copy_element(v, v->count++, &one, k);
	}
	return v->count;
}

static bool chosen(evaluation *e, uint32_t node, values *v)
{
	values is, yes, no;
	if (!operand(e, node, 0, &is) || !operand(e, node, 1, &yes) || !operand(e, node, 2, &no))
		return false;
	if (is.rank != yes.rank || is.rank != no.rank || is.count != yes.count || is.count != no.count)
		return false;
	*v = (values){.rank = is.rank, .count = is.count};
	for (unsigned i = 0; i < is.count; i++)
		copy_element(v, i, is.n[i] ? &yes : &no, i);
	return true;
}

/* ---- arithmetic */

static bool same(evaluation *e, uint32_t node, values *v)
{
	return operand(e, node, 0, v);
}

/* Of the same kind of numbers as the result, in which the caller checks that they fit. */
static bool converted(evaluation *e, uint32_t node, values *v)
{
	if (!operand(e, node, 0, v))
		return false;
	for (unsigned i = 0; i < v->count; i++)
		if (is_float(v->dtype)) {
			if (!(fabs(v->x[i]) < 1e15))
				return false;
			v->n[i] = (int64_t)v->x[i];
		} else {
			v->x[i] = (double)v->n[i];
		}
	return true;
}

static bool rounded(evaluation *e, uint32_t node, values *v, double (*by)(double))
{
	bool ok = operand(e, node, 0, v) && is_float(v->dtype);
	for (unsigned i = 0; i < v->count; i++)
		v->x[i] = by(v->x[i]);
	return ok;
}

static bool rounded_down(evaluation *e, uint32_t node, values *v)
{
	return rounded(e, node, v, floor);
}

static bool rounded_up(evaluation *e, uint32_t node, values *v)
{
	return rounded(e, node, v, ceil);
}

static bool product(evaluation *e, uint32_t node, values *v)
{
	values data;
	int64_t keep, whole = 1;
	if (has_argument(e, node, "axes") || !operand(e, node, 0, &data) || is_float(data.dtype) || !number(e, node, "keepdims", 1, &keep))
		return false;
	for (unsigned i = 0; i < data.count; i++)
		if (__builtin_mul_overflow(whole, data.n[i], &whole))
			return false;
	*v = (values){.rank = keep ? data.rank : 0, .count = 1, .n = {whole}};
	return true;
}

/* One element of an operator of two operands. False: it has none. */
typedef bool binary(const values *a, unsigned i, const values *b, unsigned k, values *v, unsigned to);

/* Of two scalars or vectors; one may have one element only. */
static bool of_two(evaluation *e, uint32_t node, values *v, binary *f)
{
	values a, b;
	if (!operand(e, node, 0, &a) || !operand(e, node, 1, &b) || is_float(a.dtype) != is_float(b.dtype))
		return false;
	if (a.count != b.count && a.count != 1 && b.count != 1)
		return false;
	*v = (values){.rank = a.rank > b.rank ? a.rank : b.rank, .count = a.count > b.count ? a.count : b.count};
	if (!a.count || !b.count)
		return false;
	for (unsigned i = 0; i < v->count; i++)
		if (!f(&a, a.count > 1 ? i : 0, &b, b.count > 1 ? i : 0, v, i))
			return false;
	return true;
}

static bool add(const values *a, unsigned i, const values *b, unsigned k, values *v, unsigned to)
{
	v->x[to] = a->x[i] + b->x[k];
	return !__builtin_add_overflow(a->n[i], b->n[k], &v->n[to]);
}

static bool subtract(const values *a, unsigned i, const values *b, unsigned k, values *v, unsigned to)
{
	v->x[to] = a->x[i] - b->x[k];
	return !__builtin_sub_overflow(a->n[i], b->n[k], &v->n[to]);
}

static bool multiply(const values *a, unsigned i, const values *b, unsigned k, values *v, unsigned to)
{
	v->x[to] = a->x[i] * b->x[k];
	return !__builtin_mul_overflow(a->n[i], b->n[k], &v->n[to]);
}

static bool divide(const values *a, unsigned i, const values *b, unsigned k, values *v, unsigned to)
{
	bool real = is_float(a->dtype), ok = real ? b->x[k] != 0 : a->n[i] >= 0 && b->n[k] > 0;
	v->x[to] = ok && real ? a->x[i] / b->x[k] : 0;
	v->n[to] = ok && !real ? a->n[i] / b->n[k] : 0;
	return ok;
}

static bool modulo(const values *a, unsigned i, const values *b, unsigned k, values *v, unsigned to)
{
	bool ok = !is_float(a->dtype) && a->n[i] >= 0 && b->n[k] > 0;
	v->n[to] = ok ? a->n[i] % b->n[k] : 0;
	return ok;
}

static bool minimum(const values *a, unsigned i, const values *b, unsigned k, values *v, unsigned to)
{
	bool first = is_float(a->dtype) ? a->x[i] <= b->x[k] : a->n[i] <= b->n[k];
	copy_element(v, to, first ? a : b, first ? i : k);
	return true;
}

static bool maximum(const values *a, unsigned i, const values *b, unsigned k, values *v, unsigned to)
{
	bool first = is_float(a->dtype) ? a->x[i] >= b->x[k] : a->n[i] >= b->n[k];
	copy_element(v, to, first ? a : b, first ? i : k);
	return true;
}

static bool equal(const values *a, unsigned i, const values *b, unsigned k, values *v, unsigned to)
{
	v->n[to] = is_float(a->dtype) ? a->x[i] == b->x[k] : a->n[i] == b->n[k];
	return true;
}

/* ---- the operators */

static const struct {
	const char *name;
	bool (*one)(evaluation *e, uint32_t node, values *v); /* NULL: */
	binary *two;
} OPERATORS[] = {{"Shape", of_shape, NULL}, {"Size", of_size, NULL}, {"ConstantOfShape", filled, NULL}, {"Gather", gathered, NULL},
    {"Slice", sliced, NULL}, {"Unsqueeze", unsqueezed, NULL}, {"Squeeze", squeezed, NULL}, {"Reshape", reshaped, NULL},
    {"Concat", joined, NULL}, {"Where", chosen, NULL}, {"Identity", same, NULL}, {"Cast", converted, NULL},
    {"Floor", rounded_down, NULL}, {"Ceil", rounded_up, NULL}, {"ReduceProd", product, NULL}, {"Add", NULL, add},
    {"Sub", NULL, subtract}, {"Mul", NULL, multiply}, {"Div", NULL, divide}, {"Mod", NULL, modulo}, {"Min", NULL, minimum},
    {"Max", NULL, maximum}, {"Equal", NULL, equal}};

/* Whether an integer is one of a dtype that shapes are computed in. */
static bool holds(uint8_t dtype, int64_t n)
{
	switch (dtype) {
	case RS_BOOL:
		return n == 0 || n == 1;
	case RS_INT32:
		return n >= INT32_MIN && n <= INT32_MAX;
	default:
		return dtype == RS_INT64;
	}
}

/* Whether a float is exact in a dtype. */
static bool is_exact(uint8_t dtype, double x)
{
	return dtype == RS_FLOAT64 || (dtype == RS_FLOAT32 && (double)(float)x == x);
}

/* Whether the elements are of the tensor that they were computed for. */
static bool fit(const graph_tensor *t, const values *v)
{
	bool fit = t->rank == v->rank;
	for (unsigned i = 0; i < v->count && fit; i++)
		fit = is_float(t->dtype) ? is_exact(t->dtype, v->x[i]) : holds(t->dtype, v->n[i]);
	return fit;
}

static bool apply(evaluation *e, uint32_t node, values *v)
{
	const char *name = framework_inside(e->g->framework, e->g->nodes[node].op->api);
	size_t n = name ? op_name_length(name) : 0;
	for (size_t i = 0; n && i < sizeof OPERATORS / sizeof *OPERATORS; i++)
		if (strncmp(OPERATORS[i].name, name, n) == 0 && !OPERATORS[i].name[n])
			return OPERATORS[i].one ? OPERATORS[i].one(e, node, v) : of_two(e, node, v, OPERATORS[i].two);
	return false;
}

static bool evaluate(evaluation *e, uint32_t tensor, values *v)
{
	const graph_tensor *t = &e->g->tensors[tensor];
	if (t->producer == GRAPH_NONE || t->rank > 1 || t->output || !e->left)
		return false;
	e->left--;
	if (!apply(e, t->producer, v) || !fit(t, v))
		return false;
	v->dtype = t->dtype;
	return true;
}

bool shape_values_of(const graph *g, uint32_t tensor, shape_source s, shape_values *v)
{
	evaluation e = {.g = g, .shapes = s, .left = CALLS_MAX};
	return evaluate(&e, tensor, v);
}

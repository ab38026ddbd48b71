#include "shape_calls.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "computed.h"
#include "framework.h"
#include "onnx_types.h"
#include "op_versions.h"

enum {
	VALUES = 80,   /* of a call */
	ARGUMENTS = 6, /* of an operator */
	GROWTH = 64,
	BUCKETS = 512,
};

static const char ONES[] = "('int64', [1], [1])"; /* the value of ConstantOfShape */
static const char MADE[] = "made for a shape";

static const struct {
	const char *name;
	uint8_t dtype;	/* of the operands; RS_DTYPE_COUNT: any. Records have no integers divided by others, which may be 0 */
	uint8_t slot;	/* an operand of that dtype */
	bool list;	/* its operands are one argument */
	const char *operands[3];
} OPERATORS[SHAPE_OPS] = {
    [SHAPE_SHAPE] = {"Shape", RS_DTYPE_COUNT, 0, false, {"data"}},
    [SHAPE_SIZE] = {"Size", RS_DTYPE_COUNT, 0, false, {"data"}},
    [SHAPE_GATHER] = {"Gather", RS_INT64, 0, false, {"data", "indices"}},
    [SHAPE_SLICE] = {"Slice", RS_INT64, 0, false, {"data"}},
    [SHAPE_UNSQUEEZE] = {"Unsqueeze", RS_INT64, 0, false, {"data"}},
    [SHAPE_SQUEEZE] = {"Squeeze", RS_INT64, 0, false, {"data"}},
    [SHAPE_RESHAPE] = {"Reshape", RS_INT64, 0, false, {"data", "shape"}},
    [SHAPE_CONCAT] = {"Concat", RS_INT64, 0, true, {"inputs"}},
    [SHAPE_ADD] = {"Add", RS_INT64, 0, false, {"A", "B"}},
    [SHAPE_SUB] = {"Sub", RS_INT64, 0, false, {"A", "B"}},
    [SHAPE_MUL] = {"Mul", RS_INT64, 0, false, {"A", "B"}},
    [SHAPE_DIV] = {"Div", RS_DTYPE_COUNT, 0, false, {"A", "B"}},
    [SHAPE_MOD] = {"Mod", RS_DTYPE_COUNT, 0, false, {"A", "B"}},
    [SHAPE_MIN] = {"Min", RS_INT64, 0, true, {"data_0"}},
    [SHAPE_MAX] = {"Max", RS_INT64, 0, true, {"data_0"}},
    [SHAPE_PRODUCT] = {"ReduceProd", RS_INT64, 0, false, {"data"}},
    [SHAPE_CAST] = {"Cast", RS_INT64, 0, false, {"input"}},
    [SHAPE_WHERE] = {"Where", RS_INT64, 1, false, {"condition", "X", "Y"}},
    [SHAPE_EQUAL] = {"Equal", RS_INT64, 0, false, {"A", "B"}},
    [SHAPE_CONSTANT] = {"ConstantOfShape", RS_DTYPE_COUNT, 0, false, {"input"}},
    [SHAPE_SCALE] = {"Mul", RS_FLOAT32, 0, false, {"A", "B"}},
    [SHAPE_RATIO] = {"Div", RS_FLOAT32, 0, false, {"A", "B"}},
    [SHAPE_FLOOR] = {"Floor", RS_FLOAT32, 0, false, {"X"}},
    [SHAPE_CEIL] = {"Ceil", RS_FLOAT32, 0, false, {"X"}}};

/* The version in which axes are operands, and in which Shape has a range. */
static const uint8_t SINCE[SHAPE_OPS] = {[SHAPE_SHAPE] = 15, [SHAPE_SLICE] = 10, [SHAPE_UNSQUEEZE] = 13, [SHAPE_SQUEEZE] = 13};

/* The operators by their names in the models' operator set. */
struct shape_operators {
	const char *api[SHAPE_OPS]; /* NULL: it has none */
	uint32_t measured; /* dtypes of tensors that Shape takes, a bit each */
	const rs_op **forms;	    /* signatures made so far */
	uint32_t n;
	shape_form *computed[BUCKETS]; /* those with a tensor for an argument, by their name */
};

/* ---- the index */

static bool has_dtype(const index_op *o, unsigned slot, uint8_t dtype)
{
	if (dtype == RS_DTYPE_COUNT)
		return true;
	for (unsigned k = 0; k < o->nrows && slot < o->nin; k++)
		if (index_row(o, k)[slot] == dtype)
			return true;
	return false;
}

static void read_op(shape_operators *s, int k, const index_op *o)
{
	if (!has_dtype(o, OPERATORS[k].slot, OPERATORS[k].dtype))
		return;
	s->api[k] = o->op->api;
	for (unsigned i = 0; k == SHAPE_SHAPE && i < o->nrows; i++)
		s->measured |= UINT32_C(1) << index_row(o, i)[0];
}

static void read_api(shape_operators *s, const gen_index *x, const index_api *api)
{
	for (int k = 0; k < SHAPE_OPS; k++)
		if (framework_is_version(x->table->framework, x->ops[api->first].op->api, OPERATORS[k].name))
			for (uint32_t i = api->first; i < api->first + api->count; i++)
				read_op(s, k, &x->ops[i]);
}

shape_operators *shape_operators_of(gen *g)
{
	if (g->shapes)
		return g->shapes;
	g->shapes = calloc(1, sizeof *g->shapes);
	for (uint32_t i = 0; g->shapes && i < g->index.napis; i++)
		read_api(g->shapes, &g->index, &g->index.apis[i]);
	return g->shapes;
}

void shape_operators_close(gen *g)
{
	if (g->shapes)
		free(g->shapes->forms);
	free(g->shapes);
}

bool shape_has(const gen *g, enum shape_op op)
{
	return g->shapes->api[op];
}

bool shape_takes(const gen *g, uint8_t dtype)
{
	return g->shapes->measured >> dtype & 1;
}

/* Whether the operator is of the version in SINCE, or a newer one. */
static bool is_new(const shape_operators *s, enum shape_op op)
{
	int version = op_version(s->api[op]);
	return !version || version >= SINCE[op];
}

bool shape_has_range(const gen *g)
{
	return is_new(g->shapes, SHAPE_SHAPE);
}

/* ---- a signature */

/* A call under construction. */
typedef struct writing {
	rs_op op;
	rs_arg args[ARGUMENTS];
	rs_value values[VALUES];
	int64_t symbols[VALUES];
	uint32_t inputs[SHAPE_OPERANDS];
} writing;

static void begin_argument(writing *w, const char *name, bool by_position)
{
	w->args[w->op.nargs++] = (rs_arg){.name = name, .value = w->op.nvalues, .by_position = by_position};
}

static rs_value *add_value(writing *w, uint8_t kind)
{
	rs_value *v = &w->values[w->op.nvalues++];
	v->kind = kind;
	return v;
}

static void add_number(writing *w, int64_t n)
{
	add_value(w, RS_INT)->first = w->op.nsym;
	w->symbols[w->op.nsym++] = n;
}

static void add_list(writing *w, const int64_t *n, unsigned count)
{
	add_value(w, RS_LIST)->count = (uint16_t)count;
	for (unsigned i = 0; i < count; i++)
		add_number(w, n[i]);
}

static void add_tensor(writing *w, const graph *m, uint32_t tensor)
{
	const graph_tensor *t = &m->tensors[tensor];
	rs_value *v = add_value(w, RS_TENSOR);
	v->dtype = t->dtype;
	v->count = t->rank;
	v->first = w->op.nsym;
	for (unsigned i = 0; i < t->rank; i++)
		w->symbols[w->op.nsym++] = t->shape[i];
	w->inputs[w->op.nin++] = tensor;
}

static void add_operand(writing *w, const graph *m, const shape_operand *o)
{
	if (o->tensor != GRAPH_NONE) {
		add_tensor(w, m, o->tensor);
		return;
	}
	rs_value *v = add_value(w, RS_ELEMENTS);
	v->dtype = o->dtype;
	v->count = 1;
	if (o->rank)
		add_list(w, o->n, o->count);
	else
		add_number(w, o->n[0]);
}

static void add_operands(writing *w, const graph *m, const shape_call *c)
{
	if (OPERATORS[c->op].list) {
		begin_argument(w, OPERATORS[c->op].operands[0], true);
		add_value(w, RS_LIST)->count = (uint16_t)c->count;
	}
	for (unsigned i = 0; i < c->count; i++) {
		if (!OPERATORS[c->op].list)
			begin_argument(w, OPERATORS[c->op].operands[i], true);
		add_operand(w, m, &c->operands[i]);
	}
}

/* A vector that is an operand in some operator sets and an attribute in others. */
static void add_vector(writing *w, const char *name, int64_t n, bool operand)
{
	begin_argument(w, name, operand);
	if (operand) {
		rs_value *v = add_value(w, RS_ELEMENTS);
		v->dtype = RS_INT64;
		v->count = 1;
	}
	add_list(w, &n, 1);
}

static void add_attribute(writing *w, const char *name, int64_t n)
{
	begin_argument(w, name, false);
	add_number(w, n);
}

static void add_attributes(writing *w, const shape_operators *s, const shape_call *c)
{
	switch (c->op) {
	case SHAPE_SHAPE:
		if (c->ranged) {
			add_attribute(w, "start", c->start);
			add_attribute(w, "end", c->end);
		}
		break;
	case SHAPE_SLICE:
		add_vector(w, "starts", c->start, is_new(s, c->op));
		add_vector(w, "ends", c->end, is_new(s, c->op));
		add_vector(w, "axes", 0, is_new(s, c->op));
		break;
	case SHAPE_UNSQUEEZE:
	case SHAPE_SQUEEZE:
		add_vector(w, "axes", 0, is_new(s, c->op));
		break;
	case SHAPE_GATHER:
	case SHAPE_CONCAT:
		add_attribute(w, "axis", 0);
		break;
	case SHAPE_PRODUCT:
		add_attribute(w, "keepdims", c->keeps);
		break;
	case SHAPE_CAST:
		add_attribute(w, "to", onnx_element_type(c->dtype));
		break;
	case SHAPE_CONSTANT:
		begin_argument(w, "value", false);
		add_value(w, RS_CONST)->text = ONES;
		break;
	default:
		break;
	}
}

/* ---- signatures made so far */

static bool same_argument(const rs_arg *a, const rs_arg *b)
{
	return a->name == b->name && a->value == b->value && a->by_position == b->by_position;
}

static bool same_value(const rs_value *a, const rs_value *b)
{
	return a->kind == b->kind && a->dtype == b->dtype && a->count == b->count && a->first == b->first && a->text == b->text;
}

static bool is_form(const rs_op *op, const writing *w, uint8_t rank)
{
	bool is = op->nargs == w->op.nargs && op->nvalues == w->op.nvalues && op->out_ranks[0] == rank && strcmp(op->api, w->op.api) == 0;
	for (unsigned i = 0; is && i < op->nargs; i++)
		is = same_argument(&op->args[i], &w->args[i]);
	for (unsigned i = 0; is && i < op->nvalues; i++)
		is = same_value(&op->values[i], &w->values[i]);
	return is;
}

static const rs_op *keep_form(arena *a, const writing *w, uint8_t rank)
{
	rs_op *op = ARENA_NEW(a, rs_op);
	rs_arg *args = ARENA_ARRAY(a, rs_arg, w->op.nargs);
	rs_value *values = ARENA_ARRAY(a, rs_value, w->op.nvalues);
	uint8_t *ranks = ARENA_NEW(a, uint8_t);
	if (!op || !args || !values || !ranks)
		return NULL;
	memcpy(args, w->args, w->op.nargs * sizeof *args);
	memcpy(values, w->values, w->op.nvalues * sizeof *values);
	*ranks = rank;
	*op = w->op;
	op->args = args;
	op->values = values;
	op->out_ranks = ranks;
	return op;
}

static bool make_room(shape_operators *s)
{
	if (s->n % GROWTH)
		return true;
	const rs_op **forms = realloc(s->forms, (s->n + (size_t)GROWTH) * sizeof *forms);
	s->forms = forms ? forms : s->forms;
	return forms;
}

static const rs_op *find_form(gen *g, const writing *w, uint8_t rank)
{
	shape_operators *s = g->shapes;
	for (uint32_t i = 0; i < s->n; i++)
		if (is_form(s->forms[i], w, rank))
			return s->forms[i];
	const rs_op *op = make_room(s) ? keep_form(g->index.arena, w, rank) : NULL;
	if (op)
		s->forms[s->n++] = op;
	return op;
}

bool shape_is_made(const rs_op *op)
{
	return op->why == MADE;
}

const shape_form *shape_form_of(gen *g, const rs_op *op, unsigned arg)
{
	arena *a = g->index.arena;
	shape_form **list = &g->shapes->computed[graph_name_hash(op->name) % BUCKETS];
	for (const shape_form *f = *list; f; f = f->next)
		if (f->of == op && f->arg == arg)
			return f;
	shape_form *f = ARENA_NEW(a, shape_form);
	uint16_t *map = ARENA_ARRAY(a, uint16_t, op->nsym + 1);
	const rs_op *new = f && map ? computed_make(a, op, arg, map) : NULL;
	if (!new)
		return NULL;
	*f = (shape_form){.of = op, .op = new, .map = map, .arg = arg, .next = *list};
	*list = f;
	return f;
}

/* ---- insertion */

uint32_t shape_insert(gen *g, const shape_call *c, uint32_t before)
{
	graph *m = g->graph;
	const char *api = g->shapes->api[c->op];
	assert(api);
	writing w = {.op = {.name = api, .api = api, .why = MADE, .nout = 1, .nodim = c->rank}};
	add_operands(&w, m, c);
	add_attributes(&w, g->shapes, c);
	const int64_t dims[] = {c->elements};
	const rs_op *op = find_form(g, &w, c->rank);
	const graph_call call = {.op = op, .symbols = w.symbols, .inputs = w.inputs, .out = dims, .out_dtypes = &c->dtype};
	uint32_t node = op ? graph_insert(m, &call, before) : GRAPH_NONE;
	return node == GRAPH_NONE ? node : m->nodes[node].outputs;
}

/* Models as ONNX files: protobuf-c's messages, built in an arena and packed into a buffer.
 *
 *   model ─► graph ─► input, output, value_info   one each live tensor, "t7", with type and shape
 *               ├──► node         "n3", one each call
 *               │      ├─► input      arguments by position: tensors, "" for None, "c0" for elements
 *               │      └─► attribute  arguments by name
 *               └──► initializer  "c0", tensors with elements from the table or the symbols; "t7", constants of the model, and
 *                                 inputs whose elements decide whether it runs
 *
 * An attribute's type is its literal's kind: 1 is INT, 1.0 FLOAT, 'a' STRING, lists of these INTS, FLOATS and STRINGS,
 * ('float32', [2], [1.0, 2.0]) TENSOR. Records are written so, and the types always match ONNX's schemas
 * (tests/cli/runtime/generate/onnx_attributes.py checks all records). */
#include "write_onnx.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "onnx.pb-c.h"
#include "onnx_bodies.h"
#include "onnx_types.h"
#include "onnx_value.h"
#include "op_versions.h"
#include "assignments.h"
#include "pinned.h"

#define ML_VERSION 5  /* of ai.onnx.ml in files */
#define IR_VERSION 10 /* of a model without an operator set: rulefuzz/frameworks/onnx_evaluate.py has the same */
#define NAME 12	      /* 't', ten digits, NUL */
#define RANK 8	      /* of a tensor of elements */

typedef struct writer {
	const graph *g;
	arena *a;
	diag *d;
	char (*names)[NAME]; /* of g's tensors */
	bool varying;	     /* dimensions that vary have names instead of sizes */
	const bool *pinned;  /* which of g's tensors keep their elements; NULL: the file is to be run */
	bool all;	     /* every tensor that a node makes is an output, constants are inputs */
	bool plain;	     /* without functions and subgraphs */
	bool oldest;	     /* of the oldest set that has all nodes */
	bool newest;	     /* in the newest version of its operator, not the node's */
	int least;	     /* the oldest set of the nodes so far, */
	int most;	     /* and the newest one */
	file_limits limits;
	uint8_t *taken; /* dtypes of the inputs of the current node */
	Onnx__GraphProto *to;
	const graph_node *node; /* the current one, */
	rs_walk walk;		/* and its next value */
} writer;

typedef struct scalar {
	enum { INT, FLOAT, STRING } kind;
	int64_t i;
	double f;
	ProtobufCBinaryData s;
} scalar;

/* ---- memory */

static void *take(writer *w, size_t size)
{
	void *p = arena_alloc(w->a, size);
	if (!p)
		diag_set(w->d, "out of memory");
	return p;
}

/* Defines name(w, n): n empty messages, as a list of pointers for protobuf-c. */
#define MESSAGES(name, type, init)                                                                 \
	static type **name(writer *w, size_t n)                                                    \
	{                                                                                          \
		type **list = take(w, n * sizeof *list);                                           \
		type *all = list ? take(w, n * sizeof *all) : NULL;                                \
		if (!all)                                                                          \
			return NULL;                                                               \
		for (size_t i = 0; i < n; i++) {                                                   \
			all[i] = (type)init;                                                       \
			list[i] = &all[i];                                                         \
		}                                                                                  \
		return list;                                                                       \
	}

MESSAGES(new_nodes, Onnx__NodeProto, ONNX__NODE_PROTO__INIT)
MESSAGES(new_attributes, Onnx__AttributeProto, ONNX__ATTRIBUTE_PROTO__INIT)
MESSAGES(new_tensors, Onnx__TensorProto, ONNX__TENSOR_PROTO__INIT)
MESSAGES(new_properties, Onnx__StringStringEntryProto, ONNX__STRING_STRING_ENTRY_PROTO__INIT)
MESSAGES(new_opsets, Onnx__OperatorSetIdProto, ONNX__OPERATOR_SET_ID_PROTO__INIT)

static bool complain(writer *w, const char *what, const char *about)
{
	return diag_at(w->d, w->node->op->name, 0, "%s %s", what, about);
}

/* ---- constants' texts */

static const char *read_string(const char *at, scalar *s)
{
	const char *end = strchr(at + 1, *at);
	if (!end || memchr(at, '\\', (size_t)(end - at)))
		return NULL;
	s->kind = STRING;
	s->s = (ProtobufCBinaryData){(size_t)(end - at) - 1, (uint8_t *)at + 1};
	return end + 1;
}

static const char *read_number(const char *at, scalar *s)
{
	size_t n = strcspn(at, ",)] "), sign = *at == '-';
	char *end;
	if (n <= sign)
		return NULL;
	errno = 0;
	if (strspn(at + sign, "0123456789") == n - sign) {
		s->kind = INT;
		s->i = strtoll(at, &end, 10);
		return errno ? NULL : end;
	}
	s->kind = FLOAT;
	s->f = strtod(at, &end);
	return end == at + n ? end : NULL;
}

/* Reads one scalar. Returns its end, NULL: none. */
static const char *read_scalar(const char *at, scalar *s)
{
	if (*at == '\'' || *at == '"')
		return read_string(at, s);
	bool is_true = strncmp(at, "True", 4) == 0;
	if (is_true || strncmp(at, "False", 5) == 0) {
		*s = (scalar){.kind = INT, .i = is_true};
		return at + (is_true ? 4 : 5);
	}
	return read_number(at, s);
}

/* Splits "[1, 2]" into items, which has room for one more than the text has commas. */
static const char *read_list(const char *at, scalar *items, size_t *count)
{
	*count = 0;
	if (*at++ != '[')
		return NULL;
	while (*at != ']') {
		at = read_scalar(at, &items[(*count)++]);
		if (!at)
			return NULL;
		if (*at == ',')
			at += 1 + strspn(at + 1, " ");
		else if (*at != ']')
			return NULL;
	}
	return at + 1;
}

/* ---- tensors of known elements */

static bool fill_floats(writer *w, Onnx__TensorProto *t, uint8_t dtype, const scalar *items, size_t n)
{
	bool single = dtype == RS_FLOAT32;
	t->float_data = single ? take(w, n * sizeof(float)) : NULL;
	t->double_data = single ? NULL : take(w, n * sizeof(double));
	if (!t->float_data && !t->double_data)
		return false;
	for (size_t i = 0; i < n; i++) {
		double value = items[i].kind == INT ? (double)items[i].i : items[i].f;
		if (items[i].kind == STRING)
			return complain(w, "a string in elements of dtype", rs_dtype_name(dtype));
		if (single)
			t->float_data[i] = (float)value;
		else
			t->double_data[i] = value;
	}
	*(single ? &t->n_float_data : &t->n_double_data) = n;
	return true;
}

static bool fill_packed(writer *w, Onnx__TensorProto *t, uint8_t dtype, const scalar *items, size_t n)
{
	uint8_t *bytes = take(w, n + 1);
	if (!bytes)
		return false;
	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)items[i].i;
	elements_pack(dtype, n, bytes);
	t->has_raw_data = true;
	t->raw_data = (ProtobufCBinaryData){elements_bytes(dtype, n), bytes};
	return true;
}

/* Integers and booleans: ONNX has separate fields for int64 and wide unsigned integers, and stores all others as int32. */
static bool fill_integers(writer *w, Onnx__TensorProto *t, uint8_t dtype, const scalar *items, size_t n)
{
	bool is_unsigned = dtype == RS_UINT32 || dtype == RS_UINT64;
	int64_t *wide = take(w, n * sizeof *wide);
	int32_t *narrow = wide ? take(w, n * sizeof *narrow) : NULL;
	if (!narrow)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (items[i].kind != INT || items[i].i < elements_low(dtype) || items[i].i > elements_high(dtype))
			return complain(w, "elements that are not of dtype", rs_dtype_name(dtype));
		wide[i] = items[i].i;
		narrow[i] = (int32_t)items[i].i;
	}
	if (elements_packed(dtype))
		return fill_packed(w, t, dtype, items, n);
	if (is_unsigned)
		t->n_uint64_data = n, t->uint64_data = (uint64_t *)wide;
	else if (dtype == RS_INT64)
		t->n_int64_data = n, t->int64_data = wide;
	else
		t->n_int32_data = n, t->int32_data = narrow;
	return true;
}

static bool fill_tensor(writer *w, Onnx__TensorProto *t, uint8_t dtype, const scalar *items, size_t n)
{
	int64_t whole = 1;
	for (size_t i = 0; i < t->n_dims; i++)
		if (t->dims[i] < 0 || __builtin_mul_overflow(whole, t->dims[i], &whole))
			return complain(w, "bad dimensions of a tensor of", "known elements");
	if ((uint64_t)whole != n)
		return complain(w, "the number of elements does not match the shape, dtype", rs_dtype_name(dtype));
	t->has_data_type = true;
	t->data_type = onnx_element_type(dtype);
	if (dtype == RS_FLOAT32 || dtype == RS_FLOAT64)
		return fill_floats(w, t, dtype, items, n);
	if (dtype <= RS_INT64)
		return fill_integers(w, t, dtype, items, n);
	return complain(w, "elements cannot be written of dtype", rs_dtype_name(dtype));
}

/* ---- a call's arguments */

/* Reads the scalars of a symbol, a constant or a list of these; returns how many, -1 after a message. */
static long collect(writer *w, scalar *items)
{
	rs_item v = {.kind = RS_TENSOR};
	const char *end;
	long n = 0, more;
	rs_walk_next(&w->walk, &v);
	switch (v.kind) {
	case RS_INT:
		items[0] = (scalar){.kind = INT, .i = v.number};
		return 1;
	case RS_CONST:
		end = read_scalar(v.text, items);
		return end && !*end ? 1 : (complain(w, "ONNX has no type for the constant", v.text), -1);
	case RS_LIST:
		for (unsigned i = 0; i < v.count; i++, n += more)
			if ((more = collect(w, items + n)) < 0)
				return -1;
		return n;
	default:
		complain(w, "a tensor stands where ONNX has", "none");
		return -1;
	}
}

/* Allocates room for the scalars of the remaining values. */
static scalar *room(writer *w)
{
	return take(w, (size_t)(w->node->op->nvalues - w->walk.value + 1) * sizeof(scalar));
}

/* The dimensions of nested lists, by the first item of each. */
static size_t find_dims(rs_walk w, int64_t dims[RANK])
{
	rs_item v;
	size_t n = 0;
	while (n < RANK && rs_walk_next(&w, &v) && v.kind == RS_LIST)
		if ((dims[n++] = v.count) == 0)
			break;
	return n;
}

/* The elements of an RS_ELEMENTS value, whose items come next, as the model's next initializer; its name. */
static char *elements(writer *w, uint8_t dtype)
{
	scalar *items = room(w);
	int64_t *dims = items ? take(w, RANK * sizeof *dims) : NULL;
	Onnx__TensorProto **t = dims ? new_tensors(w, 1) : NULL;
	char *name = t ? take(w, NAME) : NULL;
	if (!name)
		return NULL;
	t[0]->n_dims = find_dims(w->walk, dims);
	t[0]->dims = dims;
	long n = collect(w, items);
	if (n < 0 || !fill_tensor(w, t[0], dtype, items, (size_t)n))
		return NULL;
	snprintf(name, NAME, "c%u", (unsigned)w->to->n_initializer);
	t[0]->name = name;
	w->to->initializer[w->to->n_initializer++] = t[0];
	return name;
}

static void add_input(Onnx__NodeProto *m, writer *w, char *name, uint8_t dtype)
{
	w->taken[m->n_input] = dtype;
	m->input[m->n_input++] = name;
}

/* The inputs that one argument by position makes. */
static bool write_inputs(writer *w, Onnx__NodeProto *m)
{
	rs_item v = {.kind = RS_INT};
	char *name = "";
	uint8_t dtype = OP_NO_DTYPE;
	rs_walk_next(&w->walk, &v);
	switch (v.kind) {
	case RS_TENSOR:
		name = w->names[v.tensor];
		dtype = w->g->tensors[v.tensor].dtype;
		break;
	case RS_ELEMENTS:
		name = elements(w, v.dtype);
		dtype = v.dtype;
		break;
	case RS_LIST:
		for (unsigned i = 0; i < v.count; i++)
			if (!write_inputs(w, m))
				return false;
		return true;
	case RS_CONST:
		if (strcmp(v.text, "None") == 0)
			break;
		return complain(w, "an input is not a tensor but", v.text);
	default:
		return complain(w, "an input is not a tensor but", "a number");
	}
	add_input(m, w, name, dtype);
	return name;
}

static bool write_one(Onnx__AttributeProto *m, const scalar *s)
{
	m->has_type = true;
	switch (s->kind) {
	case INT:
		m->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT;
		m->has_i = true, m->i = s->i;
		return true;
	case FLOAT:
		m->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT;
		m->has_f = true, m->f = (float)s->f;
		return true;
	default:
		m->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING;
		m->has_s = true, m->s = s->s;
		return true;
	}
}

/* A list: the kind of its items; INTS if it is empty. */
static bool write_many(writer *w, Onnx__AttributeProto *m, const scalar *items, size_t n)
{
	static const Onnx__AttributeProto__AttributeType types[] = {ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS,
	    ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS};
	int kind = n ? (int)items[0].kind : INT;
	m->has_type = true;
	m->type = types[kind];
	m->ints = kind == INT ? take(w, n * sizeof *m->ints) : NULL;
	m->floats = kind == FLOAT ? take(w, n * sizeof *m->floats) : NULL;
	m->strings = kind == STRING ? take(w, n * sizeof *m->strings) : NULL;
	if (!m->ints && !m->floats && !m->strings)
		return false;
	*(kind == INT ? &m->n_ints : kind == FLOAT ? &m->n_floats : &m->n_strings) = n;
	for (size_t i = 0; i < n; i++) {
		if ((int)items[i].kind != kind)
			return complain(w, "a list of several kinds in attribute", m->name);
		if (kind == INT)
			m->ints[i] = items[i].i;
		else if (kind == FLOAT)
			m->floats[i] = (float)items[i].f;
		else
			m->strings[i] = items[i].s;
	}
	return true;
}

/* "('float32', [2], [1.0, 2.0])": dtype, dimensions, elements. */
static bool write_tensor(writer *w, Onnx__AttributeProto *m, const char *text)
{
	size_t n = strlen(text), ndims;
	scalar dtype, *items = take(w, n * sizeof *items); /* more than a file can have */
	int64_t *dims = items ? take(w, n * sizeof *dims) : NULL;
	Onnx__TensorProto **t = dims ? new_tensors(w, 1) : NULL;
	char *name = t ? arena_strndup(w->a, "", 0) : NULL;
	if (!name)
		return false;
	const char *at = *text == '(' ? read_scalar(text + 1, &dtype) : NULL;
	at = at && dtype.kind == STRING && strncmp(at, ", ", 2) == 0 ? read_list(at + 2, items, &ndims) : NULL;
	if (!at || strncmp(at, ", ", 2) != 0)
		return complain(w, "ONNX has no type for the constant", text);
	for (size_t i = 0; i < ndims; i++)
		dims[i] = items[i].kind == INT ? items[i].i : -1;
	at = read_list(at + 2, items, &n);
	char *dtype_text = at ? arena_strndup(w->a, (const char *)dtype.s.data, dtype.s.len) : NULL;
	if (!dtype_text || strcmp(at, ")") != 0)
		return complain(w, "ONNX has no type for the constant", text);
	t[0]->name = name;
	t[0]->n_dims = ndims;
	t[0]->dims = dims;
	m->has_type = true;
	m->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR;
	m->t = t[0];
	return fill_tensor(w, t[0], rs_dtype_parse(dtype_text), items, n);
}

static bool write_attribute(writer *w, const char *name, Onnx__AttributeProto *m)
{
	rs_walk behind = w->walk;
	rs_item v = {.kind = RS_INT};
	rs_walk_next(&behind, &v);
	m->name = (char *)name;
	if (v.kind == RS_CONST && *v.text == '(') {
		w->walk = behind;
		return write_tensor(w, m, v.text);
	}
	scalar *items = room(w);
	long n = items ? collect(w, items) : -1;
	if (n < 0)
		return false;
	return v.kind == RS_LIST ? write_many(w, m, items, (size_t)n) : write_one(m, items);
}

/* Records have the number of outputs as "outputs"; ONNX counts the names. */
static bool is_attribute(const rs_arg *a)
{
	return !a->by_position && strcmp(a->name, "outputs") != 0;
}

static bool write_args(writer *w, Onnx__NodeProto *m)
{
	const rs_op *op = w->node->op;
	m->input = take(w, op->nvalues * sizeof *m->input);
	w->taken = m->input ? take(w, op->nvalues) : NULL;
	m->attribute = w->taken ? new_attributes(w, op->nargs) : NULL;
	if (!m->attribute)
		return false;
	for (unsigned i = 0; i < op->nargs; i++) {
		const rs_arg *a = &op->args[i];
		if (a->by_position ? !write_inputs(w, m) : !write_attribute(w, a->name, m->attribute[m->n_attribute]))
			return false;
		m->n_attribute += is_attribute(a);
	}
	return true;
}

/* ---- nodes */

#define DOMAIN "onnx."

/* The domain in "com_microsoft.Gelu": com.microsoft. The node's operator is the rest. */
static char *domain_of(writer *w, const char *name)
{
	char *domain = arena_strndup(w->a, name, strcspn(name, "."));
	for (char *c = domain; c && *c; c++)
		*c = *c == '_' ? '.' : *c;
	return domain;
}

/* Gives a node its operator, "Add" for onnx.Add, and for onnx.Add_7 if an operator set of the model has that version; and its domain,
 * for onnx.com_microsoft.Gelu. NULL for other versions, and for user-defined operators, which no runtime could load from a file
 * alone. */
static char *op_type(writer *w, const rs_op *op, Onnx__NodeProto *m)
{
	const char *name = op->api + strlen(DOMAIN);
	if (strncmp(op->api, DOMAIN, strlen(DOMAIN)) != 0)
		return diag_at(w->d, op->name, 0, "%s is not in ONNX's domain, and a file cannot define it", op->api), NULL;
	if (strchr(name, '.')) {
		m->domain = domain_of(w, name);
		return m->domain ? (char *)strchr(name, '.') + 1 : NULL;
	}
	size_t n = op_name_length(name);
	if (n && !name[n])
		return (char *)name;
	if (n && w->newest)
		return arena_strndup(w->a, name, n);
	int oldest = op_version(op->api), newest = op_newest_set(op->api), set = w->g->opset;
	if (n && (set ? oldest <= set && set <= newest : oldest <= w->most && w->least <= newest))
		return arena_strndup(w->a, name, n);
	diag_at(w->d, op->name, 0, "%s is not an operator of operator set %d, and a file has one set", op->api,
	    w->g->opset ? w->g->opset : OP_SET_LAST);
	return NULL;
}

/* The oldest set that has the node; 0 after a message. */
static int oldest_of(writer *w, const Onnx__NodeProto *m)
{
	if (m->domain)
		return op_set_beside(w->node->op->api + strlen(DOMAIN));
	const graph_node *n = w->node;
	uint8_t *made = take(w, n->nout);
	if (!made)
		return 0;
	for (unsigned i = 0; i < n->nout; i++)
		made[i] = w->g->tensors[n->outputs + i].dtype;
	int version = op_version(n->op->api);
	int oldest = version ? version : op_oldest_set(m->op_type, w->taken, m->n_input, made, n->nout);
	if (!oldest)
		complain(w, "no known version of", m->op_type);
	return oldest;
}

/* Restricts the file's possible sets to those that have the node. */
static bool narrow_sets(writer *w, const Onnx__NodeProto *m)
{
	int newest = op_newest_set(w->node->op->api), oldest = oldest_of(w, m);
	w->most = newest && newest < w->most ? newest : w->most;
	w->least = oldest > w->least ? oldest : w->least;
	if (oldest > w->g->opset && w->g->opset)
		return diag_at(w->d, w->node->op->name, 0, "%s is not an operator of operator set %d for these dtypes",
		    w->node->op->api, w->g->opset);
	if (oldest && w->least > w->most)
		return diag_at(w->d, w->node->op->name, 0, "%s and earlier calls have no operator set in common", w->node->op->api);
	return oldest;
}

static bool write_node(writer *w, uint32_t node, Onnx__NodeProto *m, uint32_t number)
{
	const graph_node *n = w->node = &w->g->nodes[node];
	w->walk = rs_graph_walk(w->g, node);
	m->op_type = op_type(w, n->op, m);
	m->name = m->op_type ? take(w, NAME) : NULL;
	m->output = m->name ? take(w, n->op->nout * sizeof *m->output) : NULL;
	if (!m->output)
		return false;
	snprintf(m->name, NAME, "n%u", number);
	m->doc_string = (char *)n->op->name;
	for (unsigned i = 0; i < n->op->nout; i++)
		m->output[m->n_output++] = w->names[n->outputs + i];
	bool any = !w->oldest && !w->g->opset && !op_newest_set(n->op->api); /* an operator without known versions is accepted */
	return write_args(w, m) && (any || w->newest || narrow_sets(w, m));
}

/* Allocates room for all possible initializers. */
static bool begin_initializers(writer *w)
{
	const graph *g = w->g;
	size_t most = 0;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		for (unsigned k = 0; k < g->nodes[i].op->nvalues; k++)
			most += g->nodes[i].op->values[k].kind == RS_ELEMENTS;
	for (uint32_t i = RS_NONE; (i = rs_graph_next_input(g, i)) != RS_NONE;)
		most++;
	w->to->initializer = take(w, most * sizeof *w->to->initializer);
	return w->to->initializer;
}

static bool write_nodes(writer *w)
{
	const graph *g = w->g;
	w->to->node = new_nodes(w, g->live_nodes);
	if (!w->to->node)
		return false;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		uint32_t number = (uint32_t)w->to->n_node++;
		if (!write_node(w, i, w->to->node[number], number))
			return false;
	}
	return true;
}

/* ---- tensors */

/* Writes a name instead of the size if the dimension varies. */
static bool name_dimension(writer *w, Onnx__TensorShapeProto__Dimension *to, graph_dim dim)
{
	graph_dim first;
	buf name = {0};
	if (!dim_named(w->g, dim, &first))
		return true;
	dim_name(w->g, first, &name);
	to->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
	to->dim_param = name.text ? arena_strdup(w->a, name.text) : NULL;
	buf_free(&name);
	return diag_memory(w->d, to->dim_param);
}

/* NULL: out of memory. */
static Onnx__ValueInfoProto *new_value(writer *w, char *name, int element_type, size_t rank, const int64_t *shape)
{
	Onnx__ValueInfoProto *m = onnx_shaped_value(w->a, name, element_type, rank, shape);
	if (!m)
		diag_set(w->d, "out of memory");
	return m;
}

static bool write_type(writer *w, uint32_t tensor, Onnx__ValueInfoProto **list, size_t *count)
{
	const graph_tensor *t = &w->g->tensors[tensor];
	if (!onnx_element_type(t->dtype))
		return diag_set(w->d, "%s: ONNX has no element type %s", w->names[tensor], rs_dtype_name(t->dtype));
	Onnx__ValueInfoProto *m = new_value(w, w->names[tensor], onnx_element_type(t->dtype), t->rank, t->shape);
	if (!m)
		return false;
	for (unsigned i = 0; w->varying && i < t->rank; i++)
		if (!name_dimension(w, m->type->tensor_type->shape->dim[i], (graph_dim){tensor, i}))
			return false;
	list[(*count)++] = m;
	return true;
}

/* The elements of an input: "values=unit", "range=0,5"; "" for the default. NULL: out of memory. */
static char *describe_elements(writer *w, const graph_tensor *t)
{
	bool ranged = t->low || t->high;
	if (!ranged && t->values == RS_VALUES_SMALL)
		return "";
	char *text = t->divisor ? arena_printf(w->a, "range=%lld,%lld,%u", (long long)t->low, (long long)t->high, t->divisor)
		     : ranged	? arena_printf(w->a, "range=%lld,%lld", (long long)t->low, (long long)t->high)
				: arena_printf(w->a, "values=%s", rs_values_name(t->values));
	if (!text)
		diag_set(w->d, "out of memory");
	return text;
}

/* The elements of an input or a constant (elements.h). */
static bool write_pinned(writer *w, uint32_t tensor)
{
	const graph_tensor *t = &w->g->tensors[tensor];
	unsigned parts = t->dtype >= RS_COMPLEX32 && t->dtype <= RS_COMPLEX128 ? 2 : 1;
	size_t size = rs_dtype_size((rs_dtype)t->dtype), count = (size_t)t->numel;
	Onnx__TensorProto **m = new_tensors(w, 1);
	uint8_t *bytes = m ? take(w, size * count + 1) : NULL;
	char *note = bytes ? describe_elements(w, t) : NULL;
	if (!note)
		return false;
	if (!onnx_element_type(t->dtype))
		return diag_set(w->d, "%s: ONNX has no element type %s", w->names[tensor], rs_dtype_name((rs_dtype)t->dtype));
	elements_fill(t, elements_seed(w->g, t), bytes);
	elements_pack(t->dtype, count, bytes);
	onnx_little_endian(bytes, size / parts, count * parts);
	m[0]->name = w->names[tensor];
	m[0]->doc_string = *note ? note : NULL;
	m[0]->n_dims = t->rank;
	m[0]->dims = (int64_t *)t->shape;
	m[0]->has_data_type = m[0]->has_raw_data = true;
	m[0]->data_type = onnx_element_type(t->dtype);
	m[0]->raw_data = (ProtobufCBinaryData){elements_bytes(t->dtype, count), bytes};
	w->to->initializer[w->to->n_initializer++] = m[0];
	return true;
}

/* An output with only a name. */
static bool write_name(writer *w, uint32_t tensor)
{
	Onnx__ValueInfoProto *m = take(w, sizeof *m);
	if (!m)
		return false;
	*m = (Onnx__ValueInfoProto)ONNX__VALUE_INFO_PROTO__INIT;
	m->name = w->names[tensor];
	w->to->output[w->to->n_output++] = m;
	return true;
}

static bool write_made(writer *w, uint32_t tensor)
{
	Onnx__GraphProto *to = w->to;
	bool kept = w->g->tensors[tensor].kept;
	if (!w->pinned)
		return !(kept || w->all) || write_name(w, tensor);
	return kept ? write_type(w, tensor, to->output, &to->n_output)
		    : write_type(w, tensor, to->value_info, &to->n_value_info);
}

static bool write_input(writer *w, uint32_t tensor)
{
	Onnx__GraphProto *to = w->to;
	if (w->pinned ? w->pinned[tensor] || w->g->tensors[tensor].constant : w->g->tensors[tensor].constant && !w->all)
		return write_pinned(w, tensor);
	char *note = describe_elements(w, &w->g->tensors[tensor]);
	if (!note || !write_type(w, tensor, to->input, &to->n_input))
		return false;
	to->input[to->n_input - 1]->doc_string = *note ? note : NULL;
	return true;
}

static bool write_tensors(writer *w)
{
	const graph *g = w->g;
	Onnx__GraphProto *to = w->to;
	to->input = take(w, g->ntensors * sizeof *to->input);
	to->output = to->input ? take(w, g->ntensors * sizeof *to->output) : NULL;
	to->value_info = to->output ? take(w, g->ntensors * sizeof *to->value_info) : NULL;
	if (!to->value_info)
		return false;
	for (uint32_t i = RS_NONE; (i = rs_graph_next_input(g, i)) != RS_NONE;)
		if (!write_input(w, i))
			return false;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		for (unsigned k = 0; k < g->nodes[i].op->nout; k++)
			if (!write_made(w, g->nodes[i].outputs + k))
				return false;
	return true;
}

static bool name_tensors(writer *w)
{
	w->names = take(w, w->g->ntensors * sizeof *w->names);
	for (uint32_t i = 0; w->names && i < w->g->ntensors; i++)
		snprintf(w->names[i], NAME, "t%u", w->g->tensors[i].number);
	return w->names;
}

/* ---- the model */

/* Metadata: the origin of the model, and the seed of its inputs' elements. */
static Onnx__StringStringEntryProto **properties(writer *w)
{
	Onnx__StringStringEntryProto **p = new_properties(w, 3);
	const char *const keys[] = {"seed", "index", "values"};
	const uint64_t numbers[] = {w->g->seed, w->g->index, w->g->values};
	for (int i = 0; p && i < 3; i++) {
		p[i]->key = (char *)keys[i];
		p[i]->value = arena_printf(w->a, "%llu", (unsigned long long)numbers[i]);
		if (!p[i]->value)
			return diag_set(w->d, "out of memory"), NULL;
	}
	return p;
}

/* The operator set of the file: the model's own; else the oldest or the newest that has its nodes. A reference, which has plain
 * nodes, always runs the newest: its kernels may be others. */
static int set_of(const writer *w)
{
	int newest = w->limits.opset && w->limits.opset < w->most ? w->limits.opset : w->most;
	if (w->g->opset)
		return w->plain && newest > w->g->opset ? newest : w->g->opset;
	if (!w->oldest)
		return newest;
	return w->g->nbodies && !w->plain && w->least < OP_SET_BODIES ? OP_SET_BODIES : w->least;
}

static int ir_of(const writer *w, int set)
{
	int version = w->g->opset ? op_ir_version(set) : IR_VERSION;
	return w->limits.ir && w->limits.ir < version ? w->limits.ir : version;
}

/* Lists the initializers as inputs, too, as IR versions before 4 require. */
static bool list_initializers(writer *w)
{
	Onnx__GraphProto *to = w->to;
	Onnx__ValueInfoProto **inputs = take(w, (to->n_input + to->n_initializer) * sizeof *inputs);
	if (!inputs)
		return false;
	if (to->n_input)
		memcpy(inputs, to->input, to->n_input * sizeof *inputs);
	to->input = inputs;
	for (size_t i = 0; i < to->n_initializer; i++) {
		const Onnx__TensorProto *t = to->initializer[i];
		if (!(to->input[to->n_input++] = new_value(w, t->name, t->data_type, t->n_dims, t->dims)))
			return false;
	}
	return true;
}

/* The imported version of another domain: the newest version of any of its operators in onnxruntime. */
static int version_of(const char *domain)
{
	return strcmp(domain, "ai.onnx.ml") == 0 ? ML_VERSION : 1;
}

/* Imports the operator set, and the other domains of the nodes. */
static bool import_sets(writer *w, Onnx__ModelProto *model, int set)
{
	const Onnx__GraphProto *to = w->to;
	model->opset_import = new_opsets(w, to->n_node + 1);
	if (!model->opset_import)
		return false;
	model->n_opset_import = 1;
	model->opset_import[0]->domain = "";
	model->opset_import[0]->version = set;
	model->opset_import[0]->has_version = true;
	for (size_t i = 0, k; i < to->n_node; i++) {
		const char *domain = to->node[i]->domain; /* NULL: the default one */
		for (k = 0; domain && k < model->n_opset_import && strcmp(model->opset_import[k]->domain, domain) != 0; k++)
			continue;
		if (!domain || k < model->n_opset_import)
			continue;
		Onnx__OperatorSetIdProto *more = model->opset_import[model->n_opset_import++];
		more->domain = to->node[i]->domain;
		more->version = version_of(more->domain);
		more->has_version = true;
	}
	return true;
}

static bool write_model(writer *w, buf *out)
{
	Onnx__ModelProto model = ONNX__MODEL_PROTO__INIT;
	int set = set_of(w);
	model.has_ir_version = true;
	model.ir_version = ir_of(w, set);
	model.producer_name = "rulefuzz";
	model.producer_version = RS_VERSION;
	model.graph = w->to;
	model.n_metadata_props = 3;
	model.metadata_props = import_sets(w, &model, set) ? properties(w) : NULL;
	if (!model.metadata_props)
		return false;
	if (model.ir_version < 4 && !list_initializers(w))
		return false;
	if (w->g->nbodies && !w->plain && !onnx_fold_bodies(w->g, &model, w->a, w->d))
		return false;
	size_t size = onnx__model_proto__get_packed_size(&model);
	char *to = buf_room(out, size);
	if (!to)
		return diag_set(w->d, "out of memory");
	onnx__model_proto__pack(&model, (uint8_t *)to);
	return true;
}

static bool write_graph(writer *w, buf *out)
{
	Onnx__GraphProto to = ONNX__GRAPH_PROTO__INIT;
	w->to = &to;
	w->least = OP_SET_FIRST;
	w->most = OP_SET_LAST;
	to.name = "rulefuzz";
	return name_tensors(w) && begin_initializers(w) && write_nodes(w) && write_tensors(w) && write_model(w, out);
}

bool graph_write_onnx(const graph *g, arena *scratch, buf *out, diag *d)
{
	arena_mark mark = arena_save(scratch);
	writer w = {.g = g, .a = scratch, .d = d};
	w.pinned = find_pinned(g, scratch);
	bool ok = diag_memory(d, w.pinned) && write_graph(&w, out);
	arena_release(scratch, mark);
	return ok;
}

bool graph_write_onnx_to_run(
    const graph *g, bool all, bool oldest, file_limits limits, arena *scratch, buf *out, diag *d)
{
	arena_mark mark = arena_save(scratch);
	writer w = {.g = g, .a = scratch, .d = d, .all = all, .plain = all, .oldest = oldest, .limits = limits};
	w.varying = !all && g->assignments > 1;
	bool ok = write_graph(&w, out);
	arena_release(scratch, mark);
	return ok;
}

/* A graph of one call; its operands are inputs. */
static bool write_call(writer *w, uint32_t node, buf *out)
{
	Onnx__GraphProto to = ONNX__GRAPH_PROTO__INIT;
	const graph_node *n = &w->g->nodes[node];
	w->to = &to;
	w->most = OP_SET_LAST;
	to.name = "rulefuzz";
	to.n_node = 1;
	if (!name_tensors(w) || !begin_initializers(w) || !(to.node = new_nodes(w, 1)) || !write_node(w, node, to.node[0], 0))
		return false;
	to.input = take(w, (n->nin + (size_t)1) * sizeof *to.input);
	to.output = to.input ? take(w, (n->nout + (size_t)1) * sizeof *to.output) : NULL;
	if (!to.output)
		return false;
	for (unsigned i = 0; i < n->nin; i++) {
		uint32_t tensor = graph_node_input(w->g, n, i);
		unsigned same = 0;
		while (graph_node_input(w->g, n, same) != tensor)
			same++;
		if (same == i && !write_type(w, tensor, to.input, &to.n_input))
			return false;
	}
	for (unsigned i = 0; i < n->nout; i++)
		if (!write_name(w, n->outputs + i))
			return false;
	return write_model(w, out);
}

bool graph_write_onnx_newest(const graph *g, uint32_t node, file_limits limits, arena *scratch, buf *out, diag *d)
{
	arena_mark mark = arena_save(scratch);
	writer w = {.g = g, .a = scratch, .d = d, .plain = true, .newest = true, .limits = limits};
	bool ok = write_call(&w, node, out);
	arena_release(scratch, mark);
	return ok;
}

void *rs_graph_onnx(const rs_graph *g, size_t *size, char *message, size_t room)
{
	buf out = {0};
	diag d = {"error: out of memory"};
	arena *scratch = arena_new();
	bool ok = scratch && graph_write_onnx(g, scratch, &out, &d);
	arena_free(scratch);
	*size = out.length;
	if (ok)
		return out.text;
	snprintf(message, room, "%s", d.text);
	buf_free(&out);
	return NULL;
}

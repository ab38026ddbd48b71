#include "onnx_bodies.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies.h"
#include "buf.h"
#include "elements.h"
#include "onnx_types.h"
#include "onnx_value.h"

#define DOMAIN "rulefuzz"
enum {
	REGISTERED = 2,	       /* floats that go through carried values, of a loop */
	MORE = REGISTERED + 1, /* nodes that a run may become */
};

typedef struct names {
	char **list;
	size_t n;
} names;

/* A node of the file; it may be what a run has become, and takes then what that took, too. */
typedef struct part {
	Onnx__NodeProto *node;
	uint8_t function, subgraph;
	names takes;
} part;

typedef struct folder {
	const graph *g;
	Onnx__ModelProto *model;
	arena *a;
	part *parts;
	size_t nparts;
	const graph_tensor **tensors; /* by number */
	size_t ntensors;
	unsigned body;	    /* the one at work, */
	size_t first, last; /* its parts, the last excluded, */
	names taken, made;  /* the tensors that it takes from outside, and that others take of it */
	Onnx__TensorProto **own; /* constants that only it uses, and that its graph gets */
	size_t ninner;
} folder;

/* ---- memory: NULL where there is none */

static void *take(folder *f, size_t size)
{
	return arena_zalloc(f->a, size + 1);
}

static char *say(folder *f, const char *format, ...)
{
	char text[64];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return arena_strdup(f->a, text);
}

static bool begin_names(folder *f, names *ns, size_t most)
{
	*ns = (names){.list = take(f, most * sizeof *ns->list)};
	return ns->list;
}

static bool has(const names *ns, const char *name)
{
	for (size_t i = 0; i < ns->n; i++)
		if (strcmp(ns->list[i], name) == 0)
			return true;
	return false;
}

static Onnx__NodeProto *new_node(folder *f, const char *op, size_t nin, size_t nout)
{
	Onnx__NodeProto *m = take(f, sizeof *m);
	if (!m)
		return NULL;
	*m = (Onnx__NodeProto)ONNX__NODE_PROTO__INIT;
	m->op_type = (char *)op;
	m->input = take(f, nin * sizeof *m->input);
	m->output = take(f, nout * sizeof *m->output);
	return m->input && m->output ? m : NULL;
}

static Onnx__AttributeProto *new_attribute(folder *f, const char *name, Onnx__AttributeProto__AttributeType type)
{
	Onnx__AttributeProto *m = take(f, sizeof *m);
	if (!m)
		return NULL;
	*m = (Onnx__AttributeProto)ONNX__ATTRIBUTE_PROTO__INIT;
	m->name = (char *)name;
	m->has_type = true;
	m->type = type;
	return m;
}

static Onnx__GraphProto *new_graph(folder *f, const char *name, size_t nodes, size_t inputs, size_t outputs)
{
	Onnx__GraphProto *m = take(f, sizeof *m);
	if (!m)
		return NULL;
	*m = (Onnx__GraphProto)ONNX__GRAPH_PROTO__INIT;
	m->name = (char *)name;
	m->node = take(f, (nodes + f->ninner) * sizeof *m->node);
	m->input = take(f, inputs * sizeof *m->input);
	m->output = take(f, outputs * sizeof *m->output);
	m->initializer = take(f, (outputs + f->ninner) * sizeof *m->initializer);
	return m->node && m->input && m->output && m->initializer ? m : NULL;
}

/* With its element type: tools cannot infer the types of all operators. */
static bool add_output(folder *f, Onnx__GraphProto *to, char *name, int element_type)
{
	return name && (to->output[to->n_output++] = onnx_value(f->a, name, element_type)) != NULL;
}

/* t: NULL: a scalar. */
static bool add_input(folder *f, Onnx__GraphProto *to, char *name, int element_type, const graph_tensor *t)
{
	return name
	       && (to->input[to->n_input++] = onnx_shaped_value(f->a, name, element_type, t ? t->rank : 0, t ? t->shape : NULL)) != NULL;
}

/* ---- the run */

/* The model's tensor of a name; NULL: it is none. */
static const graph_tensor *tensor_of(const folder *f, const char *name)
{
	unsigned long number = *name == 't' ? strtoul(name + 1, NULL, 10) : f->ntensors;
	return number < f->ntensors ? f->tensors[number] : NULL;
}

static bool makes(const folder *f, size_t first, size_t last, const char *name)
{
	for (size_t i = first; i < last; i++)
		for (size_t k = 0; k < f->parts[i].node->n_output; k++)
			if (strcmp(f->parts[i].node->output[k], name) == 0)
				return true;
	return false;
}

static bool takes(const part *p, const char *name)
{
	for (size_t k = 0; k < p->node->n_input; k++)
		if (strcmp(p->node->input[k], name) == 0)
			return true;
	return has(&p->takes, name);
}

/* Whether anybody outside of the run wants a tensor that it makes. */
static bool is_wanted(const folder *f, const char *name)
{
	const Onnx__GraphProto *to = f->model->graph;
	for (size_t i = 0; i < f->nparts; i++)
		if ((i < f->first || i >= f->last) && takes(&f->parts[i], name))
			return true;
	for (size_t i = 0; i < to->n_output; i++)
		if (strcmp(to->output[i]->name, name) == 0)
			return true;
	return false;
}

static bool find_edges(folder *f)
{
	size_t nin = 0, nout = 0;
	for (size_t i = f->first; i < f->last; i++)
		nin += f->parts[i].node->n_input, nout += f->parts[i].node->n_output;
	if (!begin_names(f, &f->taken, nin + 1) || !begin_names(f, &f->made, nout))
		return false;
	for (size_t i = f->first; i < f->last; i++) {
		const Onnx__NodeProto *m = f->parts[i].node;
		for (size_t k = 0; k < m->n_input; k++)
			if (*m->input[k] && !has(&f->taken, m->input[k]) && !makes(f, f->first, f->last, m->input[k]))
				f->taken.list[f->taken.n++] = m->input[k];
		for (size_t k = 0; k < m->n_output; k++)
			if (is_wanted(f, m->output[k]))
				f->made.list[f->made.n++] = m->output[k];
	}
	const Onnx__NodeProto *end = f->parts[f->last - 1].node;
	if (!f->made.n) /* dead, but a node gives something */
		f->made.list[f->made.n++] = end->output[0];
	return true;
}

/* Whoever takes or makes a tensor in the run does it by another name. */
static void call_it(folder *f, const char *from, char *to)
{
	for (size_t i = f->first; i < f->last; i++) {
		Onnx__NodeProto *m = f->parts[i].node;
		for (size_t k = 0; k < m->n_input; k++)
			if (strcmp(m->input[k], from) == 0)
				m->input[k] = to;
		for (size_t k = 0; k < m->n_output; k++)
			if (strcmp(m->output[k], from) == 0)
				m->output[k] = to;
	}
}

/* What the run makes has names of its own there: "b0_t7". */
static bool rename_within(folder *f)
{
	for (size_t i = f->first; i < f->last; i++)
		for (size_t k = 0; k < f->parts[i].node->n_output; k++) {
			const char *name = f->parts[i].node->output[k];
			char *within = say(f, "b%u_%s", f->body, name);
			if (!within)
				return false;
			call_it(f, name, within);
		}
	return true;
}

/* The run's parts become these. */
static void replace(folder *f, const part *with, size_t n)
{
	memmove(f->parts + f->first + n, f->parts + f->last, (f->nparts - f->last) * sizeof *f->parts);
	memcpy(f->parts + f->first, with, n * sizeof *with);
	f->nparts -= f->last - f->first - n;
}

/* ---- functions */

/* Its attributes become the function's, which the call gives. */
static bool lift_attributes(folder *f, Onnx__NodeProto *m, Onnx__FunctionProto *to, Onnx__NodeProto *call)
{
	for (size_t i = 0; i < m->n_attribute; i++) {
		Onnx__AttributeProto *given = take(f, sizeof *given), *refers;
		char *name = say(f, "a%u", (unsigned)call->n_attribute);
		refers = new_attribute(f, m->attribute[i]->name, m->attribute[i]->type);
		if (!given || !name || !refers)
			return false;
		*given = *m->attribute[i];
		given->name = refers->ref_attr_name = name;
		m->attribute[i] = refers;
		to->attribute[to->n_attribute++] = name;
		call->attribute[call->n_attribute++] = given;
	}
	return true;
}

static bool begin_function(folder *f, Onnx__FunctionProto *to, Onnx__NodeProto *call)
{
	size_t nattributes = 0, nnodes = f->last - f->first;
	for (size_t i = f->first; i < f->last; i++)
		nattributes += f->parts[i].node->n_attribute;
	*to = (Onnx__FunctionProto)ONNX__FUNCTION_PROTO__INIT;
	to->domain = DOMAIN;
	to->n_opset_import = f->model->n_opset_import - (f->model->functions != NULL); /* without its own domain */
	to->opset_import = f->model->opset_import;
	to->input = take(f, f->taken.n * sizeof *to->input);
	to->output = take(f, f->made.n * sizeof *to->output);
	to->node = take(f, nnodes * sizeof *to->node);
	to->attribute = take(f, nattributes * sizeof *to->attribute);
	call->attribute = take(f, nattributes * sizeof *call->attribute);
	call->domain = DOMAIN;
	return to->input && to->output && to->node && to->attribute && call->attribute;
}

/* Names within a function are of the places, so that equal runs have equal ones. */
static bool fill_function(folder *f, Onnx__FunctionProto *to, Onnx__NodeProto *call)
{
	unsigned y = 0;
	for (size_t i = 0; i < f->taken.n; i++) {
		call->input[call->n_input++] = f->taken.list[i];
		to->input[to->n_input++] = say(f, "x%u", (unsigned)i);
		if (!to->input[i])
			return false;
		call_it(f, f->taken.list[i], to->input[i]);
	}
	for (size_t i = f->first; i < f->last; i++) {
		Onnx__NodeProto *m = f->parts[i].node;
		m->name = m->doc_string = NULL;
		to->node[to->n_node++] = m;
		for (size_t k = 0; k < m->n_output; k++) {
			char *before = m->output[k], *now = say(f, "y%u", y++);
			if (!now)
				return false;
			call_it(f, before, now);
			if (!has(&f->made, before))
				continue;
			call->output[call->n_output++] = before;
			to->output[to->n_output++] = now;
		}
		if (!lift_attributes(f, m, to, call))
			return false;
	}
	return true;
}

static bool pack_function(Onnx__FunctionProto *m, buf *out)
{
	char *name = m->name;
	m->name = NULL;
	size_t size = onnx__function_proto__get_packed_size(m);
	char *to = buf_room(out, size);
	if (to)
		onnx__function_proto__pack(m, (uint8_t *)to);
	m->name = name;
	return to;
}

/* The function of the model that is as this one: *found; NULL: none is. False without memory. */
static bool find_function(folder *f, Onnx__FunctionProto *like, Onnx__FunctionProto **found)
{
	buf a = {0}, b = {0};
	bool packed = pack_function(like, &a);
	*found = NULL;
	for (size_t i = 0; packed && i < f->model->n_functions && !*found; i++) {
		buf_clear(&b);
		packed = pack_function(f->model->functions[i], &b);
		if (packed && a.length == b.length && memcmp(a.text, b.text, a.length) == 0)
			*found = f->model->functions[i];
	}
	buf_free(&a);
	buf_free(&b);
	return packed;
}

/* Has the model say that it has functions. */
static bool import_domain(folder *f)
{
	size_t n = f->model->n_opset_import;
	Onnx__OperatorSetIdProto **list = take(f, (n + 1) * sizeof *list), *mine = take(f, sizeof *mine);
	if (!list || !mine)
		return false;
	*mine = (Onnx__OperatorSetIdProto)ONNX__OPERATOR_SET_ID_PROTO__INIT;
	mine->domain = DOMAIN;
	mine->has_version = true;
	mine->version = 1;
	memcpy(list, f->model->opset_import, n * sizeof *list);
	list[n] = mine;
	f->model->opset_import = list;
	f->model->n_opset_import = n + 1;
	f->model->functions = take(f, GRAPH_BODIES_MAX * sizeof *f->model->functions);
	return f->model->functions;
}

static bool fold_function(folder *f)
{
	Onnx__NodeProto *call = new_node(f, NULL, f->taken.n, f->made.n);
	Onnx__FunctionProto *to = take(f, sizeof *to);
	Onnx__FunctionProto *known;
	if (!call || !to || !begin_function(f, to, call) || !fill_function(f, to, call) || !find_function(f, to, &known))
		return false;
	if (!known) {
		if (!f->model->functions && !import_domain(f))
			return false;
		to->name = say(f, "f%u", (unsigned)f->model->n_functions);
		f->model->functions[f->model->n_functions++] = known = to;
	}
	call->op_type = known->name;
	call->name = say(f, "n_f%u", f->body);
	part one = {.node = call, .subgraph = f->parts[f->first].subgraph};
	replace(f, &one, 1);
	return call->op_type && call->name;
}

/* ---- subgraphs */

/* Removes a constant of the model's graph; NULL: it has none of that name. */
static Onnx__TensorProto *remove_constant(Onnx__GraphProto *from, const char *name)
{
	for (size_t i = 0; i < from->n_initializer; i++) {
		Onnx__TensorProto *m = from->initializer[i];
		if (strcmp(m->name, name) != 0)
			continue;
		from->n_initializer--;
		memmove(from->initializer + i, from->initializer + i + 1, (from->n_initializer - i) * sizeof m);
		return m;
	}
	return NULL;
}

/* Finds the constants that only the run uses, for its graph; it takes the other tensors from outside. */
static bool find_own(folder *f)
{
	size_t n = 0;
	f->own = take(f, f->taken.n * sizeof *f->own);
	f->ninner = 0;
	for (size_t i = 0; f->own && i < f->taken.n; i++) {
		char *name = f->taken.list[i];
		const graph_tensor *t = tensor_of(f, name); /* NULL: elements that are an argument of a call */
		bool moves = f->g->bodies[f->body].constants != BODY_CONSTANTS_OUTSIDE && (!t || t->constant) && !is_wanted(f, name);
		Onnx__TensorProto *m = moves ? remove_constant(f->model->graph, name) : NULL;
		if (m)
			f->own[f->ninner++] = m;
		else
			f->taken.list[n++] = name;
	}
	f->taken.n = n;
	return f->own;
}

/* The run's own constants as initializers or nodes of its graph. */
static bool add_own(folder *f, Onnx__GraphProto *to)
{
	for (size_t i = 0; i < f->ninner; i++) {
		if (f->g->bodies[f->body].constants == BODY_CONSTANTS_INITIALIZERS) {
			to->initializer[to->n_initializer++] = f->own[i];
			continue;
		}
		Onnx__NodeProto *m = new_node(f, "Constant", 0, 1);
		Onnx__AttributeProto *a = new_attribute(f, "value", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR);
		Onnx__AttributeProto **list = take(f, sizeof *list);
		if (!m || !a || !list)
			return false;
		a->t = f->own[i];
		m->attribute = list;
		m->attribute[m->n_attribute++] = a;
		m->output[m->n_output++] = f->own[i]->name;
		to->node[to->n_node++] = m;
	}
	return true;
}

/* A tensor that the run takes, of the same type and shape as one that it makes; NULL: there is none. */
static char *find_like(const folder *f, const graph_tensor *t)
{
	for (size_t i = 0; i < f->taken.n; i++) {
		const graph_tensor *o = tensor_of(f, f->taken.list[i]);
		if (o && o->dtype == t->dtype && o->rank == t->rank && memcmp(o->shape, t->shape, t->rank * sizeof *t->shape) == 0)
			return f->taken.list[i];
	}
	return NULL;
}

static Onnx__TensorProto *zeros(folder *f, const char *name, const graph_tensor *t)
{
	Onnx__TensorProto *m = take(f, sizeof *m);
	size_t size = elements_bytes(t);
	uint8_t *bytes = take(f, size);
	if (!m || !bytes)
		return NULL;
	*m = (Onnx__TensorProto)ONNX__TENSOR_PROTO__INIT;
	m->name = say(f, "z%u_%s", f->body, name);
	m->n_dims = t->rank;
	m->dims = (int64_t *)t->shape;
	m->has_data_type = m->has_raw_data = true;
	m->data_type = onnx_element_type(t->dtype);
	m->raw_data = (ProtobufCBinaryData){size, bytes};
	return m->name ? m : NULL;
}

/* The branch that is not taken. */
static Onnx__GraphProto *decoy(folder *f)
{
	Onnx__GraphProto *to = new_graph(f, "other", f->made.n, 0, f->made.n);
	for (size_t i = 0; to && i < f->made.n; i++) {
		const graph_tensor *t = tensor_of(f, f->made.list[i]);
		char *source = find_like(f, t);
		Onnx__NodeProto *m = new_node(f, "Identity", 1, 1);
		Onnx__TensorProto *z = source ? NULL : zeros(f, f->made.list[i], t);
		char *name = say(f, "e%u_%s", f->body, f->made.list[i]);
		if (!m || (!source && !z) || !name || !add_output(f, to, name, onnx_element_type(t->dtype)))
			return NULL;
		if (!source)
			to->initializer[to->n_initializer++] = z;
		m->input[m->n_input++] = source ? source : z->name;
		m->output[m->n_output++] = name;
		to->node[to->n_node++] = m;
	}
	return to;
}

/* The run as a graph. Its results follow the existing outputs, and its names become local. */
static bool fill_graph(folder *f, Onnx__GraphProto *to)
{
	if (!rename_within(f) || !add_own(f, to))
		return false;
	for (size_t i = f->first; i < f->last; i++)
		to->node[to->n_node++] = f->parts[i].node;
	for (size_t i = 0; i < f->made.n; i++)
		if (!add_output(f, to, say(f, "b%u_%s", f->body, f->made.list[i]), onnx_element_type(tensor_of(f, f->made.list[i])->dtype)))
			return false;
	return true;
}

static char *control_name(folder *f)
{
	return say(f, "t%u", f->g->tensors[f->g->bodies[f->body].control].number);
}

/* The node that a run becomes, which has its graph, or both branches. */
static bool add_graphs(folder *f, Onnx__NodeProto *m, const char *first, Onnx__GraphProto *one, const char *second,
    Onnx__GraphProto *other)
{
	m->attribute = take(f, 2 * sizeof *m->attribute);
	m->name = say(f, "n_b%u", f->body);
	Onnx__AttributeProto *a = new_attribute(f, first, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH),
			     *b = new_attribute(f, second, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH);
	if (!m->attribute || !m->name || !a || !b)
		return false;
	a->g = one;
	b->g = other;
	m->attribute[m->n_attribute++] = a;
	if (other)
		m->attribute[m->n_attribute++] = b;
	return true;
}

static bool fold_if(folder *f)
{
	bool then = body_told(f->g, f->body);
	Onnx__NodeProto *m = new_node(f, "If", 1, f->made.n);
	Onnx__GraphProto *run = new_graph(f, "run", f->last - f->first, 0, f->made.n), *other = decoy(f);
	char *control = control_name(f);
	if (!m || !run || !other || !control || !fill_graph(f, run)
	    || !add_graphs(f, m, "else_branch", then ? other : run, "then_branch", then ? run : other))
		return false;
	m->input[m->n_input++] = control;
	for (size_t i = 0; i < f->made.n; i++)
		m->output[m->n_output++] = f->made.list[i];
	part one = {.node = m, .takes = f->taken};
	replace(f, &one, 1);
	return true;
}

/* A loop in the making: its node and body, and the nodes that make what is carried first. */
typedef struct loop {
	Onnx__NodeProto *node;
	Onnx__GraphProto *body;
	part parts[MORE];
	size_t nparts;
	unsigned stages; /* of a register */
} loop;

static bool add_identity(folder *f, Onnx__GraphProto *to, char *from, char *name, int element_type)
{
	Onnx__NodeProto *m = new_node(f, "Identity", 1, 1);
	if (!m || !name || !from)
		return false;
	m->input[m->n_input++] = from;
	m->output[m->n_output++] = name;
	to->node[to->n_node++] = m;
	return add_output(f, to, name, element_type);
}

/* An initializer of one element in no dimension. */
static bool add_scalar(folder *f, char *name, rs_dtype dtype, const void *element)
{
	Onnx__GraphProto *to = f->model->graph;
	Onnx__TensorProto *m = take(f, sizeof *m);
	if (!m || !name)
		return false;
	*m = (Onnx__TensorProto)ONNX__TENSOR_PROTO__INIT;
	m->name = name;
	m->has_data_type = m->has_raw_data = true;
	m->data_type = onnx_element_type(dtype);
	m->raw_data = (ProtobufCBinaryData){rs_dtype_size(dtype), (uint8_t *)element};
	to->initializer[to->n_initializer++] = m;
	return true;
}

/* Whether a float may go through carried values: half of it is computed. */
static bool may_register(const graph_tensor *t)
{
	return t && (t->dtype == RS_FLOAT32 || t->dtype == RS_FLOAT64);
}

/* Has a float that the run takes come out of as many carried values as the loop has stages. */
static bool add_register(folder *f, loop *l, char *name, unsigned number)
{
	static const float HALF = 0.5f;
	static const double HALF_WIDE = 0.5;
	Onnx__NodeProto *halved = new_node(f, "Mul", 2, 1);
	const graph_tensor *t = tensor_of(f, name);
	int element_type = onnx_element_type(t->dtype);
	char *first = say(f, "r%u_%u", f->body, number), *half = say(f, "h%u_%u", f->body, number), *from = name;
	const void *element = t->dtype == RS_FLOAT64 ? (const void *)&HALF_WIDE : &HALF;
	if (!halved || !first || !add_scalar(f, half, (rs_dtype)t->dtype, element))
		return false;
	halved->input[0] = name;
	halved->input[1] = half;
	halved->n_input = 2;
	halved->output[halved->n_output++] = first;
	l->parts[l->nparts++] = (part){.node = halved};
	for (unsigned k = 0; k < l->stages; k++) {
		char *in = say(f, "s%u_%u_%u", f->body, number, k), *out = say(f, "u%u_%u_%u", f->body, number, k),
		     *last = say(f, "v%u_%u_%u", f->body, number, k);
		if (!in || !last || !add_input(f, l->body, in, element_type, t)
		    || !add_identity(f, l->body, from, out, element_type))
			return false;
		l->node->input[l->node->n_input++] = first;
		l->node->output[l->node->n_output++] = last;
		from = in;
	}
	call_it(f, name, from);
	return true;
}

/* What the run makes is carried, and nothing takes it but who comes behind the loop. */
static bool carry_made(folder *f, loop *l)
{
	Onnx__GraphProto *to = f->model->graph;
	for (size_t i = 0; i < f->made.n; i++) {
		const graph_tensor *t = tensor_of(f, f->made.list[i]);
		char *name = say(f, "p%u_%s", f->body, f->made.list[i]), *first = find_like(f, t);
		Onnx__TensorProto *z = first ? NULL : zeros(f, f->made.list[i], t);
		if (!name || (!first && !z) || !add_input(f, l->body, name, onnx_element_type(t->dtype), t))
			return false;
		if (z)
			to->initializer[to->n_initializer++] = z;
		l->node->input[l->node->n_input++] = first ? first : z->name;
		l->node->output[l->node->n_output++] = f->made.list[i];
	}
	return true;
}

/* The condition with which it begins, and which stays. */
static char *go_on(folder *f)
{
	static const uint8_t TRUE = 1;
	char *name = say(f, "k%u", f->body);
	return add_scalar(f, name, RS_BOOL, &TRUE) ? name : NULL;
}

static bool begin_loop(folder *f, loop *l)
{
	size_t carried = (size_t)REGISTERED * BODIES_TRIPS_MAX + f->made.n, nodes = f->last - f->first + carried + 1;
	char *control = control_name(f), *condition = go_on(f);
	*l = (loop){.node = new_node(f, "Loop", carried + 2, carried),
	    .body = new_graph(f, "body", nodes, carried + 2, carried + 1),
	    .stages = (unsigned)body_told(f->g, f->body) - 1};
	if (!control || !condition || !l->node || !l->body || !add_input(f, l->body, say(f, "i%u", f->body), onnx_element_type(RS_INT64), NULL)
	    || !add_input(f, l->body, say(f, "c%u_in", f->body), onnx_element_type(RS_BOOL), NULL))
		return false;
	l->node->input[l->node->n_input++] = control;
	l->node->input[l->node->n_input++] = condition;
	return add_identity(f, l->body, l->body->input[1]->name, say(f, "c%u_out", f->body), onnx_element_type(RS_BOOL));
}

static bool fold_loop(folder *f)
{
	loop l;
	unsigned registered = 0;
	if (!begin_loop(f, &l) || !carry_made(f, &l))
		return false;
	size_t before = l.body->n_output; /* what the run makes comes first, as it was carried first */
	if (!fill_graph(f, l.body))
		return false;
	for (size_t i = 0; l.stages && i < f->taken.n && registered < REGISTERED; i++)
		if (may_register(tensor_of(f, f->taken.list[i])) && !add_register(f, &l, f->taken.list[i], registered++))
			return false;
	if (before != 1 || !add_graphs(f, l.node, "body", l.body, "", NULL))
		return false;
	l.parts[l.nparts++] = (part){.node = l.node, .takes = f->taken};
	replace(f, l.parts, l.nparts);
	return true;
}

/* ---- all */

static bool fold(folder *f, unsigned body)
{
	bool function = body_is_function(f->g, body);
	f->body = body;
	f->ninner = 0;
	for (f->first = 0; f->first < f->nparts; f->first++)
		if ((function ? f->parts[f->first].function : f->parts[f->first].subgraph) == body + 1)
			break;
	for (f->last = f->first; f->last < f->nparts; f->last++)
		if ((function ? f->parts[f->last].function : f->parts[f->last].subgraph) != body + 1)
			break;
	if (f->first == f->last)
		return true;
	if (!find_edges(f) || (!function && !find_own(f)))
		return false;
	return function ? fold_function(f) : f->g->bodies[body].kind == BODY_IF ? fold_if(f) : fold_loop(f);
}

/* Room for all that the file may have more. */
static bool begin(folder *f)
{
	Onnx__GraphProto *to = f->model->graph;
	size_t more = (size_t)GRAPH_BODIES_MAX * MORE;
	size_t most = to->n_initializer + f->g->ntensors + (size_t)(1 + REGISTERED) * GRAPH_BODIES_MAX;
	Onnx__TensorProto **initializers = take(f, most * sizeof *initializers);
	f->parts = take(f, (f->g->live_nodes + more) * sizeof *f->parts);
	f->tensors = take(f, f->g->ntensors * sizeof *f->tensors);
	if (!initializers || !f->parts || !f->tensors)
		return false;
	memcpy(initializers, to->initializer, to->n_initializer * sizeof *initializers);
	to->initializer = initializers;
	f->ntensors = f->g->ntensors;
	for (uint32_t i = 0; i < f->g->ntensors; i++)
		if (f->g->tensors[i].live)
			f->tensors[f->g->tensors[i].number] = &f->g->tensors[i];
	for (uint32_t i = f->g->first; i != GRAPH_NONE; i = f->g->nodes[i].next) {
		const graph_node *n = &f->g->nodes[i];
		f->parts[f->nparts] = (part){.node = to->node[f->nparts], .function = n->function, .subgraph = n->subgraph};
		f->nparts++;
	}
	return true;
}

/* Keeps the file's own nodes; values inside a body are not declared outside. */
static bool finish(folder *f)
{
	Onnx__GraphProto *to = f->model->graph;
	size_t n = 0;
	to->node = take(f, f->nparts * sizeof *to->node);
	for (size_t i = 0; to->node && i < f->nparts; i++)
		to->node[i] = f->parts[i].node;
	to->n_node = f->nparts;
	for (size_t i = 0; i < to->n_value_info; i++)
		if (makes(f, 0, f->nparts, to->value_info[i]->name))
			to->value_info[n++] = to->value_info[i];
	to->n_value_info = n;
	return to->node;
}

bool onnx_fold_bodies(const graph *g, Onnx__ModelProto *model, arena *a, diag *d)
{
	folder f = {.g = g, .model = model, .a = a};
	bool ok = begin(&f);
	for (int function = 1; function >= 0; function--)
		for (unsigned i = 0; ok && i < g->nbodies; i++)
			ok = body_is_function(g, i) != function || fold(&f, i);
	return diag_memory(d, ok && finish(&f));
}

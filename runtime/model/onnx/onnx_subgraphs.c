#include "onnx_subgraphs.h"

#include <string.h>

#include "bodies.h"
#include "onnx_types.h"

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

bool folder_find_own(folder *f)
{
	size_t n = 0;
	f->own = folder_take(f, f->taken.n * sizeof *f->own);
	f->ninner = 0;
	for (size_t i = 0; f->own && i < f->taken.n; i++) {
		char *name = f->taken.list[i];
		const graph_tensor *t = folder_tensor(f, name); /* NULL: elements that are an argument of a call */
		bool moves = f->g->bodies[f->body].constants != BODY_CONSTANTS_OUTSIDE && (!t || t->constant) && !folder_wants(f, name);
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
		Onnx__NodeProto *m = folder_node(f, "Constant", 0, 1);
		Onnx__AttributeProto *a = folder_attribute(f, "value", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR);
		Onnx__AttributeProto **list = folder_take(f, sizeof *list);
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
		const graph_tensor *o = folder_tensor(f, f->taken.list[i]);
		if (o && o->dtype == t->dtype && o->rank == t->rank && memcmp(o->shape, t->shape, t->rank * sizeof *t->shape) == 0)
			return f->taken.list[i];
	}
	return NULL;
}

static Onnx__TensorProto *zeros(folder *f, const char *name, const graph_tensor *t)
{
	Onnx__TensorProto *m = folder_take(f, sizeof *m);
	size_t size = (size_t)t->numel * rs_dtype_size((rs_dtype)t->dtype);
	uint8_t *bytes = folder_take(f, size);
	if (!m || !bytes)
		return NULL;
	*m = (Onnx__TensorProto)ONNX__TENSOR_PROTO__INIT;
	m->name = folder_say(f, "z%u_%s", f->body, name);
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
	Onnx__GraphProto *to = folder_graph(f, "other", f->made.n, 0, f->made.n);
	for (size_t i = 0; to && i < f->made.n; i++) {
		const graph_tensor *t = folder_tensor(f, f->made.list[i]);
		char *source = find_like(f, t);
		Onnx__NodeProto *m = folder_node(f, "Identity", 1, 1);
		Onnx__TensorProto *z = source ? NULL : zeros(f, f->made.list[i], t);
		char *name = folder_say(f, "e%u_%s", f->body, f->made.list[i]);
		if (!m || (!source && !z) || !name || !folder_output(f, to, name, onnx_element_type(t->dtype)))
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
	if (!folder_rename_within(f) || !add_own(f, to))
		return false;
	for (size_t i = f->first; i < f->last; i++)
		to->node[to->n_node++] = f->parts[i].node;
	for (size_t i = 0; i < f->made.n; i++)
		if (!folder_output(f, to, folder_say(f, "b%u_%s", f->body, f->made.list[i]), onnx_element_type(folder_tensor(f, f->made.list[i])->dtype)))
			return false;
	return true;
}

static char *control_name(folder *f)
{
	return folder_say(f, "t%u", f->g->tensors[f->g->bodies[f->body].control].number);
}

/* The node that a run becomes, which has its graph, or both branches. */
static bool add_graphs(folder *f, Onnx__NodeProto *m, const char *first, Onnx__GraphProto *one, const char *second,
    Onnx__GraphProto *other)
{
	m->attribute = folder_take(f, 2 * sizeof *m->attribute);
	m->name = folder_say(f, "n_b%u", f->body);
	Onnx__AttributeProto *a = folder_attribute(f, first, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH),
			     *b = folder_attribute(f, second, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH);
	if (!m->attribute || !m->name || !a || !b)
		return false;
	a->g = one;
	b->g = other;
	m->attribute[m->n_attribute++] = a;
	if (other)
		m->attribute[m->n_attribute++] = b;
	return true;
}

bool fold_if(folder *f)
{
	bool then = body_told(f->g, f->body);
	Onnx__NodeProto *m = folder_node(f, "If", 1, f->made.n);
	Onnx__GraphProto *run = folder_graph(f, "run", f->last - f->first, 0, f->made.n), *other = decoy(f);
	char *control = control_name(f);
	if (!m || !run || !other || !control || !fill_graph(f, run)
	    || !add_graphs(f, m, "else_branch", then ? other : run, "then_branch", then ? run : other))
		return false;
	m->input[m->n_input++] = control;
	for (size_t i = 0; i < f->made.n; i++)
		m->output[m->n_output++] = f->made.list[i];
	part one = {.node = m, .takes = f->taken};
	folder_replace(f, &one, 1);
	return true;
}

/* A loop in the making: its node and body, and the nodes that make what is carried first. */
typedef struct loop {
	Onnx__NodeProto *node;
	Onnx__GraphProto *body;
	part parts[FOLDER_MORE];
	size_t nparts;
	unsigned stages; /* of a register */
} loop;

static bool add_identity(folder *f, Onnx__GraphProto *to, char *from, char *name, int element_type)
{
	Onnx__NodeProto *m = folder_node(f, "Identity", 1, 1);
	if (!m || !name || !from)
		return false;
	m->input[m->n_input++] = from;
	m->output[m->n_output++] = name;
	to->node[to->n_node++] = m;
	return folder_output(f, to, name, element_type);
}

/* An initializer of one element in no dimension. */
static bool add_scalar(folder *f, char *name, rs_dtype dtype, const void *element)
{
	Onnx__GraphProto *to = f->model->graph;
	Onnx__TensorProto *m = folder_take(f, sizeof *m);
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
	Onnx__NodeProto *halved = folder_node(f, "Mul", 2, 1);
	const graph_tensor *t = folder_tensor(f, name);
	int element_type = onnx_element_type(t->dtype);
	char *first = folder_say(f, "r%u_%u", f->body, number), *half = folder_say(f, "h%u_%u", f->body, number), *from = name;
	const void *element = t->dtype == RS_FLOAT64 ? (const void *)&HALF_WIDE : &HALF;
	if (!halved || !first || !add_scalar(f, half, (rs_dtype)t->dtype, element))
		return false;
	halved->input[0] = name;
	halved->input[1] = half;
	halved->n_input = 2;
	halved->output[halved->n_output++] = first;
	l->parts[l->nparts++] = (part){.node = halved};
	for (unsigned k = 0; k < l->stages; k++) {
		char *in = folder_say(f, "s%u_%u_%u", f->body, number, k), *out = folder_say(f, "u%u_%u_%u", f->body, number, k),
		     *last = folder_say(f, "v%u_%u_%u", f->body, number, k);
		if (!in || !last || !folder_input(f, l->body, in, element_type, t)
		    || !add_identity(f, l->body, from, out, element_type))
			return false;
		l->node->input[l->node->n_input++] = first;
		l->node->output[l->node->n_output++] = last;
		from = in;
	}
	folder_rename(f, name, from);
	return true;
}

/* What the run makes is carried, and nothing takes it but who comes behind the loop. */
static bool carry_made(folder *f, loop *l)
{
	Onnx__GraphProto *to = f->model->graph;
	for (size_t i = 0; i < f->made.n; i++) {
		const graph_tensor *t = folder_tensor(f, f->made.list[i]);
		char *name = folder_say(f, "p%u_%s", f->body, f->made.list[i]), *first = find_like(f, t);
		Onnx__TensorProto *z = first ? NULL : zeros(f, f->made.list[i], t);
		if (!name || (!first && !z) || !folder_input(f, l->body, name, onnx_element_type(t->dtype), t))
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
	char *name = folder_say(f, "k%u", f->body);
	return add_scalar(f, name, RS_BOOL, &TRUE) ? name : NULL;
}

static bool begin_loop(folder *f, loop *l)
{
	size_t carried = (size_t)FOLDER_REGISTERED * BODIES_TRIPS_MAX + f->made.n, nodes = f->last - f->first + carried + 1;
	char *control = control_name(f), *condition = go_on(f);
	*l = (loop){.node = folder_node(f, "Loop", carried + 2, carried),
	    .body = folder_graph(f, "body", nodes, carried + 2, carried + 1),
	    .stages = (unsigned)body_told(f->g, f->body) - 1};
	if (!control || !condition || !l->node || !l->body || !folder_input(f, l->body, folder_say(f, "i%u", f->body), onnx_element_type(RS_INT64), NULL)
	    || !folder_input(f, l->body, folder_say(f, "c%u_in", f->body), onnx_element_type(RS_BOOL), NULL))
		return false;
	l->node->input[l->node->n_input++] = control;
	l->node->input[l->node->n_input++] = condition;
	return add_identity(f, l->body, l->body->input[1]->name, folder_say(f, "c%u_out", f->body), onnx_element_type(RS_BOOL));
}

bool fold_loop(folder *f)
{
	loop l;
	unsigned registered = 0;
	if (!begin_loop(f, &l) || !carry_made(f, &l))
		return false;
	size_t before = l.body->n_output; /* what the run makes comes first, as it was carried first */
	if (!fill_graph(f, l.body))
		return false;
	for (size_t i = 0; l.stages && i < f->taken.n && registered < FOLDER_REGISTERED; i++)
		if (may_register(folder_tensor(f, f->taken.list[i])) && !add_register(f, &l, f->taken.list[i], registered++))
			return false;
	if (before != 1 || !add_graphs(f, l.node, "body", l.body, "", NULL))
		return false;
	l.parts[l.nparts++] = (part){.node = l.node, .takes = f->taken};
	folder_replace(f, l.parts, l.nparts);
	return true;
}

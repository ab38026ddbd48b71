#include "onnx_subgraphs.h"

#include <string.h>

#include "bodies.h"
#include "elements.h"
#include "onnx_types.h"
#include "onnx_value.h"

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
	uint32_t control_id = f->g->bodies[f->body].control; /* stays outside, even if an inner subgraph uses it, too */
	const graph_tensor *control = control_id == GRAPH_NONE ? NULL : &f->g->tensors[control_id];
	f->own = folder_alloc(f, f->taken.n * sizeof *f->own);
	f->ninner = 0;
	for (size_t i = 0; f->own && i < f->taken.n; i++) {
		char *name = f->taken.list[i];
		const graph_tensor *t = folder_tensor(f, name); /* NULL: elements that are an argument of a call */
		bool may = f->g->bodies[f->body].constants != BODY_CONSTANTS_OUTSIDE && (!t || (t->constant && t != control));
		bool moves = may && !folder_wants(f, name);
		Onnx__TensorProto *m = moves ? remove_constant(f->model->graph, name) : NULL;
		if (m)
			f->own[f->ninner++] = m;
		else
			f->taken.list[n++] = name;
	}
	f->taken.n = n;
	return f->own;
}

/* A Constant node of a tensor. */
static Onnx__NodeProto *constant_node(folder *f, Onnx__TensorProto *tensor)
{
	Onnx__NodeProto *m = folder_node(f, "Constant", 0, 1);
	Onnx__AttributeProto *a = folder_attribute(f, "value", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR);
	if (!m || !folder_only_attribute(f, m, a))
		return NULL;
	a->t = tensor;
	m->output[m->n_output++] = tensor->name;
	return m;
}

/* A constant of a graph itself: an initializer or a Constant node. */
static bool add_constant(folder *f, Onnx__GraphProto *to, Onnx__TensorProto *tensor)
{
	if (f->g->bodies[f->body].constants == BODY_CONSTANTS_INITIALIZERS) {
		to->initializer[to->n_initializer++] = tensor;
		return true;
	}
	Onnx__NodeProto *m = constant_node(f, tensor);
	if (!m)
		return false;
	to->node[to->n_node++] = m;
	return true;
}

static bool add_own(folder *f, Onnx__GraphProto *to)
{
	for (size_t i = 0; i < f->ninner; i++)
		if (!add_constant(f, to, f->own[i]))
			return false;
	return true;
}

bool subgraph_begin(folder *f, parts *to)
{
	size_t most = f->made.n + f->last - f->first + FOLDER_MORE;
	*to = (parts){.list = folder_alloc(f, most * sizeof *to->list)};
	return to->list;
}

void subgraph_add(parts *to, Onnx__NodeProto *node)
{
	to->list[to->n++] = (part){.node = node};
}

Onnx__NodeProto *subgraph_put(folder *f, parts *to, const char *op, char *const *inputs, size_t n, char *output)
{
	Onnx__NodeProto *m = output ? folder_node(f, op, n, 1) : NULL;
	for (size_t i = 0; m && i < n; i++) {
		if (!inputs[i])
			return NULL;
		m->input[m->n_input++] = inputs[i];
	}
	if (!m)
		return NULL;
	m->output[m->n_output++] = output;
	subgraph_add(to, m);
	return m;
}

bool subgraph_node(folder *f, Onnx__GraphProto *to, const char *op, char *const *inputs, size_t n, char *output, int element_type)
{
	part one;
	parts here = {.list = &one};
	if (!subgraph_put(f, &here, op, inputs, n, output))
		return false;
	to->node[to->n_node++] = one.node;
	return !element_type || folder_output(f, to, output, element_type);
}

/* ---- constants */

/* A tensor of zeros; NULL: out of memory, or the name is NULL. */
static Onnx__TensorProto *new_tensor(folder *f, char *name, uint8_t dtype, size_t rank, const int64_t *dims, size_t size)
{
	Onnx__TensorProto *m = folder_alloc(f, sizeof *m);
	uint8_t *bytes = folder_alloc(f, size);
	if (!m || !bytes || !name)
		return NULL;
	*m = (Onnx__TensorProto)ONNX__TENSOR_PROTO__INIT;
	m->name = name;
	m->n_dims = rank;
	m->dims = (int64_t *)dims;
	m->has_data_type = m->has_raw_data = true;
	m->data_type = onnx_element_type(dtype);
	m->raw_data = (ProtobufCBinaryData){size, bytes};
	return m;
}

bool subgraph_constant(folder *f, char *name, rs_dtype dtype, const void *elements, size_t count, bool scalar)
{
	Onnx__GraphProto *to = f->model->graph;
	size_t size = count * rs_dtype_size(dtype);
	int64_t *dims = folder_alloc(f, sizeof *dims);
	Onnx__TensorProto *m = dims ? new_tensor(f, name, dtype, !scalar, dims, size) : NULL;
	if (!m)
		return false;
	*dims = (int64_t)count;
	memcpy(m->raw_data.data, elements, size);
	onnx_little_endian(m->raw_data.data, rs_dtype_size(dtype), count);
	to->initializer[to->n_initializer++] = m;
	return true;
}

/* An input of the run with the same type and shape as one of its results; NULL: none. */
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
	return new_tensor(f, folder_printf(f, "z%u_%s", f->body, name), t->dtype, t->rank, t->shape, elements_bytes(t->dtype, (size_t)t->numel));
}

static bool add_constant_result(folder *f, Onnx__GraphProto *to, Onnx__TensorProto *z, char *made)
{
	z->name = made;
	return add_constant(f, to, z) && folder_output(f, to, made, z->data_type);
}

bool subgraph_decoy(folder *f, Onnx__GraphProto *to, bool all_zeros)
{
	bool constants = f->g->bodies[f->body].constants != BODY_CONSTANTS_OUTSIDE;
	for (size_t i = 0; i < f->made.n; i++) {
		const graph_tensor *t = folder_tensor(f, f->made.list[i]);
		char *source = constants || all_zeros ? NULL : find_like(f, t), *made = folder_printf(f, "e%u_%s", f->body, f->made.list[i]);
		Onnx__TensorProto *z = source ? NULL : zeros(f, f->made.list[i], t);
		if (!made || (!source && !z))
			return false;
		if (!source && !constants)
			to->initializer[to->n_initializer++] = z;
		source = source ? source : z->name;
		bool done = constants ? add_constant_result(f, to, z, made)
				      : subgraph_node(f, to, "Identity", &source, 1, made, onnx_element_type(t->dtype));
		if (!done)
			return false;
	}
	return true;
}

/* Declares the types of the run's inner tensors: tools cannot infer those of all operators. */
static bool add_types(folder *f, Onnx__GraphProto *to)
{
	size_t most = 0;
	for (size_t i = f->first; i < f->last; i++)
		most += f->parts[i].node->n_output;
	to->value_info = folder_alloc(f, most * sizeof *to->value_info);
	for (size_t i = f->first; to->value_info && i < f->last; i++)
		for (size_t k = 0; k < f->parts[i].node->n_output; k++) {
			char *name = f->parts[i].node->output[k];
			const graph_tensor *t = folder_result(f, name);
			Onnx__ValueInfoProto *info = t ? onnx_value(f->a, name, onnx_element_type(t->dtype)) : NULL;
			if (t && !info)
				return false;
			if (t && !folder_has(&f->made, strchr(name, '_') + 1))
				to->value_info[to->n_value_info++] = info;
		}
	return to->value_info;
}

bool subgraph_fill(folder *f, Onnx__GraphProto *to, bool shaped)
{
	if (!folder_rename_within(f) || !add_own(f, to) || !add_types(f, to))
		return false;
	for (size_t i = f->first; i < f->last; i++)
		to->node[to->n_node++] = f->parts[i].node;
	for (size_t i = 0; i < f->made.n; i++) {
		const graph_tensor *t = folder_tensor(f, f->made.list[i]);
		char *name = folder_printf(f, "b%u_%s", f->body, f->made.list[i]);
		Onnx__ValueInfoProto *info = !name ? NULL
					     : shaped ? onnx_shaped_value(f->a, name, onnx_element_type(t->dtype), t->rank, t->shape)
						      : onnx_value(f->a, name, onnx_element_type(t->dtype));
		if (!info)
			return false;
		to->output[to->n_output++] = info;
	}
	return true;
}

bool subgraph_carry(folder *f, Onnx__NodeProto *node, Onnx__GraphProto *body, char *first, char *made)
{
	const graph_tensor *t = folder_tensor(f, made);
	char *name = folder_printf(f, "p%u_%s", f->body, made);
	if (!first || !folder_input(f, body, name, onnx_element_type(t->dtype), t))
		return false;
	node->input[node->n_input++] = first;
	node->output[node->n_output++] = made;
	return true;
}

/* The first value of a result: an input of the run, or zeros. NULL: out of memory. */
static char *first_value(folder *f, const char *made)
{
	Onnx__GraphProto *to = f->model->graph;
	const graph_tensor *t = folder_tensor(f, made);
	char *like = find_like(f, t);
	Onnx__TensorProto *z = like ? NULL : zeros(f, made, t);
	if (z)
		to->initializer[to->n_initializer++] = z;
	return like || !z ? like : z->name;
}

bool subgraph_carry_all(folder *f, Onnx__NodeProto *node, Onnx__GraphProto *body)
{
	for (size_t i = 0; i < f->made.n; i++)
		if (!subgraph_carry(f, node, body, first_value(f, f->made.list[i]), f->made.list[i]))
			return false;
	return true;
}

/* ---- the node */

char *subgraph_control(folder *f, parts *to)
{
	const graph_body *b = &f->g->bodies[f->body];
	const graph_tensor *t = &f->g->tensors[b->control];
	char *name = folder_printf(f, "t%u", t->number);
	bool moves = name && t->constant && b->constants == BODY_CONSTANTS_NODES && !folder_wants(f, name);
	Onnx__TensorProto *constant = moves ? remove_constant(f->model->graph, name) : NULL;
	if (constant) {
		Onnx__NodeProto *m = constant_node(f, constant);
		if (!m)
			return NULL;
		subgraph_add(to, m);
	}
	if (!name || b->form != BODY_COMPUTED)
		return name;
	char *once = folder_printf(f, "q%u", f->body), *twice = folder_printf(f, "w%u", f->body);
	if (b->kind == BODY_LOOP)
		return subgraph_put(f, to, "Abs", &name, 1, once) ? once : NULL;
	return subgraph_put(f, to, "Not", &name, 1, once) && subgraph_put(f, to, "Not", &once, 1, twice) ? twice : NULL;
}

bool subgraph_hold(folder *f, Onnx__NodeProto *node, const char *first, Onnx__GraphProto *one, const char *second,
    Onnx__GraphProto *other, size_t more)
{
	node->attribute = folder_alloc(f, (2 + more) * sizeof *node->attribute);
	node->name = folder_printf(f, "n_b%u", f->body);
	Onnx__AttributeProto *a = folder_attribute(f, first, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH),
			     *b = folder_attribute(f, second, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH);
	if (!node->attribute || !node->name || !a || !b)
		return false;
	a->g = one;
	b->g = other;
	node->attribute[node->n_attribute++] = a;
	if (other)
		node->attribute[node->n_attribute++] = b;
	return true;
}

bool fold_if(folder *f)
{
	parts to;
	bool then = body_told(f->g, f->body);
	Onnx__NodeProto *m = folder_node(f, "If", 1, f->made.n);
	Onnx__GraphProto *run = folder_graph(f, "run", f->last - f->first, 0, f->made.n), *other = folder_graph(f, "other", f->made.n, 0, f->made.n);
	if (!m || !run || !other || !subgraph_begin(f, &to))
		return false;
	char *control = subgraph_control(f, &to);
	if (!control || !subgraph_decoy(f, other, false) || !subgraph_fill(f, run, false)
	    || !subgraph_hold(f, m, "else_branch", then ? other : run, "then_branch", then ? run : other, 0))
		return false;
	m->input[m->n_input++] = control;
	for (size_t i = 0; i < f->made.n; i++)
		m->output[m->n_output++] = f->made.list[i];
	subgraph_add(&to, m);
	to.list[to.n - 1].takes = f->taken;
	folder_replace(f, to.list, to.n);
	return true;
}

/* ---- slices */

/* Half of it is computed by a node. */
bool subgraph_halves(const graph_tensor *t)
{
	return t && (t->dtype == RS_FLOAT32 || t->dtype == RS_FLOAT64);
}

char *subgraph_half(folder *f, parts *to, char *name, unsigned number)
{
	static const float HALF = 0.5f;
	static const double HALF_WIDE = 0.5;
	uint8_t dtype = folder_tensor(f, name)->dtype;
	char *half = folder_printf(f, "h%u_%u", f->body, number), *made = folder_printf(f, "r%u_%u", f->body, number);
	const void *element = dtype == RS_FLOAT64 ? (const void *)&HALF_WIDE : &HALF;
	if (!subgraph_constant(f, half, (rs_dtype)dtype, element, 1, true))
		return NULL;
	return subgraph_put(f, to, "Mul", (char *[]){name, half}, 2, made) ? made : NULL;
}

bool subgraph_pick(folder *f, parts *to, Onnx__NodeProto *from, char *index, int64_t axis, char *made)
{
	char *stacked = folder_printf(f, "y%u_%s", f->body, made);
	Onnx__NodeProto *m = subgraph_put(f, to, "Gather", (char *[]){stacked, index}, 2, made);
	from->output[from->n_output++] = stacked;
	return m && folder_only_attribute(f, m, folder_integer(f, "axis", axis));
}

#include "onnx_folder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies.h"
#include "onnx_value.h"

/* ---- memory */

void *folder_alloc(folder *f, size_t size)
{
	return arena_zalloc(f->a, size + 1);
}

char *folder_printf(folder *f, const char *format, ...)
{
	char text[64];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return arena_strdup(f->a, text);
}

bool folder_begin_names(folder *f, names *ns, size_t most)
{
	*ns = (names){.list = folder_alloc(f, most * sizeof *ns->list)};
	return ns->list;
}

bool folder_has(const names *ns, const char *name)
{
	for (size_t i = 0; i < ns->n; i++)
		if (strcmp(ns->list[i], name) == 0)
			return true;
	return false;
}

Onnx__NodeProto *folder_node(folder *f, const char *op, size_t nin, size_t nout)
{
	Onnx__NodeProto *m = folder_alloc(f, sizeof *m);
	if (!m)
		return NULL;
	*m = (Onnx__NodeProto)ONNX__NODE_PROTO__INIT;
	m->op_type = (char *)op;
	m->input = folder_alloc(f, nin * sizeof *m->input);
	m->output = folder_alloc(f, nout * sizeof *m->output);
	return m->input && m->output ? m : NULL;
}

Onnx__AttributeProto *folder_attribute(folder *f, const char *name, Onnx__AttributeProto__AttributeType type)
{
	Onnx__AttributeProto *m = folder_alloc(f, sizeof *m);
	if (!m)
		return NULL;
	*m = (Onnx__AttributeProto)ONNX__ATTRIBUTE_PROTO__INIT;
	m->name = (char *)name;
	m->has_type = true;
	m->type = type;
	return m;
}

Onnx__AttributeProto *folder_integer(folder *f, const char *name, int64_t n)
{
	Onnx__AttributeProto *m = folder_attribute(f, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
	if (!m)
		return NULL;
	m->has_i = true;
	m->i = n;
	return m;
}

bool folder_only_attribute(folder *f, Onnx__NodeProto *m, Onnx__AttributeProto *a)
{
	m->attribute = a ? folder_alloc(f, sizeof *m->attribute) : NULL;
	if (!m->attribute)
		return false;
	m->attribute[m->n_attribute++] = a;
	return true;
}

Onnx__GraphProto *folder_graph(folder *f, const char *name, size_t nodes, size_t inputs, size_t outputs)
{
	Onnx__GraphProto *m = folder_alloc(f, sizeof *m);
	if (!m)
		return NULL;
	*m = (Onnx__GraphProto)ONNX__GRAPH_PROTO__INIT;
	m->name = (char *)name;
	m->node = folder_alloc(f, (nodes + f->ninner) * sizeof *m->node);
	m->input = folder_alloc(f, inputs * sizeof *m->input);
	m->output = folder_alloc(f, outputs * sizeof *m->output);
	m->initializer = folder_alloc(f, (outputs + f->ninner) * sizeof *m->initializer);
	return m->node && m->input && m->output && m->initializer ? m : NULL;
}

bool folder_output(folder *f, Onnx__GraphProto *to, char *name, int element_type)
{
	return name && (to->output[to->n_output++] = onnx_value(f->a, name, element_type)) != NULL;
}

bool folder_input(folder *f, Onnx__GraphProto *to, char *name, int element_type, const graph_tensor *t)
{
	return name
	       && (to->input[to->n_input++] = onnx_shaped_value(f->a, name, element_type, t ? t->rank : 0, t ? t->shape : NULL)) != NULL;
}

/* ---- the run */

const graph_tensor *folder_tensor(const folder *f, const char *name)
{
	unsigned long number = *name == 't' ? strtoul(name + 1, NULL, 10) : f->ntensors;
	return number < f->ntensors ? f->tensors[number] : NULL;
}

const graph_tensor *folder_result(const folder *f, const char *name)
{
	while (*name == 'b') {
		name += 1 + strspn(name + 1, "0123456789");
		name += *name == '_';
	}
	return folder_tensor(f, name);
}

bool folder_makes(const folder *f, size_t first, size_t last, const char *name)
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
	return folder_has(&p->takes, name);
}

/* Whether a tensor controls a subgraph that is not in the file yet: subgraphs are folded from the last to the first. */
static bool is_control(const folder *f, const char *name)
{
	const graph_tensor *t = folder_tensor(f, name);
	for (unsigned i = 0; t && i < f->body; i++)
		if (f->g->bodies[i].control != GRAPH_NONE && &f->g->tensors[f->g->bodies[i].control] == t)
			return true;
	return false;
}

bool folder_wants(const folder *f, const char *name)
{
	const Onnx__GraphProto *to = f->model->graph;
	if (is_control(f, name))
		return true;
	for (size_t i = 0; i < f->nparts; i++)
		if ((i < f->first || i >= f->last) && takes(&f->parts[i], name))
			return true;
	for (size_t i = 0; i < to->n_output; i++)
		if (strcmp(to->output[i]->name, name) == 0)
			return true;
	return false;
}

static void take_name(folder *f, char *name)
{
	if (*name && !folder_has(&f->taken, name) && !folder_makes(f, f->first, f->last, name))
		f->taken.list[f->taken.n++] = name;
}

bool folder_find_edges(folder *f)
{
	size_t nin = 0, nout = 0;
	for (size_t i = f->first; i < f->last; i++)
		nin += f->parts[i].node->n_input + f->parts[i].takes.n, nout += f->parts[i].node->n_output;
	if (!folder_begin_names(f, &f->taken, nin + 1) || !folder_begin_names(f, &f->made, nout))
		return false;
	for (size_t i = f->first; i < f->last; i++) {
		const Onnx__NodeProto *m = f->parts[i].node;
		for (size_t k = 0; k < m->n_input; k++)
			take_name(f, m->input[k]);
		for (size_t k = 0; k < f->parts[i].takes.n; k++)
			take_name(f, f->parts[i].takes.list[k]);
		for (size_t k = 0; k < m->n_output; k++)
			if (folder_wants(f, m->output[k]))
				f->made.list[f->made.n++] = m->output[k];
	}
	const Onnx__NodeProto *end = f->parts[f->last - 1].node;
	if (!f->made.n) /* dead, but a node needs an output */
		f->made.list[f->made.n++] = end->output[0];
	return true;
}

/* Also in a node's graphs, which take tensors by name. */
static void rename_in(Onnx__NodeProto *m, const char *from, char *to)
{
	for (size_t k = 0; k < m->n_input; k++)
		if (strcmp(m->input[k], from) == 0)
			m->input[k] = to;
	for (size_t k = 0; k < m->n_output; k++)
		if (strcmp(m->output[k], from) == 0)
			m->output[k] = to;
	for (size_t k = 0; k < m->n_attribute; k++)
		for (size_t i = 0; m->attribute[k]->g && i < m->attribute[k]->g->n_node; i++)
			rename_in(m->attribute[k]->g->node[i], from, to);
}

void folder_rename(folder *f, const char *from, char *to)
{
	for (size_t i = f->first; i < f->last; i++) {
		names *takes = &f->parts[i].takes;
		rename_in(f->parts[i].node, from, to);
		for (size_t k = 0; k < takes->n; k++)
			if (strcmp(takes->list[k], from) == 0)
				takes->list[k] = to;
	}
}

bool folder_rename_within(folder *f)
{
	for (size_t i = f->first; i < f->last; i++)
		for (size_t k = 0; k < f->parts[i].node->n_output; k++) {
			const char *name = f->parts[i].node->output[k];
			char *within = folder_printf(f, "b%u_%s", f->body, name);
			if (!within)
				return false;
			folder_rename(f, name, within);
		}
	return true;
}

void folder_replace(folder *f, const part *with, size_t n)
{
	memmove(f->parts + f->first + n, f->parts + f->last, (f->nparts - f->last) * sizeof *f->parts);
	memcpy(f->parts + f->first, with, n * sizeof *with);
	f->nparts -= f->last - f->first - n;
	for (size_t i = 0; i < n && !body_is_function(f->g, f->body); i++)
		f->parts[f->first + i].subgraph = f->g->bodies[f->body].parent;
}

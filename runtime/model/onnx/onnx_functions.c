#include "onnx_functions.h"

#include <string.h>

#include "buf.h"

/* Makes its attributes attributes of the function, set by the call. */
static bool lift_attributes(folder *f, Onnx__NodeProto *m, Onnx__FunctionProto *to, Onnx__NodeProto *call)
{
	for (size_t i = 0; i < m->n_attribute; i++) {
		Onnx__AttributeProto *given = folder_alloc(f, sizeof *given), *refers;
		char *name = folder_printf(f, "a%u", (unsigned)call->n_attribute);
		refers = folder_attribute(f, m->attribute[i]->name, m->attribute[i]->type);
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
	to->domain = FOLDER_DOMAIN;
	to->n_opset_import = f->model->n_opset_import - (f->model->functions != NULL); /* without its own domain */
	to->opset_import = f->model->opset_import;
	to->input = folder_alloc(f, f->taken.n * sizeof *to->input);
	to->output = folder_alloc(f, f->made.n * sizeof *to->output);
	to->node = folder_alloc(f, nnodes * sizeof *to->node);
	to->attribute = folder_alloc(f, nattributes * sizeof *to->attribute);
	call->attribute = folder_alloc(f, nattributes * sizeof *call->attribute);
	call->domain = FOLDER_DOMAIN;
	return to->input && to->output && to->node && to->attribute && call->attribute;
}

/* Names within a function depend on positions only, so that equal runs have equal names. */
static bool fill_function(folder *f, Onnx__FunctionProto *to, Onnx__NodeProto *call)
{
	unsigned y = 0;
	for (size_t i = 0; i < f->taken.n; i++) {
		call->input[call->n_input++] = f->taken.list[i];
		to->input[to->n_input++] = folder_printf(f, "x%u", (unsigned)i);
		if (!to->input[i])
			return false;
		folder_rename(f, f->taken.list[i], to->input[i]);
	}
	for (size_t i = f->first; i < f->last; i++) {
		Onnx__NodeProto *m = f->parts[i].node;
		m->name = m->doc_string = NULL;
		to->node[to->n_node++] = m;
		for (size_t k = 0; k < m->n_output; k++) {
			char *before = m->output[k], *now = folder_printf(f, "y%u", y++);
			if (!now)
				return false;
			folder_rename(f, before, now);
			if (!folder_has(&f->made, before))
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

/* Finds an equal function of the model; NULL: none. False: out of memory. */
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

/* Imports the domain of functions in the model. */
static bool import_domain(folder *f)
{
	size_t n = f->model->n_opset_import;
	Onnx__OperatorSetIdProto **list = folder_alloc(f, (n + 1) * sizeof *list), *mine = folder_alloc(f, sizeof *mine);
	if (!list || !mine)
		return false;
	*mine = (Onnx__OperatorSetIdProto)ONNX__OPERATOR_SET_ID_PROTO__INIT;
	mine->domain = FOLDER_DOMAIN;
	mine->has_version = true;
	mine->version = 1;
	memcpy(list, f->model->opset_import, n * sizeof *list);
	list[n] = mine;
	f->model->opset_import = list;
	f->model->n_opset_import = n + 1;
	f->model->functions = folder_alloc(f, GRAPH_BODIES_MAX * sizeof *f->model->functions);
	return f->model->functions;
}

bool fold_function(folder *f)
{
	Onnx__NodeProto *call = folder_node(f, NULL, f->taken.n, f->made.n);
	Onnx__FunctionProto *to = folder_alloc(f, sizeof *to);
	Onnx__FunctionProto *known;
	if (!call || !to || !begin_function(f, to, call) || !fill_function(f, to, call) || !find_function(f, to, &known))
		return false;
	if (!known) {
		if (!f->model->functions && !import_domain(f))
			return false;
		to->name = folder_printf(f, "f%u", (unsigned)f->model->n_functions);
		f->model->functions[f->model->n_functions++] = known = to;
	}
	call->op_type = known->name;
	call->name = folder_printf(f, "n_f%u", f->body);
	part one = {.node = call, .subgraph = f->parts[f->first].subgraph};
	folder_replace(f, &one, 1);
	return call->op_type && call->name;
}

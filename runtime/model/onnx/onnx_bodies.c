#include "onnx_bodies.h"

#include <string.h>

#include "bodies.h"
#include "onnx_functions.h"
#include "onnx_loops.h"
#include "onnx_scans.h"
#include "onnx_subgraphs.h"
#include "onnx_types.h"
#include "onnx_value.h"

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
	static bool (*const FOLD[BODY_KINDS])(folder *) = {
	    [BODY_FUNCTION] = fold_function, [BODY_IF] = fold_if, [BODY_LOOP] = fold_loop, [BODY_SCAN] = fold_scan};
	enum body_kind kind = (enum body_kind)f->g->bodies[body].kind;
	bool outside = function || (kind == BODY_LOOP && !body_told(f->g, body)); /* the run is not in a graph */
	return folder_find_edges(f) && (outside || folder_find_own(f)) && FOLD[kind](f);
}

/* Allocates room for all nodes that the file may get. */
static bool begin(folder *f)
{
	Onnx__GraphProto *to = f->model->graph;
	size_t more = (size_t)f->g->nbodies * (FOLDER_MORE + f->g->ntensors), most = to->n_initializer + more;
	Onnx__TensorProto **initializers = folder_alloc(f, most * sizeof *initializers);
	f->parts = folder_alloc(f, (f->g->live_nodes + more) * sizeof *f->parts);
	f->tensors = folder_alloc(f, f->g->ntensors * sizeof *f->tensors);
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

/* Keeps the types of tensors that the file's own nodes make, and adds those with other names than in the model. */
static bool keep_types(folder *f)
{
	Onnx__GraphProto *to = f->model->graph;
	size_t most = to->n_value_info, n = 0;
	for (size_t i = 0; i < f->nparts; i++)
		most += f->parts[i].node->n_output;
	Onnx__ValueInfoProto **list = folder_alloc(f, most * sizeof *list);
	if (!list)
		return false;
	for (size_t i = 0; i < to->n_value_info; i++)
		if (folder_makes(f, 0, f->nparts, to->value_info[i]->name))
			list[n++] = to->value_info[i];
	for (size_t i = 0; i < f->nparts; i++)
		for (size_t k = 0; k < f->parts[i].node->n_output; k++) {
			char *name = f->parts[i].node->output[k];
			const graph_tensor *t = *name == 'b' ? folder_result(f, name) : NULL;
			if (t && !(list[n++] = onnx_value(f->a, name, onnx_element_type(t->dtype))))
				return false;
		}
	to->value_info = list;
	to->n_value_info = n;
	return true;
}

/* Keeps the file's own nodes; values inside a body are not declared outside. */
static bool finish(folder *f)
{
	Onnx__GraphProto *to = f->model->graph;
	to->node = folder_alloc(f, f->nparts * sizeof *to->node);
	for (size_t i = 0; to->node && i < f->nparts; i++)
		to->node[i] = f->parts[i].node;
	to->n_node = f->nparts;
	return to->node && keep_types(f);
}

/* Functions first; inner subgraphs before outer ones. */
bool onnx_fold_bodies(const graph *g, Onnx__ModelProto *model, arena *a, diag *d)
{
	folder f = {.g = g, .model = model, .a = a};
	bool ok = begin(&f);
	for (unsigned i = 0; ok && i < g->nbodies; i++)
		ok = !body_is_function(g, i) || fold(&f, i);
	for (unsigned i = g->nbodies; ok && i-- > 0;)
		ok = body_is_function(g, i) || fold(&f, i);
	return diag_memory(d, ok && finish(&f));
}

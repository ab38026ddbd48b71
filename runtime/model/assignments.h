/* Several shape assignments of one model: the names of dimensions that vary, the keys of files that say them
 * (docs/reference/file-formats.md), and a model with fewer of them. graph.h has where a model keeps them. */
#ifndef ASSIGNMENTS_H
#define ASSIGNMENTS_H

#include "buf.h"
#include "graph.h"
#include "json.h"

/* A dimension of what the model is fed. */
typedef struct graph_dim {
	uint32_t tensor;
	unsigned axis;
} graph_dim;

/* Of those that have the same sizes in all assignments the first in the order of inputs, which gives the name. False: the
 * dimension does not vary. */
bool dim_named(const graph *g, graph_dim dim, graph_dim *first);
/* "d0_1": dimension 1 of tensor 0. The graph is numbered. */
void dim_name(const graph *g, graph_dim first, buf *out);

/* Keys "dims" of an input and "also" of a node's output, with the comma before; and "dims" of the model. Nothing where
 * nothing varies. */
void assignments_write_tensor(const graph *g, uint32_t tensor, buf *out);
void assignments_write(const graph *g, buf *out);

/* Reads them into a graph, whose number of assignments "dims" of the model tells; before its tensors. False and d. */
bool assignments_read(graph *g, const cJSON *model, diag *d);
bool assignments_read_tensor(graph *g, const cJSON *model, const cJSON *item, uint32_t tensor, diag *d);

/* Makes one assignment the only one; keeps the first and another one. The graph's own numbers count from 0. False: out of
 * memory. */
bool assignments_take(graph *g, uint32_t assignment);
/* The same of the first, where nothing that is fed varies any more. */
void assignments_tidy(graph *g);
void assignments_keep(graph *g, uint32_t assignment);

#endif

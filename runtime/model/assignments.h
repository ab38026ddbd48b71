/* Shape instances of a model with dynamic shapes: names of varying dimensions, their keys in model files (docs/reference/file-formats.md,
 * "Models"), and reduction to fewer instances. graph.h describes how a model stores them. */
#ifndef ASSIGNMENTS_H
#define ASSIGNMENTS_H

#include "buf.h"
#include "graph.h"
#include "json.h"

/* A dimension of a model input. */
typedef struct graph_dim {
	uint32_t tensor;
	unsigned axis;
} graph_dim;

/* The representative of a dimension: the first one, in the order of inputs, with the same sizes in all instances. It gives
 * the name. False: the dimension does not vary. */
bool dim_named(const graph *g, graph_dim dim, graph_dim *first);
/* "d0_1": dimension 1 of tensor 0. The graph must be numbered. */
void dim_name(const graph *g, graph_dim first, buf *out);

/* Writes the keys "dims" of an input and "also" of an output of a node, with a leading comma, and "dims" of the model.
 * Writes nothing if nothing varies. */
void assignments_write_tensor(const graph *g, uint32_t tensor, buf *out);
void assignments_write(const graph *g, buf *out);

/* Reads these keys into a graph; "dims" of the model, which gives the number of instances, before its tensors. False and d. */
bool assignments_read(graph *g, const cJSON *model, diag *d);
bool assignments_read_tensor(graph *g, const cJSON *model, const cJSON *item, uint32_t tensor, diag *d);

/* Reduces a model to one instance; or to the first and another one. Instances count from 0, the graph's own. False: out of
 * memory. */
bool assignments_take(graph *g, uint32_t assignment);
/* The same for the first instance, if no input varies any more. */
void assignments_tidy(graph *g);
void assignments_keep(graph *g, uint32_t assignment);

#endif

/* Turns runs of calls into subgraphs: helpers for If, Loop and Scan, and the If itself. */
#ifndef ONNX_SUBGRAPHS_H
#define ONNX_SUBGRAPHS_H

#include "onnx_folder.h"

/* The parts that replace the run, in order. */
typedef struct parts {
	part *list;
	size_t n;
} parts;

/* Finds the constants that only the run uses. They move to its graph; other tensors stay outside. */
bool folder_find_own(folder *f);
/* Allocates the parts that replace a run. False: out of memory. */
bool subgraph_begin(folder *f, parts *to);
/* Adds a node with these inputs and one output. NULL: out of memory, or a name is NULL. */
Onnx__NodeProto *subgraph_put(folder *f, parts *to, const char *op, char *const *inputs, size_t n, char *output);
void subgraph_add(parts *to, Onnx__NodeProto *node);
/* The name of the run's control, after adding the nodes that compute it. NULL: out of memory. */
char *subgraph_control(folder *f, parts *to);
/* The run as a graph. Its results follow the existing outputs, with shapes if `shaped`, and its names become local. */
bool subgraph_fill(folder *f, Onnx__GraphProto *to, bool shaped);
/* Nodes that return other tensors than the run, of the same types and shapes: zeros, or inputs of the run. If the body has its
 * own constants, these are constants. */
bool subgraph_decoy(folder *f, Onnx__GraphProto *to, bool all_zeros);
/* Makes a result of the run a carried value, a further input of the node and of the body. `first`: its value before the first
 * trip. False: out of memory, or that is NULL. */
bool subgraph_carry(folder *f, Onnx__NodeProto *node, Onnx__GraphProto *body, char *first, char *made);
/* The same for all results; they begin as an input of the run, or as zeros. */
bool subgraph_carry_all(folder *f, Onnx__NodeProto *node, Onnx__GraphProto *body);
/* The node that replaces a run, with its graph or both branches. `more`: room for other attributes. */
bool subgraph_hold(folder *f, Onnx__NodeProto *node, const char *first, Onnx__GraphProto *one, const char *second,
    Onnx__GraphProto *other, size_t more);
/* A new tensor of the model: of one element, or of `count`, in one dimension. False: out of memory, or the name is NULL. */
bool subgraph_constant(folder *f, char *name, rs_dtype dtype, const void *elements, size_t count, bool scalar);
/* A node of a body with one output, which becomes an output of the body unless element_type is 0. */
bool subgraph_node(folder *f, Onnx__GraphProto *to, const char *op, char *const *inputs, size_t n, char *output, int element_type);
/* Half of a float input of the run, computed before the run. NULL: out of memory. */
char *subgraph_half(folder *f, parts *to, char *name, unsigned number);
/* Whether a tensor may be halved. */
bool subgraph_halves(const graph_tensor *t);
/* Stacks the values of a result along an axis, as a further output of the node `from`. */
bool subgraph_pick(folder *f, parts *to, Onnx__NodeProto *from, char *index, int64_t axis, char *made);

/* Replaces the run by an If. False: out of memory. */
bool fold_if(folder *f);

#endif

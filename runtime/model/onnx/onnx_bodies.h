/* Functions and subgraphs of ONNX files: one node replaces the nodes of each body (bodies.h). rulefuzz/bodies/onnx.py does the
 * same for targets that run in Python.
 *
 *   function  A FunctionProto x0, x1 ─► y0. All inputs of the nodes are its inputs. Each attribute of a node is an attribute of
 *             the function, set by the call. Bodies that are then equal, byte by byte, are one function.
 *
 *   if        The control selects the branch with the nodes. It takes outer values by their names. The other branch returns tensors of
 *             the same types and shapes: inputs of the nodes, or zeros.
 *
 *   loop      The results are carried values; they begin as such an input, or zeros. Float inputs of the nodes pass through as many
 *             carried values as the loop has further trips. Before the first trip these are half of the float, which stays in
 *             every class of elements. Only the last trip computes the results of the nodes.
 *
 *   scan      The nodes take slices of stacks. The last slice is the tensor itself; of floats, the others are half of it. The
 *             results are the last ones of stacks, or states.
 */
#ifndef ONNX_BODIES_H
#define ONNX_BODIES_H

#include <stdbool.h>

#include "arena.h"
#include "diag.h"
#include "graph.h"
#include "onnx.pb-c.h"

/* Changes a whole model. Its nodes are in g's order; its tensors are named "t" and their number. All memory is from a. False and
 * d: out of memory. */
bool onnx_fold_bodies(const graph *g, Onnx__ModelProto *model, arena *a, diag *d);

#endif

/* Functions and subgraphs of ONNX files: one node replaces the nodes of each body (bodies.h). rulefuzz/bodies/onnx.py does the
 * same for targets that run in Python.
 *
 *   function  A FunctionProto x0, x1 ─► y0. All tensors that the nodes take are its inputs. Each attribute of a node is an
 *             attribute of the function, which the call gives. Bodies that are then the same, byte by byte, are one function.
 *
 *   if        The control selects the branch with the nodes. It takes outer values by their names. The other branch returns
 *             tensors of the same types and shapes: some that the nodes take, or zeros.
 *
 *   loop      The results are carried values; they begin as such a tensor, or zeros. Floats that the nodes take go through as
 *             many carried values as the loop has further trips. Before the first trip these are half of the float, which no
 *             class of elements leaves. Only the last trip computes the results of the nodes.
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

/* Changes a whole model, whose nodes stand in g's order and whose tensors have the names "t" and their numbers; all memory is
 * a's. False and d: out of memory. */
bool onnx_fold_bodies(const graph *g, Onnx__ModelProto *model, arena *a, diag *d);

#endif

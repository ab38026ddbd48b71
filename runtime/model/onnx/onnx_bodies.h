/* Functions and subgraphs of ONNX files: has the runs of a file's nodes that are the model's bodies (bodies.h) be what they are.
 * rulefuzz/bodies/onnx.py does the same for targets that are asked in Python.
 *
 *   function  FunctionProto x0, x1 ─► y0: all that the run takes is its input, every attribute of a node one of its own, which
 *             the call gives; runs that then are the same, byte by byte, are one function, called several times
 *   if        the branch that the control says is the run, which takes outer values by their names; the other one gives, of the
 *             same types and shapes, a tensor that the run takes, or zeros
 *   loop      the body is the run; what it makes is carried, and is 0 at first. Floats that it takes go through as many carried
 *             values as the loop has further trips, and are half of themselves at first, which no class of elements leaves, so
 *             that the last trip, and no earlier one, computes what the plain run does
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

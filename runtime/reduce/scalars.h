/* A reduction step for calls whose signature has no rule. */
#ifndef SCALARS_H
#define SCALARS_H

#include "graph.h"

/* Makes the operands of a node behind the first, if all are inputs of the model, scalars with the same bounds, and drops its
 * named arguments: a quantization per channel or per block becomes one per tensor. False: the signature has a rule or no such
 * operand, or the model is invalid. `ops` owns the new signature, which all models with it refer to. */
bool reduce_to_scalars(graph *to, const graph *from, uint32_t node, arena *ops);

#endif

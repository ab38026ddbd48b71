/* A step of reduction for calls whose signature has no rule. */
#ifndef SCALARS_H
#define SCALARS_H

#include "graph.h"

/* The operands of a node behind the first, all inputs of the model, become scalars with the same bounds, and the node loses its arguments by name: a
 * quantization per channel or per block becomes one per tensor. False: the signature has a rule or no such operand, or no valid
 * model results. `ops` holds the new signature, which all models with it refer to. */
bool reduce_to_scalars(graph *to, const graph *from, uint32_t node, arena *ops);

#endif

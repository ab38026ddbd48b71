/* A reduction step for computed shapes (computed.h). */
#ifndef WRITTEN_H
#define WRITTEN_H

#include "graph.h"

/* Replaces an operand of a node by integers, the elements that are computed for it: Reshape(x, Shape(y)) gets the shape. A call
 * whose arguments are all written gets its signature of the table back. False: the elements are unknown, or they differ between
 * shape instances and the signature has no rule, or the model is invalid. `ops` owns a new signature, which all models with it
 * refer to. */
bool reduce_written(graph *to, const graph *from, uint32_t node, unsigned operand, const rs_table *table, arena *ops);

#endif

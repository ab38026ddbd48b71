/* A step of reduction for shapes that are computed (computed.h). */
#ifndef WRITTEN_H
#define WRITTEN_H

#include "graph.h"

/* An operand of a node becomes written integers, the elements that are computed for it: Reshape(x, Shape(y)) gets the shape,
 * and a call whose arguments are all written gets its signature of the table back. False: the elements are not known, or not
 * the same in all shape instances and the signature has no rule, or no valid model results. `ops` holds a new signature, which
 * all models with it refer to. */
bool reduce_written(graph *to, const graph *from, uint32_t node, unsigned operand, const rs_table *table, arena *ops);

#endif

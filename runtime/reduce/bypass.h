/* Steps of reduction that connect existing tensors instead of adding inputs. */
#ifndef BYPASS_H
#define BYPASS_H

#include "graph.h"

enum { BYPASS_DEPTH = 2 }; /* maximum calls that are bypassed at once: a quantization and its dequantization */

/* Users of a node's result take a tensor instead from which the node's first operand is computed, `depth` calls before, if it has
 * the same shape, dtype and class of elements. False: there is none, or no valid model results. */
bool reduce_bypass(graph *to, const graph *from, uint32_t node, unsigned depth);
/* Users of a constant take an earlier constant instead of the same shape, dtype and class: other scales become equal ones, equal ones
 * the same. False as above. */
bool reduce_merge(graph *to, const graph *from, uint32_t constant, uint32_t earlier);

#endif

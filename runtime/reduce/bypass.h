/* Reduction steps that connect existing tensors instead of adding inputs. */
#ifndef BYPASS_H
#define BYPASS_H

#include "graph.h"

enum { BYPASS_DEPTH = 2 }; /* maximum calls that are bypassed at once: a quantization and its dequantization */

/* Replaces a node's result by the tensor that its first operand is computed from, `depth` calls before, if that has the same
 * shape, dtype and class of elements. False: there is none, or the model is invalid. */
bool reduce_bypass(graph *to, const graph *from, uint32_t node, unsigned depth);
/* Replaces a constant by an earlier one of the same shape, dtype and class: different scales become equal, equal ones become one.
 * False as above. */
bool reduce_merge(graph *to, const graph *from, uint32_t constant, uint32_t earlier);

#endif

/* Which inputs of a model keep their elements, for the model to run whatever the others hold. */
#ifndef PINNED_H
#define PINNED_H

#include "arena.h"
#include "graph.h"

/* [ntensors] true for the tensors whose elements decide whether a call fails, and for those that these are
 * computed from: indices (RS_RANGED), integers where the operator takes no zero (a divisor), and what goes into
 * an operator that was seen to fail on elements nobody knows (RS_DELICATE without classes). Memory is the
 * arena's; NULL: out of memory. */
const bool *find_pinned(const graph *g, arena *a);

#endif

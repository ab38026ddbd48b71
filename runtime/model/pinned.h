/* Inputs of a model whose elements must be kept, so that the model runs with any elements of the other inputs. */
#ifndef PINNED_H
#define PINNED_H

#include "arena.h"
#include "graph.h"

/* [ntensors] true for tensors whose elements decide whether a call fails, and for the tensors that they are computed from:
 * indices (RS_RANGED), integers of an operator that rejects zero (a divisor), and inputs of an operator that fails on
 * unknown elements (RS_DELICATE without classes). The arena owns the memory; NULL: out of memory. */
const bool *find_pinned(const graph *g, arena *a);

#endif

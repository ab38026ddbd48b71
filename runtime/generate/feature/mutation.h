/* Programs that mutate tensors: calls that write to inputs, intermediate results and views of these, which live on.
 *
 *   base a tensor of the model that is not a constant, and whose elements no call bounds
 *   views       calls whose results share memory with it, or with another view
 *   writes      calls that change the base or a view in place
 *   reads       calls on the base and other views afterwards
 *
 * They are inserted together, at the end of the model or before a later call that then reads other elements. A write has a
 * defined meaning: no two elements of its target share an address, and its other operands share no memory with it. Some
 * in-place calls that the model has already write to their operand instead of a copy. */
#ifndef MUTATION_H
#define MUTATION_H

#include "gen.h"

/* Mutates g->features.mutation per mille of the models, which are finished apart from their bodies. *done: this one. It draws
 * only from r. False: out of memory. */
bool gen_mutate(gen *g, rng *r, bool *done);

#endif

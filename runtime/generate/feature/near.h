/* Near misses: a model whose last call has one number moved, so that its rule refuses it, and that is otherwise as it was. A
 * reference must refuse it, and so must a compiler (docs/models.md, "Near misses").
 *
 * The compiled rule says valid or not, and not which of its clauses fails; so what is kept to is the number that moves: an
 * attribute, or a dimension of an input of the model that this call alone takes.
 */
#ifndef NEAR_H
#define NEAR_H

#include "graph.h"
#include "rng.h"

/* Makes the model one, unnumbered as it may be, where its last call can be broken so. False: out of memory. Draws from r
 * alone. */
bool near_miss(graph *g, rng *r);

#endif

/* Near misses: models that end with a call of which one number is moved, so that its rule refuses it. A reference must refuse
 * it, and so must a compiler (docs/explanation/models.md).
 *
 * The compiled rule says valid or not, and not which of its clauses fails; so what is kept to is the number that moves: an
 * attribute, or a dimension of an input of the model that this call alone takes. Any call of the model may be the one: all
 * arguments that have such numbers are alike likely, and what takes the call's results goes. A number becomes 0, -1, the
 * nearest above or below that the rule refuses, or another. Where numbers decide how many results an
 * API has, as a split's, only attributes that are not positive are misses: another call form takes the others.
 */
#ifndef NEAR_H
#define NEAR_H

#include "graph.h"
#include "rng.h"

/* Makes the model one, unnumbered as it may be, where one of its calls can be broken so. t: of its operators. False: out of
 * memory. Draws from r alone. */
bool near_miss(graph *g, const rs_table *t, rng *r);

#endif

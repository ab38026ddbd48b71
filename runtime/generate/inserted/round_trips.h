/* Round trips of a tensor through another dtype and back, as test cases for optimizers that remove pairs of casts.
 *
 * Casts are found in the rules, not by name: signatures of one tensor alone that return its shape, of an API that
 * returns several dtypes for one input dtype; an attribute chooses it. */
#ifndef ROUND_TRIPS_H
#define ROUND_TRIPS_H

#include "gen.h"

/* Lists the casts of the index in g->casts. False: out of memory. */
bool round_trips_open(gen *g);
void round_trips_close(gen *g);

/* Casts the first output of a node to another dtype and back. Some later calls take the result instead; if none does, it
 * is a result of the model. Draws only from r. Nothing changes if there are no such casts. False: out of memory. */
bool gen_round_trip(gen *g, uint32_t node, rng *r);

/* Whether a call may reject some elements of an integer input: it has bounds, or they are unknown. */
bool may_bound_elements(const rs_op *op, unsigned slot);

#endif

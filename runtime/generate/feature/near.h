/* Invalid models: the last call violates one constraint, because one of its numbers was changed. Both the reference and a
 * compiler must reject it.
 *
 * The compiled rule does not report which clause fails, so the change itself is restricted: an attribute, or a dimension of
 * a model input that no other call uses. Arguments with such numbers are chosen uniformly from all calls; users of the
 * call's results are removed. The number becomes 0, -1, the nearest rejected number above or below, or a random one. If
 * numbers decide how many results an API has, as for split, only attributes that are not positive count as invalid, since
 * another signature may accept the others.
 *
 * Half of the invalid models have a change that rules do not cover instead (change.h), except for frameworks whose models are
 * files, since these have type checkers.
 */
#ifndef NEAR_H
#define NEAR_H

#include "graph.h"
#include "rng.h"

/* Makes the model invalid, if one of its calls can be changed that way; the model need not be numbered. t: the table of its
 * signatures. Draws only from r. False: out of memory. */
bool near_miss(graph *g, const rs_table *t, rng *r);

/* The same for a model of one call, in rounds that go through the kinds of constraints. */
bool near_miss_of_round(graph *g, const rs_table *t, uint64_t round, rng *r);

#endif

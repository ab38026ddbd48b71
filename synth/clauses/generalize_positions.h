/* The same said at other places: of each item of a list, or of each dimension, where records ask for it at some only.
 *
 *   indices[0] >= 0, indices[1] >= 0, indices[3] >= 0                          ─►  and indices[2] >= 0
 *   indices[0] < n, numel(params) == 0 or indices[1] < n                       ─►  numel(params) == 0 or indices[i] < n, for each i
 *   kernel_size[0] <= input[2]                                                 ─►  and kernel_size[1] <= input[3]
 *
 * Only what no passing record refutes is said.
 */
#ifndef GENERALIZE_POSITIONS_H
#define GENERALIZE_POSITIONS_H

#include "solve.h"

/* Lifts the clauses of s->rule: items alone, of all of them, and what moves as a whole, of those from the from-th on. There is
 * room for `most` in r->clauses. Every failing record that was rejected is. Tells the log. */
void lift(solver *s, int from, int most);
/* Items once more, when clauses of other operators have come: r->clauses is new, in memory. */
void lift_last(solver *s, arena *memory);

#endif

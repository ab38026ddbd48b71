/* Generalizes clauses over positions: from some items of a list, or some dimensions, to all of them.
 *
 *   indices[0] >= 0, indices[1] >= 0, indices[3] >= 0                  ─►  and indices[2] >= 0
 *   indices[0] < n, numel(params) == 0 or indices[1] < n               ─►  numel(params) == 0 or indices[i] < n, for each i
 *   kernel_size[0] <= input[2]                                         ─►  and kernel_size[1] <= input[3]
 *
 * A clause that a passing record refutes at any position is not generalized.
 */
#ifndef GENERALIZE_POSITIONS_H
#define GENERALIZE_POSITIONS_H

#include "solve.h"

/* Generalizes the clauses of s->rule: over items for all clauses, over whole shapes for those from index `from` on.
 * r->clauses must have room for `most` clauses. Every failing record that was rejected before is still rejected. Writes to
 * the solver's log. */
void generalize_positions(solver *s, int from, int most);
/* Generalizes over items again, after clauses of other signatures were added. Allocates r->clauses anew in `memory`. */
void generalize_positions_last(solver *s, arena *memory);

#endif

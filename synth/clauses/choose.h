/* Clause search: clauses that every passing record satisfies and that together reject every failing one. A clause is a
 * disjunction of one to three literals. Clauses are chosen jointly by weighted set cover: the next one has the maximum (newly
 * rejected records) × exp(-cost). Clauses that the others make superfluous are dropped at the end. The result is generalized
 * over the positions of lists and shapes, if the passing records agree. */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "solve.h"

/* Finds clauses that every passing record satisfies and that, with the domain of the outputs, reject every failing one.
 * s->rule->clauses becomes `base` plus the new clauses, in s->scratch. On failure returns false and sets rule->why. */
bool choose_clauses(solver *s, const expr *const *base, int nbase);
/* The same, but allocates s->rule->clauses in `memory` and restores s->scratch. */
bool choose_clauses_kept(solver *s, const expr *const *base, int nbase, arena *memory);

#endif

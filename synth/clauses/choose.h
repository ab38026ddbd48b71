/* The search for clauses: conditions that every passing record satisfies and that together reject every
 * failing one (design, synth points 6 and 7).
 *
 * A clause is one to three literals whose passing sets together hold every passing record. Clauses are
 * chosen jointly: the next one has the greatest (records newly rejected) × exp(-cost), and at the end
 * whatever the others make superfluous goes. A chosen clause is then lifted: carried to the other
 * positions of its lists and dimensions wherever the passing records agree.
 */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "solve.h"

/* Clauses that every passing record satisfies and that, with the outputs' domain, reject every failing one.
 * s->rule->clauses are `base` and what it takes besides, in s->scratch; false and rule->why otherwise. */
bool clause_search(solver *s, const expr *const *base, int nbase);
/* The same, but that s->rule->clauses are in memory that stays, and that s->scratch is as it was. */
bool clause_search_kept(solver *s, const expr *const *base, int nbase, arena *memory);

#endif

/* The search for clauses: conditions that every passing record satisfies and that together reject every failing one. */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "solve.h"

/* s->rule->clauses are `base` and what it takes besides, so that with the outputs' domain every failing record is
 * rejected; false and rule->why otherwise. The outputs must be known. */
bool clause_search(solver *s, const expr *const *base, int nbase);

#endif

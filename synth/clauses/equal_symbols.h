/* Implied equalities: symbols that are equal in every passing record, although no failing record requires an equation.
 *
 * Set cover chooses clauses for the records that they reject. Ten symbols that must be equal need nine equations, but fewer
 * reject all recorded calls, in which one of the ten or all of them changed. This module adds the missing equations if the
 * records support them: many passing records with several values, and for each of the two symbols a rejected call that differs
 * from a passing one in that symbol alone. It adds none if another equation already relates the two symbols. Z3 later finds
 * out which equations the other clauses imply (implied.h).
 *
 * It also corrects outputs. If two dimensions broadcast by a clause and an output equals one of them in all records, the output
 * becomes their broadcast. No record shows the case that would tell both apart.
 */
#ifndef EQUAL_SYMBOLS_H
#define EQUAL_SYMBOLS_H

#include "solve.h"

/* Two symbols that the records make equal, a < b. */
typedef struct equality {
	int a, b;
} equality;

/* Writes the equalities that rule r does not imply, to a list with room for nsym. Returns their number; 0 if the rule is not
 * complete. *alone caches an analysis of the records: NULL at first, then allocated in `memory`. */
int equal_symbols_missing(const solver *s, const rule *r, const bool **alone, equality *list, arena *memory);
const expr *equal_symbols_equation(const solver *s, equality x);

/* Appends the missing equations to s->rule->clauses, in `memory`. Drops bounds by a constant that the equations make
 * superfluous. */
void equal_symbols_add(solver *s, arena *memory);
void equal_symbols_broadcast(solver *s);

#endif

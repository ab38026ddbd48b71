/* Symbols that are equal in every passing record although no failing record needs them to be.
 *
 * Clauses are chosen for what they reject. Of ten symbols that must be equal nine equations are needed, but fewer reject
 * all that was recorded: calls in which one of the ten, or all of them, moved. What moves three of them and not the other
 * seven nobody asked about. So equations are added that join what the rule leaves apart, where the records speak for
 * them: many passing ones with several values, and for each of the two symbols a refused call that differs from a passing
 * one in it alone; but not where an equation of the rule relates them in another way. Whether the rule's other clauses say
 * it already, Z3 finds out afterwards (implied.h).
 *
 * And outputs that go with what a clause says: where two dimensions broadcast by a clause, and an output has one of them in
 * all that was recorded, it is what they broadcast to. That the clause takes calls in which the one is 1 and the other is not,
 * and that the output is 1 then, are no two things that were both learned: such a call was not recorded, nor one that is refused.
 */
#ifndef EQUAL_SYMBOLS_H
#define EQUAL_SYMBOLS_H

#include "solve.h"

/* Symbols of an operator that its records tie to each other, a < b. */
typedef struct tie {
	int a, b;
} tie;

/* The ties that a rule, in s's pool, leaves apart, to a list with room for nsym; how many. None of a rule that is not complete.
 * *alone is what the records say of single symbols: NULL at first, then what this found, in memory. */
int ties_left(const solver *s, const rule *r, const bool **alone, tie *list, arena *memory);
const expr *tie_equation(const solver *s, tie x);

/* Appends them to s->rule->clauses, in memory; bounds by numbers that were chosen for lack of them go. */
void ties_add(solver *s, arena *memory);
void ties_broadcast(solver *s);

#endif

/* The facts known on a path, and simplification under them. A formula becomes one that is equivalent as
 * long as the facts hold. Facts are bounds of sums (without their constant, by sign) and single formulas.
 *
 * Most equivalent formulas become the same pointer; the rest is left to the solver (decide.h).
 */
#ifndef AUDIT_FACTS_H
#define AUDIT_FACTS_H

#include "term.h"

typedef struct facts facts;

facts *facts_new(void);
void facts_free(facts *known);

/* Restores the facts as they were at a mark. */
unsigned facts_mark(const facts *known);
void facts_back(facts *known, unsigned mark);
void facts_add(facts *known, term *f);

term *facts_simplify(facts *known, term *f); /* under the known facts */
range facts_range(const facts *known, const term *sum);

#endif

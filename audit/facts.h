/* What is known on a path, and formulas made simpler by it: a formula under facts becomes one that holds exactly where it
 * does as long as the facts hold. Facts are bounds of sums (without their number, by sign) and single formulas.
 *
 * Two formulas that mean the same mostly become the same pointer; those that do not are for the solver (decide.h).
 */
#ifndef AUDIT_FACTS_H
#define AUDIT_FACTS_H

#include "term.h"

typedef struct facts facts;

facts *facts_new(void);
void facts_free(facts *known);

/* Facts are taken back to what they were at a mark. */
unsigned facts_mark(const facts *known);
void facts_back(facts *known, unsigned mark);
void facts_add(facts *known, term *f);

term *facts_simplify(facts *known, term *f); /* under what is known */
range facts_range(const facts *known, const term *sum);

#endif

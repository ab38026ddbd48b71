/* Proves that the expressions of a rule are equivalent to those that they were simplified from. */
#ifndef EQUIVALENCE_H
#define EQUIVALENCE_H

#include "prove.h"
#include "solve.h"

/* Compares each simplified output and clause of s->rule (its notes) with the original. Z3 tries first without
 * context, then under the rule's other clauses, for all integers (dimensions: not negative). If Z3 does not decide,
 * the records and a box of points do. s->rule->proof becomes the weakest result, its earlier value included. Notes on
 * expressions that the rule no longer has are ignored. Each result is logged. Clears the notes. */
void equivalence_prove(solver *s, prover *prover);

#endif

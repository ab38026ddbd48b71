/* Whether what stands in a rule means the same as what it was simplified from. */
#ifndef EQUIVALENCE_H
#define EQUIVALENCE_H

#include "prove.h"
#include "solve.h"

/* Settles the rule's notes: each expression and clause that was simplified against what it was. By Z3, for all integers of
 * which no dimension is negative, first anywhere, then where the rule's other clauses hold; else on the operator's
 * records and in a box, for what Z3 cannot decide. s->rule->proof is the weakest of what was found, and of what it was
 * before. Notes of what the rule no longer holds say nothing. Tells the log. */
void prove_simplified(solver *s, prover *prover);

#endif

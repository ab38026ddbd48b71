/* Removes implied clauses (NeuRI, algorithm 2). */
#ifndef IMPLIED_H
#define IMPLIED_H

#include "prove.h"
#include "rule.h"

/* Removes tautologies, then the clauses that the others imply, most expensive first. A clause is removed only if Z3
 * proves that this changes nothing for all integers (dimensions: not negative). Sets r->proof. */
void implied_drop(const operator *op, expr_pool *pool, prover *prover, rule *r);

#endif

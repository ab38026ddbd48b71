/* NeuRI's Algorithm 2: clauses that the others imply. */
#ifndef IMPLIED_H
#define IMPLIED_H

#include "prove.h"
#include "rule.h"

/* Drops clauses that say nothing, then those that the others imply, dearest first. Only what Z3 proved to change nothing
 * for all integers, no dimension being negative, goes; r->proof says so. */
void drop_implied(const operator *op, expr_pool *pool, prover *prover, rule *r);

#endif

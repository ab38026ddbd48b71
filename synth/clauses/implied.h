/* NeuRI's Algorithm 2: clauses that the others imply. */
#ifndef IMPLIED_H
#define IMPLIED_H

#include "solve.h"

/* Drops clauses that the others imply, proved by Z3. Dearest first. */
void drop_implied(const operator *op, expr_pool *pool, prover *prover, rule *r);

#endif

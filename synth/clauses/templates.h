/* Clauses that recur at every position of a list or of a shape: `for each i: x_i < y_i`. A pattern is one
 * conjunction at one price, however many positions it has, so that like positions are bounded alike. */
#ifndef TEMPLATES_H
#define TEMPLATES_H

#include "solve.h"

/* Called for each pattern that fits the argument structure: a conjunction, and its description length. */
typedef void pattern_offer(void *user, const expr *clause, int cost);

void patterns_generate(solver *s, pattern_offer *offer, void *user);

#endif

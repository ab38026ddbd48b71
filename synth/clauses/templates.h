/* Clause templates: clauses that hold at every position of a list or shape, `for each i: x_i < y_i`. A pattern is one
 * conjunction with one cost, whatever the number of positions, so similar positions get the same bounds. */
#ifndef TEMPLATES_H
#define TEMPLATES_H

#include "solve.h"

/* Called for each pattern that the arguments allow: a conjunction and its description length. */
typedef void template_offer(void *user, const expr *clause, int cost);

void templates_generate(solver *s, template_offer *offer, void *user);

#endif

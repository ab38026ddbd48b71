/* Expressions without the 0 and 1 that stand for what is missing. */
#ifndef SIMPLIFY_H
#define SIMPLIFY_H

#include "expr.h"
#include "record.h"

/* Not proved here: x//y*0 becomes 0, which has a value where y is 0. What a rule takes of it is proved with the rule
 * (equivalence.h). */
const expr *tidy(expr_pool *pool, const operator *op, const expr *e);

/* Whether two expressions come to the same where both have a value: the one with `dilation = 1` and the other without a
 * dilation. */
bool tidy_same(expr_pool *pool, const operator *op, const expr *a, const expr *b);

#endif

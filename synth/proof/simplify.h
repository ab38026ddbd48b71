/* Simplifies expressions: folds constants and removes the 0 and 1 that stand for absent arguments. */
#ifndef SIMPLIFY_H
#define SIMPLIFY_H

#include "expr.h"
#include "record.h"

/* Returns e simplified. The result may have a value where e has none: x//y*0 becomes 0. The simplifications in a rule
 * are proved later (equivalence.h). */
const expr *simplify_expr(expr_pool *pool, const operator *op, const expr *e);

/* Whether two expressions are equal after simplification, wherever both have a value: for example, one with `dilation
 * = 1` and one without a dilation. */
bool simplify_equal(expr_pool *pool, const operator *op, const expr *a, const expr *b);

#endif

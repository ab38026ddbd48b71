/* Anti-unification of two templates, each with arguments that the other lacks.
 *
 *   window(X + pads, kernel)                 without strides and dilations
 *   window(X, kernel, strides, 0, dilations) without pads
 *   window(X + pads, kernel, strides, 0, dilations)
 *
 * If both are equal once the arguments that only one has are set to 0 or 1, the common generalization is a + b - shared. It is
 * a if shared = b, and b if shared = a. This applies to sums, to dividends if one template divides by such a 1, and to both
 * operands of a minimum or maximum. No call with all of these arguments was recorded: the generalization extrapolates.
 */
#ifndef ANTI_UNIFY_H
#define ANTI_UNIFY_H

#include "expr_template.h"

/* Writes the common generalization, relative to a's pivot. Returns false if there is none. */
bool anti_unify(expr_template *to, expr_pool *pool, const expr_template *a, const expr_template *b);

#endif

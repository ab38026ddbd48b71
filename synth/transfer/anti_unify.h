/* One form for two, each of which speaks of arguments that the other lacks.
 *
 *   window(X + pads, kernel)                 strides and dilations are left out
 *   window(X, kernel, strides, 0, dilations) pads are left out
 *   window(X + pads, kernel, strides, 0, dilations)
 *
 * Where both are the same once 0 or 1 stands for what only one of them has, the one is added to the other and what they share taken
 * away: a + b - shared, which is a where shared stands for b and b where it stands for a. So of sums, of what is divided where one
 * of them divides by such a 1, and of both sides of a minimum or a maximum. Calls with all of these arguments were not seen: what the
 * form says of them is what the two say together.
 */
#ifndef ANTI_UNIFY_H
#define ANTI_UNIFY_H

#include "expr_template.h"

/* The form as seen from a's anchor. False: there is none. */
bool form_wider(form *to, expr_pool *pool, const form *a, const form *b);

#endif

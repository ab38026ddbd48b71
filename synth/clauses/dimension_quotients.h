/* How often a product of dimensions goes into one, and what is divided by that: a kernel's offsets have 2·height·width channels
 * for each group of them, and the input's channels are shared out among these groups.
 *
 *   deform_conv2d(input[_, C, _, _], offset[_, c, _, _], weight[_, _, kh, kw])
 *   c%(2*kh*kw) == 0, C%(c//(2*kh*kw)) == 0
 */
#ifndef DIMENSION_QUOTIENTS_H
#define DIMENSION_QUOTIENTS_H

#include "templates.h"

void shares(solver *s, pattern_offer *offer, void *user);

#endif

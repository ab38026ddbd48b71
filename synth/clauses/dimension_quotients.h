/* Divisibility of dimensions by quotients of dimensions: a deformable convolution has 2·height·width offset channels per
 * group, and the number of groups divides the input channels.
 *
 *   deform_conv2d(input[_, C, _, _], offset[_, c, _, _], weight[_, _, kh, kw])
 *   c%(2*kh*kw) == 0, C%(c//(2*kh*kw)) == 0
 */
#ifndef DIMENSION_QUOTIENTS_H
#define DIMENSION_QUOTIENTS_H

#include "templates.h"

void dimension_quotients(solver *s, template_offer *offer, void *user);

#endif

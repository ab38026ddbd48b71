/* A dimension that counts windows: of sliding blocks, how many fit into an image, side by side and one below the other.
 *
 *   fold(input[_, _, L], output_size, kernel_size, dilation, padding, stride)
 *   L == prod((output_size[i] + 2*padding - dilation*(kernel_size[i] - 1) - 1)//stride + 1)
 *
 * Which lists are sizes and kernels, and which numbers or lists strides, paddings and dilations, if there are any, the passing
 * records say: all combinations are tried on them.
 */
#ifndef WINDOW_COUNTS_H
#define WINDOW_COUNTS_H

#include "uncommon_patterns.h"

void window_counts(solver *s, pattern_offer *offer, void *user);

#endif

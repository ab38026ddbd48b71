/* A dimension that counts windows: of sliding blocks, how many fit into an image, side by side and one below the other. And
 * the way back, from counts of windows to the sizes that they came from, of which less than a stride may be left open.
 *
 *   fold(input[_, _, L], output_size, kernel_size, dilation, padding, stride)
 *   L == prod((output_size[i] + 2*padding - dilation*(kernel_size[i] - 1) - 1)//stride + 1)
 *
 *   max_unpool2d(input[_, _, H, W], indices, kernel_size, stride, padding, output_size)
 *   abs(output_size[i] - ((input[i] - 1)*stride[i] + kernel_size[i] - 2*padding[i])) < stride[i]
 *
 *   MaxUnpool(X[N, C, H, W], I, output_shape, kernel_shape, strides)
 *   N*C*prod((X[i] - 1)*strides[i] + kernel_shape[i]) <= prod(output_shape)
 *
 * Or several dimensions of which each counts along one axis of another tensor, whose kernels may be a tensor's dimensions:
 *
 *   deform_conv2d(input[_, _, H, W], offset[_, _, h, w], weight[_, _, kh, kw], stride, padding, dilation)
 *   h == (H + 2*padding[0] - dilation[0]*(kh - 1) - 1)//stride[0] + 1, and so w
 *
 *
 * Or windows that leave no gap, so that padding to the same size is not below 0:
 *
 *   MaxPool(X[N, C, H, W], auto_pad = 'SAME_UPPER', kernel_shape, strides)
 *   (H - 1)%strides[0] < kernel_shape[0], and so W
 *
 *   AvgPoolGrad(orig_input_shape[4], grad[N, h, w, C], ksize, strides)
 *   (h - 1)*strides[1] <= orig_input_shape[1], and so w
 *
 * Which lists are sizes and kernels, and which numbers or lists strides, paddings and dilations, if there are any, the passing
 * records say: all combinations are tried on them.
 */
#ifndef WINDOW_COUNTS_H
#define WINDOW_COUNTS_H

#include "templates.h"

void window_counts(solver *s, pattern_offer *offer, void *user);
/* Those that leave no gap in a tensor that has elements, and those that begin on their axis. */
void window_gaps(solver *s, pattern_offer *offer, void *user);

#endif

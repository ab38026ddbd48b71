/* Dimensions that count sliding windows, and the reverse: sizes that windows came from, up to less than a stride.
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
 * Several dimensions may each count along one axis of another tensor. Kernel sizes may be dimensions of a tensor:
 *
 *   deform_conv2d(input[_, _, H, W], offset[_, _, h, w], weight[_, _, kh, kw], stride, padding, dilation)
 *   h == (H + 2*padding[0] - dilation[0]*(kh - 1) - 1)//stride[0] + 1, likewise w
 *
 * Windows without gaps, so that the padding of `SAME` is not negative:
 *
 *   MaxPool(X[N, C, H, W], auto_pad = 'SAME_UPPER', kernel_shape, strides)
 *   (H - 1)%strides[0] < kernel_shape[0], likewise W
 *
 *   AvgPoolGrad(orig_input_shape[4], grad[N, h, w, C], ksize, strides)
 *   (h - 1)*strides[1] <= orig_input_shape[1], likewise w
 *
 * All assignments of lists and integers to size, kernel, stride, padding and dilation are tried on the passing records.
 */
#ifndef WINDOW_COUNTS_H
#define WINDOW_COUNTS_H

#include "templates.h"

void window_counts_generate(solver *s, template_offer *offer, void *user);
/* Offers windows that leave no gap in a nonempty tensor, and windows that begin inside their axis. */
void window_counts_gaps(solver *s, template_offer *offer, void *user);

#endif

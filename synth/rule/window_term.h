/* Windows: how many positions a window has that slides over padded elements, the notation of convolution and pooling.
 *
 *   window(size, kernel, stride, padding, dilation) = (size + 2*padding - dilation*(kernel - 1) - 1)//stride + 1
 *
 * What is recognised is equal to that for all integers, by the arithmetic of polynomials.
 */
#ifndef WINDOW_TERM_H
#define WINDOW_TERM_H

#include "expr.h"

typedef struct window_term {
	const expr *size, *kernel;
	const expr *stride, *padding, *dilation; /* NULL: 1, 0, 1 */
} window_term;

/* Whether e is one: its arguments, in the pool, then. Something is subtracted, the kernel, and what it is subtracted from is
 * no number. */
bool window_of(window_term *w, expr_pool *pool, const expr *e);

#endif

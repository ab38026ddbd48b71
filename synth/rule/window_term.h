/* Windows: how many positions a window has that slides over padded elements, the notation of convolution and pooling.
 *
 *   window(size, kernel, stride, padding, dilation) = rest//stride + 1, rest = size + 2*padding - dilation*(kernel - 1) - 1
 *   window_ceil(…)  = min((rest - 1)//stride + 2, (size + padding - 1)//stride + 1): with a last window that is not whole, but
 *                     begins within the size or the padding before it (ceil_mode)
 *   window_trunc(…) = rest//stride + 1 if rest >= 0 else 1 - (-rest)//stride: the quotient as C divides
 *
 * What is recognised is equal to that for all integers, by the arithmetic of polynomials.
 */
#ifndef WINDOW_TERM_H
#define WINDOW_TERM_H

#include "expr.h"

enum window_rounding { WINDOW_FLOOR, WINDOW_CEIL, WINDOW_TRUNC };

typedef struct window_term {
	enum window_rounding rounding;
	const expr *size, *kernel;
	const expr *stride, *padding, *dilation; /* NULL: 1, 0, 1 */
} window_term;

/* Whether e is one: its arguments, in the pool, then. Something is subtracted, the kernel, and what it is subtracted from is
 * no number. */
bool window_of(window_term *w, expr_pool *pool, const expr *e);

/* Its name, in pages and in C. */
const char *window_name(enum window_rounding rounding);

#endif

/* Windows: how many positions a window has on a padded axis; the notation of convolution and pooling.
 *
 *   window(size, kernel, stride, padding, dilation) = rest//stride + 1, rest = size + 2*padding - dilation*(kernel - 1) - 1
 *   window_ceil(…)  = min((rest - 1)//stride + 2, (size + padding - 1)//stride + 1): includes a last, partial window if it begins
 *                     within the size or the padding before it (ceil_mode)
 *   window_trunc(…) = rest//stride + 1 if rest >= 0 else 1 - (-rest)//stride: the quotient as in C
 *
 * A recognized expression equals the notation for all integers, by polynomial arithmetic.
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

/* Whether e is a window; sets its arguments, in the pool. A kernel must be subtracted, and from something other than
 * a constant. */
bool window_term_of(window_term *w, expr_pool *pool, const expr *e);

/* The function's name in pages and in C. */
const char *window_term_name(enum window_rounding rounding);

#endif

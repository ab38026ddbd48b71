/* Slices: how many elements a slice has, the notation of slicing.
 *
 *   slice(size, begin, end) = len(range(size)[begin:end]) as in Python
 *
 *     max(min(E, size) - max(B, 0), 0)                          where E and B are as below; without a beginning max(min(E, size), 0),
 *                                                               without an end max(size - max(B, 0), 0)
 *
 *   slice(size, begin, end, stride) = len(range(size)[begin:end:stride]) as in Python: negative ends count from the end,
 *                                     both are cut to what there is
 *
 *     max(((max(E, -1) - min(B, size - 1) + 1)//stride if stride < 0
 *          else (min(E, size) - max(B, 0) - 1)//stride) + 1, 0)      where E is end + size if end < 0 else end, B likewise
 *
 * Without a beginning, an end or both the terms for these are size - 1 and 0, -1 and size, and where both are missing nothing is
 * cut at 0. What is recognised has these very operations; a B that is max(…, 0) may stand for max(B, 0). It is equal to the slice
 * for a size that is not negative and a stride that is not 0.
 */
#ifndef SLICE_TERM_H
#define SLICE_TERM_H

#include "expr.h"

typedef struct slice_term {
	const expr *size, *stride; /* stride NULL: of every element */
	const expr *begin, *end; /* NULL: None */
} slice_term;

/* Whether e is one: its arguments, parts of e, then. */
bool slice_of(slice_term *t, expr_pool *pool, const expr *e);

#endif

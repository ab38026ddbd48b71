/* Fallback search: expressions that are rarely correct, tried only if the regular stages found nothing, or only a
 * costly expression.
 */
#ifndef FALLBACK_STAGE_H
#define FALLBACK_STAGE_H

#include "target.h"

/* Tries fallback leaves, windows with explicit padding, truncated quotients and special outputs for empty tensors. If
 * there is still no answer, also symbols that seemed inert, clamps of dilated kernels, triangles, counts and cases. */
void fallback_stage_search(solver *s, int d, const int *rows, int nrows, answer *best);

#endif

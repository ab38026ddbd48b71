/* Operators with another dtype: what a version takes of these is asked by one call each.
 *
 *   t.add-0(float32[3], int64[2] in 0..3)  ──►  t.add-0:bfloat16(bfloat16[3], int64[2] in 0..3), t.add-0:bool(…), …
 *
 * All tensors of the commonest dtype get the other one; indices, and integers that are told one by one, keep theirs.
 */
#ifndef OTHER_DTYPES_H
#define OTHER_DTYPES_H

#include "asked_calls.h"

/* Adds them for the first operators of each API (DTYPE_OPERATORS) that o wants and that have a passing record: the call is
 * the smallest such record without an empty tensor, or else the smallest. */
enum { DTYPE_OPERATORS = 3 };
void asked_calls_add_dtypes(asked_calls *a, const asked_options *o);

#endif

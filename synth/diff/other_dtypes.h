/* Signatures with another dtype: one call of each shows whether a version accepts it.
 *
 *   t.add-0(float32[3], int64[2] in 0..3)  ──►  t.add-0:bfloat16(bfloat16[3], int64[2] in 0..3), t.add-0:bool(…), …
 *
 * All tensors of the most frequent dtype get the new one. Indices and tensors of recorded elements keep theirs.
 */
#ifndef OTHER_DTYPES_H
#define OTHER_DTYPES_H

#include "asked_calls.h"

/* Adds them for the first DTYPE_OPERATORS signatures of each API that o selects and that have a passing record. The
 * call is the smallest such record without an empty tensor, or else the smallest. */
enum { DTYPE_OPERATORS = 3 };
void asked_calls_add_dtypes(asked_calls *a, const asked_options *o);

#endif

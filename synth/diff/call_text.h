/* A call as one readable line: `torch.narrow(float32[5, 5], 1, 4, length=2)`.
 *
 *   tensor          float32[5, 5]           float32[] has rank 0
 *   index           int64[3] in 0..4        its elements lie in 0 … 3
 *   elements        int32([2, 3])           integers that the call takes as a tensor
 */
#ifndef CALL_TEXT_H
#define CALL_TEXT_H

#include "buf.h"
#include "record.h"

/* Prints the call; x: values of the symbols. */
void call_text_put(buf *to, const operator *op, const int64_t *x);

#endif

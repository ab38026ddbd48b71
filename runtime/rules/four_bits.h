/* Rows of dtypes with 4-bit integers. Records have few of them; ONNX's type constraints tell which calls accept them: those
 * whose 8-bit integers are of a type that may be int4 or uint4 (op_four_bits.def). */
#ifndef FOUR_BITS_H
#define FOUR_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "ruletable.h"

enum { FOUR_BITS_TYPES = 4 }; /* types of a call that may be 4-bit integers, at most */

/* Whether a row (as in rs_op.dtypes) has a tensor of 4-bit integers. */
bool four_bits_has(const uint8_t *row, unsigned n);

/* Copies a row with 4-bit integers in place of all 8-bit integers of the call's type number `type` (below FOUR_BITS_TYPES).
 * False: the call has no such type, or its result depends on the size of its elements. */
bool four_bits_row(const rs_op *op, const uint8_t *row, unsigned type, uint8_t *to);

#endif

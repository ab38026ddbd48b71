/* Rows of dtypes with 4-bit integers. Records have few of them, so ONNX's type constraints decide. A call accepts them if its
 * 8-bit integers are of a type that may be int4 or uint4 (op_four_bits.def). */
#ifndef FOUR_BITS_H
#define FOUR_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "ruletable.h"

enum {
	FOUR_BITS_TYPES = 4, /* maximum types of a call that may be 4-bit integers */
	FOUR_BITS_TENSORS = 64,
};

/* The types of a signature's tensors. */
typedef struct four_bits {
	const rs_op *op;
	char types[FOUR_BITS_TENSORS]; /* a letter for each tensor, inputs first */
	uint16_t first[FOUR_BITS_TYPES]; /* the first input of each type; op->nin: no input may have 4-bit integers */
} four_bits;

/* Whether a row (as in rs_op.dtypes) has a tensor of 4-bit integers. */
bool four_bits_has(const uint8_t *row, unsigned n);

/* Finds the types of a signature. False: none of them may be 4-bit integers. */
bool four_bits_find(four_bits *f, const rs_op *op);
/* Copies a row with 4-bit integers in place of all 8-bit integers of type number `type`. False: the row has no such integers, or
 * the result depends on the size of its elements. */
bool four_bits_row(const four_bits *f, const uint8_t *row, unsigned type, uint8_t *to);

#endif

/* Columns: an expression's values at fixed points, and the fingerprints made of them.
 *
 * Values are integers kept in doubles, so that the machine's vector units divide them. Points are at
 * most 200 in magnitude, so that six factors stay below 2^46: every operation is exact, the floor of
 * a quotient too. "No value" is one NaN, which every operation hands on.
 */
#ifndef BANK_COLUMN_H
#define BANK_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ops.h"

enum { POINTS = 64, BLOCKS = 32 };

typedef struct column {
	double at[POINTS];
} __attribute__((aligned(64))) column;

/* Operations on an unordered pair {a, b}: those that commute once, the others both ways. */
enum pair_op {
	PAIR_ADD, PAIR_MUL, PAIR_MIN, PAIR_MAX,
	PAIR_SUB, PAIR_DIV, PAIR_MOD, /* a - b, a // b, a % b */
	PAIR_SUB_BACK, PAIR_DIV_BACK, PAIR_MOD_BACK, /* b - a, b // a, b % a */
	PAIR_OPS
};

#define X(NAME, name, text, form, level, commutes, ...) +((commutes) ? 1 : 2)
_Static_assert(PAIR_OPS == 0 ARITH_OPS(X), "bank_column.h: an operation is none of a pair's");
#undef X

/* What is done to columns, written for vectors of one width. All widths have the same results, to the
 * last bit. */
typedef struct column_kernels {
	int lanes; /* doubles of a vector */
	void (*op)(column *out, enum op op, const column *a, const column *b); /* out is neither */
	bool (*equal)(const column *a, const column *b); /* the same values, or none in both */
	uint64_t (*hash)(const column *a, uint64_t seed);
	/* The fingerprints of the pair under the operations in wanted (bits); never 0. The rest of out
	 * is not to be read. */
	void (*fingerprints)(const column *a, const column *b, unsigned wanted, uint64_t out[PAIR_OPS]);
} column_kernels;

/* Those of a width (2, which runs everywhere, 4: AVX2, 8: AVX-512); NULL when this processor lacks it. */
const column_kernels *column_kernels_of(int lanes);
const column_kernels *column_kernels_widest(void);

void column_constant(column *out, int value);
/* A hole's values at the points of a block. Block 0 makes the fingerprints; where two agree, the other
 * blocks are compared. */
void column_hole(column *out, int hole, int block);

#endif

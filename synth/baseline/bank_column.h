/* Columns: an expression's values at fixed points, and their fingerprints.
 *
 * Values are integers stored as doubles, so that vector units can divide them. Points are at most 200 in magnitude, so
 * six factors stay below 2^46 and every operation is exact, including the floor of a quotient. "No value" is NaN, which
 * every operation propagates.
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

/* Operations on an unordered pair {a, b}: commutative ones once, others in both orders. */
enum pair_op {
	PAIR_ADD, PAIR_MUL, PAIR_MIN, PAIR_MAX,
	PAIR_SUB, PAIR_DIV, PAIR_MOD, /* a - b, a // b, a % b */
	PAIR_SUB_BACK, PAIR_DIV_BACK, PAIR_MOD_BACK, /* b - a, b // a, b % a */
	PAIR_OPS
};

#define X(NAME, name, text, form, level, commutes, ...) +((commutes) ? 1 : 2)
_Static_assert(PAIR_OPS == 0 ARITH_OPS(X), "bank_column.h: an operation is none of a pair's");
#undef X

/* Operations on columns for one vector width. All widths have the same results, bit by bit. */
typedef struct column_kernels {
	int lanes; /* doubles per vector */
	void (*op)(column *out, enum op op, const column *a, const column *b); /* out must differ from a and b */
	bool (*equal)(const column *a, const column *b); /* equal values, or no value in both, at each point */
	uint64_t (*hash)(const column *a, uint64_t seed);
	/* The fingerprints of the pair for each operation in wanted (bits); never 0. The others are undefined. */
	void (*fingerprints)(const column *a, const column *b, unsigned wanted, uint64_t out[PAIR_OPS]);
} column_kernels;

/* The kernels for 2 lanes (always available), 4 (AVX2) or 8 (AVX-512); NULL if this processor lacks them. */
const column_kernels *column_kernels_of(int lanes);
const column_kernels *column_kernels_widest(void);

void column_constant(column *out, int value);
/* A hole's values at the points of a block. Block 0 is fingerprinted. If fingerprints agree, the other blocks are
 * compared, too. */
void column_hole(column *out, int hole, int block);

#endif

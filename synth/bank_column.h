/* Columns: an expression's values at fixed points, and the fingerprints made of them.
 *
 * Values are integers kept in doubles, so that the machine's vector units divide them. Points are at
 * most 200 in magnitude, so that six factors stay below 2^46: every operation is exact, the floor of
 * a quotient too. "No value" is one NaN, which every operation hands on.
 */
#ifndef BANK_COLUMN_H
#define BANK_COLUMN_H

#include <stdbool.h>
#include <stdint.h>

#include "ops.h"

enum { POINTS = 64, LANES = 2, VECTORS = POINTS / LANES, BLOCKS = 32 };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

typedef struct column {
	lanes v[VECTORS];
} column;

/* Operations on an unordered pair {a, b}: those that commute once, the others both ways. */
enum pair_op {
	PAIR_ADD, PAIR_MUL, PAIR_MIN, PAIR_MAX,
	PAIR_SUB, PAIR_DIV, PAIR_MOD, /* a - b, a // b, a % b */
	PAIR_SUB_BACK, PAIR_DIV_BACK, PAIR_MOD_BACK, /* b - a, b // a, b % a */
	PAIR_OPS
};

void column_constant(column *out, int value);
/* A hole's values at the points of a block. Block 0 makes the fingerprints; where two agree, the other
 * blocks are compared. */
void column_hole(column *out, int hole, int block);
bool column_equal(const column *a, const column *b);
uint64_t column_hash(const column *a, uint64_t seed);
void column_op(column *out, enum op op, const column *a, const column *b);
/* The fingerprints of all ten pairs; never 0. */
void column_fingerprints(const column *a, const column *b, uint64_t out[PAIR_OPS]);

#endif

/* Arithmetic and comparison of whole columns, with AVX2 if the processor has it.
 *
 * A column has `rows` values, or NOVAL (problem.h) for no value; any number of rows, without alignment. arith.h
 * defines the operations. A result is NOVAL if an operand is, if arith.h gives no value, or if its magnitude reaches
 * 2^62. Results are equal with and without AVX2. `to` may be one of the operands but must not overlap one partially.
 * The functions keep no state.
 */
#ifndef COLUMN_H
#define COLUMN_H

#include <stdbool.h>
#include <stdint.h>

#include "ops.h"

/* Computes a op b by rows, for FIRST_ARITH to LAST_ARITH and derived operations. False if no row has a value. */
bool column_apply(enum op op, const int64_t *a, const int64_t *b, int64_t *to, int rows);
bool column_apply_const(enum op op, const int64_t *a, int64_t b, int64_t *to, int rows);
bool column_const_apply(enum op op, int64_t a, const int64_t *b, int64_t *to, int rows);

/* Sets bit r % 64 of bits[r / 64] if both rows have a value and a[r] op b[r] holds, for FIRST_COMPARE to
 * LAST_COMPARE. Writes all (rows + 63) / 64 words; bits beyond `rows` are 0. */
void column_compare(enum op op, const int64_t *a, const int64_t *b, uint64_t *bits, int rows);
void column_compare_const(enum op op, const int64_t *a, int64_t b, uint64_t *bits, int rows);

/* column_subtract: a - times·b by rows. column_within: sets the bits of rows with min <= b < min + width and returns
 * their number. All values must be present and below 2^61; rows >= 1. */
void column_subtract(const int64_t *a, int64_t times, const int64_t *b, int64_t *to, int rows);
int64_t column_max(const int64_t *a, int rows);
int64_t column_min(const int64_t *a, int rows);
int column_within(const int64_t *min, const int64_t *width, int64_t b, uint64_t *bits, int rows);

/* Computes a - b - times·c by rows, for times ±1 and ±2. Returns the maximum (sign 1) or minimum (sign -1) of that
 * plus d (NULL: 0). All values must be below 2^60. */
int64_t column_shift(const int64_t *a, const int64_t *b, int64_t times, const int64_t *c, const int64_t *d, int sign, int64_t *to,
    int rows);

/* The number of bits that two sets have in common. */
int column_common_bits(const uint64_t *a, const uint64_t *b, int words);

/* The first index >= k of a word without a bit of the mask; n if there is none. */
int column_first_without(const uint64_t *words, uint64_t mask, int k, int n);

/* The first row >= k with a + times·b < limit, for times ±1 and ±2; n if there is none. All values must be below 2^60. */
int column_first_below(const int64_t *a, int64_t times, const int64_t *b, int64_t limit, int k, int n);

/* A 64-bit hash; any part of it may be used. `weights` are pseudorandom numbers from column_weights, one per row.
 * Different columns collide with probability 2^-64. */
void column_weights(uint64_t *weights, int rows);
uint64_t column_digest(const int64_t *a, const uint64_t *weights, int rows);

#endif

/* Arithmetic and comparison of whole columns, by AVX2 where the processor has it.
 *
 * A column is `rows` values, NOVAL (problem.h) where there is none; rows may be any number, and
 * nothing need be aligned. What an operation means stands in arith.h: a result has no value where
 * an operand has none, where arith.h gives none, or where its size reaches 2^62. With and without
 * AVX2 the bits are the same. `to` may be an operand, but must not overlap one otherwise. No
 * function keeps anything between calls.
 */
#ifndef COLUMN_H
#define COLUMN_H

#include <stdbool.h>
#include <stdint.h>

#include "ops.h"

/* a op b by rows, for FIRST_ARITH to LAST_ARITH; false when no row has a value. */
bool column_apply(enum op op, const int64_t *a, const int64_t *b, int64_t *to, int rows);
bool column_apply_const(enum op op, const int64_t *a, int64_t b, int64_t *to, int rows);
bool column_const_apply(enum op op, int64_t a, const int64_t *b, int64_t *to, int rows);

/* Bit r % 64 of bits[r / 64] is set where both have a value and a[r] op b[r], for FIRST_COMPARE to
 * LAST_COMPARE. All (rows + 63) / 64 words are written; bits beyond rows are 0. */
void column_compare(enum op op, const int64_t *a, const int64_t *b, uint64_t *bits, int rows);
void column_compare_const(enum op op, const int64_t *a, int64_t b, uint64_t *bits, int rows);

/* a - times·b by rows, the greatest and the least value, and how many rows have least <= b < least + width (each a bit, as
 * above). These take values below 2^61 only, all rows with one, and at least one row. */
void column_subtract(const int64_t *a, int64_t times, const int64_t *b, int64_t *to, int rows);
int64_t column_most(const int64_t *a, int rows);
int64_t column_least(const int64_t *a, int rows);
int column_within(const int64_t *least, const int64_t *width, int64_t b, uint64_t *bits, int rows);

/* a - b - times·c by rows, for times ±1 and ±2; of that, with d added (NULL: nothing), the greatest value, or the least for
 * sign -1. Of values below 2^60. */
int64_t column_shift(const int64_t *a, const int64_t *b, int64_t times, const int64_t *c, const int64_t *d, int sign, int64_t *to,
    int rows);

/* How many bits two sets of so many words have in common. */
int column_common_bits(const uint64_t *a, const uint64_t *b, int words);

/* The first of n words from the k-th on that has no bit of the mask; n: none has. */
int column_first_without(const uint64_t *words, uint64_t mask, int k, int n);

/* A 64-bit hash, of which any part may be used; the weights are random numbers, one a row, as
 * column_weights makes them. Columns that differ collide about once in 2^64. */
void column_weights(uint64_t *weights, int rows);
uint64_t column_digest(const int64_t *a, const uint64_t *weights, int rows);

#endif

/* Linear systems modulo a prime. */
#ifndef ELIMINATE_H
#define ELIMINATE_H

#include <stdbool.h>
#include <stdint.h>

#define ELIMINATION_PRIME UINT64_C(2147483647) /* 2^31 - 1: products fit in 64 bits */

uint64_t elimination_reduce(int64_t v);
/* Brings m (n rows of width + 1 entries, the last one is the target) to echelon form. pivot[j] becomes the row that
 * leads in column j, or -1. False if the target is not in the span. */
bool eliminate(uint64_t *m, int n, int width, int *pivot, int *rank);

#endif

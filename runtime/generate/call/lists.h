/* Makes lists of numbers typical. Most padding is on the last dimensions only and the same on all sides; most windows and strides
 * are squares:
 *
 *   pads = 2 -1 0 3 | 1 0 4 -2  ─►  0 0 2 2 | 0 0 2 2  or  0 0 0 3 | 0 0 4 2
 *
 * Many optimizations handle only such lists. They are found in the signature, not by name. */
#ifndef LISTS_H
#define LISTS_H

#include "index_op.h"
#include "rng.h"

/* The next list of at least two symbols, at or after a value of the signature; none is fixed (per symbol: 1). *count: 0: there is none;
 * else its symbols begin at *first. Returns the value after it. */
unsigned lists_find(const index_op *o, unsigned value, const uint8_t *fixed, unsigned *first, unsigned *count);

/* Changes `count` numbers of v, from `first` on, in this way. A number becomes 0 only if it was 0 in a record. The rule may reject
 * the change. */
void lists_simplify(const index_op *o, int64_t *v, unsigned first, unsigned count, rng *r);

#endif

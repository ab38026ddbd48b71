/* Skips values in a search: if a test failed at a value, the number of next values that fail it, too. Half of all visited values
 * are in searches without a result.
 *
 *   s2 * x == s3   with 6 * x and 50, from x = 1 on: 6, 12, 18, … is less than 50 up to x = 8, and all fail
 *
 * The numbers that a test computes from a symbol's value x are mostly linear: a value at x and a rise to x + 1. The test is
 * evaluated at x on such lines, and each decision on the way limits the number of values for which all of them hold.
 */
#ifndef LEAP_H
#define LEAP_H

#include "program.h"

/* The number of values at, at + 1, … at + most - 1 of a symbol that fail the test beginning with this instruction; place:
 * the position in its row. 0: unknown, or the first value passes. All other symbols of the test are set. */
unsigned leap(const rs_draw *d, const instruction *test, unsigned symbol, unsigned place, int64_t at, unsigned most);

#endif

/* How far a search may leap: of a test that a value failed, how many of the next values fail it, too. Half the values
 * that searches look at are of searches that find none.
 *
 *   s2 * x == s3   of 6 * x and 50 from x = 1 on: 6, 12, 18, … is less than 50 as far as x = 8, which fail
 *
 * What a test computes from a symbol's value x is mostly a line: a number at x, and how much it rises to x + 1. The test
 * is run for x with lines for numbers, and what it decides on the way says how far all of that goes on as it begins.
 */
#ifndef LEAP_H
#define LEAP_H

#include "program.h"

/* How many of the values at, at + 1, … at + most - 1 of a symbol fail the test that begins with this instruction of a
 * program; place: in its row. 0 where this is not found out, or where the first one passes. All else that the test
 * speaks of has a value. */
unsigned leap(const rs_draw *d, const instruction *test, unsigned symbol, unsigned place, int64_t at, unsigned most);

#endif

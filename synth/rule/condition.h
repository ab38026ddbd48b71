/* Conditions: comparisons joined by `and` and `or`, simplified as they are joined.
 *
 * A comparison says that the sum of its symbols' monomials lies in a range or outside of one:
 * s0 + 3 > s1 is s0 - s1 >= -2. Two comparisons of one sum, or of a sum and its negation, are
 * compared by these ranges: s9 >= 0 or s9 <= 0 always holds, s9 < 2 and s9 > 1 never does, and
 * s9 >= 0 or s9 >= -3 is s9 >= -3.
 */
#ifndef CONDITION_H
#define CONDITION_H

#include "polynomial.h"

enum relation {
	IMPLIES,  /* where a holds, b holds */
	COVERS,   /* a or b holds always; where both have a value */
	EXCLUDES, /* a and b never hold together */
};

/* Whether it is seen to be so; false says nothing. */
bool condition_related(enum relation r, const expr *a, const expr *b);

/* In these a condition is NULL where it always holds, and 0 != 0 where it never does. */
const expr *condition_never(expr_pool *p);
const expr *condition_or(expr_pool *p, const expr *a, const expr *b);
const expr *condition_and(expr_pool *p, const expr *a, const expr *b);

/* Of a comparison: what holds where it does not. */
const expr *condition_opposite(expr_pool *p, const expr *e);
/* The two sides of a comparison as one sum that is >= 0, or == 0. False: neither. */
bool condition_sides(const expr *e, linear *l, bool *equation);

#endif

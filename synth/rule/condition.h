/* Conditions: comparisons joined by `and` and `or`, simplified while they are joined.
 *
 * A comparison states that a sum of monomials lies inside or outside a range: s0 + 3 > s1 is s0 - s1 >= -2. Two
 * comparisons of the same sum, or of a sum and its negation, are related by their ranges: s9 >= 0 or s9 <= 0 always
 * holds, s9 < 2 and s9 > 1 never holds, and s9 >= 0 or s9 >= -3 is s9 >= -3.
 */
#ifndef CONDITION_H
#define CONDITION_H

#include "polynomial.h"

enum relation {
	IMPLIES,  /* if a holds, b holds */
	COVERS,   /* a or b holds wherever both have a value */
	EXCLUDES, /* a and b never hold together */
};

/* Whether the relation was proved; false means unknown. */
bool condition_related(enum relation r, const expr *a, const expr *b);

/* In the following functions a condition is NULL if it always holds, and 0 != 0 if it never holds. */
const expr *condition_never(expr_pool *p);
const expr *condition_or(expr_pool *p, const expr *a, const expr *b);
const expr *condition_and(expr_pool *p, const expr *a, const expr *b);

/* The negation of a comparison. */
const expr *condition_opposite(expr_pool *p, const expr *e);
/* Rewrites a comparison as l >= 0 or l == 0 (*equation). False if that is not possible. */
bool condition_sides(const expr *e, linear *l, bool *equation);

#endif

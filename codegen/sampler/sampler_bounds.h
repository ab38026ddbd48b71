/* What a clause says of one symbol: the bounds it gives, solved for it. For samplers.
 *
 * s1 >= s0*s4 gives s1 at least s0*s4, and s0 at most s1//s4 when s4 > 0. (s2 - s4)//s8 >= 3 with a
 * positive s8 gives s2 at least 3*s8 + s4. s0 == 1 or s1 <= s2 gives s1 at most s2 when s0 != 1.
 */
#ifndef SAMPLER_BOUNDS_H
#define SAMPLER_BOUNDS_H

#include "sampler_clauses.h"

enum { BOUNDS = 24 }; /* of one symbol, when it is eliminated */

typedef struct bound {
	const expr *e;
	bool upper;
	const expr *when[SAMPLER_CONDITIONS]; /* it is right where these hold */
	unsigned nwhen;
} bound;

typedef struct bounds {
	bound list[BOUNDS];
	unsigned n;
} bounds;

/* Adds the bounds of x that follow from a clause; true when they say all of it. */
bool bounds_from_clause(deriver *d, const expr *e, int64_t x, bounds *to);
/* An equation that is solved by one value of x. False: the clause is none. */
bool bounds_value(deriver *d, const expr *e, int64_t x, bound *found);
/* The outermost choice (or minimum or maximum) that speaks of x; NULL: none. */
const expr *bounds_choice(const expr *e, enum op op, int64_t x);

#endif

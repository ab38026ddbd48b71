/* The bounds that a clause implies for one symbol: the clause, solved for the symbol.
 *
 * s1 >= s0*s4 gives s1 >= s0*s4, and s0 <= s1//s4 if s4 > 0. (s2 - s4)//s8 >= 3 with a positive s8 gives
 * s2 >= 3*s8 + s4. s0 == 1 or s1 <= s2 gives s1 <= s2 if s0 != 1.
 */
#ifndef SAMPLER_BOUNDS_H
#define SAMPLER_BOUNDS_H

#include "sampler_clauses.h"

enum { BOUNDS = 24 }; /* of a symbol that is eliminated */

typedef struct bound {
	const expr *e;
	bool upper;
	const expr *when[SAMPLER_CONDITIONS]; /* conditions under which it is right */
	unsigned nwhen;
} bound;

typedef struct bounds {
	bound list[BOUNDS];
	unsigned n;
} bounds;

/* Adds the bounds of x that follow from a clause; true if they are equivalent to it. */
bool bounds_from_clause(deriver *d, const expr *e, int64_t x, bounds *to);
/* The value of x by an equation. False: the clause is no equation for x. */
bool bounds_value(deriver *d, const expr *e, int64_t x, bound *found);
/* The outermost choice (or minimum or maximum) that contains x; NULL: none. */
const expr *bounds_choice(const expr *e, enum op op, int64_t x);

#endif

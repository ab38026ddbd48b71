/* Guards: properties of a signature's call that distinguish it from others of its API
 * (docs/reference/rule-notation.md).
 *
 *   ceil_mode = True     weight is omitted     dim is given     kernel_size is a list     rank(input) = 2     len(out) = 1
 *
 * Floats never distinguish.
 */
#ifndef GUARD_H
#define GUARD_H

#include "buf.h"
#include "record.h"

enum { GUARD_TERMS = 2 };

enum guard_aspect {
	GUARD_CONSTANT, /* its text; "" if it is omitted, or None */
	GUARD_KIND,     /* "a list", "a number", "a tensor" */
	GUARD_RANK,     /* of a tensor */
	GUARD_OUTPUTS,  /* number of outputs, if outputs are counted from the last one; without an argument */
	GUARD_ASPECTS
};

typedef struct guard_term {
	const char *argument;
	enum guard_aspect aspect;
	bool differs; /* differs from `value` */
	char value[24];
} guard_term;

typedef struct guard {
	guard_term terms[GUARD_TERMS]; /* a conjunction */
	int n, cost; /* description length */
} guard;

bool guard_holds(const guard *g, const operator *op);

/* Finds the guard with the lowest cost that all operators of `in` satisfy and none of `out` (NULL: all others). Ties go to a
 * guard that describes both sides: all of `out` lack the argument that all of `in` have, or have one value of it. Returns
 * false if there is none. */
bool guard_find(guard *to, const operator *const *ops, int n, const bool *in, const bool *out);

/* "ceil_mode = True and rank(input) = 4" */
void guard_put(buf *to, const guard *g);

#endif

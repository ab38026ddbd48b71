/* The arguments of a bound call by kind, as templates of whole calls see them.
 *
 *   einsum('ij,jk->ik', x, y)  ──►  text, two tensors        split(x, 3, dim=1)  ──►  one tensor, the integers 3 and 1 */
#ifndef GIVEN_H
#define GIVEN_H

#include "bind.h"

enum { GIVEN_TENSORS = 16, GIVEN_INTEGERS = 2 };

typedef struct given {
	const char *text; /* the string; NULL: none */
	unsigned ntensors, nintegers;
	const call_value *tensors[GIVEN_TENSORS];
	const char *names[GIVEN_INTEGERS]; /* of the parameters with integers, in the order of the overload */
	const call_value *integers[GIVEN_INTEGERS]; /* an integer or a list of integers */
} given;

/* Sorts the arguments of a call by kind. False: it has other kinds, or too many. */
bool given_of(const binding *b, given *out);

/* Whether two calls have the same kinds of arguments under the same names. */
bool given_alike(const given *a, const given *b);

/* The dtype that all tensors share; RS_OTHER: unknown. False: they differ. */
bool given_dtype(const given *g, uint8_t *dtype);

#endif

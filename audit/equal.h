/* Checks that a generated function agrees with the rule's text for every int64 input. */
#ifndef AUDIT_EQUAL_H
#define AUDIT_EQUAL_H

#include "source.h"

enum verdict { VERDICT_PROVED, VERDICT_BOUNDED, VERDICT_UNKNOWN, VERDICT_WRONG };

typedef struct finding {
	enum verdict verdict;
	const char *method; /* "identical": the same normal form; "z3": Z3 proved equality; otherwise the method */
	char detail[400];   /* the reason, or symbols on which the two differ */
} finding;

extern const char *const VERDICT_NAMES[];

/* Proves that the function is total and returns true exactly if all clauses hold. */
finding equal_valid(const source *s, const char *name, unsigned nsym, unsigned n, char *const *clause);
/* Proves that the function is total and returns true exactly if every output has a value that is a
 * dimension, and stores these values. */
finding equal_shape(const source *s, const char *name, unsigned nsym, unsigned n, char *const *output);
/* Proves that the functions of arith.h behave as the audit assumes, without undefined behaviour. */
finding equal_arithmetic(const source *s);

#endif

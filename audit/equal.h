/* Whether a generated function says what the rule's text says, for every int64 input: docs/audit.md. */
#ifndef AUDIT_EQUAL_H
#define AUDIT_EQUAL_H

#include "source.h"

enum verdict { VERDICT_PROVED, VERDICT_BOUNDED, VERDICT_UNKNOWN, VERDICT_WRONG };

typedef struct finding {
	enum verdict verdict;
	const char *method; /* "identical": one normal form; "z3": proved equal by it; else what was done */
	char detail[400];   /* the reason, or symbols where both differ */
} finding;

extern const char *const VERDICT_NAMES[];

/* Total, and true exactly where all clauses hold. */
finding equal_valid(const source *s, const char *name, unsigned nsym, unsigned n, char *const *clause);
/* Total, true exactly where every output has a value that is a dimension, and then these are what is stored. */
finding equal_shape(const source *s, const char *name, unsigned nsym, unsigned n, char *const *output);
/* The functions of arith.h do what the audit takes them to do, and nothing that is undefined. */
finding equal_arithmetic(const source *s);

#endif

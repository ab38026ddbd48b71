/* The dtype rules of a run: of each API that a table of trials has. */
#ifndef DTYPE_RULES_H
#define DTYPE_RULES_H

#include "diag.h"
#include "record.h"

typedef struct dtype_rules {
	arena *memory;
	const char **json; /* of each operator: the rule of its API, if it is the first of it in the list; else NULL */
	int rules, apis; /* APIs with a rule, and those with trials */
} dtype_rules;

/* Fits the rules of the APIs of the operators list[0 … n-1], which are sorted by name, to the tables paths[0 … npaths-1]. False
 * and d: a table cannot be read. Free it in both cases. */
bool dtype_rules_fit(dtype_rules *to, const records *r, const int *list, int n, const char *const *paths, int npaths, diag *d);
void dtype_rules_free(dtype_rules *d);

#endif

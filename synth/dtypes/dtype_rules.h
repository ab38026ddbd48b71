/* Fits the dtype rules of all APIs that have dtype trials. */
#ifndef DTYPE_RULES_H
#define DTYPE_RULES_H

#include "diag.h"
#include "record.h"

typedef struct dtype_rules {
	arena *memory;
	const char **json; /* per signature: the rule of its API if it is the API's first signature in the list; else
			    * NULL */
	int rules, apis; /* number of APIs with a rule, and with trials */
} dtype_rules;

/* Fits dtype rules from the tables `paths` for the APIs of the signatures list[0 … n-1], sorted by name. False, with
 * d filled, if a table cannot be read. Free `to` in either case. */
bool dtype_rules_fit(dtype_rules *to, const records *r, const int *list, int n, const char *const *paths, int npaths, diag *d);
void dtype_rules_free(dtype_rules *d);

#endif

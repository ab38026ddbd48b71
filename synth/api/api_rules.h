/* The API rules of a run: fitted to the rules of all signatures, once these are found. */
#ifndef API_RULES_H
#define API_RULES_H

#include "api_rule.h"

typedef struct api_rules {
	arena *memory;
	const char **json; /* of each operator: its API rule, if it represents one; else NULL */
	int instances, complete; /* signatures that are instances of an API rule in clauses and outputs, and those that have a rule */
	int rules;
} api_rules;

/* Fits the rules of the operators list[0 … n-1], which are sorted by name; rules has one for each of the records' operators. The
 * result is the same for any number of threads. */
api_rules api_rules_fit(const records *r, const int *list, int n, const rule *rules, int threads);
void api_rules_free(api_rules *a);

#endif

/* The API rules of a run, fitted to the rules of all signatures. */
#ifndef API_RULES_H
#define API_RULES_H

#include "api_rule.h"

typedef struct api_rules {
	arena *memory;
	const char **json; /* per operator: the API rule that it represents as JSON, or NULL */
	int instances, complete; /* signatures whose clauses and outputs are instances of an API rule; signatures that have a rule */
	int rules;
} api_rules;

/* Fits the rules of the operators list[0 … n-1], sorted by name. `rules` is indexed like the records' operators. The result
 * does not depend on the number of threads. */
api_rules api_rules_fit(const records *r, const int *list, int n, const rule *rules, int threads);
void api_rules_free(api_rules *a);

#endif

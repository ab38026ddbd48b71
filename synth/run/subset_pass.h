/* What operators go without: where no rule agrees with all of an operator's records, or only one that looks fitted, the pipeline
 * solves it again without some of them (record_subset.h), first those of empty tensors, then outliers, by itself and with the other call
 * forms of its API, then what is beside the core. What is found stands if it does not look fitted; then the families of the APIs
 * concerned are formed anew.
 */
#ifndef SUBSET_PASS_H
#define SUBSET_PASS_H

#include "rule.h"

/* Over all APIs: outputs; with the shape functions of all, outputs and clauses; then, with siblings' rules, families. Of some,
 * clauses that may refuse a few passing records: of each operator by itself, and of the call forms of an API together. */
enum pass { OUTPUTS, RULES, FAMILIES, OUTLIERS, COMMON };

/* Runs one pass over n operators, which are in order: their rules become what it finds. */
typedef void pass_over(void *user, int *list, int n, enum pass pass);

typedef struct narrowing {
	records *records; /* an operator becomes what is left of it */
	rule *rules;	  /* of each: of its family; it becomes what is found */
	buf *const *logs; /* as in pipeline_options */
	const int *wanted; /* operators, in order, all of an API or none */
	int nwanted;
	const rule *outputs, *own; /* of each operator: as the first pass left it; and before families were formed */
	pass_over *over;
	void *user;
	rule_store store; /* where rules go that are more than what a pass found */
} narrowing;

void narrow_pass(const narrowing *c);

#endif

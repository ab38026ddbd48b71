/* The pass that solves signatures on a subset of their records (record_subset.h), if no rule agrees with all records or
 * only an overfitted one. It tries in this order: without empty tensors; without outliers, for each signature and then
 * for all signatures of an API together; inliers of equations; without negative numbers. A found rule is kept if it is
 * not overfitted. Then the API rules of the concerned APIs are formed again.
 */
#ifndef SUBSET_PASS_H
#define SUBSET_PASS_H

#include "rule.h"

/* PASS_OUTPUTS: output shapes. PASS_RULES: outputs and clauses, given the shape functions of all APIs.
 * PASS_API_RULES: API rules. PASS_OUTLIERS: clauses of some signatures that may reject a few passing records.
 * PASS_COMMON: the same, shared by all signatures of an API. */
enum pass { PASS_OUTPUTS, PASS_RULES, PASS_API_RULES, PASS_OUTLIERS, PASS_COMMON };

/* Runs one pass over n signatures, in ascending order; their rules become its results. */
typedef void pass_function(void *user, int *list, int n, enum pass pass);

typedef struct subset_task {
	records *records; /* in and out: a signature becomes its subset */
	rule *rules;	  /* in and out: one per signature */
	buf *const *logs; /* as in pipeline_options */
	const int *wanted; /* signatures, ascending; all of an API or none */
	int nwanted;
	const rule *outputs, *own; /* per signature: after the first pass; before API rules */
	pass_function *over;
	void *user;
	rule_store store; /* holds rules that this pass changes */
} subset_task;

void subset_pass(const subset_task *c);

#endif

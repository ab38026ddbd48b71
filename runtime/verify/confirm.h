/* Single-clause questions: inputs that violate exactly one clause of a rule, as `rulesmith questions` writes them. A
 * framework that rejects such an input confirms the clause; one that accepts it refutes the clause.
 *
 *   file of questions ──► oracle ──answers──► rejected or accepted, by signature and by clause
 */
#ifndef CONFIRM_H
#define CONFIRM_H

#include "answer.h"
#include "arena.h"
#include "rulesmith.h"
#include "tally.h"

enum confirm_share { CONFIRM_ALL, CONFIRM_THIN, CONFIRM_OTHERS, CONFIRM_SHARES };
extern const char *const CONFIRM_NAMES[CONFIRM_SHARES];

/* The text of a clause of an API; its signatures have the same clause about the same symbols. */
typedef struct confirm_clause {
	const char *api, *text;
	uint32_t asked, accepted, api_accepted; /* api_accepted: over all clauses of the API */
	const rs_op *op;   /* the signature of the first accepted input */
	const int64_t *in; /* the first accepted input; NULL: none */
} confirm_clause;

typedef struct confirm_result {
	sums sums[CONFIRM_SHARES]; /* questions and rejections; clustered by signature */
	uint64_t asked; /* including those that are not counted */
	undecided undecided;
	confirm_clause *clauses; /* most accepted questions first, then by those of the API */
	uint32_t nclauses, refuted; /* refuted: clauses with an accepted question */
	keeper keeper;
	arena *memory;
} confirm_result;

typedef struct confirm_options {
	const rs_table *table;
	const char *path; /* the file of questions */
	const char *op;	  /* glob of signatures; NULL: all */
	FILE *wrong;	  /* gets a line for each accepted question; NULL: none */
	bool keep;	  /* store accepted questions as records */
} confirm_options;

/* False and d: the file is malformed or of other rules (*bad), the oracle failed, or out of memory. Free the result in
 * either case. */
bool confirm(const confirm_options *o, oracle *oracle, confirm_result *result, bool *bad, diag *d);
void confirm_result_free(confirm_result *result);

#endif

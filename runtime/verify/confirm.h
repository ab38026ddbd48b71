/* Single-clause questions: inputs that each break one clause of a rule and keep all the others, as `rulesmith questions`
 * writes them. A framework that refuses such an input confirms the clause; one that runs it refutes it.
 *
 *   file of questions ──► oracle ──answers──► refused or accepted, by operator and by clause
 */
#ifndef CONFIRM_H
#define CONFIRM_H

#include "answer.h"
#include "arena.h"
#include "rulesmith.h"
#include "tally.h"

enum confirm_share { CONFIRM_ALL, CONFIRM_THIN, CONFIRM_OTHERS, CONFIRM_SHARES };
extern const char *const CONFIRM_NAMES[CONFIRM_SHARES];

/* One clause text of an API: its operators say the same of the same symbols. */
typedef struct confirm_clause {
	const char *api, *text;
	uint32_t asked, accepted, api_accepted; /* api_accepted: of all clauses of the API */
	const rs_op *op;   /* where an input was accepted, */
	const int64_t *in; /* the first such input; NULL: none was */
} confirm_clause;

typedef struct confirm_result {
	sums sums[CONFIRM_SHARES]; /* questions and how many were refused; operators are the clusters */
	uint64_t asked; /* with those that are not counted */
	undecided undecided;
	confirm_clause *clauses; /* those with most accepted questions first, then those of such APIs */
	uint32_t nclauses, refuted; /* refuted: clauses with an accepted question */
	keeper keeper;
	arena *memory;
} confirm_result;

typedef struct confirm_options {
	const rs_table *table;
	const char *path; /* of the questions */
	const char *op;	  /* glob of operators; NULL: all */
	FILE *wrong;	  /* a line for each accepted question; NULL: none */
	bool keep;	  /* accepted questions become records */
} confirm_options;

/* False and d when the file is bad or of other rules, the oracle failed or memory ran out: *bad says whether it is the
 * file. Free the result in either case. */
bool confirm(const confirm_options *o, oracle *oracle, confirm_result *result, bool *bad, diag *d);
void confirm_result_free(confirm_result *result);

#endif

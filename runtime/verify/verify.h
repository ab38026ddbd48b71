/* Asks a live oracle about fresh inputs of every operator that has a rule, and counts how often the
 * rule was right.
 *
 *   operators ──► drawers ──lines──► oracle ──answers──► counts by operator and stratum ──► tally
 *                    ▲                          │ wrong: --wrong, --keep
 *                    └── what the records hold is replaced (a few rounds)
 */
#ifndef VERIFY_H
#define VERIFY_H

#include <stdio.h>

#include "answer.h"
#include "draw.h"
#include "oracle.h"
#include "rulesmith.h"
#include "tally.h"

typedef struct verify_options {
	const rs_table *table;
	const char *op;	      /* glob of operators; NULL: all */
	uint64_t count, seed; /* inputs in all */
	FILE *wrong;	      /* a line for each wrong answer; NULL: none */
	bool keep;	      /* wrong answers become records */
	bool progress;	      /* on standard error */
} verify_options;

/* What came of one operator; all of it is in stratum total. */
typedef struct verify_op {
	const rs_op *op;
	uint32_t counted, said; /* inputs that decided, of them those that the rule accepts */
	uint32_t said_only, was_only, wrong_out; /* the wrong answers */
} verify_op;

typedef struct verify_result {
	tally tally;
	verify_op *ops;
	uint32_t nops, without; /* with a rule and a fresh input; with a rule, but no number to vary */
	uint64_t asked[DRAWN_KINDS];
	undecided undecided;
	keeper keeper;
} verify_result;

/* False and d when the oracle failed or memory ran out; free the result in either case. */
bool verify(const verify_options *o, oracle *oracle, verify_result *result, diag *d);
void verify_result_free(verify_result *result);

static inline uint32_t verify_wrong(const verify_op *v)
{
	return v->said_only + v->was_only + v->wrong_out;
}

#endif

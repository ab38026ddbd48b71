/* Runs fresh inputs of every signature with a rule in a live oracle, and counts how often the rule is right.
 *
 *   signatures ──► drawers ──lines──► oracle ──answers──► counts by signature and stratum ──► tally
 *                     ▲                          │ wrong: --wrong, --keep
 *                     └── inputs that are records are replaced (a few rounds)
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
	const char *op;	      /* glob of signatures; NULL: all */
	uint64_t count, seed; /* total number of inputs */
	FILE *wrong;	      /* gets a line for each wrong answer; NULL: none */
	bool keep;	      /* store wrong answers as records */
	bool progress;	      /* print progress on standard error */
} verify_options;

/* The counts of one signature, all in stratum total. */
typedef struct verify_op {
	const rs_op *op;
	uint32_t counted, said; /* decided inputs, and those that the rule accepts */
	uint32_t said_only, was_only, wrong_out; /* the wrong answers */
} verify_op;

typedef struct verify_result {
	tally tally;
	verify_op *ops;
	uint32_t nops, without; /* signatures with a rule and a fresh input; with a rule that has nothing to vary */
	uint64_t asked[DRAWN_KINDS];
	undecided undecided;
	keeper keeper;
} verify_result;

/* False and d: the oracle failed, or out of memory. Free the result in either case. */
bool verify(const verify_options *o, oracle *oracle, verify_result *result, diag *d);
void verify_result_free(verify_result *result);

static inline uint32_t verify_wrong(const verify_op *v)
{
	return v->said_only + v->was_only + v->wrong_out;
}

#endif

/* The leaves that one output dimension is built from (problem.h), chosen by evidence and by argument structure:
 * symbols that are known to move the target come first, then those aligned with it (the same dimension
 * counted from the left or the right, the same position of a list), then the rest that is not known to be
 * inert; folds, broadcasting, selections and wildcards beside them.
 */
#ifndef TARGET_H
#define TARGET_H

#include "problem.h"
#include "solve.h"

/* A target restricted to some records: the whole, or one side of a guard. */
typedef struct target {
	solver *s;
	int d; /* output dimension */
	const int *rows;
	int nrows;
	bool *relevant, *inert; /* nsym */
	int nrelevant;
	long *tried; /* of the stage that runs */
	bool selected; /* the records were selected by the target: no symbol is inert */
	bool derived; /* relevant symbols only, and what is derived from one: halves, remainders, squares, signs */
} target;

/* Which symbols move the target, and which are inert, among the records marked. */
void target_weigh(target *t, const bool *member);
/* How well a symbol's place fits the output dimension: 0 best. */
int target_misfit(const target *t, int symbol);
/* The problem over a sample of n records (indices into t->rows), with at most `most` symbols. */
void target_problem(const target *t, problem *p, const int *sample, int n, int most);

#endif

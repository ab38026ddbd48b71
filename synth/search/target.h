/* The leaves that one output dimension is built from (problem.h), chosen by evidence and by argument structure:
 * symbols that are known to move the target come first, then those aligned with it (the same dimension
 * counted from the left or the right, the same position of a list), then the rest that is not known to be
 * inert; folds, broadcasting, selections and wildcards beside them.
 */
#ifndef TARGET_H
#define TARGET_H

#include "problem.h"
#include "solve.h"

/* What is offered: symbols and folds as evidence has them; the relevant symbols only, with what is derived from one:
 * halves, remainders, squares, signs; the reach of kernels, (k - 1)·d, in place of products; what is seldom right
 * (fallback_leaves.h); symbols and folds once more, with no symbol inert; all symbols for a pool (window.h). */
enum leaves { PLAIN, DERIVED, REACHING, UNCOMMON, DOUBTED, POOLED };

struct target;

/* Offers leaves beside those of target.c. */
typedef void more_leaves(const struct target *t, problem *p, const int *sample, const uint32_t *bit);

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
	enum leaves leaves;
	more_leaves *more; /* of UNCOMMON */
} target;

/* Which symbols move the target, and which are inert, among the records marked. */
void target_weigh(target *t, const bool *member);
/* How well a symbol's place fits the output dimension: 0 best. */
int target_misfit(const target *t, int symbol);
/* Offers any expression; it is dropped where a record gives it no value, or where its column is there already. */
void target_offer(const target *t, problem *p, const int *sample, const uint32_t *bit, const expr *e, int cost);
/* The problem over a sample of n records (indices into t->rows), with at most `most` symbols. */
void target_problem(const target *t, problem *p, const int *sample, int n, int most);

#endif

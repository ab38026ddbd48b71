/* Chooses the leaves for one output dimension (problem.h), by evidence and by argument structure. Relevant symbols
 * come first, then symbols aligned with the output (the same dimension from the left or the right, the same index of
 * a list), then all others that are not known to be inert. Folds, broadcasting, selections and wildcards are added.
 */
#ifndef TARGET_H
#define TARGET_H

#include "problem.h"
#include "solve.h"

/* The set of leaves to offer. */
enum leaves {
	LEAVES_PLAIN,	 /* symbols and folds, without inert symbols */
	LEAVES_DERIVED,	 /* relevant symbols only, with their halves, remainders, squares and signs */
	LEAVES_REACH,	 /* the reach of kernels, (k - 1)·d, instead of products */
	LEAVES_FALLBACK, /* additional, rarely correct leaves (fallback_leaves.h) */
	LEAVES_ALL,	 /* symbols and folds, inert ones included */
	LEAVES_WINDOW,	 /* all symbols, for windows (window.h) */
};

struct target;

/* Offers additional leaves. */
typedef void target_more_leaves(const struct target *t, problem *p, const int *sample, const uint32_t *bit);

/* An output dimension on a subset of the records: all, or one part of a guard. */
typedef struct target {
	solver *s;
	int d; /* output dimension */
	const int *rows;
	int nrows;
	bool *relevant, *inert; /* nsym */
	int nrelevant;
	long *tried; /* counter of the running stage */
	bool selected; /* the records are selected by the target: no symbol is inert */
	enum leaves leaves;
	target_more_leaves *more; /* for LEAVES_FALLBACK */
} target;

/* Finds the relevant and inert symbols on the marked records. */
void target_weigh(target *t, const bool *member);
/* How badly a symbol's position matches the output dimension: 0 (aligned) to 6. */
int target_misfit(const target *t, int symbol);
/* Offers an expression as a leaf. It is dropped if it lacks a value on a record or if its column is already there. */
void target_offer(const target *t, problem *p, const int *sample, const uint32_t *bit, const expr *e, int cost);
/* Builds the problem on a sample of n records (indices into t->rows), with at most max_symbols symbols. */
void target_problem(const target *t, problem *p, const int *sample, int n, int max_symbols);

#endif

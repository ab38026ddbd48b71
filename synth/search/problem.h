/* One output dimension to be explained: a target column and the leaves to build it from.
 *
 * The passing records are columns: one int64 array a symbol, one entry a record. A leaf is a column
 * with its expression: a symbol, a constant, or a fold (sum, product, max, min) over dimensions of a
 * tensor or over a list. The search works on at most ROWS records and every answer is checked on
 * all; a record that refutes an answer joins the sample (stages.c).
 *
 * A symbol is relevant when two records differ in it alone and in the target; whatever explains the
 * target must contain it. This evidence is strong, since augmentation steps symbols one at a time.
 */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "arena.h"
#include "expr.h"
#include "record.h"

#define NOVAL INT64_MIN /* of a column: no value here (division by zero, or beyond 2^62) */
enum { ROWS = 128, MAX_LEAVES = 40 };
enum { COLUMN = 8 }; /* the price of a whole column in units of work; a look at one record costs 1 */

typedef struct leaf {
	const expr *e;
	const int64_t *col; /* rows entries */
	uint32_t covers;    /* the relevant symbols it contains, as bits */
	int cost;
	bool is_dim;
	bool aligned;
	bool fold;
} leaf;

typedef struct problem {
	expr_pool *pool;
	arena *scratch;
	int rows;
	const int64_t *target;
	uint32_t relevant; /* bits of all relevant symbols: an answer must cover them */
	leaf leaves[MAX_LEAVES];
	int nleaves;
	leaf length; /* how many dimensions the first tensor has; e NULL: there is none */
	bool selected; /* the target is a symbol: what an operator does not accept is not among the records */
	bool derived; /* few symbols: products with dimensions are worth a try */
	bool reaching; /* products are (a - 1)·b: how far a kernel of a elements reaches that stand b apart */
	bool pooled; /* a kernel is sought that slides over an axis */
	bool doubted; /* a symbol that was not seen to matter may divide */
	long *tried; /* expressions looked at, for the statistics */
	long *work; /* units spent, for the budget */
	long budget; /* the value of *work at which to stop */
} problem;

/* A found expression; lower cost is better. e is NULL when nothing was found. */
typedef struct answer {
	const expr *e;
	int cost;
} answer;

/* Keeps the better of two, deterministically. */
void answer_offer(answer *best, const expr *e, int cost);

#endif

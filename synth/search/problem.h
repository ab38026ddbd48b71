/* The search problem for one output dimension: a target column and the leaves of its expression.
 *
 * The passing records are stored as columns: per symbol, an int64 array with one entry per record. A leaf is a column
 * with its expression: a symbol, a constant, or a fold (sum, product, max, min) over dimensions or list items. The
 * search uses at most ROWS records. Each answer is then checked on all records, and a record that refutes it joins
 * the sample (rows.c).
 *
 * A symbol is relevant if two records differ only in it and in the target. Every expression for the target must
 * contain all relevant symbols. The evidence is strong, since augmentation changes symbols one at a time.
 */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "arena.h"
#include "expr.h"
#include "record.h"

#define NOVAL INT64_MIN /* in a column: no value (division by zero, or beyond 2^62) */
enum { ROWS = 128, MAX_LEAVES = 40 };
enum { COLUMN_WORK = 8 }; /* work units of a column operation; looking at one record is one unit */

typedef struct leaf {
	const expr *e;
	const int64_t *col; /* `rows` entries */
	uint32_t covers;    /* the relevant symbols that it contains, as bits */
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
	uint32_t relevant; /* all relevant symbols, as bits: an answer must contain them */
	leaf leaves[MAX_LEAVES];
	int nleaves;
	leaf length; /* rank of the first input tensor; e is NULL if there is none */
	bool selected; /* the target is a symbol, and rejected calls are not among the records */
	bool derived; /* few symbols: try products with dimensions */
	bool kernel_reach; /* products are (a - 1)·b, the reach of a kernel of a elements with dilation b */
	bool window_only; /* search for a kernel that slides over an axis (window.h) */
	bool all_symbols; /* symbols without evidence may be divisors */
	long *tried; /* number of expressions tried, for statistics */
	long *work; /* work units spent */
	long budget; /* the search stops when *work reaches it */
} problem;

/* A found expression and its cost; e is NULL if there is none. */
typedef struct answer {
	const expr *e;
	int cost;
} answer;

/* Keeps the answer with the lower cost; equal costs are ordered by expr_compare. */
void answer_offer(answer *best, const expr *e, int cost);

#endif

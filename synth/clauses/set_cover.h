/* Weighted set cover: few short clauses that together reject every failing record.
 *
 * The greedy step picks the clause with the maximum (newly rejected records) × weight. It may pick an almost correct clause
 * and then others for the records that it misses, although one correct clause is a little longer than the first and shorter
 * than all of them:
 *
 *   s0 == s1 or s0 == 1 or s1 == 1, s1 <= s0, s1 > 0      ─►  s0 == s1 or s1 == 1
 *
 *   s9 < s4, s9 <= s1                                   ─►  s9 == 3
 *
 * cover_shorten() therefore improves the chosen set as a whole.
 */
#ifndef SET_COVER_H
#define SET_COVER_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "expr.h"
#include "record.h"

/* 2^48 × exp(-cost / 9): the weight of a clause of that description length. Integer arithmetic, because exp() may differ in
 * the last bit between machines, which would break ties differently. */
uint64_t cover_weight(int cost);
/* The weights of the costs 0 … n - 1. */
void cover_weights(uint64_t *to, int n);

/* How clause i may replace clause k. */
enum replacement {
	REPLACE_NO,	 /* it may not */
	REPLACE_STRONGER, /* i is stronger than k */
	REPLACE_FIXED,	 /* i fixes the value of a dimension that k bounds (cover_fixes) */
};

/* The candidate clauses. The bit set of records that each rejects has `words` words. */
typedef struct cover {
	const uint64_t *const *rejects;
	const int *costs;
	int n, words;
	enum replacement (*replacement_of)(const void *user, int i, int k);
	const void *user;
} cover;

/* Whether the records rejected by n chosen clauses are still rejected without clause k. */
bool cover_is_superfluous(const cover *c, const int *chosen, int n, int k);

/* Repeatedly replaces several of n chosen clauses by one. The new clause rejects all records that only they reject. It is
 * stronger than one of them, or fixes a dimension that all of them bound. It is hardly longer than the longest and shorter
 * than all. Returns the new number: kept clauses in their order, then new ones. Together they reject at least the same
 * records. */
int cover_shorten(const cover *c, int *chosen, int n, arena *scratch);

/* Whether a is stronger than b: for each conjunct of b, a has a subset of its alternatives. True for s0 == s1 or s1 == 1 and
 * s0 == s1 or s0 == 1 or s1 == 1; for s0 == 0 and s0*s1 == 0. */
bool cover_narrows(const expr *a, const expr *b);
/* Whether a fixes the value of a dimension that b bounds by a number above 0: s9 == 3 for s9 < s4, not for s9 >= 0. */
bool cover_fixes(const operator *op, const expr *a, const expr *b);

#endif

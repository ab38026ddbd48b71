/* Which clauses: few and short ones that together reject every failing record.
 *
 * Greedily, the next is the one with the greatest (records newly rejected) × weight. That may take a clause that is nearly
 * right, and others for what it lets through, where one that is right is a little longer than the first and shorter than all
 * of them:
 *
 *   s0 == s1 or s0 == 1 or s1 == 1, s1 <= s0, s1 > 0      ─►  s0 == s1 or s1 == 1
 *
 *   s9 < s4, s9 <= s1                                   ─►  s9 == 3
 *
 * So what was chosen is looked at again, as a whole (cover_shorten).
 */
#ifndef SET_COVER_H
#define SET_COVER_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "expr.h"
#include "record.h"

/* 2^48 × exp(-cost / 9): what a clause of that description length weighs. In integers, since a machine's exp may
 * differ in the last bit and ties would then fall otherwise. */
uint64_t weight_of(int cost);
/* Of the prices 0 … n - 1. */
void weights_of(uint64_t *to, int n);

/* What clause i is to clause k, in whose place it may come. */
enum stand_in {
	STANDS_APART,	 /* another */
	STANDS_NARROWER, /* the same, said more narrowly */
	STANDS_FIXED,	 /* the one value of a dimension that k bounds (cover_fixes) */
};

/* The clauses that there are; what each rejects has `words` words. */
typedef struct cover {
	const uint64_t *const *rejects;
	const int *costs;
	int n, words;
	enum stand_in (*stands_for)(const void *user, int i, int k);
	const void *user;
} cover;

/* Whether what n chosen clauses reject is still rejected without the k-th. */
bool cover_is_superfluous(const cover *c, const int *chosen, int n, int k);

/* Of n chosen clauses puts one in the place of several where it rejects all that only they do, is one of them said more narrowly
 * or the one value of a dimension that all of them bound, is hardly longer than the longest, and shorter than all; again and
 * again. Returns how many there are then: those that stay, in their order, before those that are new. All together reject what
 * they did before. */
int cover_shorten(const cover *c, int *chosen, int n, arena *scratch);

/* Whether at each place where b has alternatives, a has some of them: s0 == s1 or s1 == 1 for s0 == s1 or s0 == 1 or s1 == 1; s0 == 0 for s0*s1 == 0. */
bool cover_narrows(const expr *a, const expr *b);
/* Whether a gives the one value of a dimension that b bounds by more than 0: s9 == 3 for s9 < s4, not for s9 >= 0. */
bool cover_fixes(const operator *op, const expr *a, const expr *b);

#endif

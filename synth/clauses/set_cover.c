#include "set_cover.h"

#include <string.h>

#include "costs.h"

static uint64_t next(uint64_t weight)
{
	return weight / 65536 * 58643 + weight % 65536 * 58643 / 65536; /* 65536 × exp(-1/9) */
}

static uint64_t first(void)
{
	return (uint64_t)1 << 48;
}

uint64_t cover_weight(int cost)
{
	uint64_t weight = first();
	for (int i = 0; i < cost && weight > 1; i++)
		weight = next(weight);
	return weight ? weight : 1;
}

void cover_weights(uint64_t *to, int n)
{
	uint64_t weight = first();
	for (int i = 0; i < n; i++) {
		to[i] = weight ? weight : 1;
		weight = weight > 1 ? next(weight) : weight;
	}
}

/* ---- one clause in place of several */

enum { LONGER_FIXED = 2 * COST_OR }; /* one value may be that much longer than the longest bound */

/* The records that more than one of n chosen clauses rejects. */
static void find_shared(const cover *c, const int *chosen, int n, uint64_t *shared)
{
	for (int w = 0; w < c->words; w++) {
		uint64_t any = shared[w] = 0;
		for (int k = 0; k < n; k++) {
			uint64_t x = c->rejects[chosen[k]][w];
			shared[w] |= any & x;
			any |= x;
		}
	}
}

/* Whether clause i rejects all records that only clause k of the chosen ones rejects. */
static bool replaces(const cover *c, const uint64_t *shared, int k, int i)
{
	const uint64_t *old = c->rejects[k], *now = c->rejects[i];
	for (int w = 0; w < c->words; w++)
		if (old[w] & ~shared[w] & ~now[w])
			return false;
	return true;
}

bool cover_is_superfluous(const cover *c, const int *chosen, int n, int k)
{
	for (int w = 0; w < c->words; w++) {
		uint64_t left = c->rejects[chosen[k]][w];
		for (int j = 0; j < n && left; j++)
			left &= j == k ? left : ~c->rejects[chosen[j]][w];
		if (left)
			return false;
	}
	return true;
}

/* Adds clause i to the chosen ones and drops those that it makes superfluous. `to` has room for n + 1. Returns how much
 * shorter the set is; 0 if i may not replace them. */
static int shorten_by(const cover *c, const int *chosen, int n, int i, int *to, int *nto)
{
	int saved = -c->costs[i] - COST_CLAUSE, dropped = 0, longest = 0;
	bool narrows = false, fixes = true;
	memcpy(to, chosen, sizeof *to * (size_t)n);
	to[n] = i;
	*nto = n + 1;
	for (int k = n - 1; k >= 0; k--) { /* the last chosen is the weakest */
		if (!cover_is_superfluous(c, to, *nto, k))
			continue;
		saved += c->costs[to[k]] + COST_CLAUSE;
		longest = c->costs[to[k]] > longest ? c->costs[to[k]] : longest;
		enum replacement how = c->replacement_of(c->user, i, to[k]);
		narrows = narrows || how == REPLACE_STRONGER;
		fixes = fixes && how == REPLACE_FIXED;
		memmove(to + k, to + k + 1, sizeof *to * (size_t)(--*nto - k));
		dropped++;
	}
	return dropped > 1 && (narrows || fixes) && c->costs[i] <= longest + (fixes ? LONGER_FIXED : COST_OR) ? saved : 0;
}

/* Whether clause i can replace at least two of the chosen clauses. */
static bool may_replace_several(const cover *c, const uint64_t *shared, const int *chosen, int n, int i)
{
	int several = 0, longest = 0;
	for (int k = 0; k < n; k++) {
		if (chosen[k] == i)
			return false;
		if (!replaces(c, shared, chosen[k], i))
			continue;
		several++;
		longest = c->costs[chosen[k]] > longest ? c->costs[chosen[k]] : longest;
	}
	return several > 1 && c->costs[i] <= longest + LONGER_FIXED;
}

int cover_shorten(const cover *c, int *chosen, int n, arena *scratch)
{
	uint64_t *shared = ARENA_ARRAY(scratch, uint64_t, c->words + 1);
	int *next = ARENA_ARRAY(scratch, int, n + 1), *best = ARENA_ARRAY(scratch, int, n + 1);
	while (n > 1) {
		int most = 0, nbest = 0, longest = 0;
		find_shared(c, chosen, n, shared);
		for (int k = 0; k < n; k++)
			longest = c->costs[chosen[k]] > longest ? c->costs[chosen[k]] : longest;
		for (int i = 0; i < c->n; i++) {
			if (c->costs[i] > longest + LONGER_FIXED) /* it may not replace any */
				continue;
			int nnext = 0, saved = may_replace_several(c, shared, chosen, n, i) ? shorten_by(c, chosen, n, i, next, &nnext) : 0;
			if (saved <= most)
				continue;
			most = saved;
			nbest = nnext;
			memcpy(best, next, sizeof *best * (size_t)nnext);
		}
		if (!most)
			return n;
		n = nbest;
		memcpy(chosen, best, sizeof *best * (size_t)n);
	}
	return n;
}

/* ---- stronger clauses */

/* Whether `one` is an alternative of `all`. x == 0 is one of x*y == 0 too. */
static bool is_among(const expr *one, const expr *all)
{
	return one == all || (all->op == OP_OR && (is_among(one, all->a) || is_among(one, all->b)))
	    || (expr_is_zero_test(one) && expr_is_zero_test(all) && expr_is_factor(one->a, all->a));
}

static bool are_among(const expr *some, const expr *all)
{
	return some->op == OP_OR ? are_among(some->a, all) && are_among(some->b, all) : is_among(some, all);
}

/* Whether some conjunct of a has a subset of the alternatives of b. */
static bool narrows_one(const expr *a, const expr *b)
{
	return a->op == OP_AND ? narrows_one(a->a, b) || narrows_one(a->b, b) : are_among(a, b);
}

bool cover_narrows(const expr *a, const expr *b)
{
	return b->op == OP_AND ? cover_narrows(a, b->a) && cover_narrows(a, b->b) : narrows_one(a, b);
}

bool cover_fixes(const operator *op, const expr *a, const expr *b)
{
	bool bounds = op_is_bound(b->op);
	bool by_nothing = bounds && b->b->op == OP_CONST && b->b->value <= 0;
	return a->op == OP_EQ && a->a->op == OP_SYM && a->b->op == OP_CONST && op->roles[a->a->value].kind == ROLE_DIM && bounds
	    && !by_nothing && (b->a == a->a || b->b == a->a);
}

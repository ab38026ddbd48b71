#include "clause_evidence.h"

typedef struct counts {
	long refused, alone, empty, empty_alone, passed;
} counts;

/* Those of the w-th word's calls that were really refused. */
static uint64_t really_refused(const operator *op, int w)
{
	int left = op->nfail - op->beside - w * 64;
	return left >= 64 ? ~(uint64_t)0 : left > 0 ? ((uint64_t)1 << left) - 1 : 0;
}

/* How many of the w-th word's calls have an empty tensor. */
static long count_empty(const operator *op, int w, uint64_t calls)
{
	long n = 0;
	for (; calls; calls &= calls - 1)
		n += record_is_of_empty(op, op->fail + (size_t)(w * 64 + __builtin_ctzll(calls)) * op->nsym);
	return n;
}

static void count_refused(counts *to, const api_unify_view *v, const bool *of, int i)
{
	const operator *op = v->ops[i];
	for (int w = 0; w <= op->nfail / 64; w++) {
		uint64_t mine = 0, others = 0;
		for (int k = 0; k < v->nclauses; k++)
			*(of[k] ? &mine : &others) |= v->clauses[k].refused[i][w];
		mine &= really_refused(op, w);
		uint64_t alone = mine & v->open[i][w] & ~others;
		to->refused += __builtin_popcountll(mine);
		to->alone += __builtin_popcountll(alone);
		to->empty += count_empty(op, w, mine);
		to->empty_alone += count_empty(op, w, alone);
	}
}

static void count_passed(counts *to, const api_unify_view *v, const bool *of, int i)
{
	for (int w = 0; w <= v->ops[i]->outside / 64; w++) {
		uint64_t mine = 0;
		for (int k = 0; k < v->nclauses; k++)
			mine |= of[k] ? v->clauses[k].passed[i][w] : 0;
		to->passed += __builtin_popcountll(mine);
	}
}

clause_evidence clause_evidence_of(const api_unify_view *v, const bool *of)
{
	counts n = {.refused = 0};
	for (int i = 0; i < v->n; i++) {
		count_refused(&n, v, of, i);
		count_passed(&n, v, of, i);
	}
	return (clause_evidence){n.refused, n.alone, n.passed, n.refused && (n.alone ? n.empty_alone == n.alone : n.empty == n.refused)};
}

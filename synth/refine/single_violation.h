/* Inputs that violate exactly one clause of a rule, with defined outputs: they test that clause and nothing else.
 *
 *   a passing record ──► steps and joint moves that the rule accepts ──► one more step, which a single clause
 *                                                                        rejects; if none is found, Z3
 */
#ifndef SINGLE_VIOLATION_H
#define SINGLE_VIOLATION_H

#include "points.h"
#include "prove.h"
#include "rule.h"

enum { SINGLE_RECENT = 24 };

typedef struct single_violation {
	const box *box;
	const rule *rule;
	rng rng;
	int64_t *recent[SINGLE_RECENT]; /* inputs that the rule accepts, as starting points */
	int nrecent;
	arena *memory;
} single_violation;

/* The clause that alone rejects an input; -1 if none or several do. */
int single_violation_of(const operator *op, const rule *r, const int64_t *x);

/* The box and the rule must outlive it, and so must `memory`. */
void single_violation_start(single_violation *s, const box *b, const rule *r, uint64_t seed, arena *memory);
/* Draws an input x (nsym values). Returns the clause that it violates alone, or -1. */
int single_violation_draw(single_violation *s, int64_t *x);

/* Lets Z3 search an input that violates clause k alone: with small dimensions, then in the whole box. REFUTED: x is one.
 * PROVED: there is none in the box, so the other clauses imply it. The pool must be that of the rule. */
verdict single_violation_solve(const box *b, const rule *r, int k, expr_pool *pool, prover *finder, unsigned seed, arena *scratch,
    int64_t *x);

#endif

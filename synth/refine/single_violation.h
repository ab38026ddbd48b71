/* Inputs that break one clause of a rule and keep all the others, with outputs that have values: what they are asked for
 * is that clause and nothing else.
 *
 *   a passing record ──► steps and joint moves that the rule goes along with ──► one step more, which a single clause
 *                                                                                forbids; where none is found, Z3
 */
#ifndef SINGLE_VIOLATION_H
#define SINGLE_VIOLATION_H

#include "points.h"
#include "prove.h"
#include "rule.h"

enum { SINGLE_RECENT = 24 };

typedef struct single {
	const box *box;
	const rule *rule;
	rng rng;
	int64_t *recent[SINGLE_RECENT]; /* inputs that the rule accepts, which later ones begin with */
	int nrecent;
	arena *memory;
} single;

/* Whether clause k alone refuses an input, and which: -1 where none or several do. */
int single_broken(const operator *op, const rule *r, const int64_t *x);

/* The box and the rule must outlive it; so does its memory. */
void single_start(single *s, const box *b, const rule *r, uint64_t seed, arena *memory);
/* Draws an input x (nsym); the clause that it breaks alone, or -1. */
int single_draw(single *s, int64_t *x);

/* Asks Z3 for one that breaks clause k: with small dimensions, then anywhere in the box. REFUTED: x is one; PROVED: there
 * is none in the box, the others imply the clause. The pool is the rule's. */
verdict single_solve(const box *b, const rule *r, int k, expr_pool *pool, prover *finder, unsigned seed, arena *scratch,
    int64_t *x);

#endif

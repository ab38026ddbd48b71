/* Literals: comparisons of terms, each two bit sets over an operator's records (design, synth point 6).
 *
 * Terms are symbols, outputs of the rule itself and folds. Literals compare terms, sums, differences,
 * products, quotients and remainders of terms. Of literals that hold on the same records the cheapest is
 * kept.
 */
#ifndef LITERAL_H
#define LITERAL_H

#include "solve.h"

enum { MAX_TERMS = 48, MAX_LITERALS = 24000 };

typedef struct term {
	const expr *e;
	int64_t *col;
	int cost;
	uint64_t syms; /* first 64 symbols as bits */
	int pos;       /* dimension or list position, for alignment; -1: none */
	const role *role; /* of a symbol; else NULL */
} term;

typedef struct literal {
	const expr *e;	    /* NULL until it is asked for (literal_expr): x op y, or x op constant where y is NULL */
	const expr *x, *y;
	int64_t constant;
	uint64_t *holds; /* words: passing records, then failing ones */
	uint64_t syms, hash;
	int cost;
	int passes;
	enum op op;
} literal;

typedef struct literals {
	solver *s;
	int npass, nfail, wp, wf; /* records, and words of their bit sets */
	term terms[MAX_TERMS];
	int nterms;
	literal *lits;
	int nlits, npatterns; /* the first of them are patterns that are offered at any effort */
	int refuting;	      /* the passing record that refuted the last pattern */
	int32_t *slots;
	uint64_t *last; /* mask of the passing words */
} literals;

/* Bit sets for the operator's records; memory is the solver's scratch arena, which the caller releases. */
void literals_start(literals *c, solver *s);
/* The terms; the rule's outputs must be known. Call once, before literals_build. */
void literals_terms(literals *c);
/* Adds the literals of one effort to those of the ones before, 0 first: 0 compares terms, 1 sums and the like of two, 2 of
 * three; 3 begins anew, with all of 0 and 1 and what is seldom right, to reject the failing records that `stuck` marks,
 * and 4 adds those of three. They stay until the caller releases the arena. */
void literals_build(literals *c, int effort, const uint64_t *stuck);

const expr *literal_expr(const literals *c, int k);

int count_bits(const uint64_t *w, int words);

#endif

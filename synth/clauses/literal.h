/* Literals: comparisons of terms, each with two bit sets over the records of a signature. Terms are symbols, outputs of the
 * rule and folds (products and sums of a list or shape). Literals compare terms and sums, differences, products, quotients
 * and remainders of terms. Among literals that hold on the same records, the one with the lowest cost is kept. */
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
	const role *role; /* of a symbol; NULL for other terms */
} term;

typedef struct literal {
	const expr *e;	    /* NULL until literal_expr() builds it: x op y, or x op constant if y is NULL */
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
	int nlits, npatterns; /* the first npatterns literals are patterns, which every effort includes */
	int refuting;	      /* index of the passing record that refuted the last pattern */
	int32_t *slots;
	uint64_t *last; /* mask of the passing words */
} literals;

/* Prepares bit sets for the solver's operator. Memory comes from the solver's scratch arena, which the caller releases. */
void literal_start(literals *c, solver *s);
/* Builds the terms. The rule's outputs must be known. Call once, before literal_build. */
void literal_add_terms(literals *c);
/* Adds the literals of one effort, to be called in order from 0. 0: comparisons of terms. 1: sums and the like of two terms.
 * 2: of three terms. 3: starts over with 0, 1 and the fallback patterns, to reject the failing records marked in `stuck`. 4:
 * adds those of three terms. Literals live until the caller releases the arena. */
void literal_build(literals *c, int effort, const uint64_t *stuck);

const expr *literal_expr(const literals *c, int k);

int literal_count_bits(const uint64_t *w, int words);

#endif

/* All of Z3: nothing else includes z3.h. Every answer is PROVED, REFUTED or UNKNOWN (the budget, an
 * rlimit with a wall-clock guard, ran out, or Z3 reported an error); callers act on PROVED only. */
#ifndef PROVE_H
#define PROVE_H

#include "expr.h"

typedef enum verdict { PROVED, REFUTED, UNKNOWN } verdict;

typedef struct prover prover; /* one a thread */

prover *prover_new(void);
prover *prover_new_finder(void); /* one that can also say where things differ (prover_distinguish) */
void prover_free(prover *p);
/* Forgets the past, so that what follows gets the same answers whatever was asked before: UNKNOWN can
 * depend on the queries since the last reset (or new). The counts go on. Takes about 5 ms, and nothing where Z3 was not
 * asked since. */
void prover_reset(prover *p);
const char *prover_version(void); /* of the Z3 library, "4.8.12" */

/* Whether Z3 decides it quickly and in the same way everywhere: no product, quotient or remainder of two
 * expressions with symbols. */
bool is_linear(const expr *e);

/* Are two arithmetic expressions equal: for all integer symbols, both have no value, or both have
 * the same? */
verdict prove_equal(prover *p, const expr *a, const expr *b);

/* Some inputs: those on which the n clauses hold (each is false where it has no value) and no symbol that domain
 * marks, since it is a dimension, is negative. */
typedef struct where {
	const expr *const *holds;
	int n;
	const bool *domain; /* nsym marks; NULL: none */
	int nsym;
} where;

/* Do two expressions, as for prove_equal, or two clauses, false without a value, agree on all inputs there? b NULL: a
 * always holds there. w NULL: on all inputs. */
verdict prove_agree(prover *p, const expr *a, const expr *b, const where *w);

/* Do the n clauses together imply the clause? As prove_agree without b. */
verdict prove_implied(prover *p, const expr *const *clauses, int n, const expr *clause,
    const bool *domain, int nsym);

/* Two readings of an operator that agree where some clause of `holds` does not hold or has no value. */
typedef struct distinction {
	const expr *const *holds;
	int n;
	const expr *a, *b;	  /* expressions, as for prove_equal, or clauses, false without a value; b NULL: a always holds */
	const int64_t *low, *high; /* the box: nsym bounds, both included */
	int nsym;
	unsigned seed;		   /* of Z3's choices: another one may find another input */
} distinction;

/* Do a and b agree wherever the clauses hold in the box? REFUTED: x (nsym) is an input on which they differ. Only a
 * finder knows where. The budget is a small part of the other queries'. */
verdict prover_distinguish(prover *p, const distinction *d, int64_t *x);

/* How many queries were asked, and how many ended UNKNOWN. */
void prover_counts(const prover *p, long *asked, long *unknown);

#endif

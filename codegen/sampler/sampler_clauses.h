/* What the files that derive samplers share: a rule's clauses, and what is known of its symbols. Not
 * for others.
 *
 * Clauses are the rule's own, that no output has a negative dimension, that a range of elements is
 * not empty, backwards that each output dimension is what is wanted, and projections of all these.
 * Each stands once. A clause that a minimum bounds stands beside what it says of either argument.
 */
#ifndef SAMPLER_CLAUSES_H
#define SAMPLER_CLAUSES_H

#include "polynomial.h"
#include "sampler.h"

enum {
	SAMPLER_OPERATIONS = 14,    /* in a bound or projection: what is larger is left out */
	CLAUSES = 640,		    /* of a rule, with projections */
	SAMPLER_ATTRIBUTE = 0xffff, /* group of symbols that are not a tensor's */
};

typedef struct clause {
	const expr *e;
	int eliminated; /* the symbol whose elimination gave it; -1: the rule's own */
} clause;

typedef struct deriver {
	arena *memory;
	expr_pool *pool;
	const rule_op *op;
	enum sampler_way way;
	unsigned nsym, nodim, total; /* total: with outputs and lowest values */
	uint16_t *group;	     /* nsym: which input tensor, or SAMPLER_ATTRIBUTE */
	uint16_t *place;	     /* nsym: in the order */
	bool *dimension, *positive;  /* nsym */
	unsigned *order;
	clause *clauses;
	bool **uses; /* of each clause: which symbols, total each */
	unsigned nclauses, most;
} deriver;

/* Makes the list, and finds the symbols that a clause alone says to be positive. */
void clauses_of_rule(deriver *d);
/* Each part of a conjunction, unless it stands there or the list is full. */
void clauses_add(deriver *d, const expr *e, int eliminated);
/* Whether a sum is at least 0 whatever the symbols; *strictly: at least 1. */
bool clauses_natural(const deriver *d, const linear *l, bool *strictly);
bool clauses_positive(const deriver *d, const linear *l);
/* The condition without what signs decide. NULL: it always holds. */
const expr *clauses_decide(deriver *d, const expr *e);

#endif

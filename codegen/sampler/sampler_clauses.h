/* The clauses of a rule and facts about its symbols: internal to the files that derive samplers.
 *
 * Clauses are those of the rule; that output dimensions are not negative; that ranges of elements are not empty; in
 * backward sampling, that output dimensions equal the given ones; and projections of all these. Each occurs once. A
 * clause bounded by a minimum is kept beside the clauses for either argument.
 */
#ifndef SAMPLER_CLAUSES_H
#define SAMPLER_CLAUSES_H

#include "polynomial.h"
#include "sampler.h"

enum {
	SAMPLER_OPERATIONS = 14,    /* maximum in a bound or projection; larger ones are dropped */
	CLAUSES = 640,		    /* of a rule, including projections */
	SAMPLER_ATTRIBUTE = 0xffff, /* group of symbols that are not a tensor's */
};

typedef struct clause {
	const expr *e;
	int eliminated; /* the eliminated symbol of a projection; -1: a clause of the rule */
} clause;

typedef struct deriver {
	arena *memory;
	expr_pool *pool;
	const rule_op *op;
	enum sampler_way way;
	unsigned nsym, nodim, total; /* total: including outputs and lowest values */
	uint16_t *group;	     /* nsym: the input tensor, or SAMPLER_ATTRIBUTE */
	uint16_t *place;	     /* nsym: position in the order */
	bool *dimension, *positive;  /* nsym */
	unsigned *order;
	clause *clauses;
	bool **uses; /* of each clause: the symbols that it contains, total each */
	unsigned nclauses, most;
} deriver;

/* Builds the list, and finds the symbols that a single clause makes positive. */
void clauses_of_rule(deriver *d);
/* Adds each part of a conjunction, unless it is in the list or the list is full. */
void clauses_add(deriver *d, const expr *e, int eliminated);
/* Whether a sum is at least 0 for all symbols; *strictly: at least 1. */
bool clauses_natural(const deriver *d, const linear *l, bool *strictly);
bool clauses_positive(const deriver *d, const linear *l);
/* Simplifies a condition by known signs. NULL: it always holds. */
const expr *clauses_decide(deriver *d, const expr *e);

#endif

/* Quantified clauses: a template with an index range and an alignment, one line of an API rule.
 *
 *   0 <= padding[i]      for each item of padding                     everywhere
 *   out[i] > 0           for the last two dimensions of the output    rightmost, {0, 1}
 */
#ifndef QUANTIFIED_CLAUSE_H
#define QUANTIFIED_CLAUSE_H

#include "expr_template.h"
#include "guard.h"
#include "rule.h"

enum { MAX_QUANTIFIED = 160, MAX_PARTS = 48, MAX_SPANS = 16 };

/* The positions of a list or shape that a clause applies to. */
typedef struct clause_range {
	uint32_t positions; /* as bits; EVERYWHERE: all */
	bool from_left;	    /* counted from the left */
	const char *axis;   /* the positions that this constant names (axes.h), or with `but`, all others; NULL: `positions` */
	bool but;
} clause_range;

#define EVERYWHERE UINT32_MAX

static inline uint32_t quantified_clause_position(int position)
{
	return position < 32 ? (uint32_t)1 << position : 0;
}

typedef struct quantified_clause {
	expr_template f;
	bool folds;	      /* folds are indices */
	clause_range ranges[MAX_SPANS]; /* in the signatures that it comes from */
	int nranges;
	int cost; /* description length */
	int number; /* of the template in a cache; 0: none */
} quantified_clause;

typedef struct quantified_clauses {
	quantified_clause *list;
	int n;
} quantified_clauses;

/* Adds the clauses of an operator's rule as quantified clauses, without and with folds. everywhere: a clause that holds at
 * all positions of one list beside a fixed symbol (`lengths[i] <= x[0]`) may apply everywhere. */
void quantified_clauses_add(quantified_clauses *s, expr_pool *pool, const operator *op, const rule *r, bool everywhere);

/* An instantiation of a quantified clause in all signatures: index range, alignment, substitute, guard. */
typedef struct instantiation {
	int statement, cost;
	uint8_t span, dims, values, substitute;
	const guard *where; /* only signatures that satisfy this guard; NULL: all */
} instantiation;

/* Whether two alignments can be combined: dimensions beside pairs or halves are counted from the right. */
static inline bool quantified_clause_aligns(int dims, int values)
{
	return values < PAIRS || dims != FROM_LEFT;
}

/* Whether a list with two items per dimension is treated as if it had one. */
bool quantified_clause_is_halved(const quantified_clause *s, int dims, int values);
/* The description length of an instantiation. */
int quantified_clause_cost(const quantified_clause *s, int span, int dims, int values);

/* The instance in one signature. */
typedef struct parts {
	const expr *list[MAX_PARTS]; /* a conjunction */
	const expr *was[MAX_PARTS];  /* before simplification by constants; NULL: unchanged */
	int n;
	int missing; /* number of substituted arguments */
	bool there;  /* at least one position exists */
	bool holds;  /* no conjunct is a false constant, and MAX_PARTS suffices */
} parts;

/* A cache of instances, by position. Attempts, defaults and joins of an API instantiate the same templates in the same alignments.
 * Operators and expressions are identified by their addresses, so it lives as long as they do. */
typedef struct clause_instances clause_instances;

clause_instances *clause_instances_new(int nsignatures);
void clause_instances_free(clause_instances *c);
/* The number of a template, from 1; equal templates have one. */
int clause_instances_number(clause_instances *c, const expr_template *f);
/* A number for the outputs of an operator, which must be in the pool. */
uint64_t clause_instances_outputs(const operator *op, const expr *const *out);

/* A signature in which a clause is instantiated. `known` is used if the clause has a number; NULL: no cache. */
typedef struct instance_site {
	expr_pool *pool;
	const operator *op;
	const expr *const *out; /* the outputs, in the pool */
	clause_instances *known;
	uint64_t outputs; /* clause_instances_outputs */
	int signature;	  /* its number, below nsignatures */
} instance_site;

/* Computes the instance of a quantified clause in one signature. */
void quantified_clause_instantiate(parts *to, const quantified_clause *s, instantiation how, const instance_site *at);

#endif

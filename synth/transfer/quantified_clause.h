/* A line of a family's rule: a form, where it stands, and how its places are found (design, "Families in the output").
 *
 *   0 <= padding[i]      for each item of padding                     everywhere
 *   out[i] > 0           for the last two dimensions of the output    rightmost, {0, 1}
 */
#ifndef QUANTIFIED_CLAUSE_H
#define QUANTIFIED_CLAUSE_H

#include "expr_template.h"
#include "guard.h"
#include "rule.h"

enum { MAX_STATEMENTS = 160, MAX_PARTS = 48, MAX_SPANS = 16 };

/* Which positions of a list or shape a clause is of. */
typedef struct span {
	uint32_t positions; /* as bits; all: everywhere */
	bool from_left;	    /* counted from the left */
	const char *axis;   /* these that this constant names (axes.h), or, `but`, all others; NULL: by number */
	bool but;
} span;

#define EVERYWHERE UINT32_MAX

/* So many equations that hang together are a line of a page, a chain (chain.h). */
enum { LEAST_LINKS = 2 };

static inline uint32_t position_bit(int position)
{
	return position < 32 ? (uint32_t)1 << position : 0;
}

typedef struct statement {
	form f;
	bool folds;	      /* folds are places of their own */
	span spans[MAX_SPANS]; /* in the signatures that it comes from */
	int nspans;
	int cost; /* its description length */
} statement;

typedef struct statements {
	statement *list;
	int n;
} statements;

/* Adds the clauses of an operator's rule, without and with their folds as places. everywhere: what the rule says of all positions of
 * one list beside what stands still (`lengths[i] <= x[0]`) may be said of all. */
void statements_add(statements *s, expr_pool *pool, const operator *op, const rule *r, bool everywhere);

/* One way in which a statement is read in all signatures. */
typedef struct reading {
	int statement, cost;
	uint8_t span, dims, values, substitute;
	const guard *where; /* it is said of those signatures alone; NULL: of all */
} reading;

/* Whether dimensions and values can be found in these ways together: those that go with pairs and halves of a list are counted as
 * these are, from the right. */
static inline bool statement_reads(int dims, int values)
{
	return values < PAIRS || dims != FROM_LEFT;
}

/* Whether a list with two numbers for each dimension is read as if it had one. */
bool statement_is_halved(const statement *s, int dims, int values);
/* The description length of a reading. */
int statement_price(const statement *s, int span, int dims, int values);

/* What a reading is in one signature. */
typedef struct parts {
	const expr *list[MAX_PARTS]; /* together they are the clause */
	const expr *was[MAX_PARTS];  /* before constants made them simpler; NULL: they did not */
	int n;
	int missing; /* arguments that something else stood for */
	bool there;  /* some position is there */
	bool holds;  /* on all passing records */
} parts;

/* The result of form_apply at a position. */
typedef struct applied {
	const expr *e, *was;
	int missing;
	bool known;
} applied;

enum { MAX_APPLIED = 32 };

/* Results for one statement, operator, alignment and substitute, all zero at first. Readings that differ in their span ask for the
 * same ones: of the positions at which a statement stands, or of all that are walked. */
typedef struct applied_all {
	applied standing[MAX_APPLIED], walked[MAX_APPLIED];
} applied_all;

/* out: the operator's outputs, in the pool; known: results of earlier readings, which gets those of this one. NULL: none. */
void statement_read(parts *to, const statement *s, reading how, expr_pool *pool, const operator *op, const expr *const *out,
    applied_all *known);

#endif

/* Rivals: alternatives to a rule of similar cost that agree with every record and differ from the rule on some input.
 *
 * A rival changes one thing: the expression of an output, a clause (replaced or dropped), one additional clause, or the
 * verdict where an output has no value. To find out whether it differs on an input, only that part is evaluated. An answer
 * that agrees with the rule where the rival differs refutes the rival.
 */
#ifndef RIVALS_H
#define RIVALS_H

#include "prove.h"
#include "solve.h"

enum { MAX_RIVALS = 192, RIVAL_WORDS = MAX_RIVALS / 64 };

enum rival_kind {
	RIVAL_OUTPUT,  /* e in place of output `at` */
	RIVAL_WITHOUT, /* no clause `at` */
	RIVAL_CLAUSE,  /* e in place of clause `at` */
	RIVAL_LITERAL, /* e as an additional clause */
	RIVAL_DOMAIN   /* accepts inputs where only output `at` is negative or undefined */
};

typedef struct rival {
	uint8_t kind;
	int at, cost;
	const expr *e;
	const expr *from, *to; /* the changed subexpression of the rule, and its replacement; NULL: unknown */
} rival;

typedef struct rivals {
	const operator *op;
	const rule *rule;
	expr_pool *pool;
	rival list[MAX_RIVALS];
	int n;
	int branches; /* the first `branches` rivals replace a choice by one branch: no passing record takes the other */
} rivals;

/* Collects the rivals of a rule that agrees with all records: small changes of its expressions, simple literals that hold on
 * every passing record, and `offered` expressions from other solutions (where[k] is the output, or -1 for a clause). At most
 * MAX_RIVALS; of each kind, those with the lowest cost. */
void rivals_collect(rivals *to, const operator *op, const rule *r, expr_pool *pool, arena *scratch,
    const expr *const *offered, const int *where, int noffered);

/* Whether rival k predicts something else for x than the rule. v is the rule's view of x. */
bool rival_differs(const rivals *s, int k, const rule_view *v, const int64_t *x);

/* Appends rival k as text. */
void rival_print(buf *to, const rivals *s, int k);

/* The same as a query to Z3. `conditions` has room for the rule's clauses and outputs. With `linear`, a relaxed query with
 * linear conditions about the changed part only: if Z3 proves that equal, the rival is equal. Returns whether the query is
 * relaxed. */
bool rival_distinction(const rivals *s, int k, bool linear, const expr **conditions, distinction *to);

#endif

/* What else an operator's records allow: readings of about the rule's cost that agree with every record and differ
 * from the rule somewhere (design, synth point 9).
 *
 * A rival changes the rule in one thing: an output's expression, a clause (another one in its place, or none), one
 * clause more, or what happens where an output has no value. So where it differs from the rule is found by evaluating
 * that one thing, and an answer that agrees with the rule there refutes it.
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
	RIVAL_LITERAL, /* e besides */
	RIVAL_DOMAIN   /* accepts where only output `at` is negative or has no value */
};

typedef struct rival {
	uint8_t kind;
	int at, cost;
	const expr *e;
	const expr *from, *to; /* the part of the rule's expression that e has changed; NULL: not known */
} rival;

typedef struct rivals {
	const operator *op;
	const rule *rule;
	expr_pool *pool;
	rival list[MAX_RIVALS];
	int n;
	int branches; /* the first so many take one branch of a choice for the whole: no passing record takes the other */
} rivals;

/* The rivals of a rule that agrees with all records: of its own expressions' neighbourhood, of plain literals that hold
 * on every passing record, and of `offered` expressions (outputs or clauses of other solutions; for an output, where[k]
 * says which, otherwise it is -1). At most MAX_RIVALS, the cheapest of each kind. */
void rivals_collect(rivals *to, const operator *op, const rule *r, expr_pool *pool, arena *scratch,
    const expr *const *offered, const int *where, int noffered);

/* Does rival k say something else of x than the rule, whose view of x is v? */
bool rival_differs(const rivals *s, int k, const rule_view *v, const int64_t *x);

/* Appends what rival k says, for people. */
void rival_print(buf *to, const rivals *s, int k);

/* The same as a question to Z3; conditions has room for the rule's clauses and outputs. With `linear` the question is an
 * easier one, with the linear conditions only and about the changed part only: where Z3 says that there is no difference
 * there is none; false when it is the same question. */
bool rival_distinction(const rivals *s, int k, bool linear, const expr **conditions, distinction *to);

#endif

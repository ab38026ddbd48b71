/* Evidence for each part of a learned rule, as text: recorded calls, alternatives that a record refutes, and rivals, which no
 * record refutes (rivals.h). Needs only the rule and the records of one signature, no search. */
#ifndef REASONS_H
#define REASONS_H

#include "buf.h"
#include "rule.h"

/* How a clause relates to the records of a signature. */
typedef struct clause_reason {
	int rejects, alone;  /* rejected records that violate it; of these, those that violate nothing else */
	int wrongly;	     /* accepted records that violate it */
	const int64_t *such; /* a rejected record, preferably one that violates nothing else; NULL: none */
} clause_reason;

clause_reason clause_reason_of(const operator *op, const rule *r, int clause);

/* Appends the outputs and clauses of a complete rule, each with its evidence. The pool must be that of the rule. */
void reasons_print(buf *to, const operator *op, const rule *r, expr_pool *pool);

#endif

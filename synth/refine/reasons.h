/* The reason for each part of a learned rule, for people: recorded calls, readings that a record refutes, and rivals, which no
 * record refutes (rivals.h). No search: the rule and the records of one signature are enough.
 */
#ifndef REASONS_H
#define REASONS_H

#include "buf.h"
#include "rule.h"

/* How often a clause rejects recorded calls of a signature. */
typedef struct clause_reason {
	int rejects, alone;  /* rejected records that it explains; of these, those that no other clause and no output does */
	int wrongly;	     /* accepted records that it rejects */
	const int64_t *such; /* a rejected record: one that only it explains if there is one; NULL: it rejects none */
} clause_reason;

clause_reason clause_reason_of(const operator *op, const rule *r, int clause);

/* Appends the outputs and clauses of a complete rule, each followed by its reasons. The pool is the rule's. */
void reasons_print(buf *to, const operator *op, const rule *r, expr_pool *pool);

#endif

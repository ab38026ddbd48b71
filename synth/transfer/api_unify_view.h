/* What a page is written of: a family's rule as it was found, and that of a call form that no family explains.
 *
 * The latter is said in as few lines as say it: statements (quantified_clause.h) stand for the clauses that they are, neither more nor less,
 * `x[i] > 0 for each i`, and the rule stays as it is.
 */
#ifndef API_UNIFY_VIEW_H
#define API_UNIFY_VIEW_H

#include "attempt.h"

typedef struct family_clause {
	const statement *s; /* NULL: the clause e of the only member, as it stands; `how` says nothing then */
	reading how;
	const expr *e;
	int cost; /* its description length */
	uint64_t **refused; /* of each member, as bits: its failing records that the clause explains */
	uint64_t **passed;  /* and calls that stand apart from it (operator.apart) which the clause refuses, too */
} family_clause;

/* A family's rule as it was found, for those who write it down. */
typedef struct family_view {
	const operator **ops; /* the members */
	const expr *const **outs; /* of each: its output dimensions */
	int n, leader;
	int *part; /* of each: whose outputs it has, one of 0 … nparts - 1 */
	int *leads; /* of each part: the member that leads it */
	int nparts;
	family_clause *clauses;
	int nclauses;
	uint64_t **open; /* of each member: failing records that its outputs alone do not explain */
	instead_of *insteads; /* by the members' numbers */
	int ninsteads;
} family_view;

/* One of so many operators and clauses, which are to be filled in; and n records as bits. In the family's memory, as all that follows. */
family_view *view_new(const family *f, int nops, int nclauses);
uint64_t *view_bits(const family *f, int n);

/* A call form's rule as it stands. */
family_view *view_alone(const family *f, int i);
/* The same with statements. */
void view_fold(const family *f, int i, family_view *v);

#endif

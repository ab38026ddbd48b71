/* A view of the rule of an API, or of a single signature, for printing. The rule of a single signature is printed in as few
 * lines as possible: quantified clauses (quantified_clause.h) replace exactly the clauses that they cover, as in `x[i] > 0
 * for each i`. The rule itself stays unchanged. */
#ifndef API_UNIFY_VIEW_H
#define API_UNIFY_VIEW_H

#include "attempt.h"

typedef struct api_unify_clause {
	const quantified_clause *s; /* NULL: e is a plain clause of the only member, and `how` is unused */
	instantiation how;
	const expr *e;
	int cost; /* description length */
	uint64_t **refused; /* per member, as bits: failing records that the clause rejects */
	uint64_t **passed;  /* and outliers (operator.apart) that it rejects */
} api_unify_clause;

/* The rule of an API before printing. */
typedef struct api_unify_view {
	const operator **ops; /* the members */
	const expr *const **outs; /* per member: its output dimensions */
	int n, representative;
	int *part; /* per member: its part, 0 … nparts - 1 */
	int *leads; /* per part: the member that represents it */
	int nparts;
	api_unify_clause *clauses;
	int nclauses;
	uint64_t **open; /* per member: failing records that its outputs alone do not reject */
	instead_of *insteads; /* `op` is a member number */
	int ninsteads;
} api_unify_view;

/* An empty view for a number of operators and clauses; a bit set for n records. All in the API's memory. */
api_unify_view *api_unify_view_new(const api_solver *f, int nops, int nclauses);
uint64_t *api_unify_view_bits(const api_solver *f, int n);

/* The view of a signature's rule as it is. */
api_unify_view *api_unify_view_alone(const api_solver *f, int i);
/* Replaces clauses by quantified clauses. */
void api_unify_view_fold(const api_solver *f, int i, api_unify_view *v);

#endif

/* Solves all signatures of one API together. The records of one signature leave much open: a stride that never varied, a
 * padding that was 0 or 1. Other signatures, with other ranks and constants, decide it. Each expression found becomes a
 * template (expr_template.h) that is tried on all other signatures. A signature takes the template that agrees with its own
 * records and has most support in the API. */
#ifndef API_SOLVER_H
#define API_SOLVER_H

#include "expr_template.h"
#include "functions.h"
#include "solve.h"

typedef struct api_solver {
	int n;
	solver *solvers; /* one per operator */
	rule *rules;
	expr_pool *pool; /* of all expressions */
	arena *memory;	 /* lifetime of the API solver */
	arena *scratch;
	stage stages[STAGE_COUNT];
	struct clause_instances *instances; /* a cache for several api_unify (quantified_clause.h); NULL: none. Its creator frees it. */
	const bool **alone; /* per operator: a cache for equal_symbols_missing() */
	/* Called for every expression that fits output d of operator i, chosen or not (for rulesmith refine). NULL: not called. */
	void (*offer)(void *user, int i, int d, const expr *e);
	void *user;
} api_solver;

void api_solver_start(api_solver *f, const operator *const *ops, int n, const options *o);
void api_solver_free(api_solver *f);

/* Finds output expressions: a low-cost search for each operator alone, then templates across all, then the expensive search
 * for the rest. If nothing was found, rules[i].out[d] is NULL and rules[i].why is the reason. */
void api_solver_find_shapes(api_solver *f);
/* Repeats it with the shape functions of other APIs (library may be NULL). */
void api_solver_improve(api_solver *f, const functions *library);

#endif

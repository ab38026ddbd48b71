/* All operators of one API, solved together (design, synth points 7, 8 and 10).
 *
 * One operator's records leave much open: a stride that never varied, a padding that was 0 or 1. The API's
 * other operators, of other ranks and with other constants, settle it. What is found for one is turned
 * into a form (expr_template.h), tried on every other one, and each takes, among the forms that its own records
 * agree with, the one that most of the family agrees with.
 */
#ifndef API_SOLVER_H
#define API_SOLVER_H

#include "expr_template.h"
#include "functions.h"
#include "solve.h"

typedef struct family {
	int n;
	solver *solvers; /* one for each operator */
	rule *rules;
	expr_pool *pool; /* of all expressions */
	arena *memory;	 /* what lives as long as the family */
	arena *scratch;
	stage stages[STAGE_COUNT];
	const bool **alone; /* of each operator: what equal_symbols_missing() keeps */
	/* Called for every expression that fits output d of operator i, chosen or not (for rulesmith refine); NULL: not wanted. */
	void (*offer)(void *user, int i, int d, const expr *e);
	void *user;
} family;

void family_start(family *f, const operator *const *ops, int n, const options *o);
void family_free(family *f);

/* Output expressions: every operator alone at first, cheaply; then the forms found, for all; then the dear
 * search for what is left. rules[i].out[d] is NULL where nothing was found, and rules[i].why says so. */
void family_shapes(family *f);
/* The same once more, with what other APIs use (functions may be NULL). */
void family_improve(family *f, const functions *library);

#endif

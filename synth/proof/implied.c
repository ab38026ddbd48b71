#include "implied.h"

#include <string.h>

#include "need.h"

/* Replaces nonlinear comparisons by free variables, equal ones by the same variable, so that Z3 need not understand
 * them. The k-th comparison becomes "symbol nsym + k is positive". `known` has room for every comparison: if two
 * different ones shared a variable, Z3 could prove implications that do not hold. */
typedef struct abstraction {
	expr_pool *pool;
	const expr **known;
	int n, room, nsym;
} abstraction;

static int comparisons(const expr *e)
{
	return e->op == OP_AND || e->op == OP_OR ? comparisons(e->a) + comparisons(e->b) : 1;
}

static const expr *abstract(abstraction *a, const expr *e)
{
	if (e->op == OP_AND || e->op == OP_OR)
		return expr_make(a->pool, e->op, abstract(a, e->a), abstract(a, e->b));
	if (is_linear(e))
		return e;
	int k = 0;
	while (k < a->n && a->known[k] != e)
		k++;
	if (k == a->n)
		a->known[a->n++] = e;
	return expr_make(a->pool, OP_GT, expr_sym(a->pool, a->nsym + k), expr_const(a->pool, 0));
}

static void remove_clause(rule *r, int k)
{
	rule_drop_clause(r, k);
	if (r->proof < PROOF_PROVED)
		r->proof = PROOF_PROVED;
}

/* A template learned from other signatures may become a tautology when constants replace symbols. */
static void drop_tautologies(prover *prover, rule *r)
{
	for (int k = r->nclauses - 1; k >= 0; k--)
		if (expr_is_tautology(r->clauses[k]) && prove_implied(prover, NULL, 0, r->clauses[k], NULL, 0) == PROVED)
			remove_clause(r, k);
}

void implied_drop(const operator *op, expr_pool *pool, prover *prover, rule *r)
{
	abstraction a = {.pool = pool, .nsym = op->nsym};
	arena *memory = arena_new();
	drop_tautologies(prover, r);
	for (int k = 0; k < r->nclauses; k++)
		a.room += comparisons(r->clauses[k]);
	a.known = NEED_ARRAY(memory, const expr *, a.room);
	bool *domain = NEED_ARRAY(memory, bool, op->nsym + a.room);
	const expr **plain = NEED_ARRAY(memory, const expr *, r->nclauses);
	const expr **others = NEED_ARRAY(memory, const expr *, r->nclauses);
	for (int i = 0; i < op->nsym; i++)
		domain[i] = op->roles[i].kind == ROLE_DIM;
	for (int k = 0; k < r->nclauses; k++)
		plain[k] = abstract(&a, r->clauses[k]);
	/* One pass, most expensive first: removing an implied clause never makes another one implied. */
	for (int k = r->nclauses - 1; k >= 0 && r->nclauses > 1; k--) {
		int n = 0;
		for (int j = 0; j < r->nclauses; j++)
			if (j != k)
				others[n++] = plain[j];
		if (prove_implied(prover, others, n, plain[k], domain, op->nsym + a.n) != PROVED)
			continue;
		memmove(plain + k, plain + k + 1, sizeof *plain * (size_t)(r->nclauses - k - 1));
		remove_clause(r, k);
	}
	arena_free(memory);
}

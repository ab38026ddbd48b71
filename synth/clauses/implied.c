#include "implied.h"

#include <stdlib.h>
#include <string.h>

/* Nonlinear comparisons as free variables, equal ones as the same: what follows whatever they mean,
 * follows. The k-th is known as "symbol nsym + k is positive". */
typedef struct abstraction {
	expr_pool *pool;
	const expr *known[256];
	int n, nsym;
} abstraction;

static const expr *abstract(abstraction *a, const expr *e)
{
	if (e->op == OP_AND || e->op == OP_OR)
		return expr_make(a->pool, e->op, abstract(a, e->a), abstract(a, e->b));
	if (is_linear(e))
		return e;
	int k = 0;
	while (k < a->n && a->known[k] != e)
		k++;
	if (k == a->n && a->n < 255)
		a->known[a->n++] = e;
	return expr_make(a->pool, OP_GT, expr_sym(a->pool, a->nsym + k), expr_const(a->pool, 0));
}

void drop_implied(const operator *op, expr_pool *pool, prover *prover, rule *r)
{
	bool *domain = calloc((size_t)op->nsym + 257, sizeof *domain);
	const expr *plain[256], *others[256];
	abstraction a = {.pool = pool, .nsym = op->nsym};
	for (int i = 0; domain && i < op->nsym; i++)
		domain[i] = op->roles[i].kind == ROLE_DIM;
	for (int k = 0; k < r->nclauses; k++)
		plain[k] = abstract(&a, r->clauses[k]);
	/* One pass, dearest first: dropping an implied clause never makes another one implied. */
	for (int k = r->nclauses - 1; k >= 0 && r->nclauses > 1; k--) {
		int n = 0;
		for (int j = 0; j < r->nclauses; j++)
			if (j != k)
				others[n++] = plain[j];
		verdict v = prove_implied(prover, others, n, plain[k], domain, op->nsym + a.n);
		r->proof = v == UNKNOWN ? UNKNOWN : r->proof < 0 ? PROVED : r->proof;
		if (v != PROVED)
			continue;
		size_t after = sizeof *plain * (size_t)(r->nclauses - k - 1);
		memmove(r->clauses + k, r->clauses + k + 1, after);
		memmove(plain + k, plain + k + 1, after);
		r->nclauses--;
	}
	free(domain);
}

#include "dimension_quotients.h"

#include "costs.h"

enum { MAX_FACTORS = 3, MAX_SYMBOLS = 40, MAX_TIMES = 8, MAX_OFFERED = 64, MIN_RECORDS = 8 };

typedef struct finder {
	solver *s;
	template_offer *offer;
	void *user;
	int offered;
} finder;

/* ---- on records */

static int64_t divisor_of_both(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* The largest k such that z is a multiple of k · product in every passing record; 0 if there is none, or if the quotient is
 * constant. */
static int64_t times(const operator *op, int z, const int *factors, int n)
{
	int64_t k = 0;
	bool varies = false;
	for (int r = 0; r < op->npass; r++) {
		const int64_t *row = passing_record(op, r);
		int64_t m = record_product(row, factors, n), q;
		if (m <= 0 || row[z] % m != 0)
			return 0;
		q = row[z] / m;
		varies |= r > 0 && q != k;
		k = divisor_of_both(k, q);
	}
	return varies && k <= MAX_TIMES ? k : 0;
}

/* Whether all symbols vary: a symbol that never varied does not show how it is used. */
static bool varied(const operator *op, int z, const int *factors, int n)
{
	bool all = solver_values(op, z, -1, 3) > 2;
	for (int k = 0; k < n && all; k++)
		all = solver_values(op, factors[k], -1, 2) > 1;
	return all;
}

/* ---- as expressions */

static const expr *divides(expr_pool *p, int a, const expr *b)
{
	return expr_make(p, OP_EQ, expr_make(p, OP_MOD, expr_sym(p, a), b), expr_const(p, 0));
}

static bool is_among(int a, const int *factors, int n)
{
	for (int k = 0; k < n; k++)
		if (factors[k] == a)
			return true;
	return false;
}

static void offer_quotient(finder *f, int z, const int *factors, int n)
{
	const operator *op = f->s->op;
	expr_pool *p = f->s->pool;
	int64_t k = f->offered < MAX_OFFERED ? times(op, z, factors, n) : 0;
	if (k == 0 || (k == 1 && n == 1) || !varied(op, z, factors, n))
		return;
	const expr *part = expr_product(p, k, factors, n), *shares = expr_make(p, OP_DIV, expr_sym(p, z), part);
	int more = (n - 1) * COST_SHARE_FACTOR + (k > 1 ? COST_COEFFICIENT : 0);
	f->offered++;
	f->offer(f->user, divides(p, z, part), COST_SHARE + more);
	for (int a = 0; a < op->nsym; a++)
		if (op->roles[a].kind == ROLE_DIM && a != z && !is_among(a, factors, n))
			f->offer(f->user, divides(p, a, shares), COST_GROUPS + more);
}

/* Visits products of up to MAX_FACTORS dimensions that extend the first `have`. */
static void visit(finder *f, int z, int *factors, int have)
{
	const operator *op = f->s->op;
	for (int i = have ? factors[have - 1] + 1 : 0; i < op->nsym; i++) {
		if (i == z || op->roles[i].kind != ROLE_DIM)
			continue;
		factors[have] = i;
		offer_quotient(f, z, factors, have + 1);
		if (have + 1 < MAX_FACTORS)
			visit(f, z, factors, have + 1);
	}
}

void dimension_quotients(solver *s, template_offer *offer, void *user)
{
	const operator *op = s->op;
	finder f = {.s = s, .offer = offer, .user = user};
	int factors[MAX_FACTORS];
	if (op->npass < MIN_RECORDS || op->nsym > MAX_SYMBOLS)
		return;
	for (int z = 0; z < op->nsym; z++)
		if (op->roles[z].kind == ROLE_DIM)
			visit(&f, z, factors, 0);
}

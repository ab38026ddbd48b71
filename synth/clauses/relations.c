#include "relations.h"

#include "costs.h"

enum { MAX_FACTORS = 3, MAX_SYMBOLS = 40, MAX_OFFERED = 96, MAX_TIMES = 64, FEW_TIMES = 4, MIN_VALUES = 3 };

typedef struct finder {
	solver *s;
	const operator *op;
	template_offer *offer;
	void *user;
	int offered;
} finder;

/* ---- multiples: z == k·x, k·x·y, k·x·y·w */

enum { ANY = -1, NEVER = -2 }; /* results of times_in: product and z are both 0; z is not a multiple */

static int64_t times_in(const int64_t *row, int z, const int *factors, int n)
{
	int64_t m = record_product(row, factors, n);
	if (m <= 0)
		return m == 0 && row[z] == 0 ? ANY : NEVER;
	int64_t k = row[z] % m ? NEVER : row[z] / m;
	return k >= 1 && k <= MAX_TIMES ? k : NEVER;
}

/* The factor k with z = k · product on all passing records but the tolerated number; 0 if there is none. */
static int64_t times(const solver *s, int z, const int *factors, int n)
{
	int seen[MAX_TIMES + 1] = {0}, most = 0, out = 0;
	for (int r = 0; r < s->op->npass && out - (most ? seen[most] : 0) <= s->tolerated; r++) {
		int64_t k = times_in(passing_record(s->op, r), z, factors, n);
		out += k != ANY;
		if (k > 0 && ++seen[k] > (most ? seen[most] : 0))
			most = (int)k;
	}
	return most && out - seen[most] <= s->tolerated ? most : 0;
}

/* Whether all symbols vary: a symbol that never varied does not show how it is used. */
static bool varied(const operator *op, int z, const int *factors, int n)
{
	bool all = solver_values(op, z, z, MIN_VALUES) == MIN_VALUES;
	for (int k = 0; k < n && all; k++)
		all = solver_values(op, factors[k], z, MIN_VALUES) > 1;
	return all;
}

static void offer_multiple(finder *f, int z, const int *factors, int n)
{
	const operator *op = f->op;
	expr_pool *p = f->s->pool;
	int64_t k = f->offered < MAX_OFFERED ? times(f->s, z, factors, n) : 0;
	if (k == 0 || (k == 1 && n == 1) || !varied(op, z, factors, n))
		return;
	int cost = COST_MULTIPLE + (n - 1) * COST_MULTIPLE_FACTOR
	    + (k > FEW_TIMES ? COST_MULTIPLE_MANY : k > 1 && n > 1 ? COST_COEFFICIENT : 0);
	f->offered++;
	f->offer(f->user, expr_make(p, OP_EQ, expr_sym(p, z), expr_product(p, k, factors, n)), cost);
}

/* Visits products of n factors that extend the first `have`. */
static void visit(finder *f, int z, int *factors, int have, int n)
{
	for (int i = have ? factors[have - 1] + 1 : 0; i < f->op->nsym; i++) {
		if (i == z)
			continue;
		factors[have] = i;
		if (have + 1 < n)
			visit(f, z, factors, have + 1, n);
		else
			offer_multiple(f, z, factors, n);
	}
}

/* ---- the number of elements of a tensor as a product of integers: numel == N*C*HxW */

/* The first dimension of a tensor of rank 2 or more that is not part of a list. */
static bool begins_tensor(const operator *op, int i)
{
	const role *r = &op->roles[i];
	return r->kind == ROLE_DIM && r->pos == 0 && r->len > 1 && !r->list;
}

static void offer_numel(finder *f, const int *dims, int ndims, const int *factors, int n)
{
	for (int r = 0, out = 0; r < f->op->npass; r++) {
		int64_t numel = record_product(passing_record(f->op, r), dims, ndims);
		out += numel < 0 || numel != record_product(passing_record(f->op, r), factors, n);
		if (out > f->s->tolerated)
			return;
	}
	expr_pool *p = f->s->pool;
	if (varied(f->op, factors[0], dims, ndims))
		f->offer(f->user, expr_make(p, OP_EQ, expr_product(p, 1, dims, ndims), expr_product(p, 1, factors, n)),
		    COST_MULTIPLE + n * COST_MULTIPLE_FACTOR);
}

static void visit_numbers(finder *f, const int *dims, int ndims, int *factors, int have)
{
	if (have > 1)
		offer_numel(f, dims, ndims, factors, have);
	for (int i = have ? factors[have - 1] + 1 : 0; i < f->op->nsym && have < MAX_FACTORS; i++)
		if (f->op->roles[i].kind == ROLE_INT) {
			factors[have] = i;
			visit_numbers(f, dims, ndims, factors, have + 1);
		}
}

static void offer_numels(finder *f)
{
	int dims[MAX_SYMBOLS], factors[MAX_FACTORS + 1];
	for (int i = 0; i < f->op->nsym; i++) {
		if (!begins_tensor(f->op, i))
			continue;
		int n = f->op->roles[i].len;
		for (int k = 0; k < n; k++)
			dims[k] = i + k;
		visit_numbers(f, dims, n, factors, 0);
	}
}

/* ---- two dimensions at any positions of which one may be 1; or k, if shapes are trimmed before they broadcast */

static bool broadcasts(const operator *op, int i, int j, int64_t one)
{
	bool left = false, right = false;
	for (int r = 0; r < op->npass; r++) {
		int64_t a = passing_record(op, r)[i], b = passing_record(op, r)[j];
		if (a != b && a != one && b != one)
			return false;
		left |= a == one && b > one;
		right |= b == one && a > one;
	}
	return left && right;
}

static void offer_broadcast(finder *f, int i, int j)
{
	const role *a = &f->op->roles[i], *b = &f->op->roles[j];
	if (a->kind != ROLE_DIM || b->kind != ROLE_DIM || a->tensor == b->tensor)
		return;
	int k = a->len - a->pos == b->len - b->pos ? 2 : 1; /* for equal positions, clause templates already offer k = 1 */
	while (k <= MAX_TRIMMED && !broadcasts(f->op, i, j, k))
		k++;
	if (k > MAX_TRIMMED)
		return;
	expr_pool *p = f->s->pool;
	const expr *x = expr_sym(p, i), *y = expr_sym(p, j), *one = expr_const(p, k);
	const expr *e = expr_make(p, OP_OR, expr_make(p, OP_EQ, x, y), expr_make(p, OP_EQ, x, one));
	f->offer(f->user, expr_make(p, OP_OR, e, expr_make(p, OP_EQ, y, one)),
	    COST_ONE_BROADCAST + COST_MISALIGNED + COST_ONE * (k - 1));
}

void relations_generate(solver *s, template_offer *offer, void *user)
{
	finder f = {.s = s, .op = s->op, .offer = offer, .user = user};
	int factors[MAX_FACTORS];
	for (int n = 1; n <= (s->op->nsym <= MAX_SYMBOLS ? MAX_FACTORS : 1); n++)
		for (int z = 0; z < s->op->nsym; z++)
			visit(&f, z, factors, 0, n);
	if (s->op->nsym <= MAX_SYMBOLS)
		offer_numels(&f);
	for (int i = 0; i < s->op->nsym; i++)
		for (int j = i + 1; j < s->op->nsym; j++)
			offer_broadcast(&f, i, j);
}

#include "condition.h"

const expr *condition_opposite(expr_pool *p, const expr *e)
{
	return expr_make(p, op_negated(e->op), e->a, e->b);
}

bool condition_sides(const expr *e, linear *l, bool *equation)
{
	if (!op_is_comparison(e->op) || e->op == OP_NE)
		return false;
	linear a = linear_of(e->a), b = linear_of(e->b), one = linear_number(1);
	bool less = e->op == OP_LT || e->op == OP_LE;
	*l = less ? linear_add(&b, &a, -1) : linear_add(&a, &b, -1);
	if (e->op == OP_LT || e->op == OP_GT)
		*l = linear_add(l, &one, -1);
	*equation = e->op == OP_EQ;
	return l->ok;
}

/* ---- comparisons as ranges of a sum */

#define UNBOUNDED INT64_MAX /* beyond any value of a sum */

typedef struct range {
	int64_t low, high; /* -UNBOUNDED or UNBOUNDED: no bound; at most one of them */
	bool outside;	   /* the sum lies outside low … high */
} range;

static uint64_t symbols(const expr *e)
{
	if (e->op == OP_SYM)
		return (uint64_t)1 << (e->value & 63);
	return (e->a ? symbols(e->a) : 0) | (e->b ? symbols(e->b) : 0) | (e->c ? symbols(e->c) : 0);
}

static bool has_factor(const linear *l, const expr *factor)
{
	for (unsigned i = 0; i < l->n; i++)
		for (unsigned k = 0; k < l->term[i].n; k++)
			if (l->term[i].factor[k] == factor)
				return true;
	return false;
}

/* Whether the sum has a value only where e has one, that is, no quotient was cancelled. */
static bool keeps_factors(const linear *l, const expr *e)
{
	if (e->op == OP_SYM || e->op == OP_CONST)
		return true;
	if (e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL)
		return keeps_factors(l, e->a) && keeps_factors(l, e->b);
	return has_factor(l, e);
}

/* Removes the constant from a sum and returns it. */
static int64_t remove_constant(linear *l)
{
	for (unsigned i = 0; i < l->n; i++)
		if (!l->term[i].n) {
			int64_t value = l->term[i].times;
			l->term[i] = l->term[--l->n];
			return value;
		}
	return 0;
}

/* Rewrites a comparison as a sum without constant and its range. */
static bool range_of(const expr *e, linear *l, range *r)
{
	linear a = linear_of(e->a), b = linear_of(e->b);
	*l = linear_add(&a, &b, -1);
	if (!l->ok || !keeps_factors(l, e->a) || !keeps_factors(l, e->b))
		return false;
	int64_t zero = -remove_constant(l);
	*r = (range){zero, zero, e->op == OP_NE};
	if (e->op == OP_GE || e->op == OP_GT) {
		r->low += e->op == OP_GT;
		r->high = UNBOUNDED;
	} else if (e->op == OP_LE || e->op == OP_LT) {
		r->high -= e->op == OP_LT;
		r->low = -UNBOUNDED;
	}
	return l->n > 0;
}

/* Returns 1 or -1 if b is that multiple of a, else 0. */
static int ratio(const linear *a, const linear *b)
{
	for (int sign = 1; sign >= -1; sign -= 2) {
		linear rest = linear_add(b, a, -sign);
		if (rest.ok && rest.n == 0)
			return sign;
	}
	return 0;
}

static bool within(range a, range b)
{
	return b.low <= a.low && a.high <= b.high;
}

static bool are_disjoint(range a, range b)
{
	if (a.outside && b.outside) /* disjoint if the two ranges cover all integers */
		return (a.low == -UNBOUNDED && b.high == UNBOUNDED && b.low - 1 <= a.high)
		       || (b.low == -UNBOUNDED && a.high == UNBOUNDED && a.low - 1 <= b.high);
	if (a.outside || b.outside)
		return a.outside ? within(b, a) : within(a, b);
	return a.high < b.low || b.high < a.low;
}

static bool are_opposite(const expr *a, const expr *b)
{
	return a->a == b->a && a->b == b->b && op_negated(a->op) == b->op;
}

/* Relation of two comparisons. Each relation means that two ranges are disjoint. */
static bool ranges_related(enum relation r, const expr *a, const expr *b)
{
	linear l, m;
	range x, y;
	if (a == b)
		return r == IMPLIES;
	if (are_opposite(a, b))
		return r != IMPLIES;
	if (symbols(a) != symbols(b) || !range_of(a, &l, &x) || !range_of(b, &m, &y) || l.n != m.n)
		return false;
	int sign = ratio(&l, &m);
	if (!sign)
		return false;
	if (sign < 0)
		y = (range){-y.high, -y.low, y.outside};
	x.outside ^= r == COVERS;
	y.outside ^= r != EXCLUDES;
	return are_disjoint(x, y);
}

bool condition_related(enum relation r, const expr *a, const expr *b)
{
	/* One connective needs one related operand only, the other one needs all. */
	enum op left = r == COVERS ? OP_OR : OP_AND, right = r == EXCLUDES ? OP_AND : OP_OR;
	bool parts = a->op == OP_AND || a->op == OP_OR, others = b->op == OP_AND || b->op == OP_OR;
	if (parts && a->op != left)
		return condition_related(r, a->a, b) && condition_related(r, a->b, b);
	if (others && b->op != right)
		return condition_related(r, a, b->a) && condition_related(r, a, b->b);
	if (parts)
		return condition_related(r, a->a, b) || condition_related(r, a->b, b);
	if (others)
		return condition_related(r, a, b->a) || condition_related(r, a, b->b);
	return ranges_related(r, a, b);
}

/* ---- joining */

const expr *condition_never(expr_pool *p)
{
	const expr *zero = expr_const(p, 0);
	return expr_make(p, OP_NE, zero, zero);
}

typedef struct junction { /* joins with `or`; for `and` everything is dual */
	expr_pool *pool;
	enum op op, other;
	enum relation decisive; /* the relation of two operands that decides the result */
} junction;

/* Whether a is redundant beside b. */
static bool is_redundant(const junction *j, const expr *a, const expr *b)
{
	return j->op == OP_OR ? condition_related(IMPLIES, a, b) : condition_related(IMPLIES, b, a);
}

/* e with x and y as its operands; either may be NULL (removed). */
static const expr *with_operands(const junction *j, const expr *e, const expr *x, const expr *y)
{
	if (!x || !y)
		return x ? x : y;
	return x == e->a && y == e->b ? e : expr_make(j->pool, e->op, x, y);
}

/* Removes the operands of e (a chain of `other`) that hold wherever a does not decide (for `and`: do not hold): a or
 * (not a and b) is a or b. NULL if none is left. */
static const expr *reduced(const junction *j, const expr *e, const expr *a)
{
	if (e->op != j->other)
		return condition_related(j->decisive, a, e) ? NULL : e;
	const expr *x = reduced(j, e->a, a), *y = reduced(j, e->b, a);
	return with_operands(j, e, x, y);
}

/* Simplifies e, a chain of op, beside a. NULL if it is redundant. */
static const expr *simplified_beside(const junction *j, const expr *e, const expr *a)
{
	if (e->op != j->op)
		return is_redundant(j, e, a) ? NULL : reduced(j, e, a);
	const expr *x = simplified_beside(j, e->a, a), *y = simplified_beside(j, e->b, a);
	return with_operands(j, e, x, y);
}

/* NULL if the result is decided. */
static const expr *join(const junction *j, const expr *a, const expr *b)
{
	if (a->op == j->op) {
		b = join(j, a->b, b);
		return b ? join(j, a->a, b) : NULL;
	}
	if (condition_related(j->decisive, a, b))
		return NULL;
	if (is_redundant(j, a, b))
		return b;
	b = simplified_beside(j, b, a);
	if (!b)
		return a;
	const expr *less = reduced(j, a, b);
	if (!less)
		return NULL;
	return less != a ? join(j, less, b) : expr_make(j->pool, j->op, a, b);
}

const expr *condition_or(expr_pool *p, const expr *a, const expr *b)
{
	junction j = {p, OP_OR, OP_AND, COVERS};
	if (!a || !b)
		return NULL;
	if (a == condition_never(p) || b == condition_never(p))
		return a == condition_never(p) ? b : a;
	return join(&j, a, b);
}

const expr *condition_and(expr_pool *p, const expr *a, const expr *b)
{
	junction j = {p, OP_AND, OP_OR, EXCLUDES};
	if (!a || !b)
		return a ? a : b;
	if (a == condition_never(p) || b == condition_never(p))
		return condition_never(p);
	const expr *e = join(&j, a, b);
	return e ? e : condition_never(p);
}

#include "simplify.h"

#include "polynomial.h"
#include "rule.h"

static bool is_const(const expr *e, int64_t value)
{
	return e->op == OP_CONST && e->value == value;
}

/* Whether a condition without symbols has the given truth value. */
static bool has_truth(const expr *e, bool value)
{
	return expr_max_sym(e) < 0 && expr_holds(e, NULL) == value;
}

/* Whether e has a product, minimum, maximum or choice. */
static bool has_nonlinear(const expr *e)
{
	if (e->op == OP_MIN || e->op == OP_MAX || e->op == OP_MUL || e->c)
		return true;
	return e->a && (has_nonlinear(e->a) || has_nonlinear(e->b));
}

/* Whether two sums are equal as polynomials. */
static bool is_same_sum(const expr *a, const expr *b)
{
	int64_t value;
	if ((a->op != OP_ADD && a->op != OP_SUB) || (b->op != OP_ADD && b->op != OP_SUB))
		return false;
	linear x = linear_of(a), y = linear_of(b);
	if (!x.ok || !y.ok)
		return false;
	linear difference = linear_add(&x, &y, -1);
	return difference.ok && linear_is_number(&difference, &value) && value == 0;
}

const expr *simplify_expr(expr_pool *pool, const operator *op, const expr *e)
{
	if (!e->a)
		return e;
	const expr *a = simplify_expr(pool, op, e->a), *b = simplify_expr(pool, op, e->b), *c = e->c ? simplify_expr(pool, op, e->c) : NULL;
	wide v;
	if (c && expr_max_sym(c) < 0)
		return expr_holds(c, NULL) ? a : b;
	if (c)
		return is_same_sum(a, b) ? a : expr_ite(pool, c, a, b);
	e = expr_make(pool, e->op, a, b);
	if ((e->op == OP_OR || e->op == OP_AND) && has_truth(a, e->op == OP_AND))
		return b;
	if ((e->op == OP_OR || e->op == OP_AND) && has_truth(b, e->op == OP_AND))
		return a;
	if (expr_is_bool(e) && a->op == OP_CONST && b->op != OP_CONST)
		return expr_make(pool, op_mirrored(e->op), b, a);
	if (e->op == OP_SUB && a == b)
		return expr_const(pool, 0);
	if (a == b && a->op == OP_SYM && (e->op == OP_LT || e->op == OP_GT || e->op == OP_NE)) /* never holds */
		return expr_make(pool, OP_LT, expr_const(pool, 0), expr_const(pool, 0));
	if (!expr_is_bool(e) && expr_max_sym(e) < 0 && expr_eval(e, NULL, &v) && v >= -1024 && v <= 1024)
		return expr_const(pool, (int64_t)v);
	if ((e->op == OP_MUL || e->op == OP_DIV) && is_const(b, 1))
		return a;
	if ((e->op == OP_ADD || e->op == OP_SUB) && is_const(b, 0))
		return a;
	if (e->op == OP_MUL && is_const(a, 1))
		return b;
	if (e->op == OP_ADD && is_const(a, 0))
		return b;
	if (e->op == OP_MUL && (is_const(a, 0) || is_const(b, 0)))
		return expr_const(pool, 0);
	if (e->op == OP_MAX && is_const(b, 0) && rule_is_nonnegative(op, a))
		return a;
	if (e->op == OP_ADD && b->op == OP_CONST && a->op == OP_SUB && a->b == b && has_nonlinear(a->a))
		return a->a; /* min(…) - 1 + 1; other sums stay unchanged, because templates match their text */
	return e;
}

bool simplify_equal(expr_pool *pool, const operator *op, const expr *a, const expr *b)
{
	return a == b || expr_as_sums(pool, simplify_expr(pool, op, a)) == expr_as_sums(pool, simplify_expr(pool, op, b));
}

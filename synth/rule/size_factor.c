#include "size_factor.h"

const expr *size_factor_make(expr_pool *pool, size_factor f)
{
	if (f.each == AT_LEAST_ONE)
		return expr_make(pool, OP_MAX, f.size, expr_const(pool, 1));
	if (f.each == COPIED && f.dimension)
		return expr_ite(pool, expr_make(pool, OP_EQ, f.size, expr_const(pool, 0)), f.dimension, f.size);
	return f.size;
}

/* Whether an item differs from all later ones; NULL if there are none. */
static const expr *differs(expr_pool *pool, const expr *one, const expr *const *later, int n)
{
	const expr *all = NULL;
	for (int k = 0; k < n; k++)
		all = expr_join(pool, OP_AND, all, expr_make(pool, OP_NE, one, later[k]));
	return all;
}

const expr *size_factor_count(expr_pool *pool, enum each each, const expr *const *items, int n)
{
	const expr *sum = NULL, *zero = expr_const(pool, 0), *one = expr_const(pool, 1);
	for (int k = 0; k < n && size_factor_counts(each); k++) {
		const expr *count_factor = each == NONZERO ? expr_make(pool, OP_NE, items[k], zero) : differs(pool, items[k], items + k + 1, n - k - 1);
		sum = expr_join(pool, OP_ADD, sum, count_factor ? expr_ite(pool, count_factor, one, zero) : one);
	}
	return sum;
}

static bool is_number(const expr *e, int64_t value)
{
	return e->op == OP_CONST && e->value == value;
}

static size_factor factor(enum each each, const expr *size)
{
	return (size_factor){.each = each, .size = size};
}

/* Recognizes terms of counts; AS_IS if e is none. */
static size_factor count_factor(const expr *e)
{
	const expr *first = e->c;
	while (first->op == OP_AND)
		first = first->a;
	if (first->op != OP_NE || !is_number(e->a, 1) || !is_number(e->b, 0))
		return factor(AS_IS, e);
	return factor(is_number(first->b, 0) ? NONZERO : DISTINCT, first->a);
}

size_factor size_factor_of(const expr *e)
{
	if (e->op == OP_MAX && is_number(e->b, 1))
		return factor(AT_LEAST_ONE, e->a);
	if (e->op == OP_ITE && e->c->op == OP_EQ && e->c->a == e->b && is_number(e->c->b, 0))
		return (size_factor){.each = COPIED, .size = e->b, .dimension = e->a};
	return e->op == OP_ITE ? count_factor(e) : factor(AS_IS, e);
}

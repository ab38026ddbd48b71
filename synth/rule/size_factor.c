#include "size_factor.h"

const expr *size_factor_make(expr_pool *pool, size_factor f)
{
	if (f.each == AT_LEAST_ONE)
		return expr_make(pool, OP_MAX, f.size, expr_const(pool, 1));
	if (f.each == COPIED && f.dimension)
		return expr_ite(pool, expr_make(pool, OP_EQ, f.size, expr_const(pool, 0)), f.dimension, f.size);
	return f.size;
}

static bool is_number(const expr *e, int64_t value)
{
	return e->op == OP_CONST && e->value == value;
}

size_factor size_factor_of(const expr *e)
{
	if (e->op == OP_MAX && is_number(e->b, 1))
		return (size_factor){AT_LEAST_ONE, e->a, NULL};
	if (e->op == OP_ITE && e->c->op == OP_EQ && e->c->a == e->b && is_number(e->c->b, 0))
		return (size_factor){COPIED, e->b, e->a};
	return (size_factor){AS_IS, e, NULL};
}

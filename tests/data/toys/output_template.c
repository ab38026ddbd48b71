/* A toy: the sum of two squares, times a dimension and seven. */
static void add_toys(const target *t, problem *p, const int *sample)
{
	expr_pool *pool = p->pool;
	if (t->s->op->nsym != 2)
		return;
	const expr *a = expr_sym(pool, 0), *b = expr_sym(pool, 1);
	const expr *sum = expr_make(pool, OP_ADD, expr_make(pool, OP_MUL, a, a), expr_make(pool, OP_MUL, b, b));
	add_leaf(t, p, sample, expr_make(pool, OP_MUL, sum, expr_make(pool, OP_ADD, a, expr_const(pool, 7))), p->relevant, 20);
}


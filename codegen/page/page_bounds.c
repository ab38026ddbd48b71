#include "page_bounds.h"

#include "need.h"

bool page_bounds_is_value(const api_view *v, const reference *r)
{
	const view_argument *a = r->list.kind == LIST_BOUNDS && r->base != ALL ? view_list_of(v, r->list) : NULL;
	return a && a->tensor && !a->tensors && !a->list && a->most == 0;
}

/* x + 2 is x, and adds 2 to *plus. */
static const expr *without_number(const expr *e, int64_t *plus)
{
	if (e->op != OP_ADD || e->b->op != OP_CONST)
		return e;
	*plus += e->b->value;
	return e->a;
}

/* Comparisons with the numbers of both sides on one side: x + 1 != 1 is x != 0. */
static const expr *collected(expr_pool *pool, const expr *e)
{
	if (e->op == OP_OR || e->op == OP_AND)
		return expr_make(pool, e->op, collected(pool, e->a), collected(pool, e->b));
	if (!expr_is_bool(e))
		return e;
	int64_t left = 0, right = 0;
	const expr *a = without_number(e->a, &left), *b = without_number(e->b, &right);
	if (b->op == OP_CONST)
		return expr_make(pool, e->op, a, expr_const(pool, b->value + right - left));
	if (left > right)
		a = expr_make(pool, OP_ADD, a, expr_const(pool, left - right));
	if (right > left)
		b = expr_make(pool, OP_ADD, b, expr_const(pool, right - left));
	return expr_make(pool, e->op, a, b);
}

const expr *page_bounds_as_values(const api_view *v, const template **t, const expr *e)
{
	const expr *with[MAX_REFERENCES] = {NULL};
	bool any = false;
	template *to = NEED_ARRAY(v->memory, template, 1);
	*to = **t;
	for (int k = 0; k < (*t)->n; k++) {
		reference *r = &to->refs[k];
		if (!page_bounds_is_value(v, r))
			continue;
		with[k] = expr_sym(v->pool, k);
		if (r->offset)
			with[k] = expr_make(v->pool, OP_ADD, with[k], expr_const(v->pool, 1));
		r->offset = 0;
		any = true;
	}
	if (!any)
		return e;
	for (int k = 0; k < (*t)->n; k++)
		with[k] = with[k] ? with[k] : expr_sym(v->pool, k);
	*t = to;
	return collected(v->pool, expr_substitute(v->pool, e, with));
}

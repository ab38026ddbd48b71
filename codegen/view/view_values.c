#include "view_values.h"

typedef struct fixed_item {
	list_name list;
	int at; /* from the left */
	const expr *number;
} fixed_item;

/* The position of an item, from the left, of lists that always have one length. False: it depends on the call, or the line is of several
 * positions. */
static bool item_of(const api_view *v, const view_line *l, const reference *r, int *to)
{
	const view_argument *a = r->list.kind == LIST_ITEMS && !r->others ? view_argument_of(v, r->list.argument) : NULL;
	const index_range *w = &l->where;
	if (!a || !a->list || a->number || a->missing || a->shortest != a->longest || l->at.argument)
		return false;
	if (r->base == AT_NUMBER)
		*to = r->offset;
	else if (r->base == AT_INDEX && w->way == RANGE_RIGHT && w->only && w->only == w->tail + 1)
		*to = r->offset - w->only;
	else if (r->base == AT_INDEX && w->way == RANGE_LEFT && w->only && w->only == w->head + 1)
		*to = r->offset + w->head;
	else
		return false;
	*to += *to < 0 ? a->longest : 0;
	return *to >= 0 && *to < a->longest;
}

/* The item that a clause makes equal to a number in all calls. False: it is another clause. */
static bool fixed_by(const api_view *v, const view_line *l, fixed_item *to)
{
	const expr *e = l->t.e;
	if (!l->chosen || l->output != CLAUSE_LINE || !view_is_always(l) || e->op != OP_EQ || e->a->op != OP_SYM || e->b->op != OP_CONST)
		return false;
	*to = (fixed_item){.list = l->t.refs[e->a->value].list, .number = e->b};
	return item_of(v, l, &l->t.refs[e->a->value], &to->at);
}

/* An expression with the numbers put in: (x - 1)//1 + 1 is x. */
static const expr *plain(expr_pool *pool, const expr *e)
{
	if (!e->a)
		return e;
	const expr *a = plain(pool, e->a), *b = plain(pool, e->b);
	if (e->c)
		return expr_ite(pool, plain(pool, e->c), a, b);
	const bool one = b->op == OP_CONST && b->value == 1;
	if (one && (e->op == OP_DIV || e->op == OP_MUL))
		return a;
	if (e->op == OP_ADD && b->op == OP_CONST && a->op == OP_SUB && a->b == b)
		return a->a;
	const bool turned = e->op == OP_EQ && a->op == OP_CONST;
	return expr_make(pool, e->op, turned ? b : a, turned ? a : b);
}

static bool always_holds(const expr *e)
{
	return (e->op == OP_EQ || e->op == OP_LE || e->op == OP_GE) && e->a == e->b;
}

static void put_number(api_view *v, view_line *l, const fixed_item *item)
{
	const expr *with[MAX_REFERENCES];
	bool any = false;
	for (int k = 0; k < l->t.n; k++) {
		int at;
		const bool is = list_is(l->t.refs[k].list, item->list) && item_of(v, l, &l->t.refs[k], &at) && at == item->at;
		with[k] = is ? item->number : expr_sym(v->pool, k);
		any |= is;
	}
	if (!any)
		return;
	l->t.e = plain(v->pool, expr_substitute(v->pool, l->t.e, with));
	l->chosen = l->output != CLAUSE_LINE || !always_holds(l->t.e);
}

void view_values_put(api_view *v)
{
	fixed_item item, other;
	for (int j = 0; j < v->nlines; j++) {
		if (!fixed_by(v, &v->lines[j], &item))
			continue;
		for (int k = 0; k < v->nlines; k++)
			if (v->lines[k].chosen && !v->lines[k].is_whole && !fixed_by(v, &v->lines[k], &other))
				put_number(v, &v->lines[k], &item);
	}
}

#include "slice_term.h"

static bool is_number(const expr *e, int64_t value)
{
	return e->op == OP_CONST && e->value == value;
}

/* e is a op value. */
static bool is_of_number(const expr *e, enum op op, int64_t value)
{
	return e->op == op && is_number(e->b, value);
}

/* x where e is x + size if x < 0 else x; NULL: it is not. */
static const expr *unwrapped(expr_pool *pool, const expr *e, const expr *size)
{
	if (e->op != OP_ITE || !is_of_number(e->c, OP_LT, 0) || e->c->a != e->b)
		return NULL;
	bool is = e->a == expr_make(pool, OP_ADD, e->b, size) || e->a == expr_make(pool, OP_ADD, size, e->b);
	return is ? e->b : NULL;
}

/* An end of the slice as it was given, or NULL; one that is not negative is as it was given. */
static const expr *given(expr_pool *pool, const expr *e, const expr *size)
{
	return is_of_number(e, OP_MAX, 0) ? e : unwrapped(pool, e, size);
}

/* size where e is size - 1. */
static const expr *before_last(const expr *e)
{
	return is_of_number(e, OP_SUB, 1) ? e->a : NULL;
}

/* Where elements are counted from the back: what is divided by the stride is
 *
 *   max(to, -1) - min(from, size - 1) + 1        -1 for the former without an end, size - 1 for the latter without a beginning
 */
static bool is_backwards(slice_term *t, const expr **to, const expr **from, const expr *e)
{
	const expr *last = NULL;
	*to = *from = NULL;
	if (e->op == OP_SUB && is_number(e->a, 1)) { /* neither */
		t->size = e->b;
		return true;
	}
	if (e->op == OP_SUB && is_number(e->a, 0)) {
		last = e->b;
	} else if (is_of_number(e, OP_ADD, 1) && e->a->op == OP_SUB && is_of_number(e->a->a, OP_MAX, -1)) {
		*to = e->a->a->a;
		last = e->a->b;
	}
	if (last && last->op == OP_MIN) {
		*from = last->a;
		last = last->b;
	}
	t->size = last ? before_last(last) : NULL;
	return t->size && (*to || *from);
}

/* min(to, size) - max(from, 0) - 1, likewise. */
static const expr *forwards(const slice_term *t, expr_pool *pool, const expr *to, const expr *from)
{
	const expr *length = to ? expr_make(pool, OP_MIN, to, t->size) : t->size;
	if (from)
		length = expr_make(pool, OP_SUB, length,
		    is_of_number(from, OP_MAX, 0) ? from : expr_make(pool, OP_MAX, from, expr_const(pool, 0)));
	return expr_make(pool, OP_SUB, length, expr_const(pool, 1));
}

/* x where e is max(x, 0); NULL: it is not. */
static const expr *above_0(const expr *e)
{
	return is_of_number(e, OP_MAX, 0) ? e->a : NULL;
}

/* Of every element. */
static bool is_plain(slice_term *t, expr_pool *pool, const expr *e)
{
	const expr *length = above_0(e), *to = length, *from = NULL;
	*t = (slice_term){.size = NULL};
	if (length && length->op == OP_SUB) {
		to = length->a;
		from = above_0(length->b);
		if (!from)
			return false;
	}
	bool cut = to && to->op == OP_MIN;
	if (!to || (!cut && !from))
		return false;
	t->size = cut ? to->b : to;
	t->end = cut ? unwrapped(pool, to->a, t->size) : NULL;
	t->begin = from ? unwrapped(pool, from, t->size) : NULL;
	return !cut == !t->end && !from == !t->begin;
}

bool slice_of(slice_term *t, expr_pool *pool, const expr *e)
{
	if (is_plain(t, pool, e))
		return true;
	const expr *count = is_of_number(e, OP_MAX, 0) ? e->a : e, *to, *from;
	*t = (slice_term){.size = NULL};
	if (!is_of_number(count, OP_ADD, 1) || count->a->op != OP_ITE || !is_of_number(count->a->c, OP_LT, 0))
		return false;
	const expr *back = count->a->a, *forth = count->a->b;
	t->stride = count->a->c->a;
	if (back->op != OP_DIV || forth->op != OP_DIV || back->b != t->stride || forth->b != t->stride
	    || !is_backwards(t, &to, &from, back->a) || forth->a != forwards(t, pool, to, from) || (count == e && (to || from)))
		return false;
	t->begin = from ? given(pool, from, t->size) : NULL;
	t->end = to ? given(pool, to, t->size) : NULL;
	return !from == !t->begin && !to == !t->end;
}

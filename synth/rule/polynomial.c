#include "polynomial.h"

#include <string.h>

#define MAX_COEFFICIENT ((int64_t)1 << 62)

bool expr_has(const expr *e, int64_t symbol)
{
	if (e->op == OP_SYM)
		return e->value == symbol;
	return (e->a && expr_has(e->a, symbol)) || (e->b && expr_has(e->b, symbol))
	       || (e->c && expr_has(e->c, symbol));
}

/* Leaves terms beyond n uninitialized: sums are large and created by the million. */
static linear empty_sum(bool ok)
{
	linear l;
	l.n = 0;
	l.ok = ok;
	return l;
}

static bool fits(int64_t times)
{
	return times <= MAX_COEFFICIENT && times >= -MAX_COEFFICIENT;
}

linear linear_number(int64_t value)
{
	linear l = empty_sum(fits(value));
	if (!l.ok)
		return l;
	l.n = value != 0;
	l.term[0].times = value;
	l.term[0].n = 0;
	return l;
}

linear linear_of_term(const linear_term *t)
{
	linear l = empty_sum(fits(t->times));
	l.n = t->times != 0;
	l.term[0] = *t;
	return l;
}

static bool same_factors(const linear_term *a, const linear_term *b)
{
	return a->n == b->n && memcmp(a->factor, b->factor, a->n * sizeof *a->factor) == 0;
}

/* Adds times * t to a sum. On overflow the sum is unchanged and not ok; no coefficient exceeds MAX_COEFFICIENT, so
 * each can be negated. */
static void add_term(linear *l, const linear_term *t, int64_t times)
{
	int64_t product, sum;
	if (__builtin_mul_overflow(t->times, times, &product) || !fits(product)) {
		l->ok = false;
		return;
	}
	for (unsigned i = 0; i < l->n; i++) {
		if (!same_factors(&l->term[i], t))
			continue;
		if (__builtin_add_overflow(l->term[i].times, product, &sum) || !fits(sum))
			l->ok = false;
		else if (sum)
			l->term[i].times = sum;
		else
			l->term[i] = l->term[--l->n];
		return;
	}
	if (!product)
		return;
	if (l->n == LINEAR_TERMS) {
		l->ok = false;
		return;
	}
	l->term[l->n] = *t;
	l->term[l->n++].times = product;
}

linear linear_add(const linear *a, const linear *b, int64_t times)
{
	linear l = empty_sum(true);
	l.n = a->n;
	memcpy(l.term, a->term, a->n * sizeof *a->term);
	l.ok = a->ok && b->ok;
	for (unsigned i = 0; l.ok && i < b->n; i++)
		add_term(&l, &b->term[i], times);
	return l;
}

linear linear_negated(const linear *l)
{
	linear zero = linear_number(0);
	return linear_add(&zero, l, -1);
}

static bool multiply(const linear_term *a, const linear_term *b, linear_term *r)
{
	*r = (linear_term){.times = 1, .n = a->n + b->n};
	if (r->n > LINEAR_FACTORS)
		return false;
	for (unsigned i = 0, k = 0, n = 0; n < r->n; n++) { /* merges two sorted lists */
		bool first = k == b->n || (i < a->n && expr_compare(a->factor[i], b->factor[k]) <= 0);
		r->factor[n] = first ? a->factor[i++] : b->factor[k++];
	}
	return !__builtin_mul_overflow(a->times, b->times, &r->times);
}

linear linear_mul(const linear *a, const linear *b)
{
	linear l = empty_sum(a->ok && b->ok);
	for (unsigned i = 0; l.ok && i < a->n; i++)
		for (unsigned k = 0; l.ok && k < b->n; k++) {
			linear_term t;
			if (multiply(&a->term[i], &b->term[k], &t))
				add_term(&l, &t, 1);
			else
				l.ok = false;
		}
	return l;
}

linear linear_of(const expr *e)
{
	linear l = empty_sum(true);
	if (e->op == OP_CONST)
		return linear_number(e->value);
	if (e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL) {
		linear a = linear_of(e->a), b = linear_of(e->b);
		return e->op == OP_MUL ? linear_mul(&a, &b)
				       : linear_add(&a, &b, e->op == OP_ADD ? 1 : -1);
	}
	l.n = 1;
	l.term[0] = (linear_term){.times = 1, .n = 1, .factor = {e}};
	return l;
}

bool linear_is_number(const linear *l, int64_t *value)
{
	*value = l->n ? l->term[0].times : 0;
	return l->ok && (l->n == 0 || (l->n == 1 && l->term[0].n == 0));
}

/* Removes the factor that contains x from t and returns it. NULL if there is none; *several if there is more than one. */
static const expr *remove_factor(linear_term *t, int64_t x, bool *several)
{
	unsigned kept = 0;
	const expr *found = NULL;
	*several = false;
	for (unsigned i = 0; i < t->n; i++)
		if (expr_has(t->factor[i], x)) {
			*several |= found != NULL;
			found = t->factor[i];
		} else {
			t->factor[kept++] = t->factor[i];
		}
	t->n = kept;
	return found;
}

bool linear_split(const linear *l, int64_t x, linear *f, const expr **factor, linear *r)
{
	*f = *r = linear_number(0);
	*factor = NULL;
	if (!l->ok)
		return false;
	for (unsigned i = 0; i < l->n; i++) {
		bool several;
		linear_term t = l->term[i];
		const expr *found = remove_factor(&t, x, &several);
		linear one = linear_of_term(&t), *to = found ? f : r;
		if (several || (found && *factor && found != *factor))
			return false;
		if (found)
			*factor = found;
		*to = linear_add(to, &one, 1);
	}
	return *factor && f->ok && r->ok && f->n;
}

/* ---- as expressions */

static const expr *term_expr(expr_pool *p, const linear_term *t)
{
	int64_t times = t->times < 0 ? -t->times : t->times;
	const expr *e = times != 1 || !t->n ? expr_const(p, times) : NULL;
	for (unsigned i = 0; i < t->n; i++)
		e = expr_join(p, OP_MUL, e, t->factor[i]);
	return e;
}

static int by_factors(const linear_term *a, const linear_term *b)
{
	if (!a->n != !b->n) /* the constant is last */
		return a->n ? -1 : 1;
	for (unsigned i = 0; i < a->n && i < b->n; i++) {
		int order = expr_compare(a->factor[i], b->factor[i]);
		if (order)
			return order;
	}
	return a->n < b->n ? -1 : a->n > b->n;
}

/* The sum of the terms of one sign; NULL if there are none. */
static const expr *sum(expr_pool *p, const linear *l, bool negative)
{
	const linear_term *sorted[LINEAR_TERMS];
	unsigned n = 0;
	for (unsigned i = 0; i < l->n; i++) {
		if ((l->term[i].times < 0) != negative)
			continue;
		unsigned at = n++;
		for (; at > 0 && by_factors(&l->term[i], sorted[at - 1]) < 0; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = &l->term[i];
	}
	const expr *e = NULL;
	for (unsigned i = 0; i < n; i++) {
		const expr *t = term_expr(p, sorted[i]);
		e = expr_join(p, OP_ADD, e, t);
	}
	return e;
}

static const expr *subtract(expr_pool *p, const expr *e, const linear *l)
{
	linear rest = *l;
	/* One subtraction per term is easier to read than the difference of two sums. */
	while (rest.n) {
		unsigned first = 0;
		for (unsigned i = 1; i < rest.n; i++)
			if (by_factors(&rest.term[i], &rest.term[first]) < 0)
				first = i;
		if (rest.term[first].times < 0)
			e = expr_make(p, OP_SUB, e, term_expr(p, &rest.term[first]));
		rest.term[first] = rest.term[--rest.n];
	}
	return e;
}

const expr *linear_expr(expr_pool *p, const linear *l)
{
	const expr *e = sum(p, l, false);
	return subtract(p, e ? e : expr_const(p, 0), l);
}

const expr *linear_compare(expr_pool *p, const linear *l, enum op op)
{
	const expr *a = sum(p, l, false), *b = sum(p, l, true);
	if (!a && b)
		return expr_make(p, op_mirrored(op), b, expr_const(p, 0));
	return expr_make(p, op, a ? a : expr_const(p, 0), b ? b : expr_const(p, 0));
}

const expr *expr_as_sums(expr_pool *p, const expr *e)
{
	if (!e->a)
		return e;
	const expr *a = expr_as_sums(p, e->a), *b = expr_as_sums(p, e->b), *c = e->c ? expr_as_sums(p, e->c) : NULL;
	e = c ? expr_ite(p, c, a, b) : expr_make(p, e->op, a, b);
	if (e->op != OP_ADD && e->op != OP_SUB && e->op != OP_MUL)
		return e;
	linear l = linear_of(e);
	return l.ok ? linear_expr(p, &l) : e;
}

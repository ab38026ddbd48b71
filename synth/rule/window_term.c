#include "window_term.h"

#include "polynomial.h"

/* Removes a term from a sum. */
static void remove_term(linear *l, unsigned k)
{
	linear one = linear_of_term(&l->term[k]);
	*l = linear_add(l, &one, -1);
}

/* Whether a term is `times` × one symbol (`factor`, unless NULL): kernels and sizes are arguments. */
static bool is_single(const linear_term *t, int64_t times, const expr *factor)
{
	return t->n == 1 && t->times == times && t->factor[0]->op == OP_SYM && (!factor || t->factor[0] == factor);
}

static int find_single(const linear *l, int64_t times, const expr *factor)
{
	for (unsigned k = 0; k < l->n; k++)
		if (is_single(&l->term[k], times, factor))
			return (int)k;
	return -1;
}

static int64_t number_in(const linear *l)
{
	for (unsigned k = 0; k < l->n; k++)
		if (l->term[k].n == 0)
			return l->term[k].times;
	return 0;
}

/* l = size + 2*padding - dilation*kernel + dilation - 1: finds and removes kernel and dilation. */
static bool match_dilated(window_term *w, linear *l)
{
	for (unsigned k = 0; k < l->n; k++) {
		const linear_term t = l->term[k];
		for (int d = 0; d < 2 && t.n == 2 && t.times == -1 && t.factor[1 - d]->op == OP_SYM; d++) {
			int alone = find_single(l, 1, t.factor[d]);
			if (alone < 0 || number_in(l) != -1)
				continue;
			w->dilation = t.factor[d];
			w->kernel = t.factor[1 - d];
			remove_term(l, k);
			remove_term(l, (unsigned)find_single(l, 1, w->dilation));
			linear one = linear_number(1);
			*l = linear_add(l, &one, 1);
			return true;
		}
	}
	return false;
}

/* l = size + 2*padding - kernel: finds and removes the kernel. */
static bool match_plain(window_term *w, linear *l)
{
	int k = find_single(l, -1, NULL);
	if (k < 0 || number_in(l) != 0)
		return false;
	w->kernel = l->term[k].factor[0];
	remove_term(l, (unsigned)k);
	return true;
}

/* The remaining terms are added: at most one padding, twice, and the size. */
static bool match_size(window_term *w, expr_pool *pool, linear *l)
{
	int p = find_single(l, 2, NULL);
	if (p >= 0) {
		w->padding = l->term[p].factor[0];
		remove_term(l, (unsigned)p);
	}
	for (unsigned k = 0; k < l->n; k++)
		if (l->term[k].times < 0 || l->term[k].n != 1 || l->term[k].factor[0]->op != OP_SYM)
			return false;
	if (!l->n || !l->ok)
		return false;
	w->size = linear_expr(pool, l);
	return true;
}

/* Recognizes rounding down. */
static bool match_floor(window_term *w, expr_pool *pool, const expr *e)
{
	*w = (window_term){.size = NULL};
	if (expr_is_bool(e) || (e->op != OP_ADD && e->op != OP_SUB && e->op != OP_DIV))
		return false;
	const expr *quotient = e->op == OP_DIV ? e : e->op == OP_ADD && e->b->op == OP_CONST && e->b->value == 1 ? e->a : NULL;
	linear l, one = linear_number(1);
	if (quotient && quotient->op == OP_DIV) {
		w->stride = quotient->b;
		l = linear_of(quotient->a);
		if (quotient == e) { /* (… + stride)//stride */
			linear s = linear_of(quotient->b);
			l = linear_add(&l, &s, -1);
		}
	} else {
		l = linear_of(e);
		l = linear_add(&l, &one, -1);
	}
	if (w->stride && w->stride->op != OP_SYM)
		return false;
	return l.ok && (match_dilated(w, &l) || match_plain(w, &l)) && match_size(w, pool, &l)
	       && (quotient != e || w->kernel != w->stride);
}

static bool is_number(const expr *e, int64_t value)
{
	return e->op == OP_CONST && e->value == value;
}

/* The quotient in `quotient + number` if its divisor is a symbol; else NULL. */
static const expr *quotient_and(const expr *e, int64_t number)
{
	bool is = e->op == OP_ADD && is_number(e->b, number) && e->a->op == OP_DIV && e->a->b->op == OP_SYM;
	return is ? e->a : NULL;
}

/* Whether a + times * b + number is 0. */
static bool cancel(const linear *a, const linear *b, int64_t times, int64_t number)
{
	linear more = linear_number(number), l = linear_add(a, b, times);
	l = linear_add(&l, &more, 1);
	return l.ok && l.n == 0;
}

/* min((size + padding - 1)//stride + 1, (rest - 1)//stride + 2) */
static bool match_ceil(window_term *w, expr_pool *pool, const expr *first, const expr *last)
{
	const expr *begins = quotient_and(first, 1), *covers = quotient_and(last, 2);
	if (!begins || !covers || begins->b != covers->b)
		return false;
	*w = (window_term){.rounding = WINDOW_CEIL, .stride = covers->b};
	linear l = linear_of(covers->a), one = linear_number(1), starts = linear_of(begins->a);
	l = linear_add(&l, &one, 1);
	if (!l.ok || !(match_dilated(w, &l) || match_plain(w, &l)) || !match_size(w, pool, &l))
		return false;
	linear size = linear_of(w->size), padding = w->padding ? linear_of(w->padding) : linear_number(0);
	linear within = linear_add(&size, &padding, 1);
	return starts.ok && within.ok && cancel(&starts, &within, -1, 1);
}

/* The expression that a comparison states to be >= 0. False if it is not of this kind. */
static bool nonnegative_side(const expr *e, linear *l)
{
	bool reversed = e->op == OP_LE || e->op == OP_LT;
	if (!reversed && e->op != OP_GE && e->op != OP_GT)
		return false;
	linear a = linear_of(reversed ? e->b : e->a), b = linear_of(reversed ? e->a : e->b), one = linear_number(1);
	*l = linear_add(&a, &b, -1);
	if (e->op == OP_GT || e->op == OP_LT)
		*l = linear_add(l, &one, -1);
	return a.ok && b.ok && l->ok;
}

/* window(…) if rest >= 0 else 1 - (-rest)//stride */
static bool match_trunc(window_term *w, expr_pool *pool, const expr *e)
{
	const expr *behind = e->b->op == OP_SUB && is_number(e->b->a, 1) && e->b->b->op == OP_DIV ? e->b->b : NULL;
	const expr *quotient = quotient_and(e->a, 1);
	linear condition;
	if (!behind || !quotient || behind->b != quotient->b || !match_floor(w, pool, e->a) || !nonnegative_side(e->c, &condition))
		return false;
	w->rounding = WINDOW_TRUNC;
	linear rest = linear_of(quotient->a), less = linear_of(behind->a);
	return rest.ok && less.ok && cancel(&rest, &less, 1, 0) && cancel(&rest, &condition, -1, 0);
}

bool window_term_of(window_term *w, expr_pool *pool, const expr *e)
{
	if (e->op == OP_MIN)
		return match_ceil(w, pool, e->a, e->b) || match_ceil(w, pool, e->b, e->a);
	return e->op == OP_ITE ? match_trunc(w, pool, e) : match_floor(w, pool, e);
}

const char *window_term_name(enum window_rounding rounding)
{
	static const char *const NAMES[] = {[WINDOW_FLOOR] = "window", [WINDOW_CEIL] = "window_ceil", [WINDOW_TRUNC] = "window_trunc"};
	return NAMES[rounding];
}

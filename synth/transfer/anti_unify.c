#include "anti_unify.h"

#include <string.h>

#include "polynomial.h"
#include "window_term.h"

enum { MAX_LEFT_OUT = 6 };

/* ---- indices of both */

/* Maps b's indices to those of `to`. Adds missing ones, relative to a's pivot. */
static bool add_places(expr_template *to, expr_pool *pool, const expr_template *b, const expr **with)
{
	const template_index *from = &b->pivot, *at = &to->pivot;
	for (int k = 0; k < b->n; k++) {
		template_index p = b->indices[k];
		int known = expr_template_find(to, &p, from);
		if (known < 0 && to->n == MAX_INDICES)
			return false;
		if (known < 0 && !template_index_stays(&p, from)) {
			p.left = (int16_t)(p.left + at->left - from->left);
			p.right = (int16_t)(p.right + at->right - from->right);
		}
		if (known < 0)
			to->indices[known = to->n++] = p;
		with[k] = expr_sym(pool, known);
	}
	return true;
}

/* Arguments that only one of two expressions has, and their substitutes in the other. */
typedef struct left_out {
	const char *arguments[MAX_LEFT_OUT];
	int n;
	int8_t of[MAX_INDICES];		  /* per index: its argument; -1: both have it */
	bool by_first[MAX_LEFT_OUT];	  /* whether the first expression has the argument */
	const expr *with[2][MAX_INDICES]; /* the symbols of the first and the second, with constants for missing arguments */
} left_out;

static bool is_symbol_of(const expr *e, int k)
{
	bool used[MAX_INDICES] = {false};
	expr_mark_syms(e, used);
	return used[k];
}

/* Whether each has an argument that the other lacks. If only one has, substitution alone suffices (expr_template_substitutes). */
static bool is_mutual(const left_out *l)
{
	int first = 0;
	for (int k = 0; k < l->n; k++)
		first += l->by_first[k];
	return first > 0 && first < l->n;
}

/* Returns false if an index cannot be omitted, or the other has the argument at another index. */
static bool find_left_out(left_out *l, const expr_template *f, const expr *a, const expr *b)
{
	const char *shared[MAX_INDICES];
	int nshared = 0;
	l->n = 0;
	for (int k = 0; k < f->n; k++) {
		const template_index *p = &f->indices[k];
		bool first = is_symbol_of(a, k), second = is_symbol_of(b, k);
		l->of[k] = -1;
		if (first && second && p->arg)
			shared[nshared++] = p->arg;
		if (first == second)
			continue;
		if (p->kind != INDEX_ITEM)
			return false;
		int at = 0;
		while (at < l->n && strcmp(l->arguments[at], p->arg) != 0)
			at++;
		if (at == MAX_LEFT_OUT || (at < l->n && l->by_first[at] != first))
			return false;
		if (at == l->n)
			l->by_first[l->n++] = first;
		l->arguments[at] = p->arg;
		l->of[k] = (int8_t)at;
	}
	for (int k = 0; k < nshared; k++)
		for (int at = 0; at < l->n; at++)
			if (strcmp(shared[k], l->arguments[at]) == 0)
				return false;
	return is_mutual(l);
}

/* Sets missing arguments to constants; bit k of `numbers` is the value for argument k. */
static void set_numbers(left_out *l, const expr_template *f, expr_pool *pool, unsigned numbers)
{
	for (int which = 0; which < 2; which++)
		for (int k = 0; k < f->n; k++) {
			bool missing = l->of[k] >= 0 && l->by_first[l->of[k]] == (which == 0);
			l->with[which][k] = missing ? expr_const(pool, numbers >> l->of[k] & 1) : expr_sym(pool, k);
		}
}

/* ---- quotients */

/* plus + n//by, or n if by is NULL. */
typedef struct quotient {
	linear n;
	const expr *by; /* NULL: no division */
	int64_t plus;
	bool trunc; /* rounds towards 0 (window_term.h) */
} quotient;

static bool is_division(const expr *e)
{
	return e->op == OP_DIV && e->b->op == OP_SYM;
}

/* Whether a sum has a factor that is not a symbol. */
static bool has_other_factors(const linear *l)
{
	for (unsigned k = 0; k < l->n; k++)
		for (unsigned j = 0; j < l->term[k].n; j++)
			if (l->term[k].factor[j]->op != OP_SYM)
				return true;
	return false;
}

static bool quotient_of(quotient *q, expr_pool *pool, const expr *e)
{
	window_term w;
	*q = (quotient){.trunc = e->op == OP_ITE};
	if (q->trunc) { /* n//by + 1 if … */
		if (!window_term_of(&w, pool, e))
			return false;
		e = e->a;
	}
	linear l = linear_of(e);
	if (!l.ok || !has_other_factors(&l)) {
		q->n = l;
		return l.ok;
	}
	for (unsigned k = 0; k < l.n; k++) {
		const linear_term *t = &l.term[k];
		if (t->n == 0)
			q->plus = t->times;
		else if (q->by || t->n != 1 || t->times != 1 || !is_division(t->factor[0]))
			return false;
		else {
			q->by = t->factor[0]->b;
			q->n = linear_of(t->factor[0]->a);
		}
	}
	return q->n.ok && !has_other_factors(&q->n);
}

static linear with_numbers(expr_pool *pool, const linear *l, const expr *const *with)
{
	return linear_of(expr_substitute(pool, linear_expr(pool, l), with));
}

/* Adds a division by 1 to a, if the other divides by an argument that a lacks and that is 1 there. */
static bool divide_alike(quotient *a, const quotient *b, const expr *const *with)
{
	const expr *by = b->by ? with[b->by->value] : NULL;
	if (a->by || !b->by)
		return true;
	if (by->op != OP_CONST || by->value != 1)
		return false;
	linear plus = linear_number(b->plus);
	a->n = linear_add(&a->n, &plus, -1);
	a->plus = b->plus;
	a->by = b->by;
	a->trunc = b->trunc;
	return a->n.ok;
}

static const expr *quotient_expr(expr_pool *pool, const quotient *q)
{
	const expr *n = linear_expr(pool, &q->n);
	if (!q->by)
		return n;
	const expr *e = expr_make(pool, OP_DIV, n, q->by), *plus = expr_const(pool, q->plus);
	if (q->plus)
		e = expr_make(pool, OP_ADD, e, plus);
	if (!q->trunc)
		return e;
	linear less = linear_negated(&q->n);
	const expr *behind = expr_make(pool, OP_SUB, plus, expr_make(pool, OP_DIV, linear_expr(pool, &less), q->by));
	return expr_ite(pool, linear_compare(pool, &q->n, OP_GE), e, behind);
}

/* The generalization of two quotients, or NULL. */
static const expr *generalize_quotient(expr_pool *pool, const left_out *l, const expr *first, const expr *second)
{
	quotient a, b;
	if (!quotient_of(&a, pool, first) || !quotient_of(&b, pool, second) || !divide_alike(&a, &b, l->with[1])
	    || !divide_alike(&b, &a, l->with[0]) || a.by != b.by || a.plus != b.plus || a.trunc != b.trunc)
		return NULL;
	linear shared = with_numbers(pool, &a.n, l->with[0]), other = with_numbers(pool, &b.n, l->with[1]);
	linear difference = linear_add(&shared, &other, -1);
	if (!shared.ok || !other.ok || !difference.ok || difference.n)
		return NULL;
	a.n = linear_add(&a.n, &b.n, 1);
	a.n = linear_add(&a.n, &shared, -1);
	return a.n.ok ? quotient_expr(pool, &a) : NULL;
}

/* ---- templates */

static const expr *generalize(expr_pool *pool, const left_out *l, const expr *a, const expr *b)
{
	if (a->op != b->op || (a->op != OP_MIN && a->op != OP_MAX))
		return generalize_quotient(pool, l, a, b);
	for (int crossed = 0; crossed < 2; crossed++) {
		const expr *x = generalize_quotient(pool, l, a->a, crossed ? b->b : b->a), *y = generalize_quotient(pool, l, a->b, crossed ? b->a : b->b);
		if (x && y)
			return expr_make(pool, a->op, x, y);
	}
	return NULL;
}

bool anti_unify(expr_template *to, expr_pool *pool, const expr_template *a, const expr_template *b)
{
	const expr *with[MAX_INDICES];
	left_out l;
	*to = *a;
	if (!add_places(to, pool, b, with))
		return false;
	const expr *second = expr_substitute(pool, b->e, with);
	if (!find_left_out(&l, to, a->e, second))
		return false;
	for (unsigned numbers = 0; numbers < 1u << l.n; numbers++) {
		set_numbers(&l, to, pool, numbers);
		to->e = generalize(pool, &l, a->e, second);
		if (!to->e)
			continue;
		to->positional[0] |= b->positional[0];
		to->positional[1] |= b->positional[1];
		return true;
	}
	return false;
}

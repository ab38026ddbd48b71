#include "template.h"

#include <string.h>

#include "condition.h"
#include "need.h"
#include "sampling.h"
#include "simplify.h"

/* ---- from an expression */

typedef struct maker {
	template *t;
	const api_calls *f;
	const api_call *form;
	anchor at;
	template_way way;
} maker;

bool reference_same(const reference *a, const reference *b)
{
	return list_is(a->list, b->list) && a->base == b->base && a->offset == b->offset && a->fold == b->fold && a->others == b->others
	       && a->each == b->each && (a->each != COPIED || list_is(a->copied, b->copied))
	       && (a->base != AT_AXIS || list_is(a->axis, b->axis));
}

static const expr *refer(maker *m, reference r)
{
	template *t = m->t;
	int k = 0;
	while (k < t->n && !reference_same(&t->refs[k], &r))
		k++;
	if (k == MAX_REFERENCES)
		return NULL;
	if (k == t->n)
		t->refs[t->n++] = r;
	return expr_sym(m->f->pool, k);
}

static reference reference_to(const maker *m, const list_place *p)
{
	reference r = {.list = p->list, .base = AT_NUMBER, .offset = (int16_t)p->at};
	int right = p->n - 1 - p->at;
	if (p->list.kind == LIST_BOUNDS)
		return r;
	bool alone = p->list.kind == LIST_ITEMS && p->n == 1;
	int way = list_is_dims(p->list.kind) ? m->way.dims : m->way.items;
	if (way == WAY_RIGHT || way == WAY_LEFT) {
		r.base = AT_INDEX;
		r.offset = (int16_t)(alone ? 0 : way == WAY_RIGHT ? m->at.right - right : p->at - m->at.left);
		if (m->way.at_axis) {
			r.base = AT_AXIS;
			r.axis = m->way.axis;
		}
	} else {
		r.offset = (int16_t)(alone ? 0 : way == WAY_NUMBER_LEFT ? p->at : -1 - right);
	}
	return r;
}

/* The fold of all items, or all but one; NULL if it is empty or not supported. */
static const expr *folded(const api_calls *f, const api_call *form, const reference *r, const call_list *x, int but)
{
	const expr *e = NULL;
	call_list y = {.n = 0};
	if (size_factor_counts(r->each))
		return but < 0 && r->fold == OP_ADD ? size_factor_count(f->pool, r->each, x->e, x->n) : NULL;
	if (r->each == COPIED)
		y = call_list_of(f, form, r->copied);
	for (int k = 0; k < x->n; k++) {
		if (k == but)
			continue;
		const expr *one = size_factor_make(f->pool, (size_factor){r->each, x->e[k], k < y.n ? y.e[k] : NULL});
		e = expr_join(f->pool, r->fold, e, one);
	}
	return e || r->fold != OP_MUL ? e : expr_const(f->pool, 1);
}

/* The first operand of a fold; *n is the number of operands. */
static const expr *first_of(const expr *e, int *n)
{
	enum op op = e->op;
	for (*n = 1; e->op == op && e->a; e = e->a)
		++*n;
	return e;
}

/* The size in the first operand, which determines the transformation of all. NULL if it copies something that is not a
 * dimension of a tensor. */
static const expr *size_of(const maker *m, const expr *e, reference *r)
{
	size_factor f = size_factor_of(e);
	if (size_factor_counts(f.each) ? r->fold != OP_ADD : r->fold != OP_MUL)
		return e;
	r->each = (uint8_t)f.each;
	if (f.each == COPIED && f.dimension->op != OP_SYM)
		return NULL;
	if (f.each == COPIED)
		r->copied = m->form->places[f.dimension->value].list;
	return f.each != COPIED || (r->copied.argument && r->copied.kind == LIST_DIMS) ? f.size : NULL;
}

/* Whether e is an output dimension, symbols and constants aside. */
static bool is_output(const api_call *form, const expr *e, list_place *to)
{
	const call *c = form->of.call;
	const expr *const *out = form->of.rule->out;
	for (int t = 0; e->a && t < c->nout; out += c->outputs[t++].rank)
		for (int k = 0; k < c->outputs[t].rank; k++)
			if (out[k] == e) {
				*to = (list_place){{LIST_OUTPUT, (int16_t)t, LIST_OUT}, k, c->outputs[t].rank};
				return true;
			}
	return false;
}

/* Whether e folds an output. */
static bool find_output_fold(const maker *m, const expr *e, reference *to)
{
	const call *c = m->form->of.call;
	if (e->op != OP_MUL && e->op != OP_ADD && e->op != OP_MIN && e->op != OP_MAX)
		return false;
	for (int t = 0; t < c->nout; t++) {
		reference r = {.base = ALL, .fold = e->op, .list = {LIST_OUTPUT, (int16_t)t, LIST_OUT}};
		call_list x = call_list_of(m->f, m->form, r.list);
		*to = r;
		if (x.there && x.n > 1 && folded(m->f, m->form, &r, &x, -1) == e)
			return true;
	}
	return false;
}

/* Whether e folds a list, or all items of a list but one. Counts are references even without way.folds. */
static bool find_fold(const maker *m, const expr *e, reference *to)
{
	int n;
	reference r = {.base = ALL, .fold = e->op};
	if (e->op != OP_MUL && e->op != OP_ADD && e->op != OP_MIN && e->op != OP_MAX)
		return false;
	const expr *first = first_of(e, &n);
	first = size_of(m, first, &r);
	if (!m->way.folds && !size_factor_counts(r.each))
		return false;
	const list_place *p = first && first->op == OP_SYM ? &m->form->places[first->value] : NULL;
	if (!p || !p->list.argument || p->at > 1 || p->list.kind == LIST_BOUNDS)
		return false;
	call_list x = call_list_of(m->f, m->form, p->list);
	r.list = p->list;
	*to = r;
	if (p->at == 0 && n == x.n && n > 1 && r.each != COPIED && folded(m->f, m->form, &r, &x, -1) == e)
		return true;
	for (int but = 0; e->op == OP_MUL && p->list.kind == LIST_ITEMS && n == x.n - 1 && but < x.n; but++)
		if (folded(m->f, m->form, &r, &x, but) == e) {
			*to = reference_to(m, &(list_place){p->list, but, x.n});
			to->others = true;
			to->fold = OP_MUL;
			to->each = r.each;
			to->copied = r.copied;
			return true;
		}
	return false;
}

static const expr *make(maker *m, const expr *e)
{
	reference r;
	if (e->op == OP_CONST)
		return expr_const(m->f->pool, e->value);
	if (e->op == OP_SYM) {
		const list_place *p = &m->form->places[e->value];
		return p->list.argument ? refer(m, reference_to(m, p)) : NULL;
	}
	list_place p;
	if (m->way.outs && is_output(m->form, e, &p))
		return refer(m, reference_to(m, &p));
	if ((m->way.outs && m->way.folds && find_output_fold(m, e, &r)) || find_fold(m, e, &r))
		return refer(m, r);
	const expr *a = make(m, e->a), *b = a ? make(m, e->b) : NULL, *c = b && e->c ? make(m, e->c) : NULL;
	if (!b || (e->c && !c))
		return NULL;
	return e->c ? expr_ite(m->f->pool, c, a, b) : expr_make(m->f->pool, e->op, a, b);
}

bool template_of(template *t, const api_calls *f, const api_call *form, const expr *e, anchor a, template_way w)
{
	maker m = {t, f, form, a, w};
	t->n = 0;
	t->e = make(&m, e);
	return t->e != NULL;
}

/* The first symbol in preorder. beside: only one in a list of several items. */
static bool find_place(const api_call *form, const expr *e, bool beside, list_place *to)
{
	if (e->op == OP_SYM) {
		*to = form->places[e->value];
		return to->list.argument && to->list.kind != LIST_BOUNDS && (!beside || to->list.kind == LIST_DIMS || to->n > 1);
	}
	return e->a
	       && (find_place(form, e->a, beside, to) || find_place(form, e->b, beside, to)
		   || (e->c && find_place(form, e->c, beside, to)));
}

bool template_output(const api_call *form, const expr *e, list_place *to)
{
	if (is_output(form, e, to))
		return true;
	return e->a && (template_output(form, e->a, to) || template_output(form, e->b, to) || (e->c && template_output(form, e->c, to)));
}

bool template_has_outputs(const template *t)
{
	for (int k = 0; k < t->n; k++)
		if (t->refs[k].list.kind == LIST_OUT)
			return true;
	return false;
}

bool template_anchor(const api_call *form, const expr *e, list_place *to)
{
	return find_place(form, e, true, to) || find_place(form, e, false, to);
}

bool template_same(const template *a, const template *b)
{
	if (a->e != b->e || a->n != b->n)
		return false;
	for (int k = 0; k < a->n; k++)
		if (!reference_same(&a->refs[k], &b->refs[k]))
			return false;
	return true;
}

/* ---- instantiation */

/* The position of a reference in a list; -1 if it is missing. Sets *unclear if i and its offset count from different ends, or
 * if the axis is not constant. */
static int position_of(const reference *r, const api_calls *f, const api_call *form, const call_list *x, int i, bool *unclear)
{
	int at = r->offset + (r->base == AT_INDEX ? i : 0);
	bool alone = x->n == 1 && r->list.kind == LIST_ITEMS;
	if (r->base == AT_INDEX && (i < 0) != (at < 0) && !alone) {
		*unclear = true;
		return -1;
	}
	if (r->base == AT_AXIS) {
		call_list axis = call_list_of(f, form, r->axis);
		*unclear = axis.n > 1 || (axis.n && axis.e[0]->op != OP_CONST);
		if (axis.n != 1 || *unclear || axis.e[0]->value < -LIST_LENGTH || axis.e[0]->value > LIST_LENGTH)
			return -1;
		at += (int)axis.e[0]->value;
	}
	if (alone)
		return 0;
	at += at < 0 ? x->n : 0;
	return at < x->n ? at : -1;
}

static const expr *resolve(const reference *r, const api_calls *f, const api_call *form, int i, bool *unclear)
{
	call_list x = call_list_of(f, form, r->list);
	if (r->base == ALL)
		return folded(f, form, r, &x, -1);
	int at = x.there ? position_of(r, f, form, &x, i, unclear) : -1;
	return at < 0 ? NULL : r->others ? folded(f, form, r, &x, at) : x.e[at];
}

const expr *template_instance(const template *t, const api_calls *f, const api_call *form, int i, bool *absent)
{
	const expr *with[MAX_REFERENCES];
	bool unclear = false, there = true;
	for (int k = 0; k < t->n; k++) {
		bool is = false;
		with[k] = resolve(&t->refs[k], f, form, i, &is);
		unclear |= is;
		there &= with[k] != NULL;
	}
	for (int k = 0; k < t->n && absent && !unclear; k++)
		absent[k] |= !with[k];
	return there ? expr_substitute(f->pool, t->e, with) : NULL;
}

/* ---- equivalence */

/* The maximum magnitude of a value over 64-bit symbols; NO_BOUND if some part may exceed 128 bits. */
typedef unsigned __int128 bound;
#define NO_BOUND ((bound)-1)
#define MOST_BOUND (NO_BOUND >> 1) /* 2^127 - 1 */

static bound larger(bound a, bound b)
{
	return a > b ? a : b;
}

static bound bound_of(const expr *e)
{
	if (e->op == OP_SYM)
		return (bound)1 << 63;
	if (e->op == OP_CONST)
		return e->value < 0 ? -(bound)e->value : (bound)e->value;
	bound a = bound_of(e->a), b = bound_of(e->b), c = e->c ? bound_of(e->c) : 0, most = larger(a, b);
	if (a == NO_BOUND || b == NO_BOUND || c == NO_BOUND)
		return NO_BOUND;
	if (e->op == OP_MUL)
		return a && b > MOST_BOUND / a ? NO_BOUND : a * b;
	if (e->op == OP_ADD || e->op == OP_SUB)
		return a > MOST_BOUND - b ? NO_BOUND : a + b;
	return larger(most, 1);
}

/* Whether no part of e can exceed 128 bits. */
static bool is_bounded(const expr *e)
{
	return bound_of(e) != NO_BOUND;
}

static bool divides_by(const expr *e, const expr *by)
{
	if (!e->a)
		return false;
	return (OPS[e->op].divides && e->b == by) || divides_by(e->a, by) || divides_by(e->b, by) || (e->c && divides_by(e->c, by));
}

/* Whether each divisor of e is a nonzero constant or also a divisor of `is`. */
static bool divides_alike(const api_calls *f, const api_call *form, const expr *e, const expr *is)
{
	if (!e->a)
		return true;
	if (OPS[e->op].divides) {
		const expr *by = simplify_expr(f->pool, &form->roles, e->b);
		if (by->op == OP_CONST ? by->value == 0 : !divides_by(is, by))
			return false;
	}
	return divides_alike(f, form, e->a, is) && divides_alike(f, form, e->b, is) && (!e->c || divides_alike(f, form, e->c, is));
}

/* The same for an instance and its simplified form. */
static bool is_same(const api_calls *f, const api_call *form, const expr *instance, const expr *tidied, const expr *is)
{
	if (instance == is)
		return true;
	if (!is_bounded(instance) || !is_bounded(is) || !divides_alike(f, form, instance, is))
		return false;
	return tidied == is || (simplify_equal(f->pool, &form->roles, tidied, is) && divides_alike(f, form, is, tidied));
}

bool template_equals(const api_calls *f, const api_call *form, const expr *instance, const expr *is)
{
	return instance == is || is_same(f, form, instance, simplify_expr(f->pool, &form->roles, instance), is);
}

int template_clause(const api_calls *f, const api_call *form, const expr *instance)
{
	const rule *r = form->of.rule;
	const expr *tidied = r->nclauses ? simplify_expr(f->pool, &form->roles, instance) : NULL;
	for (int k = 0; k < r->nclauses; k++)
		if (is_same(f, form, instance, tidied, r->clauses[k]))
			return k;
	return -1;
}

/* Whether e has a value for all values of its symbols. */
static bool is_total(const expr *e)
{
	return !e->a || (!OPS[e->op].divides && is_total(e->a) && is_total(e->b) && (!e->c || is_total(e->c)));
}

/* Tautologies: a true constant condition, x compared with itself, x%1 == 0, or an `or` that contains one. */
static bool is_true(const expr *e)
{
	if (expr_max_sym(e) < 0)
		return expr_holds(e, NULL);
	if (e->op == OP_OR)
		return is_true(e->a) || is_true(e->b);
	bool by_one = e->op == OP_EQ && e->a->op == OP_MOD && !e->a->a->a && e->a->b->op == OP_CONST && e->a->b->value == 1
		      && e->b->op == OP_CONST && e->b->value == 0;
	return by_one || expr_is_tautology(e);
}

bool template_is_implied(const api_calls *f, const api_call *form, const expr *instance)
{
	if (is_true(instance))
		return true;
	const expr *e = simplify_expr(f->pool, &form->roles, instance);
	if (!is_bounded(instance) || !is_total(instance))
		return false;
	if (is_true(e))
		return true;
	for (int k = 0; k < form->of.rule->nclauses; k++)
		if (condition_related(IMPLIES, form->of.rule->clauses[k], e))
			return true;
	return false;
}

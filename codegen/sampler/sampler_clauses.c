#include "sampler_clauses.h"

#include "condition.h"
#include "need.h"

/* ---- signs */

bool clauses_natural(const deriver *d, const linear *l, bool *strictly)
{
	*strictly = false;
	if (!l->ok)
		return false;
	for (unsigned i = 0; i < l->n; i++) {
		bool strict = true;
		if (l->term[i].times < 0)
			return false;
		for (unsigned k = 0; k < l->term[i].n; k++) {
			const expr *f = l->term[i].factor[k];
			if (f->op != OP_SYM)
				return false;
			bool symbol = f->value < (int64_t)d->nsym;
			if (symbol && !d->dimension[f->value] && !d->positive[f->value])
				return false;
			strict &= symbol && d->positive[f->value];
		}
		*strictly |= strict;
	}
	return true;
}

bool clauses_positive(const deriver *d, const linear *l)
{
	bool strictly;
	return clauses_natural(d, l, &strictly) && strictly;
}

const expr *clauses_decide(deriver *d, const expr *e)
{
	linear l, one = linear_number(1);
	bool equation, strictly;
	if (e->op == OP_OR)
		return condition_or(d->pool, clauses_decide(d, e->a), clauses_decide(d, e->b));
	if (e->op == OP_AND)
		return condition_and(d->pool, clauses_decide(d, e->a), clauses_decide(d, e->b));
	if (!condition_sides(e, &l, &equation))
		return e;
	if (equation ? l.n == 0 : clauses_natural(d, &l, &strictly))
		return NULL;
	linear minus = linear_negated(&l), below = linear_add(&minus, &one, -1);
	return clauses_natural(d, &below, &strictly) ? condition_never(d->pool) : e;
}

/* ---- the list */

/* Splits l >= 0, where l contains a minimum: it holds with either argument in its place. The same
 * applies to a negated maximum. */
static void split_sum(deriver *d, const linear *l, int eliminated)
{
	for (unsigned i = 0; i < l->n; i++) {
		const linear_term *t = &l->term[i];
		if (t->n != 1 || t->factor[0]->op != (t->times > 0 ? OP_MIN : OP_MAX))
			continue;
		for (int side = 0; side < 2; side++) {
			linear one = linear_of_term(t), whole = linear_add(l, &one, -1);
			linear part = linear_of(side ? t->factor[0]->b : t->factor[0]->a);
			whole = linear_add(&whole, &part, t->times);
			if (whole.ok)
				clauses_add(d, linear_compare(d->pool, &whole, OP_GE), eliminated);
		}
		return;
	}
}

static void split(deriver *d, const expr *e, int eliminated)
{
	linear l;
	bool equation;
	if (!condition_sides(e, &l, &equation))
		return;
	split_sum(d, &l, eliminated);
	linear minus = linear_negated(&l);
	if (equation)
		split_sum(d, &minus, eliminated);
}

/* Whether b has a symbol that a lacks. */
static bool is_without_a_symbol(deriver *d, const expr *a, const expr *b)
{
	arena_mark mark = arena_save(d->memory);
	bool *in = need(arena_zalloc(d->memory, d->total * 2 + 1), d->total), less = false;
	expr_mark_syms(a, in);
	expr_mark_syms(b, in + d->total);
	for (unsigned i = 0; i < d->total && !less; i++)
		less = in[d->total + i] && !in[i];
	arena_release(d->memory, mark);
	return less;
}

/* Cancels terms on both sides of a comparison: s8 < s0 + s4 + s8 is 0 < s0 + s4. */
static const expr *cancelled(deriver *d, const expr *e)
{
	linear l;
	bool equation;
	if (!condition_sides(e, &l, &equation))
		return e;
	const expr *new = linear_compare(d->pool, &l, equation ? OP_EQ : OP_GE);
	return is_without_a_symbol(d, new, e) ? new : e;
}

void clauses_add(deriver *d, const expr *e, int eliminated)
{
	if (e->op == OP_AND) {
		clauses_add(d, e->a, eliminated);
		clauses_add(d, e->b, eliminated);
		return;
	}
	e = cancelled(d, e);
	for (unsigned i = 0; i < d->nclauses; i++)
		if (d->clauses[i].e == e)
			return;
	if (d->nclauses == CLAUSES)
		return;
	bool *uses = need(arena_zalloc(d->memory, d->total), d->total);
	expr_mark_syms(e, uses);
	d->uses[d->nclauses] = uses;
	d->clauses[d->nclauses++] = (clause){e, eliminated};
	split(d, e, eliminated);
}

/* Adds clauses that ranges of elements are not empty. */
static void add_ranges(deriver *d)
{
	for (unsigned i = 0; i < d->op->nvalues; i++) {
		const rs_value *v = &d->op->values[i];
		unsigned low = (unsigned)v->first + v->count;
		if (v->kind == RS_RANGED)
			clauses_add(d,
			    expr_make(d->pool, OP_LT, expr_sym(d->pool, (int)low),
				expr_sym(d->pool, (int)low + 1)),
			    -1);
	}
}

/* Adds clauses that output dimensions are not negative. */
static void add_sizes(deriver *d)
{
	for (unsigned i = 0; i < d->nodim; i++) {
		const expr *e = clauses_decide(d,
		    expr_make(d->pool, OP_GE, d->op->rule.out[i], expr_const(d->pool, 0)));
		if (e)
			clauses_add(d, e, -1);
	}
}

/* Finds the symbols that a single clause makes positive. */
static void find_positive(deriver *d)
{
	for (unsigned i = 0; i < d->nclauses; i++) {
		const expr *e = d->clauses[i].e;
		if ((e->op != OP_GT && e->op != OP_GE && e->op != OP_EQ) || e->a->op != OP_SYM
		    || e->b->op != OP_CONST || e->a->value >= (int64_t)d->nsym)
			continue;
		if (e->b->value >= (e->op == OP_GT ? 0 : 1))
			d->positive[e->a->value] = true;
	}
}

void clauses_of_rule(deriver *d)
{
	d->clauses = NEED_ARRAY(d->memory, clause, CLAUSES);
	d->uses = NEED_ARRAY(d->memory, bool *, CLAUSES);
	for (int i = 0; i < d->op->rule.nclauses; i++) {
		const expr *e = clauses_decide(d, d->op->rule.clauses[i]);
		if (e)
			clauses_add(d, e, -1);
	}
	add_sizes(d);
	add_ranges(d);
	for (unsigned i = 0; d->way != SAMPLER_FORWARD && i < d->nodim; i++)
		if (d->op->rule.out[i]->op != OP_CONST)
			clauses_add(d,
			    expr_make(d->pool, OP_EQ, expr_sym(d->pool, (int)(d->nsym + i)),
				d->op->rule.out[i]),
			    -1);
	find_positive(d);
}

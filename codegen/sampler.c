#include "sampler.h"

#include <string.h>

#include "condition.h"
#include "need.h"

enum {
	WIDEST_RULE = 160,  /* symbols and output dimensions */
	CLAUSES = 640,	    /* with projections */
	BOUNDS = 24,	    /* of one symbol, when it is eliminated */
	PROJECTION = 14,    /* operations in a projection, */
	SMALL_PROJECTION = 8, /* in one of several literals, */
	LITERALS = 6,	    /* and how many these are */
	MASKS = 8,	    /* eliminations: nothing known, or one of the first tensors but the first */
	ATTRIBUTE = 0xffff, /* group of symbols that are not a tensor's */
};

typedef struct clause {
	const expr *e;
	int eliminated; /* the symbol whose elimination gave it; -1: the rule's own */
} clause;

typedef struct bound {
	const expr *e;
	bool upper;
	const expr *when[SAMPLER_CONDITIONS];
	unsigned nwhen;
} bound;

typedef struct bounds {
	bound list[BOUNDS];
	unsigned n;
} bounds;

typedef struct deriver {
	arena *memory;
	expr_pool *pool;
	const rule_op *op;
	enum sampler_way way;
	unsigned nsym, nodim, total; /* total: with outputs and lowest values */
	uint16_t *group;	     /* nsym: which input tensor, or ATTRIBUTE */
	uint16_t *place;	     /* nsym: in the order */
	bool *dimension, *positive;  /* nsym */
	unsigned *order;
	clause *clauses;
	bool **uses; /* of each clause: which symbols, total each */
	unsigned nclauses, most;
} deriver;

/* ---- the operator's structure */

static void find_groups(deriver *d)
{
	const rule_op *op = d->op;
	unsigned tensor = 0;
	for (unsigned i = 0; i < d->nsym; i++)
		d->group[i] = ATTRIBUTE;
	for (unsigned i = 0; i < op->nvalues; i++) {
		const rs_value *v = &op->values[i];
		if (!rs_is_tensor(v->kind))
			continue;
		unsigned n = v->count + (v->kind == RS_RANGED ? 2u : 0u);
		for (unsigned j = 0; j < n; j++) {
			d->group[v->first + j] = (uint16_t)tensor;
			d->dimension[v->first + j] = j < v->count;
		}
		tensor++;
	}
}

static void append_group(deriver *d, unsigned group, unsigned *n)
{
	for (unsigned i = 0; i < d->nsym; i++)
		if (d->group[i] == group) {
			d->place[i] = (uint16_t)*n;
			d->order[(*n)++] = i;
		}
}

static void find_order(deriver *d)
{
	unsigned n = 0, first = 0;
	if (d->way == SAMPLER_BACK_LAST)
		append_group(d, ATTRIBUTE, &n);
	else
		while (first < d->op->nin && n == 0)
			append_group(d, first++, &n);
	if (d->way != SAMPLER_BACK_LAST)
		append_group(d, ATTRIBUTE, &n);
	for (unsigned g = first; g < d->op->nin; g++)
		append_group(d, d->way == SAMPLER_BACK_LAST ? d->op->nin - 1 - g : g, &n);
}

/* ---- clauses */

static void add_clause(deriver *d, const expr *e, int eliminated);

/* l >= 0, where l has a minimum: so with either argument in its place; a negated maximum likewise. */
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
				add_clause(d, linear_compare(d->pool, &whole, OP_GE), eliminated);
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

/* The comparison without what stands on both sides: s8 < s0 + s4 + s8 is 0 < s0 + s4. */
static const expr *cancelled(deriver *d, const expr *e)
{
	linear l;
	bool equation;
	if (!condition_sides(e, &l, &equation))
		return e;
	const expr *new = linear_compare(d->pool, &l, equation ? OP_EQ : OP_GE);
	for (unsigned i = 0; i < d->total; i++)
		if (expr_has(e, i) && !expr_has(new, i))
			return new;
	return e;
}

static void add_clause(deriver *d, const expr *e, int eliminated)
{
	if (e->op == OP_AND) {
		add_clause(d, e->a, eliminated);
		add_clause(d, e->b, eliminated);
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

/* A range of elements is not empty. */
static void add_ranges(deriver *d)
{
	for (unsigned i = 0; i < d->op->nvalues; i++) {
		const rs_value *v = &d->op->values[i];
		unsigned low = (unsigned)v->first + v->count;
		if (v->kind == RS_RANGED)
			add_clause(d,
			    expr_make(d->pool, OP_LT, expr_sym(d->pool, (int)low),
				expr_sym(d->pool, (int)low + 1)),
			    -1);
	}
}

static const expr *decide(deriver *d, const expr *e);

/* No output has a negative dimension. */
static void add_sizes(deriver *d)
{
	for (unsigned i = 0; i < d->nodim; i++) {
		const expr *e = decide(d,
		    expr_make(d->pool, OP_GE, d->op->out[i], expr_const(d->pool, 0)));
		if (e)
			add_clause(d, e, -1);
	}
}

static void add_own(deriver *d)
{
	for (unsigned i = 0; i < d->op->nvalid; i++) {
		const expr *e = decide(d, d->op->valid[i]);
		if (e)
			add_clause(d, e, -1);
	}
	add_sizes(d);
	add_ranges(d);
	for (unsigned i = 0; d->way != SAMPLER_FORWARD && i < d->nodim; i++)
		if (d->op->out[i]->op != OP_CONST)
			add_clause(d,
			    expr_make(d->pool, OP_EQ, expr_sym(d->pool, (int)(d->nsym + i)),
				d->op->out[i]),
			    -1);
}

/* Symbols that a clause alone says to be positive. */
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

/* ---- solving for a symbol */

/* Whether a sum is at least 0 whatever the symbols; *strictly: at least 1. */
static bool is_natural(const deriver *d, const linear *l, bool *strictly)
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

static bool is_positive(const deriver *d, const linear *l)
{
	bool strictly;
	return is_natural(d, l, &strictly) && strictly;
}

static const expr *quotient(deriver *d, const linear *a, const linear *b)
{
	int64_t one;
	if (linear_is_number(b, &one) && one == 1)
		return linear_expr(d->pool, a);
	return expr_make(d->pool, OP_DIV, linear_expr(d->pool, a), linear_expr(d->pool, b));
}

/* ceil(-r / f), f positive: r + f*x >= 0 for x at least this. */
static const expr *lower_of(deriver *d, const linear *r, const linear *f)
{
	int64_t one;
	linear minus = linear_negated(r);
	if (linear_is_number(f, &one) && one == 1)
		return linear_expr(d->pool, &minus);
	return expr_make(d->pool, OP_SUB, expr_const(d->pool, 0), quotient(d, r, f));
}

typedef struct premise { /* conditions under which a bound is right */
	const expr *when[SAMPLER_CONDITIONS];
	unsigned n;
} premise;

/* Adds a condition. False when there is no room, or what is premised excludes it. */
static bool assume(premise *p, const expr *e)
{
	for (unsigned i = 0; i < p->n; i++)
		if (condition_related(EXCLUDES, p->when[i], e))
			return false;
	for (unsigned i = 0; i < p->n; i++) {
		if (condition_related(IMPLIES, p->when[i], e))
			return true;
		if (condition_related(IMPLIES, e, p->when[i])) {
			p->when[i] = e;
			return true;
		}
	}
	if (p->n == SAMPLER_CONDITIONS)
		return false;
	p->when[p->n++] = e;
	return true;
}

static void put_bound(bounds *to, const expr *e, bool upper, const premise *p)
{
	if (to->n == BOUNDS || e->size > PROJECTION)
		return;
	bound *b = &to->list[to->n++];
	*b = (bound){.e = e, .upper = upper, .nwhen = p->n};
	memcpy(b->when, p->when, p->n * sizeof *p->when);
}

static bool solve(deriver *d, const linear *l, int64_t x, premise p, bounds *to);

/* f*x + r >= 0, f of one sign (which the premise says where it is not known). */
static bool solve_sign(deriver *d, const linear *f, const linear *r, const expr *factor, int64_t x,
    bool positive, premise p, bounds *to)
{
	linear minus = linear_negated(f);
	const expr *limit = positive ? lower_of(d, r, f) : quotient(d, r, &minus);
	if (factor->op == OP_SYM) {
		put_bound(to, limit, !positive, &p);
		return limit->size <= PROJECTION;
	}
	linear bound = linear_of(limit), rest;
	if (!bound.ok)
		return false;
	if (factor->op == OP_DIV && !expr_has(factor->b, x)) {
		linear q = linear_of(factor->b), n = linear_of(factor->a), one = linear_number(1);
		if (!is_positive(d, &q)
		    && !assume(&p, linear_compare(d->pool, &q, OP_GT)))
			return false;
		if (!positive) /* n//q <= u: n <= u*q + q - 1 */
			bound = linear_add(&bound, &one, 1);
		linear product = linear_mul(&bound, &q);
		rest = positive ? linear_add(&n, &product, -1) : linear_add(&product, &n, -1);
		if (!positive)
			rest = linear_add(&rest, &one, -1);
		return rest.ok && solve(d, &rest, x, p, to);
	}
	if (factor->op != (positive ? OP_MIN : OP_MAX))
		return false;
	bool exact = true;
	const expr *parts[] = {factor->a, factor->b};
	for (int i = 0; i < 2; i++) {
		if (!expr_has(parts[i], x)) {
			exact = false; /* says something of the others: a test */
			continue;
		}
		linear part = linear_of(parts[i]);
		rest = positive ? linear_add(&part, &bound, -1) : linear_add(&bound, &part, -1);
		exact &= rest.ok && solve(d, &rest, x, p, to);
	}
	return exact;
}

/* Bounds of x that follow from l >= 0; true when together they are as strong. */
static bool solve(deriver *d, const linear *l, int64_t x, premise p, bounds *to)
{
	linear f, r;
	const expr *factor;
	int64_t number;
	if (!linear_split(l, x, &f, &factor, &r) || (!r.n && !linear_is_number(&f, &number)))
		return false; /* a product is 0: a bound would be 0//f */
	linear minus = linear_negated(&f);
	if (is_positive(d, &f) || (f.n == 1 && !f.term[0].n && f.term[0].times > 0))
		return solve_sign(d, &f, &r, factor, x, true, p, to);
	if (is_positive(d, &minus) || (f.n == 1 && !f.term[0].n))
		return solve_sign(d, &f, &r, factor, x, false, p, to);
	bool strictly;
	premise up = p, down = p;
	if (!is_natural(d, &minus, &strictly) && assume(&up, linear_compare(d->pool, &f, OP_GT)))
		solve_sign(d, &f, &r, factor, x, true, up, to);
	if (!is_natural(d, &f, &strictly) && assume(&down, linear_compare(d->pool, &f, OP_LT)))
		solve_sign(d, &f, &r, factor, x, false, down, to);
	return false;
}

static bool solve_comparison(deriver *d, const expr *e, int64_t x, premise p, bounds *to)
{
	linear l;
	bool equation;
	if (!condition_sides(e, &l, &equation))
		return false;
	bool exact = solve(d, &l, x, p, to);
	if (equation) {
		linear minus = linear_negated(&l);
		exact = solve(d, &minus, x, p, to) && exact;
	}
	return exact;
}

/* Splits a disjunction into the one literal that speaks of x and the opposites of the others. False
 * when there is no such one, or the others are too many. */
static bool single_out(deriver *d, const expr *e, int64_t x, const expr **found, premise *p)
{
	if (e->op == OP_OR)
		return single_out(d, e->a, x, found, p) && single_out(d, e->b, x, found, p);
	if (expr_has(e, x)) {
		bool first = !*found;
		*found = e;
		return first;
	}
	return op_is_comparison(e->op) && assume(p, condition_opposite(d->pool, e));
}

/* Bounds of x that follow from a clause; true when they say all of it. */
static bool solve_clause(deriver *d, const expr *e, int64_t x, bounds *to)
{
	const expr *literal = NULL;
	premise p = {.n = 0};
	return single_out(d, e, x, &literal, &p) && literal
	       && solve_comparison(d, literal, x, p, to);
}

/* ---- choices */

static const expr *replace(expr_pool *p, const expr *e, const expr *old, const expr *new)
{
	if (e == old)
		return new;
	if (e->op == OP_SYM || e->op == OP_CONST)
		return e;
	const expr *a = replace(p, e->a, old, new), *b = replace(p, e->b, old, new);
	if (e->op == OP_ITE)
		return expr_ite(p, replace(p, e->c, old, new), a, b);
	return expr_make(p, e->op, a, b);
}

/* The outermost choice (or minimum or maximum) that speaks of x; NULL: none. */
static const expr *find_choice(const expr *e, enum op op, int64_t x)
{
	if (e->op == OP_SYM || e->op == OP_CONST || !expr_has(e, x))
		return NULL;
	if (e->op == op || (op == OP_MIN && e->op == OP_MAX))
		return e;
	const expr *found = find_choice(e->a, op, x);
	return found ? found : find_choice(e->b, op, x);
}

/* ---- projections */

static const expr *disjoin(deriver *d, const expr *e, const bound *b)
{
	for (unsigned i = 0; i < b->nwhen; i++)
		e = expr_make(d->pool, OP_OR, condition_opposite(d->pool, b->when[i]), e);
	return e;
}

/* The condition without what signs decide. NULL: it always holds. */
static const expr *decide(deriver *d, const expr *e)
{
	linear l, one = linear_number(1);
	bool equation, strictly;
	if (e->op == OP_OR)
		return condition_or(d->pool, decide(d, e->a), decide(d, e->b));
	if (e->op == OP_AND)
		return condition_and(d->pool, decide(d, e->a), decide(d, e->b));
	if (!condition_sides(e, &l, &equation))
		return e;
	if (equation ? l.n == 0 : is_natural(d, &l, &strictly))
		return NULL;
	linear minus = linear_negated(&l), below = linear_add(&minus, &one, -1);
	return is_natural(d, &below, &strictly) ? condition_never(d->pool) : e;
}

static unsigned literals(const expr *e)
{
	return e->op == OP_OR || e->op == OP_AND ? literals(e->a) + literals(e->b) : 1;
}

static void add_projection(deriver *d, const expr *e, unsigned eliminated)
{
	e = decide(d, e);
	if (!e || e == condition_never(d->pool) || (literals(e) > 1 && e->size > SMALL_PROJECTION)
	    || literals(e) > LITERALS)
		return;
	if (e->size <= PROJECTION && d->nclauses < d->most)
		add_clause(d, e, (int)eliminated);
}

/* low <= high, unless it is so anyway. */
static void project_pair(deriver *d, const bound *low, const bound *high, unsigned x)
{
	linear a = linear_of(low->e), b = linear_of(high->e), l = linear_add(&b, &a, -1);
	int64_t number;
	if (!l.ok || linear_is_number(&l, &number))
		return;
	const expr *e = linear_compare(d->pool, &l, OP_GE);
	add_projection(d, disjoin(d, disjoin(d, e, low), high), x);
}

/* f*x + r == 0 has a solution where f divides r. */
static bool project_equation(deriver *d, const expr *e, unsigned x)
{
	linear l, f, r;
	bool equation;
	const expr *factor;
	int64_t number;
	if (!condition_sides(e, &l, &equation) || !equation || !linear_split(&l, x, &f, &factor, &r)
	    || factor->op != OP_SYM)
		return false;
	if (linear_is_number(&f, &number) && (number == 1 || number == -1))
		return true;
	if (f.n == 1 && f.term[0].times < 0)
		f = linear_negated(&f);
	if (r.n && r.term[0].times < 0)
		r = linear_negated(&r);
	const expr *zero = expr_const(d->pool, 0);
	add_projection(d,
	    expr_make(d->pool, OP_EQ,
		expr_make(d->pool, OP_MOD, linear_expr(d->pool, &r), linear_expr(d->pool, &f)),
		zero),
	    x);
	return true;
}

/* n % (m*x) == 0 leaves n % m == 0. */
static void project_remainder(deriver *d, const expr *e, unsigned x)
{
	if (e->op != OP_EQ || e->a->op != OP_MOD || e->b->op != OP_CONST || e->b->value != 0
	    || expr_has(e->a->a, x) || !expr_has(e->a->b, x))
		return;
	linear m = linear_of(e->a->b);
	if (!m.ok || m.n != 1)
		return;
	linear_term *t = &m.term[0];
	unsigned kept = 0;
	for (unsigned k = 0; k < t->n; k++)
		if (!expr_has(t->factor[k], x))
			t->factor[kept++] = t->factor[k];
	t->n = kept;
	if (!kept && t->times == 1)
		return;
	add_projection(d,
	    expr_make(d->pool, OP_EQ,
		expr_make(d->pool, OP_MOD, e->a->a, linear_expr(d->pool, &m)), e->b),
	    x);
}

/* Whether all other symbols of a clause have values when x is eliminated: those before it, and the
 * tensor that is taken as known. */
static bool usable(const deriver *d, unsigned clause, unsigned x, unsigned known)
{
	for (unsigned i = 0; i < d->nsym; i++)
		if (i != x && d->uses[clause][i] && d->place[i] > d->place[x]
		    && d->group[i] != known)
			return false;
	return d->uses[clause][x];
}

static const expr *without(deriver *d, const expr *e, int64_t x);

/* x*rest == 0: so is rest, unless x may be 0. */
static const expr *without_factor(deriver *d, const expr *e, int64_t x)
{
	linear l = linear_of(e->a);
	if (e->op != OP_EQ || e->b->op != OP_CONST || e->b->value != 0 || !l.ok || l.n != 1
	    || x >= (int64_t)d->nsym || !d->dimension[x])
		return NULL;
	linear_term *t = &l.term[0];
	unsigned kept = 0;
	for (unsigned k = 0; k < t->n; k++)
		if (t->factor[k]->op != OP_SYM)
			return NULL;
		else if (t->factor[k]->value != x)
			t->factor[kept++] = t->factor[k];
	t->n = kept;
	const expr *lowest = expr_sym(d->pool, (int)(d->nsym + d->nodim + x));
	const expr *empty = expr_make(d->pool, OP_LE, lowest, e->b);
	if (!kept)
		return empty;
	return expr_make(d->pool, OP_OR,
	    expr_make(d->pool, OP_EQ, linear_expr(d->pool, &l), e->b), empty);
}

/* A choice is one branch or the other, each with what leads there. */
static const expr *without_choice(deriver *d, const expr *e, const expr *choice, int64_t x)
{
	const expr *c = choice->c;
	const expr *yes = without(d, replace(d->pool, e, choice, choice->a), x);
	const expr *no = without(d, replace(d->pool, e, choice, choice->b), x);
	if (op_is_comparison(c->op)) {
		yes = condition_and(d->pool, without(d, c, x), yes);
		no = condition_and(d->pool, without(d, condition_opposite(d->pool, c), x), no);
	}
	return condition_or(d->pool, yes, no);
}

/* What is left of a condition when x may be anything: NULL when nothing is. */
static const expr *without(deriver *d, const expr *e, int64_t x)
{
	if (e->op == OP_OR)
		return condition_or(d->pool, without(d, e->a, x), without(d, e->b, x));
	if (e->op == OP_AND)
		return condition_and(d->pool, without(d, e->a, x), without(d, e->b, x));
	if (e->a == e->b && (e->op == OP_EQ || e->op == OP_LE || e->op == OP_GE))
		return NULL;
	if (e->a == e->b && op_is_comparison(e->op))
		return condition_never(d->pool);
	if (!expr_has(e, x))
		return e;
	const expr *choice = find_choice(e, OP_ITE, x);
	return choice ? without_choice(d, e, choice, x) : without_factor(d, e, x);
}

/* n//x + r >= 0, x positive: where -r >= 0 is, n is as large. */
static void project_quotient(deriver *d, const linear *l, int64_t x)
{
	linear f, r;
	const expr *quotient;
	int64_t number;
	if (!linear_split(l, x, &f, &quotient, &r) || quotient->op != OP_DIV
	    || quotient->b->op != OP_SYM || expr_has(quotient->a, x) || !linear_is_number(&f, &number)
	    || number != 1 || x >= (int64_t)d->nsym || !(d->positive[x] || d->dimension[x]))
		return;
	r = linear_negated(&r);
	linear n = linear_of(quotient->a), rest = linear_add(&n, &r, -1), one = linear_number(1);
	bool known = linear_is_number(&r, &number);
	if (!rest.ok || (known && number < 0))
		return;
	const expr *e = linear_compare(d->pool, &rest, OP_GE);
	linear below = linear_add(&r, &one, 1);
	below = linear_negated(&below);
	if (!known && !below.ok)
		return;
	if (!known)
		e = condition_or(d->pool, linear_compare(d->pool, &below, OP_GE), e);
	add_projection(d, e, (unsigned)x);
}

static void project_quotients(deriver *d, const expr *e, unsigned x)
{
	linear l;
	bool equation;
	if (condition_sides(e, &l, &equation))
		project_quotient(d, &l, x);
}

static void project_choice(deriver *d, const expr *e, unsigned x)
{
	const expr *rest = without(d, e, x);
	if (rest && rest != e)
		add_projection(d, rest, x);
}

/* x == e, e without x and with no division: what e is; NULL: the clause does not say that. */
static const expr *definition(deriver *d, const expr *e, unsigned x)
{
	linear l;
	bool equation;
	bounds b = {.n = 0};
	premise none = {.n = 0};
	if (!condition_sides(e, &l, &equation) || !equation || !solve(d, &l, x, none, &b) || b.n != 1)
		return NULL;
	for (unsigned i = 0; i < l.n; i++)
		if (l.term[i].n == 1 && l.term[i].factor[0]->op == OP_SYM
		    && l.term[i].factor[0]->value == x
		    && (l.term[i].times == 1 || l.term[i].times == -1))
			return b.list[0].e;
	return NULL;
}

/* f*x == r: x is r//f where f is positive. False: the clause does not say that. */
static bool defining_quotient(deriver *d, const expr *e, unsigned x, bound *found)
{
	bounds b = {.n = 0};
	premise none = {.n = 0};
	if (e->op != OP_EQ)
		return false;
	solve_comparison(d, e, x, none, &b);
	for (unsigned i = 0; i < b.n; i++)
		if (b.list[i].upper && b.list[i].e->op == OP_DIV) {
			*found = b.list[i];
			return true;
		}
	return false;
}

/* What the other clauses say of x they say of what x is equal to. */
static void substitute(
    deriver *d, unsigned x, unsigned from, const expr *e, const bound *under, unsigned known)
{
	for (unsigned i = 0, n = d->nclauses; i < n; i++) {
		if (i == from || !usable(d, i, x, known))
			continue;
		const expr *said =
		    replace(d->pool, d->clauses[i].e, expr_sym(d->pool, (int)x), e);
		add_projection(d, under ? disjoin(d, said, under) : said, x);
	}
}

/* One equation that defines x, rather without a division. */
static void substitute_definition(deriver *d, unsigned x, unsigned n, unsigned known)
{
	bound b;
	for (unsigned i = 0; i < n; i++) {
		const expr *e = usable(d, i, x, known) ? definition(d, d->clauses[i].e, x) : NULL;
		if (e) {
			substitute(d, x, i, e, NULL, known);
			return;
		}
	}
	for (unsigned i = 0; i < n; i++)
		if (usable(d, i, x, known) && defining_quotient(d, d->clauses[i].e, x, &b)) {
			substitute(d, x, i, b.e, &b, known);
			return;
		}
}

static void eliminate(deriver *d, unsigned x, unsigned known)
{
	bounds b = {.n = 0};
	unsigned from[BOUNDS], n = d->nclauses;
	premise none = {.n = 0};
	if (d->dimension[x]) {
		put_bound(&b, expr_sym(d->pool, (int)(d->nsym + d->nodim + x)), false, &none);
		from[0] = UINT32_MAX;
	}
	for (unsigned i = 0; i < n; i++) {
		if (!usable(d, i, x, known))
			continue;
		unsigned before = b.n;
		solve_clause(d, d->clauses[i].e, x, &b);
		project_equation(d, d->clauses[i].e, x);
		project_remainder(d, d->clauses[i].e, x);
		project_choice(d, d->clauses[i].e, x);
		project_quotients(d, d->clauses[i].e, x);
		for (unsigned k = before; k < b.n; k++)
			from[k] = i;
	}
	substitute_definition(d, x, n, known);
	for (unsigned i = 0; i < b.n; i++)
		for (unsigned k = 0; k < b.n; k++)
			if (!b.list[i].upper && b.list[k].upper && from[i] != from[k])
				project_pair(d, &b.list[i], &b.list[k], x);
}

static void project(deriver *d)
{
	unsigned masks = d->way == SAMPLER_FORWARD ? d->op->nin : 0;
	for (unsigned mask = 0, done = 0; mask <= masks && done < MASKS; mask++) {
		/* mask 0: nothing is known; else tensor number mask - 1, unless it comes first anyway */
		unsigned known = mask ? mask - 1 : ATTRIBUTE - 1;
		if (mask && d->nsym && known == d->group[d->order[0]])
			continue;
		done++;
		for (unsigned i = d->nsym; i-- > 0;)
			if (d->group[d->order[i]] != known)
				eliminate(d, d->order[i], known);
	}
}

/* ---- steps */

static bool add_need(sampler_step *s, unsigned what)
{
	for (unsigned i = 0; i < s->nneeds; i++)
		if (s->needs[i] == what)
			return true;
	if (s->nneeds == SAMPLER_NEEDS)
		return false;
	s->needs[s->nneeds++] = (uint16_t)what;
	return true;
}

/* The first symbol of a tensor stands for all: they are known together. */
static unsigned first_of(const deriver *d, unsigned group)
{
	unsigned i = 0;
	while (d->group[i] != group)
		i++;
	return i;
}

/* What must be known besides the symbols before x for a clause to bound it. False: never useful. */
static bool find_needs(const deriver *d, unsigned clause, unsigned x, sampler_step *s)
{
	const bool *uses = d->uses[clause];
	int eliminated = d->clauses[clause].eliminated;
	if (!uses[x] || (eliminated >= 0 && d->place[eliminated] <= d->place[x]))
		return false;
	for (unsigned i = 0; i < d->nsym + d->nodim; i++) {
		if (!uses[i] || i == x)
			continue;
		if (i >= d->nsym) {
			if (!add_need(s, i))
				return false;
		} else if (d->place[i] > d->place[x]) {
			if (d->way != SAMPLER_FORWARD || d->group[i] == ATTRIBUTE || d->group[i] == d->group[x]
			    || !add_need(s, first_of(d, d->group[i])))
				return false;
		}
	}
	return true;
}

typedef struct steps {
	sampler_step *list;
	unsigned n, room;
} steps;

static bool same_step(const sampler_step *a, const sampler_step *b)
{
	return a->kind == b->kind && a->e == b->e && a->nwhen == b->nwhen
	       && a->nneeds == b->nneeds
	       && memcmp(a->when, b->when, a->nwhen * sizeof *a->when) == 0
	       && memcmp(a->needs, b->needs, a->nneeds * sizeof *a->needs) == 0;
}

static void add_step(deriver *d, steps *to, sampler_step s)
{
	for (unsigned i = 0; i < to->n; i++)
		if (same_step(&to->list[i], &s))
			return;
	if (to->n == to->room) {
		sampler_step *more = NEED_ARRAY(d->memory, sampler_step, to->room * 2 + 8);
		if (to->n)
			memcpy(more, to->list, to->n * sizeof *more);
		to->list = more;
		to->room = to->room * 2 + 8;
	}
	to->list[to->n++] = s;
}

/* Values that a clause of several literals names: x == e, and x % e == 0. */
static void add_hints(deriver *d, const expr *e, int64_t x, const sampler_step *like, steps *to)
{
	sampler_step s = *like;
	linear l;
	bool equation;
	bounds b = {.n = 0};
	premise none = {.n = 0};
	s.kind = STEP_HINT;
	const expr *choice;
	if (e->op == OP_OR) {
		add_hints(d, e->a, x, like, to);
		add_hints(d, e->b, x, like, to);
	} else if (e->op == OP_EQ && e->a->op == OP_MOD && e->a->a->op == OP_SYM
		   && e->a->a->value == x && !expr_has(e->a->b, x)) {
		s.e = e->a->b;
		add_step(d, to, s);
	} else if (e->op == OP_EQ && (choice = find_choice(e, OP_ITE, x))) {
		add_hints(d, replace(d->pool, e, choice, choice->a), x, like, to);
		add_hints(d, replace(d->pool, e, choice, choice->b), x, like, to);
	} else if (e->op == OP_EQ && (choice = find_choice(e, OP_MIN, x))) {
		add_hints(d, replace(d->pool, e, choice, choice->a), x, like, to);
		add_hints(d, replace(d->pool, e, choice, choice->b), x, like, to);
	} else if (condition_sides(e, &l, &equation) && equation && solve(d, &l, x, none, &b) && b.n == 1
		   && !b.list[0].nwhen) {
		s.e = b.list[0].e;
		add_step(d, to, s);
	}
}

static void add_steps(deriver *d, unsigned clause, unsigned x, steps *to, steps *tests)
{
	sampler_step s = {.kind = STEP_TEST, .e = d->clauses[clause].e};
	bounds b = {.n = 0};
	if (!find_needs(d, clause, x, &s))
		return;
	bool exact = solve_clause(d, s.e, x, &b);
	if (!exact) {
		add_hints(d, s.e, x, &s, to);
		add_step(d, tests, s);
	}
	for (unsigned i = 0; i < b.n; i++) {
		sampler_step t = s;
		t.kind = b.list[i].upper ? STEP_HIGH : STEP_LOW;
		t.e = b.list[i].e;
		t.nwhen = (uint8_t)b.list[i].nwhen;
		memcpy(t.when, b.list[i].when, t.nwhen * sizeof *t.when);
		add_step(d, to, t);
	}
}

static void find_steps(deriver *d, unsigned x, sampler_symbol *to)
{
	steps bounds = {0}, tests = {0};
	for (unsigned i = 0; i < d->nclauses; i++)
		add_steps(d, i, x, &bounds, &tests);
	for (unsigned i = 0; i < tests.n; i++)
		add_step(d, &bounds, tests.list[i]);
	*to = (sampler_symbol){
	    .symbol = x, .dimension = d->dimension[x], .steps = bounds.list, .nsteps = bounds.n};
}

bool sampler_derive(const rule_set *rules, const rule_op *op, enum sampler_way way,
    unsigned projections, sampler *s)
{
	deriver d = {.memory = rules->memory,
	    .pool = rules->exprs,
	    .op = op,
	    .way = way,
	    .nsym = op->nsym,
	    .nodim = op->nodim,
	    .total = op->nsym * 2 + op->nodim};
	if (op->nsym + op->nodim > WIDEST_RULE)
		return false;
	d.group = NEED_ARRAY(d.memory, uint16_t, d.nsym);
	d.place = NEED_ARRAY(d.memory, uint16_t, d.nsym);
	d.order = NEED_ARRAY(d.memory, unsigned, d.nsym);
	d.dimension = need(arena_zalloc(d.memory, d.nsym + 1), d.nsym);
	d.positive = need(arena_zalloc(d.memory, d.nsym + 1), d.nsym);
	d.clauses = NEED_ARRAY(d.memory, clause, CLAUSES);
	d.uses = NEED_ARRAY(d.memory, bool *, CLAUSES);
	find_groups(&d);
	find_order(&d);
	add_own(&d);
	find_positive(&d);
	d.most = d.nclauses + projections;
	if (projections)
		project(&d);
	*s = (sampler){.nsym = d.nsym,
	    .nodim = d.nodim,
	    .order = NEED_ARRAY(d.memory, sampler_symbol, d.nsym)};
	for (unsigned i = 0; i < d.nsym; i++)
		find_steps(&d, d.order[i], &s->order[i]);
	return true;
}

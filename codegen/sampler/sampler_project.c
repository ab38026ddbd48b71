#include "sampler_project.h"

#include "condition.h"
#include "sampler_bounds.h"

enum {
	SMALL = 8,    /* operations in a projection of several literals, */
	LITERALS = 6, /* and the maximum number of literals */
	MASKS = 8,    /* eliminations: nothing known, or one of the first tensors except the first */
};

static const expr *disjoin(deriver *d, const expr *e, const bound *b)
{
	for (unsigned i = 0; i < b->nwhen; i++)
		e = expr_make(d->pool, OP_OR, condition_opposite(d->pool, b->when[i]), e);
	return e;
}

static unsigned literals(const expr *e)
{
	return e->op == OP_OR || e->op == OP_AND ? literals(e->a) + literals(e->b) : 1;
}

static void add_projection(deriver *d, const expr *e, unsigned eliminated)
{
	e = clauses_decide(d, e);
	if (!e || e == condition_never(d->pool) || (literals(e) > 1 && e->size > SMALL)
	    || literals(e) > LITERALS)
		return;
	if (e->size <= SAMPLER_OPERATIONS && d->nclauses < d->most)
		clauses_add(d, e, (int)eliminated);
}

/* Adds low <= high, unless it always holds. */
static void project_pair(deriver *d, const bound *low, const bound *high, unsigned x)
{
	linear a = linear_of(low->e), b = linear_of(high->e), l = linear_add(&b, &a, -1);
	int64_t number;
	if (!l.ok || linear_is_number(&l, &number))
		return;
	const expr *e = linear_compare(d->pool, &l, OP_GE);
	add_projection(d, disjoin(d, disjoin(d, e, low), high), x);
}

/* f*x + r == 0 has a solution if f divides r. */
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

/* n % (m*x) == 0 implies n % m == 0. */
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

/* Whether all other symbols of a clause are known when x is eliminated: those before it, and the tensor assumed to
 * be known. */
static bool usable(const deriver *d, unsigned clause, unsigned x, unsigned known)
{
	for (unsigned i = 0; i < d->nsym; i++)
		if (i != x && d->uses[clause][i] && d->place[i] > d->place[x]
		    && d->group[i] != known)
			return false;
	return d->uses[clause][x];
}

static const expr *without(deriver *d, const expr *e, int64_t x);

/* x*rest == 0 implies rest == 0, unless x may be 0. */
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

/* Replaces a choice by a disjunction of its branches, each with its condition. */
static const expr *without_choice(deriver *d, const expr *e, const expr *choice, int64_t x)
{
	const expr *c = choice->c;
	const expr *yes = without(d, expr_replace(d->pool, e, choice, choice->a), x);
	const expr *no = without(d, expr_replace(d->pool, e, choice, choice->b), x);
	if (op_is_comparison(c->op)) {
		yes = condition_and(d->pool, without(d, c, x), yes);
		no = condition_and(d->pool, without(d, condition_opposite(d->pool, c), x), no);
	}
	return condition_or(d->pool, yes, no);
}

/* The part of a condition that holds for some x; NULL: no constraint. */
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
	const expr *choice = bounds_choice(e, OP_ITE, x);
	return choice ? without_choice(d, e, choice, x) : without_factor(d, e, x);
}

/* n//x + r >= 0 with positive x: if -r >= 0, then n >= -r. */
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

/* The e of a clause x == e, without x and divisions; NULL: the clause is no such equation. */
static const expr *definition(deriver *d, const expr *e, unsigned x)
{
	linear l;
	bool equation;
	bound b;
	if (!bounds_value(d, e, x, &b) || !condition_sides(e, &l, &equation))
		return NULL;
	for (unsigned i = 0; i < l.n; i++)
		if (l.term[i].n == 1 && l.term[i].factor[0]->op == OP_SYM
		    && l.term[i].factor[0]->value == x
		    && (l.term[i].times == 1 || l.term[i].times == -1))
			return b.e;
	return NULL;
}

/* f*x == r gives x == r//f for positive f. False: the clause is no such equation. */
static bool defining_quotient(deriver *d, const expr *e, unsigned x, bound *found)
{
	bounds b = {.n = 0};
	if (e->op != OP_EQ)
		return false;
	bounds_from_clause(d, e, x, &b);
	for (unsigned i = 0; i < b.n; i++)
		if (b.list[i].upper && b.list[i].e->op == OP_DIV) {
			*found = b.list[i];
			return true;
		}
	return false;
}

/* Substitutes the definition of x in the other clauses. */
static void substitute(
    deriver *d, unsigned x, unsigned from, const expr *e, const bound *under, unsigned known)
{
	for (unsigned i = 0, n = d->nclauses; i < n; i++) {
		if (i == from || !usable(d, i, x, known))
			continue;
		const expr *said =
		    expr_replace(d->pool, d->clauses[i].e, expr_sym(d->pool, (int)x), e);
		add_projection(d, under ? disjoin(d, said, under) : said, x);
	}
}

/* Substitutes one equation that defines x, preferably without a division. */
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

/* Whether no clause can be added. */
static bool is_full(const deriver *d)
{
	return d->nclauses >= d->most;
}

static void eliminate(deriver *d, unsigned x, unsigned known)
{
	bounds b = {.n = 0};
	unsigned from[BOUNDS], n = d->nclauses;
	if (d->dimension[x]) {
		b.list[b.n++] = (bound){.e = expr_sym(d->pool, (int)(d->nsym + d->nodim + x))};
		from[0] = UINT32_MAX;
	}
	for (unsigned i = 0; i < n && !is_full(d); i++) {
		if (!usable(d, i, x, known))
			continue;
		unsigned before = b.n;
		bounds_from_clause(d, d->clauses[i].e, x, &b);
		project_equation(d, d->clauses[i].e, x);
		project_remainder(d, d->clauses[i].e, x);
		project_choice(d, d->clauses[i].e, x);
		project_quotients(d, d->clauses[i].e, x);
		for (unsigned k = before; k < b.n; k++)
			from[k] = i;
	}
	if (!is_full(d))
		substitute_definition(d, x, n, known);
	for (unsigned i = 0; i < b.n && !is_full(d); i++)
		for (unsigned k = 0; k < b.n; k++)
			if (!b.list[i].upper && b.list[k].upper && from[i] != from[k])
				project_pair(d, &b.list[i], &b.list[k], x);
}

bool project_clauses(deriver *d, unsigned most)
{
	d->most = d->nclauses + most < CLAUSES ? d->nclauses + most : CLAUSES;
	unsigned masks = sampler_is_forward(d->way) ? d->op->nin : 0;
	for (unsigned mask = 0, done = 0; mask <= masks && done < MASKS && !is_full(d); mask++) {
		/* mask 0: nothing is known; otherwise tensor mask - 1 is, unless it is first anyway */
		unsigned known = mask ? mask - 1 : SAMPLER_ATTRIBUTE - 1;
		if (mask && d->nsym && known == d->group[d->order[0]])
			continue;
		done++;
		for (unsigned i = d->nsym; i-- > 0;)
			if (d->group[d->order[i]] != known)
				eliminate(d, d->order[i], known);
	}
	return !is_full(d);
}

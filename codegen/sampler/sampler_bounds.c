#include "sampler_bounds.h"

#include <string.h>

#include "condition.h"

typedef struct premise { /* conditions under which a bound is right */
	const expr *when[SAMPLER_CONDITIONS];
	unsigned n;
} premise;

static const expr *quotient(deriver *d, const linear *a, const linear *b)
{
	int64_t one;
	if (linear_is_number(b, &one) && one == 1)
		return linear_expr(d->pool, a);
	return expr_make(d->pool, OP_DIV, linear_expr(d->pool, a), linear_expr(d->pool, b));
}

/* ceil(-r / f) for positive f: the least x with r + f*x >= 0. */
static const expr *lower_of(deriver *d, const linear *r, const linear *f)
{
	int64_t one;
	linear minus = linear_negated(r);
	if (linear_is_number(f, &one) && one == 1)
		return linear_expr(d->pool, &minus);
	return expr_make(d->pool, OP_SUB, expr_const(d->pool, 0), quotient(d, r, f));
}

/* Adds a condition. False if there is no room, or the premise excludes it. */
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
	if (to->n == BOUNDS || e->size > SAMPLER_OPERATIONS)
		return;
	bound *b = &to->list[to->n++];
	*b = (bound){.e = e, .upper = upper, .nwhen = p->n};
	memcpy(b->when, p->when, p->n * sizeof *p->when);
}

static bool solve(deriver *d, const linear *l, int64_t x, premise p, bounds *to);

/* Solves f*x + r >= 0, where f has one sign (if that is not known, it becomes a premise). */
static bool solve_sign(deriver *d, const linear *f, const linear *r, const expr *factor, int64_t x,
    bool positive, premise p, bounds *to)
{
	linear minus = linear_negated(f);
	const expr *limit = positive ? lower_of(d, r, f) : quotient(d, r, &minus);
	if (factor->op == OP_SYM) {
		put_bound(to, limit, !positive, &p);
		return limit->size <= SAMPLER_OPERATIONS;
	}
	linear bound = linear_of(limit), rest;
	if (!bound.ok)
		return false;
	if (factor->op == OP_DIV && !expr_has(factor->b, x)) {
		linear q = linear_of(factor->b), n = linear_of(factor->a), one = linear_number(1);
		if (!clauses_positive(d, &q)
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
			exact = false; /* constrains other symbols: needs a test */
			continue;
		}
		linear part = linear_of(parts[i]);
		rest = positive ? linear_add(&part, &bound, -1) : linear_add(&bound, &part, -1);
		exact &= rest.ok && solve(d, &rest, x, p, to);
	}
	return exact;
}

/* Adds the bounds of x that follow from l >= 0; true if together they are equivalent to it. */
static bool solve(deriver *d, const linear *l, int64_t x, premise p, bounds *to)
{
	linear f, r;
	const expr *factor;
	int64_t number;
	if (!linear_split(l, x, &f, &factor, &r) || (!r.n && !linear_is_number(&f, &number)))
		return false; /* a product is 0: a bound would be 0//f */
	linear minus = linear_negated(&f);
	if (clauses_positive(d, &f) || (f.n == 1 && !f.term[0].n && f.term[0].times > 0))
		return solve_sign(d, &f, &r, factor, x, true, p, to);
	if (clauses_positive(d, &minus) || (f.n == 1 && !f.term[0].n))
		return solve_sign(d, &f, &r, factor, x, false, p, to);
	bool strictly;
	premise up = p, down = p;
	if (!clauses_natural(d, &minus, &strictly) && assume(&up, linear_compare(d->pool, &f, OP_GT)))
		solve_sign(d, &f, &r, factor, x, true, up, to);
	if (!clauses_natural(d, &f, &strictly) && assume(&down, linear_compare(d->pool, &f, OP_LT)))
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

/* Splits a disjunction into the single literal with x and the negations of the others. False if there is no such
 * literal, or too many others. */
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

bool bounds_from_clause(deriver *d, const expr *e, int64_t x, bounds *to)
{
	const expr *literal = NULL;
	premise p = {.n = 0};
	return single_out(d, e, x, &literal, &p) && literal
	       && solve_comparison(d, literal, x, p, to);
}

bool bounds_value(deriver *d, const expr *e, int64_t x, bound *found)
{
	linear l;
	bool equation;
	bounds b = {.n = 0};
	premise none = {.n = 0};
	if (!condition_sides(e, &l, &equation) || !equation || !solve(d, &l, x, none, &b) || b.n != 1)
		return false;
	*found = b.list[0];
	return true;
}

const expr *bounds_choice(const expr *e, enum op op, int64_t x)
{
	if (e->op == OP_SYM || e->op == OP_CONST || !expr_has(e, x))
		return NULL;
	if (e->op == op || (op == OP_MIN && e->op == OP_MAX))
		return e;
	const expr *found = bounds_choice(e->a, op, x);
	return found ? found : bounds_choice(e->b, op, x);
}

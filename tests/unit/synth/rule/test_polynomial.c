/* Sums of monomials have the values of the expressions that they were made of; equal polynomials have one
 * form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "expr.h"
#include "polynomial.h"
#include "rng.h"

enum { NSYM = 4, ROUNDS = 3000, POINTS = 12 };

#define MOST ((int64_t)1 << 62) /* of a monomial's coefficient */

static const expr *draw(expr_pool *p, rng *r, int depth)
{
	static const enum op OPS_DRAWN[] = {OP_ADD, OP_SUB, OP_MUL, OP_ADD, OP_SUB, OP_DIV, OP_MOD, OP_MIN, OP_MAX};
	if (!depth || rng_range(r, 0, 5) == 0)
		return rng_range(r, 0, 2) ? expr_sym(p, (int)rng_range(r, 0, NSYM - 1)) : expr_const(p, rng_range(r, -3, 3));
	enum op op = OPS_DRAWN[rng_range(r, 0, 8)];
	const expr *a = draw(p, r, depth - 1), *b = draw(p, r, depth - 1);
	if (rng_range(r, 0, 15) == 0)
		return expr_ite(p, expr_make(p, OP_LE, a, b), b, draw(p, r, depth - 1));
	return expr_make(p, op, a, b);
}

static void draw_point(rng *r, int64_t *s)
{
	for (int i = 0; i < NSYM; i++)
		s[i] = rng_range(r, -6, 9);
}

/* False if a factor has no value. */
static bool value_of(const linear *l, const int64_t *s, wide *sum)
{
	*sum = 0;
	for (unsigned i = 0; i < l->n; i++) {
		wide product = l->term[i].times, v;
		for (unsigned k = 0; k < l->term[i].n; k++) {
			if (!expr_eval(l->term[i].factor[k], s, &v))
				return false;
			product *= v;
		}
		*sum += product;
	}
	return true;
}

/* Asserts equality wherever both have a value; returns how often they had. */
static int are_equal_at(rng *r, const linear *l, const linear *m, const expr *e)
{
	int n = 0;
	for (int k = 0; k < POINTS; k++) {
		int64_t s[NSYM];
		wide a, b;
		draw_point(r, s);
		if (!value_of(l, s, &a) || !(e ? expr_eval(e, s, &b) : value_of(m, s, &b)))
			continue;
		assert_true(a == b);
		n++;
	}
	return n;
}

static bool same_factors(const linear_term *a, const linear_term *b)
{
	return a->n == b->n && memcmp(a->factor, b->factor, sizeof *a->factor * a->n) == 0;
}

/* No coefficient is 0, no two terms have the same factors; factors are ordered and are no sums or products. */
static void is_in_form(const linear *l)
{
	assert_true(l->n <= LINEAR_TERMS);
	for (unsigned i = 0; i < l->n; i++) {
		const linear_term *t = &l->term[i];
		assert_true(t->times && t->times <= MOST && t->times >= -MOST && t->n <= LINEAR_FACTORS);
		for (unsigned j = 0; j < i; j++)
			assert_false(same_factors(t, &l->term[j]));
		for (unsigned k = 0; k < t->n; k++) {
			enum op op = t->factor[k]->op;
			assert_true(op != OP_ADD && op != OP_SUB && op != OP_MUL && op != OP_CONST);
			assert_true(!k || expr_compare(t->factor[k - 1], t->factor[k]) <= 0);
		}
	}
}

static bool have_same_terms(const linear *l, const linear *m)
{
	unsigned found = 0;
	for (unsigned i = 0; i < l->n; i++)
		for (unsigned k = 0; k < m->n; k++)
			found += l->term[i].times == m->term[k].times && same_factors(&l->term[i], &m->term[k]);
	return l->n == m->n && found == l->n;
}

static bool subtracts(const expr *e)
{
	return e->op == OP_SUB || ((e->op == OP_ADD || e->op == OP_MUL) && (subtracts(e->a) || subtracts(e->b)));
}

/* A sum survives the round trip through an expression; reversing its terms gives the same expression. */
static void is_written(expr_pool *p, rng *r, const linear *l)
{
	linear turned = linear_number(0);
	const expr *e = linear_expr(p, l);
	linear again = linear_of(e);
	assert_true(again.ok && have_same_terms(l, &again));
	are_equal_at(r, l, NULL, e);
	for (unsigned i = l->n; i-- > 0;) {
		linear one = linear_of_term(&l->term[i]);
		turned = linear_add(&turned, &one, 1);
	}
	assert_ptr_equal(linear_expr(p, &turned), e);
	static const enum op COMPARED[] = {OP_GE, OP_EQ};
	for (int k = 0; k < 2; k++) {
		const expr *c = linear_compare(p, l, COMPARED[k]);
		assert_ptr_equal(linear_compare(p, &turned, COMPARED[k]), c);
		assert_false(subtracts(c->a) || subtracts(c->b));
		for (int n = 0; n < POINTS; n++) {
			int64_t s[NSYM];
			wide v;
			draw_point(r, s);
			if (value_of(l, s, &v))
				assert_int_equal(expr_holds(c, s), k ? v == 0 : v >= 0);
		}
	}
}

static bool mentions(const expr *e, int64_t x)
{
	const expr *parts[] = {e->a, e->b, e->c};
	bool found = e->op == OP_SYM && e->value == x;
	for (int i = 0; i < 3; i++)
		found |= parts[i] && mentions(parts[i], x);
	return found;
}

/* f*factor + r: only the factor contains x, or no such split exists. */
static bool is_split(rng *r, const linear *l, int64_t x)
{
	linear f, rest;
	const expr *factor, *only = NULL;
	bool can = true;
	for (unsigned i = 0; i < l->n; i++) {
		int speaking = 0;
		for (unsigned k = 0; k < l->term[i].n; k++)
			if (mentions(l->term[i].factor[k], x)) {
				speaking++;
				can &= !only || only == l->term[i].factor[k];
				only = l->term[i].factor[k];
			}
		can &= speaking < 2;
	}
	bool is = linear_split(l, x, &f, &factor, &rest);
	assert_int_equal(is, can && only);
	if (!is)
		return false;
	assert_ptr_equal(factor, only);
	is_in_form(&f);
	is_in_form(&rest);
	linear one = linear_of_term(&(linear_term){.times = 1, .n = 1, .factor = {factor}}), product = linear_mul(&f, &one);
	linear sum = linear_add(&product, &rest, 1);
	assert_true(have_same_terms(&sum, l));
	for (unsigned i = 0; i < f.n; i++)
		for (unsigned k = 0; k < f.term[i].n; k++)
			assert_false(mentions(f.term[i].factor[k], x));
	return are_equal_at(r, &sum, l, NULL) >= 0;
}

static void sums_preserve_values(void **state)
{
	(void)state;
	rng r = rng_seed(3);
	int read = 0, compared = 0, split = 0;
	for (int round = 0; round < ROUNDS; round++) {
		expr_pool *p = expr_pool_new();
		const expr *a = draw(p, &r, 4), *b = draw(p, &r, 3);
		linear l = linear_of(a), m = linear_of(b);
		if (l.ok && m.ok) {
			int64_t times = rng_range(&r, -4, 4);
			is_in_form(&l);
			compared += are_equal_at(&r, &l, NULL, a);
			linear sum = linear_add(&l, &m, times), negated = linear_negated(&l), none = linear_add(&negated, &l, 1), product = linear_mul(&l, &m);
			if (sum.ok)
				is_in_form(&sum);
			const expr *scaled = expr_make(p, OP_MUL, expr_const(p, times), b);
			if (sum.ok)
				are_equal_at(&r, &sum, NULL, expr_make(p, OP_ADD, a, scaled));
			assert_true(none.ok && none.n == 0);
			if (product.ok) {
				is_in_form(&product);
				are_equal_at(&r, &product, NULL, expr_make(p, OP_MUL, a, b));
			}
			int64_t number = 0;
			bool is_number = linear_is_number(&l, &number);
			assert_int_equal(is_number, !l.n || (l.n == 1 && !l.term[0].n));
			if (is_number)
				assert_int_equal(number, l.n ? l.term[0].times : 0);
			is_written(p, &r, &l);
			for (int x = 0; x <= NSYM; x++)
				assert_int_equal(expr_has(a, x), mentions(a, x));
			for (int x = 0; x < NSYM; x++)
				split += is_split(&r, &l, x);
			read++;
		}
		expr_pool_free(p);
	}
	assert_true(read > ROUNDS / 2 && compared > ROUNDS && split > 100);
}

/* The sum of n symbols; the product of n. */
static linear many(expr_pool *p, enum op op, int n)
{
	const expr *e = expr_sym(p, 0);
	for (int i = 1; i < n; i++)
		e = expr_make(p, op, e, expr_sym(p, i));
	return linear_of(e);
}

static void too_large_sums_fail(void **state)
{
	(void)state;
	expr_pool *p = expr_pool_new();
	assert_true(linear_number(MOST).ok && linear_number(-MOST).ok);
	assert_false(linear_number(MOST + 1).ok || linear_number(-MOST - 1).ok);
	linear most = linear_number(MOST), least = linear_number(-MOST), one = linear_number(1), two = linear_number(2), half = linear_number(MOST / 2);
	assert_true(linear_add(&most, &one, -1).ok && linear_add(&least, &most, 1).ok && linear_add(&half, &half, 1).ok);
	assert_false(linear_add(&most, &one, 1).ok || linear_add(&least, &one, -1).ok || linear_add(&half, &half, 2).ok);
	assert_false(linear_add(&one, &most, 2).ok || linear_add(&one, &most, INT64_MAX).ok);
	assert_true(linear_mul(&half, &two).ok && linear_negated(&least).ok);
	assert_false(linear_mul(&most, &two).ok || linear_mul(&most, &most).ok);
	assert_true(many(p, OP_ADD, LINEAR_TERMS).ok && many(p, OP_MUL, LINEAR_FACTORS).ok);
	assert_false(many(p, OP_ADD, LINEAR_TERMS + 1).ok || many(p, OP_MUL, LINEAR_FACTORS + 1).ok);
	linear bad = many(p, OP_ADD, LINEAR_TERMS + 1), f, rest;
	const expr *factor;
	int64_t number;
	assert_false(linear_add(&bad, &one, 1).ok || linear_add(&one, &bad, 1).ok || linear_mul(&bad, &one).ok || linear_mul(&one, &bad).ok);
	assert_false(linear_negated(&bad).ok || linear_split(&bad, 0, &f, &factor, &rest) || linear_is_number(&bad, &number));
	linear full = many(p, OP_ADD, LINEAR_TERMS), fresh = linear_of(expr_sym(p, LINEAR_TERMS));
	assert_true(linear_add(&full, &fresh, 0).ok); /* adding zero times it needs no room */
	assert_true(linear_add(&full, &full, -1).ok);
	expr_pool_free(p);
}

static bool same_sums(expr_pool *p, const char *a, const char *b)
{
	diag d;
	const expr *x = expr_parse(p, a, 4, "a", 1, &d), *y = expr_parse(p, b, 4, "b", 1, &d);
	assert_true(x && y);
	return expr_as_sums(p, x) == expr_as_sums(p, y);
}

static void inner_sums_are_ordered(void **state)
{
	(void)state;
	expr_pool *p = expr_pool_new();
	assert_true(same_sums(p, "s0 - 1 + 1", "s0"));
	assert_true(same_sums(p, "s1 + s0*s2", "s2*s0 + s1"));
	assert_true(same_sums(p, "(s0 + 1 - s1 - 1)//s2 + 1", "1 + (s0 - s1)//s2"));
	assert_true(same_sums(p, "min(s0 + s1, s2 - 1) > 0", "min(s1 + s0, s2 - 2 + 1) > 0"));
	assert_true(same_sums(p, "s0 + s1 if s2 + 0 > 0 else 1", "s1 + s0 if s2 > 0 else 1"));
	assert_false(same_sums(p, "(s0 - 1)//s2 + 1", "s0//s2"));
	assert_false(same_sums(p, "s0*s1", "s0*s2"));
	assert_false(same_sums(p, "min(s0, s1)", "max(s0, s1)"));
	expr_pool_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sums_preserve_values),
	    cmocka_unit_test(too_large_sums_fail),
	    cmocka_unit_test(inner_sums_are_ordered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

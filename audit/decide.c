#include "decide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <z3.h>

#include "memory.h"

/* Terms as Z3 expressions, each translated once. In the first attempt a product is an unknown number with
 * a range, which is sound for NONE. In the second it is a product. */
typedef struct translation {
	Z3_context c;
	Z3_solver solver;
	bool products;
	const term **from;
	Z3_ast *to;
	unsigned n, room;
} translation;

static Z3_ast formula(translation *x, const term *f);
static Z3_ast sum(translation *x, const term *t);

static Z3_sort integer(translation *x)
{
	return Z3_mk_int_sort(x->c);
}

static Z3_ast numeral(translation *x, int128 value)
{
	char text[48], *p = text + sizeof text;
	unsigned __int128 u = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
	*--p = 0;
	do
		*--p = (char)('0' + (int)(u % 10));
	while (u /= 10);
	if (value < 0)
		*--p = '-';
	return Z3_mk_numeral(x->c, p, integer(x));
}

static void claim(translation *x, Z3_ast f)
{
	Z3_solver_assert(x->c, x->solver, f);
}

static Z3_ast fresh(translation *x, const term *t)
{
	char name[32];
	snprintf(name, sizeof name, t->kind == TERM_SYM ? "s%u" : "x%u", t->kind == TERM_SYM ? (unsigned)t->number : t->id);
	Z3_ast a = Z3_mk_const(x->c, Z3_mk_string_symbol(x->c, name), integer(x));
	if (!t->lies.under)
		claim(x, Z3_mk_ge(x->c, a, numeral(x, t->lies.low)));
	if (!t->lies.over)
		claim(x, Z3_mk_le(x->c, a, numeral(x, t->lies.high)));
	return a;
}

static Z3_ast both(translation *x, Z3_ast a, Z3_ast b)
{
	return Z3_mk_and(x->c, 2, (Z3_ast[]){a, b});
}

static Z3_ast times(translation *x, Z3_ast a, Z3_ast b)
{
	return Z3_mk_mul(x->c, 2, (Z3_ast[]){a, b});
}

static Z3_ast plus(translation *x, Z3_ast a, Z3_ast b)
{
	return Z3_mk_add(x->c, 2, (Z3_ast[]){a, b});
}

/* q and r with n = d*q + r under C's division: r has the sign of n, and |r| < |d| if d is not 0. Both are
 * functions of n and d, so that equal divisions share one quotient. */
static void divided_by_c(translation *x, Z3_ast n, Z3_ast d, Z3_ast *q, Z3_ast *r)
{
	Z3_sort two[] = {integer(x), integer(x)};
	Z3_ast of[] = {n, d}, zero = numeral(x, 0);
	*q = Z3_mk_app(x->c, Z3_mk_func_decl(x->c, Z3_mk_string_symbol(x->c, "q"), 2, two, integer(x)), 2, of);
	*r = Z3_mk_app(x->c, Z3_mk_func_decl(x->c, Z3_mk_string_symbol(x->c, "r"), 2, two, integer(x)), 2, of);
	Z3_ast size = Z3_mk_ite(x->c, Z3_mk_ge(x->c, d, zero), d, Z3_mk_unary_minus(x->c, d));
	Z3_ast above = both(x, Z3_mk_le(x->c, zero, *r), Z3_mk_lt(x->c, *r, size));
	Z3_ast below = both(x, Z3_mk_le(x->c, *r, zero), Z3_mk_gt(x->c, *r, Z3_mk_unary_minus(x->c, size)));
	Z3_ast is = Z3_mk_eq(x->c, n, plus(x, times(x, d, *q), *r));
	claim(x, Z3_mk_implies(x->c, Z3_mk_not(x->c, Z3_mk_eq(x->c, d, zero)),
	    both(x, is, Z3_mk_ite(x->c, Z3_mk_ge(x->c, n, zero), above, below))));
}

/* Floor division from C's. If r is not 0 and has another sign than d, q is one less and r is d more: n = d*(q -
 * 1) + (r + d), and r + d lies between 0 and d. So the products on both sides cancel. */
static Z3_ast divided(translation *x, const term *t)
{
	int128 constant;
	if (!x->products && !term_constant(t->kid[1], &constant))
		return fresh(x, t);
	Z3_ast n = sum(x, t->kid[0]), d = sum(x, t->kid[1]), zero = numeral(x, 0), q, r;
	bool floors = t->kind == TERM_DIV || t->kind == TERM_MOD, quotient = t->kind == TERM_DIV || t->kind == TERM_QUOT;
	divided_by_c(x, n, d, &q, &r);
	if (!floors)
		return quotient ? q : r;
	Z3_ast other = Z3_mk_not(x->c, Z3_mk_iff(x->c, Z3_mk_lt(x->c, r, zero), Z3_mk_lt(x->c, d, zero)));
	Z3_ast moves = both(x, Z3_mk_not(x->c, Z3_mk_eq(x->c, r, zero)), other);
	return Z3_mk_ite(x->c, moves, quotient ? plus(x, q, numeral(x, -1)) : plus(x, r, d), quotient ? q : r);
}

static Z3_ast atom(translation *x, const term *t)
{
	Z3_ast a, b;
	switch (t->kind) {
	case TERM_DIV: case TERM_MOD: case TERM_QUOT: case TERM_REM:
		return divided(x, t);
	case TERM_MIN: case TERM_MAX:
		a = sum(x, t->kid[0]);
		b = sum(x, t->kid[1]);
		return Z3_mk_ite(x->c, t->kind == TERM_MIN ? Z3_mk_le(x->c, a, b) : Z3_mk_ge(x->c, a, b), a, b);
	case TERM_CHOICE:
		return Z3_mk_ite(x->c, formula(x, t->kid[0]), sum(x, t->kid[1]), sum(x, t->kid[2]));
	case TERM_NARROW:
		a = sum(x, t->kid[0]);
		b = fresh(x, t);
		claim(x, Z3_mk_implies(x->c, both(x, Z3_mk_le(x->c, numeral(x, INT64_MIN), a), Z3_mk_le(x->c, a, numeral(x, INT64_MAX))),
		    Z3_mk_eq(x->c, a, b)));
		return b;
	default:
		return fresh(x, t);
	}
}

static Z3_ast seen(const translation *x, const term *t)
{
	for (unsigned i = 0; i < x->n; i++)
		if (x->from[i] == t)
			return x->to[i];
	return NULL;
}

static Z3_ast keep(translation *x, const term *t, Z3_ast a)
{
	if (x->n == x->room) {
		x->room = x->room ? 2 * x->room : 64;
		x->from = memory_grow(x->from, x->room, sizeof *x->from);
		x->to = memory_grow(x->to, x->room, sizeof *x->to);
	}
	x->from[x->n] = t;
	return x->to[x->n++] = a;
}

static Z3_ast monomial(translation *x, const term *m)
{
	Z3_ast a = seen(x, m);
	if (a)
		return a;
	if (m->n > 1 && !x->products)
		return keep(x, m, fresh(x, m));
	a = numeral(x, 1);
	for (unsigned i = 0; i < m->n; i++) {
		Z3_ast b = seen(x, m->kid[i]);
		b = b ? b : keep(x, m->kid[i], atom(x, m->kid[i]));
		a = i ? times(x, a, b) : b;
	}
	return keep(x, m, a);
}

static Z3_ast sum(translation *x, const term *t)
{
	Z3_ast a = seen(x, t);
	if (a)
		return a;
	a = numeral(x, t->number);
	for (unsigned i = 0; i < t->n; i++)
		a = plus(x, a, times(x, numeral(x, t->factor[i]), monomial(x, t->kid[i])));
	return keep(x, t, a);
}

static Z3_ast fits(translation *x, const term *t)
{
	Z3_ast a = sum(x, t);
	return both(x, Z3_mk_le(x->c, numeral(x, INT128_MIN), a), Z3_mk_le(x->c, a, numeral(x, INT128_MAX)));
}

static Z3_ast formula(translation *x, const term *f)
{
	Z3_ast zero = numeral(x, 0), *kid, r;
	switch (f->kind) {
	case TERM_TRUE: return Z3_mk_true(x->c);
	case TERM_FALSE: return Z3_mk_false(x->c);
	case TERM_LE: return Z3_mk_le(x->c, sum(x, f->kid[0]), zero);
	case TERM_EQ: return Z3_mk_eq(x->c, sum(x, f->kid[0]), zero);
	case TERM_NE: return Z3_mk_not(x->c, Z3_mk_eq(x->c, sum(x, f->kid[0]), zero));
	case TERM_FITS: return fits(x, f->kid[0]);
	case TERM_LEAVES: return Z3_mk_not(x->c, fits(x, f->kid[0]));
	default: break;
	}
	kid = memory_new(f->n, sizeof *kid);
	for (unsigned i = 0; i < f->n; i++)
		kid[i] = formula(x, f->kid[i]);
	r = f->kind == TERM_AND ? Z3_mk_and(x->c, f->n, kid) : Z3_mk_or(x->c, f->n, kid);
	free(kid);
	return r;
}

/* Whether the model's symbols satisfy f. */
static bool read_model(translation *x, const term *f, unsigned nsym, int64_t *s)
{
	Z3_model m = Z3_solver_get_model(x->c, x->solver);
	if (!m || !s)
		return false;
	Z3_model_inc_ref(x->c, m);
	for (unsigned i = 0; i < nsym; i++) {
		char name[16];
		Z3_ast value;
		snprintf(name, sizeof name, "s%u", i);
		Z3_ast a = Z3_mk_const(x->c, Z3_mk_string_symbol(x->c, name), integer(x));
		s[i] = 0;
		if (Z3_model_eval(x->c, m, a, true, &value))
			Z3_get_numeral_int64(x->c, value, &s[i]);
	}
	Z3_model_dec_ref(x->c, m);
	return term_holds(f, s);
}

static enum decision attempt(const term *f, unsigned nsym, int64_t *s, bool products)
{
	Z3_config config = Z3_mk_config();
	Z3_set_param_value(config, "rlimit", products ? "4000000" : "1000000"); /* in steps, so that results do not depend on the machine */
	Z3_set_param_value(config, "timeout", "20000"); /* milliseconds; on some products Z3 does not count steps */
	translation x = {.c = Z3_mk_context(config), .products = products};
	Z3_del_config(config);
	x.solver = Z3_mk_solver(x.c);
	Z3_solver_inc_ref(x.c, x.solver);
	claim(&x, formula(&x, f));
	Z3_lbool r = Z3_solver_check(x.c, x.solver);
	enum decision d = r == Z3_L_FALSE ? DECIDED_NONE : DECIDED_UNKNOWN;
	if (r == Z3_L_TRUE && read_model(&x, f, nsym, s))
		d = DECIDED_SOME;
	Z3_solver_dec_ref(x.c, x.solver);
	Z3_del_context(x.c);
	free(x.from);
	free(x.to);
	return d;
}

enum decision decide(term *f, unsigned nsym, int64_t *s)
{
	if (f->kind == TERM_FALSE)
		return DECIDED_NONE;
	enum decision d = attempt(f, nsym, s, false);
	return d == DECIDED_UNKNOWN ? attempt(f, nsym, s, true) : d;
}

bool decide_none(term *f)
{
	return decide(f, 0, NULL) == DECIDED_NONE;
}

#include "term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "memory.h"

enum { BUCKETS = 1 << 18, MOST = 4096 };

jmp_buf terms_escape;
const char *terms_trouble;

static term *buckets[BUCKETS]; /* the audit's processes share nothing */
static unsigned made;

_Noreturn void terms_give_up(const char *message)
{
	terms_trouble = message;
	longjmp(terms_escape, 1);
}

static void *take(size_t size)
{
	static char *block;
	static size_t left;
	size = (size + 15) & ~(size_t)15;
	if (size > left) {
		left = size > 1 << 20 ? size : 1 << 20;
		block = memory_new(left, 1);
	}
	void *p = block;
	block += size;
	left -= size;
	return p;
}

/* ---- ranges */

range range_of(int128 low, int128 high)
{
	return (range){low, high, false, false};
}

static range saturated(range r)
{
	if (r.under)
		r.low = INT128_MIN;
	if (r.over)
		r.high = INT128_MAX;
	return r;
}

range range_add(range a, range b)
{
	range r = {.under = a.under || b.under, .over = a.over || b.over};
	r.under |= __builtin_add_overflow(a.low, b.low, &r.low);
	r.over |= __builtin_add_overflow(a.high, b.high, &r.high);
	if (!r.under && a.low > 0 && b.low > 0 && r.low < 0)
		r.under = true;
	return saturated(r);
}

range range_mul(range a, range b)
{
	range r = {.low = INT128_MAX, .high = INT128_MIN};
	bool wild = a.under || a.over || b.under || b.over;
	int128 left[] = {a.low, a.high}, right[] = {b.low, b.high};
	for (int i = 0; i < 4; i++) {
		int128 x = left[i / 2], y = right[i % 2], p;
		if (__builtin_mul_overflow(x, y, &p)) {
			bool negative = (x < 0) != (y < 0);
			r.under |= negative;
			r.over |= !negative;
		} else {
			r.low = p < r.low ? p : r.low;
			r.high = p > r.high ? p : r.high;
		}
	}
	if (wild) { /* unbounded: only signs are known */
		r.under |= a.low < 0 || b.low < 0;
		r.over = true;
	}
	if (r.low > r.high) /* all corners left 128 bits */
		r.under = r.over = true;
	return saturated(r);
}

range range_negate(range r)
{
	range n = {.under = r.over, .over = r.under || r.low == INT128_MIN};
	n.low = n.under ? INT128_MIN : -r.high;
	n.high = n.over ? INT128_MAX : -r.low;
	return n;
}

range range_meet(range a, range b)
{
	range r = {.low = a.low > b.low ? a.low : b.low, .high = a.high < b.high ? a.high : b.high};
	r.under = a.under && b.under;
	r.over = a.over && b.over;
	return r;
}

range range_join(range a, range b)
{
	range r = {.low = a.low < b.low ? a.low : b.low, .high = a.high > b.high ? a.high : b.high};
	r.under = a.under || b.under;
	r.over = a.over || b.over;
	return r;
}

bool range_fits(range r)
{
	return !r.under && !r.over;
}

bool range_within(range r, int128 low, int128 high)
{
	return range_fits(r) && r.low >= low && r.high <= high;
}

bool range_holds(range r, int128 value)
{
	return r.low <= value && value <= r.high;
}

range range_scale(range r, int128 by)
{
	if (by == 1 || by == -1)
		return by == 1 ? r : range_negate(r);
	bool up = by > 0;
	range n = range_mul(range_of(r.under ? 0 : r.low, r.over ? 0 : r.high), range_of(by, by));
	n.under |= up ? r.under : r.over;
	n.over |= up ? r.over : r.under;
	return saturated(n);
}

static range anything(void)
{
	return (range){INT128_MIN, INT128_MAX, true, true};
}

static range range_quotient(range a, range b)
{
	if (!range_fits(a))
		return anything();
	int128 most = a.high > 0 ? a.high : 0, least = a.low < 0 ? a.low : 0;
	range r = range_of(least, most);
	if (b.low <= 0) { /* a negative divisor reverses the order */
		if (a.low == INT128_MIN)
			return anything();
		r.low = -most < least ? -most : least;
		r.high = -least > most ? -least : most;
	}
	return r;
}

static range range_remainder(range a, range b)
{
	(void)a;
	range r = {.low = b.low < 0 ? (b.low == INT128_MIN ? INT128_MIN : b.low + 1) : 0,
	    .high = b.high > 0 ? b.high - 1 : 0, .under = b.under, .over = b.over};
	return r;
}

/* ---- making */

static bool same(const term *a, const term *b)
{
	return a->hash == b->hash && a->kind == b->kind && a->n == b->n && a->number == b->number
	    && (!a->n || !memcmp(a->kid, b->kid, a->n * sizeof *a->kid))
	    && (!a->n || a->kind != TERM_SUM || !memcmp(a->factor, b->factor, a->n * sizeof *a->factor));
}

static term *make(int kind, unsigned n, term **kid, const int128 *factor, int128 number, range lies)
{
	struct {
		int128 number;
		uint64_t kids, factors;
		uint64_t kind, n;
	} key = {number, n ? XXH3_64bits(kid, n * sizeof *kid) : 0, factor && n ? XXH3_64bits(factor, n * sizeof *factor) : 0,
	    (uint64_t)kind, n};
	term t = {.kind = (uint8_t)kind, .n = n, .kid = kid, .factor = (int128 *)factor, .number = number, .lies = lies};
	t.hash = XXH3_64bits(&key, 48);
	term **at = &buckets[t.hash % BUCKETS];
	for (term *x = *at; x; x = x->next)
		if (same(x, &t))
			return x;
	term *x = take(sizeof *x);
	*x = t;
	x->kid = n ? memcpy(take(n * sizeof *kid), kid, n * sizeof *kid) : NULL;
	x->factor = factor && n ? memcpy(take(n * sizeof *factor), factor, n * sizeof *factor) : NULL;
	x->id = made++;
	x->next = *at;
	*at = x;
	return x;
}

static term *sum_of(unsigned n, term **kid, const int128 *factor, int128 number)
{
	range r = range_of(number, number);
	for (unsigned i = 0; i < n; i++)
		r = range_add(r, range_scale(kid[i]->lies, factor[i]));
	return make(TERM_SUM, n, kid, factor, number, r);
}

static term *monomial(unsigned n, term **atom)
{
	range r = range_of(1, 1);
	for (unsigned i = 0; i < n; i++)
		r = range_mul(r, atom[i]->lies);
	if (n == 2 && atom[0] == atom[1] && r.low < 0) {
		r.low = 0;
		r.under = false;
	}
	return make(TERM_MONOMIAL, n, atom, NULL, 0, r);
}

/* The sum that is one atom. */
static term *lone(term *atom)
{
	term *m = monomial(1, &atom);
	int128 one = 1;
	return sum_of(1, &m, &one, 0);
}

term *term_number(int128 value)
{
	return sum_of(0, NULL, NULL, value);
}

term *term_symbol(unsigned i)
{
	return lone(make(TERM_SYM, 0, NULL, NULL, i, range_of(INT64_MIN, INT64_MAX)));
}

term *term_opaque(unsigned i, range lies)
{
	return lone(make(TERM_OPAQUE, 0, NULL, NULL, i, lies));
}

bool term_constant(const term *a, int128 *value)
{
	*value = a->number;
	return a->n == 0 && a->kind == TERM_SUM;
}

static int128 plus(int128 a, int128 b)
{
	int128 r;
	if (__builtin_add_overflow(a, b, &r))
		terms_give_up("a coefficient beyond 128 bits");
	return r;
}

static int128 times(int128 a, int128 b)
{
	int128 r;
	if (__builtin_mul_overflow(a, b, &r))
		terms_give_up("a coefficient beyond 128 bits");
	return r;
}

/* a + by*b: two sorted rows merged. */
static term *add_scaled(term *a, term *b, int128 by)
{
	unsigned n = 0, i = 0, k = 0;
	if (a->n + b->n > MOST)
		terms_give_up("a sum of too many terms");
	term *kid[MOST];
	int128 factor[MOST];
	while (i < a->n || k < b->n) {
		bool left = k == b->n || (i < a->n && a->kid[i]->id <= b->kid[k]->id);
		bool right = i == a->n || (k < b->n && b->kid[k]->id <= a->kid[i]->id);
		kid[n] = left ? a->kid[i] : b->kid[k];
		factor[n] = plus(left ? a->factor[i] : 0, right ? times(by, b->factor[k]) : 0);
		n += factor[n] != 0;
		i += left;
		k += right;
	}
	return sum_of(n, kid, factor, plus(a->number, times(by, b->number)));
}

term *term_add(term *a, term *b)
{
	return add_scaled(a, b, 1);
}

term *term_sub(term *a, term *b)
{
	return add_scaled(a, b, -1);
}

static term *monomial_mul(const term *a, const term *b)
{
	term *atom[64];
	unsigned n = 0, i = 0, k = 0;
	if (a->n + b->n > 64)
		terms_give_up("a product of too many factors");
	while (i < a->n || k < b->n)
		atom[n++] = k == b->n || (i < a->n && a->kid[i]->id <= b->kid[k]->id) ? a->kid[i++] : b->kid[k++];
	return monomial(n, atom);
}

term *term_mul(term *a, term *b)
{
	int128 c;
	if (term_constant(b, &c))
		return add_scaled(term_number(0), a, c);
	if (term_constant(a, &c))
		return add_scaled(term_number(0), b, c);
	term *r = add_scaled(term_number(0), a, b->number);
	r = add_scaled(r, b, a->number);
	r = term_sub(r, term_number(times(a->number, b->number)));
	for (unsigned i = 0; i < a->n; i++)
		for (unsigned k = 0; k < b->n; k++) {
			term *m = monomial_mul(a->kid[i], b->kid[k]);
			int128 f = times(a->factor[i], b->factor[k]);
			r = term_add(r, sum_of(1, &m, &f, 0));
		}
	return r;
}

static int128 floor_quotient(int128 a, int128 b)
{
	int128 q = a / b;
	return q - (a % b != 0 && (a < 0) != (b < 0));
}

static bool divisible(int128 a, int128 b)
{
	return b != 0 && !(a == INT128_MIN && b == -1);
}

static term *binary(int kind, term *a, term *b, range lies)
{
	term *kid[] = {a, b};
	return lone(make(kind, 2, kid, NULL, 0, lies));
}

/* The part of a that is a multiple of the constant or single term b, divided by it; *left is the rest. */
static term *take_multiples(term *a, term *b, term **left)
{
	term *quotient = term_number(0), *rest = term_number(0);
	int128 c;
	bool constant = term_constant(b, &c);
	if (!constant && !(b->n == 1 && b->number == 0 && b->factor[0] == 1 && b->kid[0]->n == 1)) {
		*left = a;
		return quotient;
	}
	for (unsigned i = 0; i < a->n; i++) {
		term *m = sum_of(1, &a->kid[i], &a->factor[i], 0), *q = NULL;
		if (constant && a->factor[i] % c == 0) {
			int128 f = a->factor[i] / c;
			q = sum_of(1, &a->kid[i], &f, 0);
		} else if (!constant && a->kid[i] == b->kid[0]) {
			q = term_number(a->factor[i]);
		}
		quotient = q ? term_add(quotient, q) : quotient;
		rest = q ? rest : term_add(rest, m);
	}
	*left = term_add(rest, term_number(a->number));
	return quotient;
}

term *term_div(term *a, term *b)
{
	int128 x, y, none;
	if (term_constant(b, &y) && term_constant(a, &x) && divisible(x, y))
		return term_number(floor_quotient(x, y));
	if (term_constant(b, &y) && (y == 1 || y == 0))
		return y ? a : binary(TERM_DIV, a, b, anything());
	if (term_constant(b, &none) && none == INT128_MIN)
		return binary(TERM_DIV, a, b, anything());
	term *rest, *whole = take_multiples(a, b, &rest);
	if (term_constant(b, &y) && y > 0) { /* (y*q + n) // y with n within 0 … y-1, and the rest of n */
		int128 q = floor_quotient(rest->number, y);
		whole = term_add(whole, term_number(q));
		rest = term_sub(rest, term_number(times(q, y)));
		if (term_constant(rest, &x))
			return whole;
	}
	return term_add(whole, binary(TERM_DIV, rest, b, range_quotient(rest->lies, b->lies)));
}

term *term_mod(term *a, term *b)
{
	int128 x, y;
	if (term_constant(b, &y) && term_constant(a, &x) && divisible(x, y))
		return term_number(x - floor_quotient(x, y) * y);
	if (term_constant(b, &y) && y == 1)
		return term_number(0);
	term *rest = a;
	if (!(term_constant(b, &y) && (y == 0 || y == INT128_MIN)))
		take_multiples(a, b, &rest);
	if (term_constant(b, &y) && y > 0) {
		rest = term_sub(rest, term_number(times(floor_quotient(rest->number, y), y)));
		if (term_constant(rest, &x))
			return rest;
	}
	return binary(TERM_MOD, rest, b, range_remainder(a->lies, b->lies));
}

term *term_quot(term *a, term *b)
{
	int128 x, y;
	if (term_constant(a, &x) && term_constant(b, &y) && divisible(x, y))
		return term_number(x / y);
	return binary(TERM_QUOT, a, b, range_quotient(a->lies, b->lies));
}

term *term_rem(term *a, term *b)
{
	int128 x, y;
	if (term_constant(a, &x) && term_constant(b, &y) && divisible(x, y))
		return term_number(x % y);
	return binary(TERM_REM, a, b, a->lies);
}

static term *extreme(int kind, term *a, term *b)
{
	range r = kind == TERM_MIN ? (range){a->lies.low < b->lies.low ? a->lies.low : b->lies.low,
					 a->lies.high < b->lies.high ? a->lies.high : b->lies.high,
					 a->lies.under || b->lies.under, a->lies.over && b->lies.over}
				   : (range){a->lies.low > b->lies.low ? a->lies.low : b->lies.low,
					 a->lies.high > b->lies.high ? a->lies.high : b->lies.high,
					 a->lies.under && b->lies.under, a->lies.over || b->lies.over};
	return a->id < b->id ? binary(kind, a, b, r) : binary(kind, b, a, r);
}

term *term_min(term *a, term *b)
{
	term *le = term_le(a, b);
	return le->kind == TERM_TRUE ? a : le->kind == TERM_FALSE ? b : extreme(TERM_MIN, a, b);
}

term *term_max(term *a, term *b)
{
	term *le = term_le(a, b);
	return le->kind == TERM_TRUE ? b : le->kind == TERM_FALSE ? a : extreme(TERM_MAX, a, b);
}

term *term_choice(term *c, term *a, term *b)
{
	if (c->kind == TERM_TRUE || a == b)
		return a;
	if (c->kind == TERM_FALSE)
		return b;
	term *opposite = term_not(c);
	bool turned = opposite->id < c->id;
	term *kid[] = {turned ? opposite : c, turned ? b : a, turned ? a : b};
	return lone(make(TERM_CHOICE, 3, kid, NULL, 0, range_join(a->lies, b->lies)));
}

term *term_narrow(term *a)
{
	if (range_within(a->lies, INT64_MIN, INT64_MAX))
		return a;
	return lone(make(TERM_NARROW, 1, &a, NULL, 0, range_of(INT64_MIN, INT64_MAX)));
}

term *term_direction(const term *a, bool *negative)
{
	*negative = a->n && a->factor[0] < 0;
	return add_scaled(term_number(0), sum_of(a->n, a->kid, a->factor, 0), *negative ? -1 : 1);
}

/* ---- formulas */

term *term_true(void)
{
	return make(TERM_TRUE, 0, NULL, NULL, 0, range_of(0, 0));
}

term *term_false(void)
{
	return make(TERM_FALSE, 0, NULL, NULL, 0, range_of(0, 0));
}

static term *truth(bool b)
{
	return b ? term_true() : term_false();
}

static int128 common_factor(const term *a)
{
	int128 g = 0;
	for (unsigned i = 0; i < a->n; i++) {
		int128 x = a->factor[i] < 0 ? -a->factor[i] : a->factor[i];
		while (x) {
			int128 r = g % x;
			g = x;
			x = r;
		}
	}
	return g < 0 ? -g : g;
}

static term *divided(const term *a, int128 g, int128 number)
{
	int128 factor[MOST];
	for (unsigned i = 0; i < a->n; i++)
		factor[i] = a->factor[i] / g;
	return sum_of(a->n, a->kid, factor, number);
}

static term *at_most_zero(term *a)
{
	int128 x;
	if (term_constant(a, &x))
		return truth(x <= 0);
	if (!a->lies.over && a->lies.high <= 0)
		return term_true();
	if (!a->lies.under && a->lies.low > 0)
		return term_false();
	int128 g = common_factor(a);
	if (g > 1)
		a = divided(a, g, -floor_quotient(-a->number, g));
	return make(TERM_LE, 1, &a, NULL, 0, range_of(0, 0));
}

/* The sum if it is TERM_NARROW of another one alone, minus that one; else NULL. */
static term *narrowed(const term *a)
{
	for (unsigned i = 0; i < a->n; i++) {
		const term *m = a->kid[i];
		if (m->n != 1 || m->kid[0]->kind != TERM_NARROW || (a->factor[i] != 1 && a->factor[i] != -1))
			continue;
		term *whole = lone(m->kid[0]), *inner = m->kid[0]->kid[0];
		term *difference = a->factor[i] == 1 ? term_sub(whole, inner) : term_sub(inner, whole);
		if (difference == a)
			return inner;
	}
	return NULL;
}

static term *zero(term *a, int kind)
{
	int128 x;
	bool equal = kind == TERM_EQ;
	if (term_constant(a, &x))
		return truth((x == 0) == equal);
	if (!range_holds(a->lies, 0))
		return truth(!equal);
	term *inner = narrowed(a);
	if (inner) {
		term *f = term_within(inner, INT64_MIN, INT64_MAX);
		return equal ? f : term_not(f);
	}
	int128 g = common_factor(a);
	if (a->number % g != 0)
		return truth(!equal);
	if (a->factor[0] < 0)
		g = -g;
	if (g != 1)
		a = divided(a, g, a->number / g);
	return make(kind, 1, &a, NULL, 0, range_of(0, 0));
}

term *term_le(term *a, term *b)
{
	return at_most_zero(term_sub(a, b));
}

term *term_lt(term *a, term *b)
{
	return at_most_zero(term_add(term_sub(a, b), term_number(1)));
}

term *term_eq(term *a, term *b)
{
	return zero(term_sub(a, b), TERM_EQ);
}

term *term_ne(term *a, term *b)
{
	return zero(term_sub(a, b), TERM_NE);
}

term *term_fits(term *a)
{
	return range_fits(a->lies) ? term_true() : make(TERM_FITS, 1, &a, NULL, 0, range_of(0, 0));
}

term *term_within(term *a, int128 low, int128 high)
{
	return term_and(term_le(term_number(low), a), term_le(a, term_number(high)));
}

static int by_id(const void *a, const void *b)
{
	const term *x = *(term *const *)a, *y = *(term *const *)b;
	return (x->id > y->id) - (x->id < y->id);
}

static term *opposite_of(term *f)
{
	term **kid = memory_new(f->n, sizeof *kid), *r;
	switch (f->kind) {
	case TERM_TRUE: return term_false();
	case TERM_FALSE: return term_true();
	case TERM_LE: return at_most_zero(term_sub(term_number(1), f->kid[0]));
	case TERM_EQ: return make(TERM_NE, 1, f->kid, NULL, 0, range_of(0, 0));
	case TERM_NE: return make(TERM_EQ, 1, f->kid, NULL, 0, range_of(0, 0));
	case TERM_FITS: return make(TERM_LEAVES, 1, f->kid, NULL, 0, range_of(0, 0));
	case TERM_LEAVES: return make(TERM_FITS, 1, f->kid, NULL, 0, range_of(0, 0));
	default: break;
	}
	for (unsigned i = 0; i < f->n; i++)
		kid[i] = term_not(f->kid[i]);
	r = f->kind == TERM_AND ? term_any(f->n, kid) : term_all(f->n, kid);
	free(kid);
	return r;
}

term *term_not(term *f)
{
	if (!f->opposite) {
		f->opposite = opposite_of(f);
		if (!f->opposite->opposite)
			f->opposite->opposite = f;
	}
	return f->opposite;
}

/* Flat, sorted, without duplicates; a formula and its opposite decide the whole. */
static term *joined(int kind, unsigned n, term **f)
{
	term *unit = truth(kind == TERM_AND), *nil = truth(kind != TERM_AND);
	unsigned count = 0, k = 0;
	for (unsigned i = 0; i < n; i++)
		count += f[i]->kind == kind ? f[i]->n : 1;
	term **kid = take((count + 1) * sizeof *kid);
	for (unsigned i = 0; i < n; i++) {
		if (f[i]->kind == kind) {
			memcpy(kid + k, f[i]->kid, f[i]->n * sizeof *kid);
			k += f[i]->n;
		} else {
			kid[k++] = f[i];
		}
	}
	qsort(kid, k, sizeof *kid, by_id);
	count = 0;
	for (unsigned i = 0; i < k; i++) {
		if (kid[i] == nil)
			return nil;
		if (kid[i] != unit && !(count && kid[count - 1] == kid[i]))
			kid[count++] = kid[i];
	}
	for (unsigned i = 0; i < count; i++) {
		term *opposite = term_not(kid[i]);
		if (bsearch(&opposite, kid, count, sizeof *kid, by_id))
			return nil;
	}
	return count == 0 ? unit : count == 1 ? kid[0] : make(kind, count, kid, NULL, 0, range_of(0, 0));
}

term *term_all(unsigned n, term **f)
{
	return joined(TERM_AND, n, f);
}

term *term_any(unsigned n, term **f)
{
	return joined(TERM_OR, n, f);
}

term *term_and(term *a, term *b)
{
	return joined(TERM_AND, 2, (term *[]){a, b});
}

term *term_or(term *a, term *b)
{
	return joined(TERM_OR, 2, (term *[]){a, b});
}

/* ---- values */

static const long double FAR = 1e37L; /* beyond it, 128-bit results may have wrapped */

static bool far(long double about)
{
	return about > FAR || about < -FAR;
}

static int128 wrapped_mul(int128 a, int128 b)
{
	return (int128)((unsigned __int128)a * (unsigned __int128)b);
}

static int128 wrapped_add(int128 a, int128 b)
{
	return (int128)((unsigned __int128)a + (unsigned __int128)b);
}

static int128 divided_value(int kind, int128 a, int128 b)
{
	if (b == 0)
		return 0;
	if (b == -1)
		return kind == TERM_MOD || kind == TERM_REM ? 0 : wrapped_mul(a, -1);
	int128 q = floor_quotient(a, b);
	return kind == TERM_DIV ? q : kind == TERM_MOD ? a - q * b : kind == TERM_QUOT ? a / b : a % b;
}

static int128 atom_value(const term *a, const int64_t *s, long double *about)
{
	long double x, y;
	int128 v, w;
	switch (a->kind) {
	case TERM_SYM: v = s[(unsigned)a->number]; break;
	case TERM_CHOICE: return term_value(a->kid[term_holds(a->kid[0], s) ? 1 : 2], s, about);
	case TERM_NARROW: v = (int64_t)term_value(a->kid[0], s, &x); break;
	case TERM_OPAQUE: v = 0; break;
	default:
		v = term_value(a->kid[0], s, &x);
		w = term_value(a->kid[1], s, &y);
		if (a->kind == TERM_MIN || a->kind == TERM_MAX) {
			bool less = far(x) || far(y) ? x < y : v < w;
			*about = less == (a->kind == TERM_MIN) ? x : y;
			return less == (a->kind == TERM_MIN) ? v : w;
		}
		v = divided_value(a->kind, v, w);
	}
	*about = (long double)v;
	return v;
}

int128 term_value(const term *a, const int64_t *s, long double *about)
{
	int128 value = a->number;
	*about = (long double)a->number;
	for (unsigned i = 0; i < a->n; i++) {
		int128 product = a->factor[i];
		long double rough = (long double)product;
		for (unsigned k = 0; k < a->kid[i]->n; k++) {
			long double x;
			product = wrapped_mul(product, atom_value(a->kid[i]->kid[k], s, &x));
			rough *= x;
		}
		value = wrapped_add(value, product);
		*about += rough;
	}
	return value;
}

bool term_holds(const term *f, const int64_t *s)
{
	long double about = 0;
	int128 v;
	switch (f->kind) {
	case TERM_TRUE: return true;
	case TERM_FALSE: return false;
	case TERM_AND:
	case TERM_OR:
		for (unsigned i = 0; i < f->n; i++)
			if (term_holds(f->kid[i], s) == (f->kind == TERM_OR))
				return f->kind == TERM_OR;
		return f->kind == TERM_AND;
	default: break;
	}
	v = term_value(f->kid[0], s, &about);
	switch (f->kind) {
	case TERM_LE: return far(about) ? about <= 0 : v <= 0;
	case TERM_EQ: return !far(about) && v == 0;
	case TERM_NE: return far(about) || v != 0;
	case TERM_FITS: return about < 0x1p127L && about >= -0x1p127L;
	default: return !(about < 0x1p127L && about >= -0x1p127L);
	}
}

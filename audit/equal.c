#include "equal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide.h"
#include "facts.h"
#include "interpret.h"
#include "memory.h"
#include "ruletext.h"
#include "words.h"

const char *const VERDICT_NAMES[] = {"proved", "bounded", "unknown", "WRONG"};

enum { TRIES = 3000 };

/* ---- inputs on which both differ */

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static int64_t some_value(uint64_t *state, unsigned kind)
{
	static const int64_t ENDS[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX, (int64_t)1 << 32};
	uint64_t x = next_random(state);
	return kind == 0 ? (int64_t)(x % 3) : kind == 1 ? (int64_t)(x % 8) - 2 : kind == 2 ? ENDS[x % 8] : (int64_t)(x % 40) - 8;
}

static bool differ_somewhere(const term *differ, unsigned nsym, int64_t *s)
{
	uint64_t state = 1;
	for (unsigned i = 0; i < TRIES; i++) {
		for (unsigned k = 0; k < nsym; k++)
			s[k] = some_value(&state, i % 4);
		if (term_holds(differ, s))
			return true;
	}
	return false;
}

static void tell(finding *f, const char *what, unsigned nsym, const int64_t *s)
{
	size_t n = (size_t)snprintf(f->detail, sizeof f->detail, "%s at ", what);
	row_text(f->detail + n, sizeof f->detail - n, s, nsym);
}

/* No symbols satisfy `differ`, the formula that the C and the rule disagree. */
static bool nowhere(term *differ, unsigned nsym, const char *what, finding *f)
{
	int64_t *s = memory_new(nsym + 1, sizeof *s);
	if (differ->kind == TERM_FALSE)
		return free(s), true;
	f->method = "z3";
	enum decision d = differ_somewhere(differ, nsym, s) ? DECIDED_SOME : decide(differ, nsym, s);
	if (d == DECIDED_SOME) {
		f->verdict = VERDICT_WRONG;
		tell(f, what, nsym, s);
	} else if (d == DECIDED_UNKNOWN) {
		f->verdict = VERDICT_UNKNOWN;
		snprintf(f->detail, sizeof f->detail, "Z3 does not know whether %s", what);
	}
	free(s);
	return d == DECIDED_NONE;
}

static term *simplified(term *f)
{
	facts *known = facts_new();
	term *r = facts_simplify(known, f);
	facts_free(known);
	return r;
}

static finding gave_up(void)
{
	finding f = {.verdict = VERDICT_UNKNOWN, .method = "execution"};
	snprintf(f.detail, sizeof f.detail, "%s", terms_trouble);
	return f;
}

static bool same_formula(term *c, term *rule, unsigned nsym, finding *f)
{
	term *x = simplified(c), *y = simplified(rule);
	if (x == y)
		return true;
	return nowhere(term_and(x, term_not(y)), nsym, "the C accepts and the rule rejects", f)
	    && nowhere(term_and(y, term_not(x)), nsym, "the rule accepts and the C rejects", f);
}

finding equal_valid(const source *s, const char *name, unsigned nsym, unsigned n, char *const *clause)
{
	finding f = {.verdict = VERDICT_PROVED, .method = "identical"};
	outcome c;
	if (setjmp(terms_escape))
		return gave_up();
	term *rule = term_true();
	for (unsigned i = 0; i < n; i++)
		rule = term_and(rule, ruletext_clause(clause[i], nsym));
	interpret_valid(s, name, nsym, &c);
	if (c.solver)
		f.method = "z3";
	same_formula(c.holds, rule, nsym, &f);
	return f;
}

finding equal_shape(const source *s, const char *name, unsigned nsym, unsigned n, char *const *output)
{
	finding f = {.verdict = VERDICT_PROVED, .method = "identical"};
	outcome c;
	term **value = memory_new(n + 1, sizeof *value);
	if (setjmp(terms_escape))
		return gave_up();
	term *rule = term_true();
	for (unsigned i = 0; i < n; i++)
		rule = term_and(rule, ruletext_output(output[i], nsym, &value[i]));
	interpret_shape(s, name, nsym, n, &c);
	if (c.solver)
		f.method = "z3";
	if (!same_formula(c.holds, rule, nsym, &f) || c.holds->kind == TERM_FALSE)
		return f;
	term *where = simplified(rule);
	for (unsigned i = 0; i < n; i++) {
		term *v = c.value[i];
		if (v != value[i] && v->n == 1 && v->kid[0]->n == 1 && v->kid[0]->kid[0]->kind == TERM_NARROW && v->factor[0] == 1)
			v = v->kid[0]->kid[0]->kid[0]; /* the condition that it fits 64 bits */
		if (v != value[i] && !nowhere(term_and(where, term_ne(v, value[i])), nsym, "the C stores another output", &f))
			return f;
	}
	return f;
}

/* ---- arith.h */

typedef struct claim {
	const char *name;
	term *assuming, *value, *where; /* where: NULL except for checked operations, which return true exactly there */
} claim;

static const char *broken(const source *s, const claim *c)
{
	bool is_formula;
	term *stored = NULL, *r = interpret_arithmetic(s, c->name, c->assuming, &stored, &is_formula);
	if (!c->where)
		return !is_formula && decide_none(term_and(c->assuming, term_ne(r, c->value))) ? NULL : c->name;
	if (!is_formula || !stored)
		return c->name;
	term *differ = term_or(term_and(r, term_not(c->where)), term_and(c->where, term_not(r)));
	if (!decide_none(simplified(differ)))
		return c->name;
	return decide_none(term_and(c->where, term_ne(stored, c->value))) ? NULL : c->name;
}

finding equal_arithmetic(const source *s)
{
	finding f = {.verdict = VERDICT_PROVED, .method = "z3"};
	if (setjmp(terms_escape))
		return gave_up();
	range all = range_of(-INT128_MAX, INT128_MAX); /* every value but -2^127 */
	term *a = term_opaque(0, all), *b = term_opaque(1, all), *zero = term_number(0);
	term *some = term_ne(b, zero);
	const claim CLAIMS[] = {
	    {"wide_min", term_true(), term_min(a, b), NULL},
	    {"wide_max", term_true(), term_max(a, b), NULL},
	    {"floordiv", some, term_div(a, b), NULL},
	    {"floormod", some, term_mod(a, b), NULL},
	    {"checked_add", term_true(), term_add(a, b), term_fits(term_add(a, b))},
	    {"checked_sub", term_true(), term_sub(a, b), term_fits(term_sub(a, b))},
	    {"checked_mul", term_true(), term_mul(a, b), term_fits(term_mul(a, b))},
	    {"checked_div", term_true(), term_div(a, b), some},
	    {"checked_mod", term_true(), term_mod(a, b), some},
	    {"checked_min", term_true(), term_min(a, b), term_true()},
	    {"checked_max", term_true(), term_max(a, b), term_true()},
	};
	for (unsigned i = 0; i < sizeof CLAIMS / sizeof *CLAIMS; i++)
		if (broken(s, &CLAIMS[i])) {
			f.verdict = VERDICT_UNKNOWN;
			snprintf(f.detail, sizeof f.detail, "%s is not shown to be what it should", CLAIMS[i].name);
			return f;
		}
	return f;
}

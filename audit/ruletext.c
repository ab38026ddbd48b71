#include "ruletext.h"

#include <ctype.h>
#include <string.h>

/* The meaning of a part of a text: a formula, which is always true or false; or a number, with the
 * condition under which it has a value, and its range from the way it is written. */
typedef struct meaning {
	bool formula;
	term *t, *has_value;
	range lies;
} meaning;

typedef struct reader {
	const char *at;
	unsigned nsym;
	int depth;
} reader;

static meaning choice(reader *r);

static void space(reader *r)
{
	while (*r->at == ' ')
		r->at++;
}

static bool take(reader *r, const char *text)
{
	space(r);
	size_t n = strlen(text);
	if (strncmp(r->at, text, n) || (isalpha((unsigned char)*text) && (isalnum((unsigned char)r->at[n]) || r->at[n] == '_')))
		return false;
	r->at += n;
	return true;
}

static void want(reader *r, const char *text)
{
	if (!take(r, text))
		terms_give_up("the rule's text is no expression");
}

static meaning number(term *t, term *has_value, range lies)
{
	return (meaning){false, t, has_value, range_meet(lies, t->lies)};
}

static meaning formula(term *t)
{
	return (meaning){.formula = true, .t = t};
}

static void need(const meaning *m, bool is_formula)
{
	if (m->formula != is_formula)
		terms_give_up("the rule's text mixes numbers and conditions");
}

/* The result of an operation, which must fit 128 bits. */
static meaning fitted(term *t, term *has_value, range lies)
{
	if (range_fits(lies))
		return number(t, has_value, lies);
	has_value = term_and(has_value, term_fits(t));
	return number(t, has_value, range_of(INT128_MIN, INT128_MAX));
}

static meaning arithmetic(char op, meaning a, meaning b)
{
	need(&a, false);
	need(&b, false);
	term *both = term_and(a.has_value, b.has_value);
	switch (op) {
	case '+': return fitted(term_add(a.t, b.t), both, range_add(a.lies, b.lies));
	case '-': return fitted(term_sub(a.t, b.t), both, range_add(a.lies, range_negate(b.lies)));
	case '*': return fitted(term_mul(a.t, b.t), both, range_mul(a.lies, b.lies));
	default: break;
	}
	both = term_and(both, term_ne(b.t, term_number(0)));
	term *t = op == '/' ? term_div(a.t, b.t) : term_mod(a.t, b.t);
	bool widest = op == '/' && a.lies.low == INT128_MIN && range_holds(b.lies, -1);
	range lies = op == '/' && !widest ? range_of(-INT128_MAX, INT128_MAX) : range_of(INT128_MIN, INT128_MAX);
	if (widest) /* only -2^127 // -1 leaves 128 bits */
		both = term_and(both, term_fits(t));
	return number(t, both, lies);
}

static meaning literal(reader *r)
{
	int128 x = 0;
	for (; isdigit((unsigned char)*r->at); r->at++)
		if (__builtin_mul_overflow(x, 10, &x) || __builtin_add_overflow(x, *r->at - '0', &x))
			terms_give_up("a number of the rule beyond 128 bits");
	return number(term_number(x), term_true(), range_of(x, x));
}

static meaning symbol(reader *r)
{
	unsigned i = 0;
	if (!isdigit((unsigned char)*r->at))
		terms_give_up("the rule's text is no expression");
	for (; isdigit((unsigned char)*r->at); r->at++)
		i = i < 100000 ? 10 * i + (unsigned)(*r->at - '0') : i;
	if (i >= r->nsym)
		terms_give_up("the rule speaks of a symbol that the operator does not have");
	return number(term_symbol(i), term_true(), range_of(INT64_MIN, INT64_MAX));
}

static meaning extreme(reader *r, bool least)
{
	want(r, "(");
	meaning a = choice(r);
	want(r, ",");
	meaning b = choice(r);
	want(r, ")");
	need(&a, false);
	need(&b, false);
	term *t = least ? term_min(a.t, b.t) : term_max(a.t, b.t);
	return number(t, term_and(a.has_value, b.has_value), range_join(a.lies, b.lies));
}

static meaning atom(reader *r)
{
	if (++r->depth > 2000)
		terms_give_up("the rule's text nests too deep");
	meaning m;
	if (take(r, "(")) {
		m = choice(r);
		want(r, ")");
	} else if (take(r, "-")) {
		m = atom(r);
		m = arithmetic('-', number(term_number(0), term_true(), range_of(0, 0)), m);
	} else if (take(r, "min")) {
		m = extreme(r, true);
	} else if (take(r, "max")) {
		m = extreme(r, false);
	} else if (*r->at == 's') {
		r->at++;
		m = symbol(r);
	} else if (isdigit((unsigned char)*r->at)) {
		m = literal(r);
	} else {
		terms_give_up("the rule's text is no expression");
	}
	r->depth--;
	return m;
}

static meaning product(reader *r)
{
	meaning a = atom(r);
	for (;;) {
		if (take(r, "*"))
			a = arithmetic('*', a, atom(r));
		else if (take(r, "//"))
			a = arithmetic('/', a, atom(r));
		else if (take(r, "%"))
			a = arithmetic('%', a, atom(r));
		else
			return a;
	}
}

static meaning sum(reader *r)
{
	meaning a = product(r);
	for (;;) {
		if (take(r, "+"))
			a = arithmetic('+', a, product(r));
		else if (take(r, "-"))
			a = arithmetic('-', a, product(r));
		else
			return a;
	}
}

static meaning comparison(reader *r)
{
	static const char *const TEXT[] = {"==", "!=", "<=", ">=", "<", ">"};
	meaning a = sum(r);
	for (int i = 0; i < 6; i++) {
		if (!take(r, TEXT[i]))
			continue;
		meaning b = sum(r);
		need(&a, false);
		need(&b, false);
		term *f = i == 0 ? term_eq(a.t, b.t) : i == 1 ? term_ne(a.t, b.t) : i == 2 ? term_le(a.t, b.t)
		    : i == 3 ? term_le(b.t, a.t) : i == 4 ? term_lt(a.t, b.t) : term_lt(b.t, a.t);
		return formula(term_all(3, (term *[]){a.has_value, b.has_value, f}));
	}
	return a;
}

static meaning both(reader *r)
{
	meaning a = comparison(r);
	while (take(r, "and")) {
		meaning b = comparison(r);
		need(&a, true);
		need(&b, true);
		a = formula(term_and(a.t, b.t));
	}
	return a;
}

static meaning either(reader *r)
{
	meaning a = both(r);
	while (take(r, "or")) {
		meaning b = both(r);
		need(&a, true);
		need(&b, true);
		a = formula(term_or(a.t, b.t));
	}
	return a;
}

/* a if c else b: the branch not chosen need not have a value. */
static meaning choice(reader *r)
{
	meaning a = either(r);
	if (!take(r, "if"))
		return a;
	meaning c = either(r);
	want(r, "else");
	meaning b = choice(r);
	need(&c, true);
	need(&a, false);
	need(&b, false);
	term *has_value = term_and(term_or(term_not(c.t), a.has_value), term_or(c.t, b.has_value));
	return number(term_choice(c.t, a.t, b.t), has_value, range_join(a.lies, b.lies));
}

static meaning whole(const char *text, unsigned nsym, bool is_formula)
{
	reader r = {text, nsym, 0};
	meaning m = choice(&r);
	space(&r);
	if (*r.at)
		terms_give_up("the rule's text is no expression");
	need(&m, is_formula);
	return m;
}

term *ruletext_clause(const char *text, unsigned nsym)
{
	return whole(text, nsym, true).t;
}

term *ruletext_output(const char *text, unsigned nsym, term **value)
{
	meaning m = whole(text, nsym, false);
	*value = m.t;
	return term_and(m.has_value, term_within(m.t, 0, INT64_MAX));
}

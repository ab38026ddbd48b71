/* Lowering: an expression that may have no value becomes conditions under which it has one, and an infix C expression
 * for the value, which is evaluated only after the conditions hold.
 *
 *   (s2 - s4)//s6 > s0*s1*s3    ──►      s6 != 0
 *                                     && checked_mul(s0 * s1, s3, &t0)
 *                                     && floordiv(s2 - s4, s6) > t0
 *
 * Totality. Every node has an interval that contains its value for all int64 symbols (interval arithmetic in 128 bits,
 * itself checked). If the interval of +, - or * fits in 128 bits, the plain C operator cannot overflow. Otherwise a
 * checked_ function computes the node into a temporary and the conjunction ends on overflow, which is exactly when
 * expr_eval finds no value. A divisor whose interval contains 0 gets a condition of its own.
 *
 * Facts. Conditions are a chain of &&, so each may rely on those before it: `s6 > 0` narrows the interval of s6, so the
 * later condition `s6 != 0` is omitted. Temporaries and conditions `!= 0` are not repeated. A literal of an `or` and a
 * branch of an `if else` is a scope: facts learned inside do not hold after it. Every fact was checked by C text before.
 *
 * Branches. `a if c else b` has the value `c ? a : b` with the conditions `!c || (those of a)` and `c || (those of b)`,
 * so the branch that is not taken need not have a value. The condition is repeated, not stored, since it is nearly always
 * a single comparison.
 */
#include "lower.h"

#include <stdio.h>
#include <string.h>

#include "need.h"
#include "sampling.h"
#include "window_term.h"

/* C precedences; P_PRIMARY needs no parentheses anywhere. */
enum { P_TERNARY = 1, P_OR, P_AND, P_EQUAL, P_LESS, P_ADD, P_MUL, P_PRIMARY };

static const wide WIDEST = (wide)(~(unsigned __int128)0 >> 1);
#define NARROWEST (-WIDEST - 1)

typedef struct range {
	wide low, high;
} range;

/* C text and the interval of its value. */
typedef struct piece {
	const char *text;
	int precedence;
	bool narrow; /* its C type is narrower than wide: only integer literals */
	range range;
} piece;

typedef struct lines {
	const char **text;
	unsigned count, room;
} lines;

typedef struct temp {
	const expr *e;
	unsigned index;
	range range;
} temp;

typedef struct change { /* a changed interval of a symbol, to be restored */
	unsigned sym;
	range old;
} change;

typedef struct lowering {
	arena *memory;
	buf scratch;
	range *syms;
	lines *into; /* conditions are added here */
	change *trail;
	const expr **nonzero;
	temp *temps; /* visible in the current scope */
	unsigned ntrail, trail_room, nnonzero, nonzero_room, ntemps, temp_room;
	unsigned next_temp, branches;
	const char *const *names; /* of symbols */
	const lower_symbol *given; /* or the texts of symbols; NULL: names */
	expr_pool *pool; /* for sizes of windows; NULL: windows are not searched */
	bool may_skip;
} lowering;

/* ---- growing arrays in the arena */

static void *grow(arena *a, void *old, unsigned used, unsigned *room, size_t size)
{
	if (used < *room)
		return old;
	*room = *room ? *room * 2 : 8;
	void *more = need(arena_alloc(a, size * *room), size * *room);
	return used ? memcpy(more, old, size * used) : more;
}

static const char *format(lowering *l, const char *text, ...) __attribute__((format(printf, 2, 3)));
static const char *format(lowering *l, const char *text, ...)
{
	va_list args;
	va_start(args, text);
	buf_vprintf(&l->scratch, text, args);
	va_end(args);
	return keep(l->memory, &l->scratch);
}

static void add_line(lowering *l, const char *text)
{
	lines *to = l->into;
	to->text = grow(l->memory, to->text, to->count, &to->room, sizeof *to->text);
	to->text[to->count++] = text;
}

/* ---- scopes and facts */

typedef struct scope {
	unsigned trail, nonzero, temps;
} scope;

static scope enter(const lowering *l)
{
	return (scope){l->ntrail, l->nnonzero, l->ntemps};
}

static void leave(lowering *l, scope s)
{
	while (l->ntrail > s.trail) {
		const change *c = &l->trail[--l->ntrail];
		l->syms[c->sym] = c->old;
	}
	l->nnonzero = s.nonzero;
	l->ntemps = s.temps;
}

static void learn_nonzero(lowering *l, const expr *e)
{
	l->nonzero = grow(l->memory, l->nonzero, l->nnonzero, &l->nonzero_room, sizeof *l->nonzero);
	l->nonzero[l->nnonzero++] = e;
}

static bool known_nonzero(const lowering *l, const expr *e, range r)
{
	if (r.low > 0 || r.high < 0)
		return true;
	for (unsigned i = 0; i < l->nnonzero; i++)
		if (l->nonzero[i] == e)
			return true;
	return false;
}

/* Learns that e is in r. For a symbol, narrows its interval, unless it would become empty: then the code after it is
 * never reached, and the interval stays valid. */
static void learn_range(lowering *l, const expr *e, range r)
{
	if (r.low > 0 || r.high < 0)
		learn_nonzero(l, e);
	if (e->op != OP_SYM)
		return;
	range old = l->syms[e->value], new = {wide_max(old.low, r.low), wide_min(old.high, r.high)};
	if (new.low > new.high)
		return;
	l->trail = grow(l->memory, l->trail, l->ntrail, &l->trail_room, sizeof *l->trail);
	l->trail[l->ntrail++] = (change){(unsigned)e->value, old};
	l->syms[e->value] = new;
}

/* Learns x op k. */
static void learn_compare(lowering *l, const expr *x, enum op op, wide k)
{
	range r = {NARROWEST, WIDEST};
	if (op == OP_EQ)
		r = (range){k, k};
	else if (op == OP_GT || op == OP_GE)
		r.low = k + (op == OP_GT);
	else if (op == OP_LT || op == OP_LE)
		r.high = k - (op == OP_LT);
	else if (k == 0)
		learn_nonzero(l, x);
	learn_range(l, x, r);
}

static bool is_leaf(const expr *e)
{
	return e->op == OP_SYM || e->op == OP_CONST;
}

/* Whether e is a number, or a symbol that always has a value. */
static bool is_sure(const lowering *l, const expr *e)
{
	return e->op == OP_CONST || (e->op == OP_SYM && !(l->given && l->given[e->value].checked));
}

/* Whether e is a comparison that has a value for all symbols, so that its negation is the opposite comparison. */
static bool is_plain(const lowering *l, const expr *e)
{
	return op_is_comparison(e->op) && is_sure(l, e->a) && is_sure(l, e->b);
}

/* Learns that e holds, or not. Learns nothing from the negation of a comparison that may have no value. */
static void learn(lowering *l, const expr *e, bool holds)
{
	if (e->op == (holds ? OP_AND : OP_OR)) {
		learn(l, e->a, holds);
		learn(l, e->b, holds);
	} else if (op_is_comparison(e->op) && (holds || is_plain(l, e))) {
		enum op op = holds ? (enum op)e->op : op_negated(e->op);
		if (e->b->op == OP_CONST)
			learn_compare(l, e->a, op, e->b->value);
		if (e->a->op == OP_CONST)
			learn_compare(l, e->b, op_mirrored(op), e->a->value);
	}
}

/* ---- intervals; functions return false if a result may exceed 128 bits */

typedef bool checked(wide, wide, wide *);
typedef bool interval(range a, range b, range *r);

/* The interval of f's results at the corners of two intervals. */
static bool corners(checked *f, range a, range b, range *r)
{
	const wide as[] = {a.low, a.high}, bs[] = {b.low, b.high};
	*r = (range){WIDEST, NARROWEST};
	for (int i = 0; i < 4; i++) {
		wide v;
		if (!f(as[i & 1], bs[i >> 1], &v))
			return false;
		r->low = wide_min(r->low, v);
		r->high = wide_max(r->high, v);
	}
	return true;
}

static bool interval_add(range a, range b, range *r)
{
	return checked_add(a.low, b.low, &r->low) && checked_add(a.high, b.high, &r->high);
}

static bool interval_sub(range a, range b, range *r)
{
	return checked_sub(a.low, b.high, &r->low) && checked_sub(a.high, b.low, &r->high);
}

static bool interval_mul(range a, range b, range *r)
{
	return corners(checked_mul, a, b, r);
}

/* Floor division is monotone in each argument while the divisor keeps its sign. */
static bool interval_div(range a, range b, range *r)
{
	range part;
	*r = (range){WIDEST, NARROWEST};
	if (b.low == 0 && b.high == 0) /* never evaluated */
		*r = (range){0, 0};
	if (b.high > 0) {
		if (!corners(checked_div, a, (range){wide_max(b.low, 1), b.high}, &part))
			return false;
		*r = (range){wide_min(r->low, part.low), wide_max(r->high, part.high)};
	}
	if (b.low < 0) {
		if (!corners(checked_div, a, (range){b.low, wide_min(b.high, -1)}, &part))
			return false;
		*r = (range){wide_min(r->low, part.low), wide_max(r->high, part.high)};
	}
	return true;
}

static bool interval_mod(range a, range b, range *r)
{
	*r = (range){b.low < 0 ? b.low + 1 : 0, b.high > 0 ? b.high - 1 : 0};
	if (a.low >= 0 && b.low > 0)
		r->high = wide_min(r->high, a.high);
	return true;
}

static bool interval_min(range a, range b, range *r)
{
	*r = (range){wide_min(a.low, b.low), wide_min(a.high, b.high)};
	return true;
}

static bool interval_max(range a, range b, range *r)
{
	*r = (range){wide_max(a.low, b.low), wide_max(a.high, b.high)};
	return true;
}

/* ---- text */

static const struct arith_c {
	interval *interval;
	const char *text; /* the C operator, or the function if it binds as P_PRIMARY */
	const char *checked;
	int precedence;
} ARITH_C[OP_COUNT] = {
#define X(NAME, name, text, form, level, commutes, divides, search, clause, pool, c, c_level, ...) \
	[OP_##NAME] = {interval_##name, c, "checked_" #name, c_level},
    ARITH_OPS(X)
#undef X
};

static const char *const COMPARE_C[OP_COUNT] = {
#define X(NAME, name, text, operator, ...) [OP_##NAME] = #operator,
    COMPARE_OPS(X)
#undef X
};

/* The text, in parentheses if it binds less tightly than at_least. */
static const char *wrap(lowering *l, piece p, int at_least)
{
	return p.precedence >= at_least ? p.text : format(l, "(%s)", p.text);
}

static piece constant(lowering *l, int64_t value)
{
	piece p = {.precedence = P_PRIMARY, .narrow = true, .range = {value, value}};
	if (value == INT64_MIN) /* its absolute value does not fit */
		p.text = "INT64_MIN";
	else
		p.text = format(l, "%lld", (long long)value);
	return p;
}

static piece infix(lowering *l, enum op op, piece a, piece b)
{
	const struct arith_c *c = &ARITH_C[op];
	const char *left = wrap(l, a, c->precedence), *right = wrap(l, b, c->precedence + 1);
	if (a.narrow && b.narrow) /* otherwise C computes in int */
		left = format(l, "(wide)%s", wrap(l, a, P_PRIMARY));
	return (piece){
	    .text = format(l, "%s %s %s", left, c->text, right), .precedence = c->precedence};
}

static const char *call(lowering *l, const char *name, piece a, piece b)
{
	return format(l, "%s(%s, %s)", name, a.text, b.text);
}

/* ---- arithmetic */

static piece lower_value(lowering *l, const expr *e);
static void lower_conditions(lowering *l, const expr *e);

/* Computes the node into a temporary, with a condition that its value exists. */
static piece into_temp(lowering *l, const expr *e, piece a, piece b)
{
	unsigned t = l->next_temp++;
	range r = {NARROWEST, WIDEST};
	bool divides = OPS[e->op].divides;
	/* A division by 0 does not set the temporary; some compilers cannot see that it is not read then. */
	l->may_skip |= l->branches > 0 || divides;
	const struct arith_c *c = &ARITH_C[e->op];
	add_line(l, format(l, "%s(%s, %s, &t%u)", c->checked, a.text,
			b.text, t));
	if (divides)
		learn_nonzero(l, e->b);
	l->temps = grow(l->memory, l->temps, l->ntemps, &l->temp_room, sizeof *l->temps);
	l->temps[l->ntemps++] = (temp){e, t, r};
	return (piece){.text = format(l, "t%u", t), .precedence = P_PRIMARY, .range = r};
}

static piece lower_arith(lowering *l, const expr *e)
{
	piece a = lower_value(l, e->a), b = lower_value(l, e->b);
	const struct arith_c *c = &ARITH_C[e->op];
	range r;
	if (!c->interval(a.range, b.range, &r))
		return into_temp(l, e, a, b);
	if (OPS[e->op].divides && !known_nonzero(l, e->b, b.range)) {
		add_line(l, format(l, "%s != 0", wrap(l, b, P_EQUAL + 1)));
		learn_nonzero(l, e->b);
	}
	piece p = {.precedence = P_PRIMARY};
	if (c->precedence == P_PRIMARY)
		p.text = call(l, c->text, a, b);
	else
		p = infix(l, e->op, a, b);
	p.range = r;
	return p;
}

/* Joins the lines to one condition. */
static piece join(lowering *l, const lines *list)
{
	if (list->count == 1)
		return (piece){.text = list->text[0], .precedence = P_OR};
	for (unsigned i = 0; i < list->count; i++)
		buf_printf(&l->scratch, i ? " && %s" : "%s", list->text[i]);
	return (piece){.text = keep(l->memory, &l->scratch), .precedence = P_OR};
}

/* Lowers a value in a scope of its own, in which `condition` holds or not; adds its conditions to `inner`. */
static piece lower_branch(
    lowering *l, const expr *e, const expr *condition, bool holds, lines *inner)
{
	lines *outer = l->into;
	scope s = enter(l);
	l->into = inner;
	l->branches++;
	learn(l, condition, holds);
	piece p = lower_value(l, e);
	l->branches--;
	l->into = outer;
	leave(l, s);
	return p;
}

/* Lowers a condition in a scope of its own to an operand of ||. */
static const char *lower_literal(lowering *l, const expr *e, int *precedence)
{
	lines inner = {0}, *outer = l->into;
	scope s = enter(l);
	l->into = &inner;
	lower_conditions(l, e);
	l->into = outer;
	leave(l, s);
	*precedence = inner.count > 1 ? P_AND : e->op == OP_OR ? P_PRIMARY : P_EQUAL;
	return join(l, &inner).text;
}

/* Sets the texts of the condition and of its negation. */
static void lower_choice(lowering *l, const expr *c, const char **yes, const char **no)
{
	int precedence;
	*yes = lower_literal(l, c, &precedence);
	if (precedence == P_AND)
		*yes = format(l, "(%s)", *yes);
	if (is_plain(l, c))
		*no = format(l, "%s %s %s", lower_value(l, c->a).text, COMPARE_C[op_negated(c->op)],
		    lower_value(l, c->b).text);
	else
		*no = format(l, precedence == P_EQUAL ? "!(%s)" : "!%s", *yes);
}

static piece lower_ite(lowering *l, const expr *e)
{
	const char *yes, *no;
	lines in_a = {0}, in_b = {0};
	lower_choice(l, e->c, &yes, &no);
	piece a = lower_branch(l, e->a, e->c, true, &in_a);
	piece b = lower_branch(l, e->b, e->c, false, &in_b);
	if (in_a.count)
		add_line(l, format(l, in_a.count > 1 ? "(%s || (%s))" : "(%s || %s)", no,
				join(l, &in_a).text));
	if (in_b.count)
		add_line(l, format(l, in_b.count > 1 ? "(%s || (%s))" : "(%s || %s)", yes,
				join(l, &in_b).text));
	return (piece){
	    .text = format(l, "%s ? %s : %s", yes, wrap(l, a, P_OR), wrap(l, b, P_TERNARY)),
	    .precedence = P_TERNARY,
	    .narrow = a.narrow && b.narrow,
	    .range = {wide_min(a.range.low, b.range.low), wide_max(a.range.high, b.range.high)}};
}

static piece temp_piece(lowering *l, const temp *t)
{
	return (piece){.text = format(l, "t%u", t->index), .precedence = P_PRIMARY, .range = t->range};
}

/* A symbol whose value a call computes, which may fail. */
static piece checked_symbol(lowering *l, const expr *e)
{
	temp t = {e, l->next_temp++, l->syms[e->value]};
	l->may_skip |= l->branches > 0;
	add_line(l, format(l, "%s, &t%u)", l->given[e->value].text, t.index));
	l->temps = grow(l->memory, l->temps, l->ntemps, &l->temp_room, sizeof *l->temps);
	l->temps[l->ntemps++] = t;
	return temp_piece(l, &t);
}

static piece symbol(lowering *l, int64_t index)
{
	if (l->given)
		return (piece){.text = l->given[index].text, .precedence = P_PRIMARY, .range = l->syms[index]};
	return (piece){.text = l->names[index], .precedence = P_PRIMARY, .range = l->syms[index]};
}

/* ---- windows */

/* Whether all parts of e fit in 128 bits, given the intervals of symbols (NULL: any 64-bit numbers); *r: its
 * interval. */
static bool fits(const range *syms, const expr *e, range *r)
{
	range a, b;
	if (e->op == OP_CONST)
		*r = (range){e->value, e->value};
	else if (e->op == OP_SYM)
		*r = syms ? syms[e->value] : (range){INT64_MIN, INT64_MAX};
	if (is_leaf(e))
		return true;
	if ((e->c && !fits(syms, e->c, &a)) || !fits(syms, e->a, &a) || !fits(syms, e->b, &b))
		return false;
	*r = (range){0, 1}; /* a condition */
	if (e->op == OP_ITE)
		*r = (range){wide_min(a.low, b.low), wide_max(a.high, b.high)};
	return e->op == OP_ITE || !ARITH_C[e->op].interval || ARITH_C[e->op].interval(a, b, r);
}

/* Lowers an expression that is a window to a call of code.h; arguments are symbols, or sums of them. */
static bool lower_window(lowering *l, const expr *e, piece *to)
{
	window_term w;
	if (!l->pool || !fits(l->syms, e, &to->range) || !window_term_of(&w, l->pool, e))
		return false;
	piece size = lower_value(l, w.size), kernel = lower_value(l, w.kernel), one = constant(l, 1), none = constant(l, 0);
	piece stride = w.stride ? lower_value(l, w.stride) : one, padding = w.padding ? lower_value(l, w.padding) : none;
	piece dilation = w.dilation ? lower_value(l, w.dilation) : one;
	if (w.stride && !known_nonzero(l, w.stride, stride.range)) {
		add_line(l, format(l, "%s != 0", stride.text));
		learn_nonzero(l, w.stride);
	}
	to->text = format(l, "%s(%s, %s, %s, %s, %s)", window_term_name(w.rounding), size.text, kernel.text, stride.text, padding.text, dilation.text);
	to->precedence = P_PRIMARY;
	return true;
}

/* Lowers e to its value; adds conditions for its existence to the lines. */
static piece lower_value(lowering *l, const expr *e)
{
	piece named = {.narrow = false};
	if (e->op == OP_CONST)
		return constant(l, e->value);
	if (e->op == OP_SYM && !(l->given && l->given[e->value].checked))
		return symbol(l, e->value);
	for (unsigned i = l->ntemps; i-- > 0;)
		if (l->temps[i].e == e)
			return temp_piece(l, &l->temps[i]);
	if (e->op == OP_SYM)
		return checked_symbol(l, e);
	if (lower_window(l, e, &named))
		return named;
	return e->op == OP_ITE ? lower_ite(l, e) : lower_arith(l, e);
}

/* ---- clauses that are constant */

/* Whether e is false, as s0 < s0: two positions of a template may be one symbol in a call. Compilers warn of it. */
static bool is_never(const expr *e)
{
	return (e->op == OP_LT || e->op == OP_GT || e->op == OP_NE) && e->a == e->b && is_leaf(e->a);
}

/* The `or` without literals that are always false; NULL: none is left. */
static const expr *without_never(const expr *e)
{
	if (e->op != OP_OR || (!is_never(e->a) && !is_never(e->b)))
		return NULL;
	return is_never(e->a) ? e->b : e->a;
}

/* Marks the symbols of the part that is emitted. */
static void mark_syms(const expr *e, bool *used)
{
	const expr *left = without_never(e);
	if (left) {
		mark_syms(left, used);
	} else if (e->op == OP_OR || e->op == OP_AND) {
		mark_syms(e->a, used);
		mark_syms(e->b, used);
	} else {
		expr_mark_syms(e, used);
	}
}

/* ---- conditions */

static void lower_compare(lowering *l, const expr *e)
{
	piece a = lower_value(l, e->a), b = lower_value(l, e->b);
	add_line(l, format(l, "%s %s %s", wrap(l, a, P_ADD), COMPARE_C[e->op], wrap(l, b, P_ADD)));
}

/* Lowers the literals of a chain of `or`; each may rely on the earlier ones being false. */
static void lower_or(lowering *l, const expr *e, buf *to)
{
	if (without_never(e)) {
		lower_or(l, without_never(e), to);
		return;
	}
	if (e->op == OP_OR) {
		lower_or(l, e->a, to);
		buf_puts(to, " || ");
		lower_or(l, e->b, to);
		return;
	}
	int precedence;
	const char *text = lower_literal(l, e, &precedence);
	buf_printf(to, precedence == P_AND ? "(%s)" : "%s", text);
	learn(l, e, false);
}

/* Adds conditions whose conjunction is equivalent to e. */
static void lower_conditions(lowering *l, const expr *e)
{
	if (without_never(e)) {
		lower_conditions(l, without_never(e));
	} else if (e->op == OP_AND) {
		lower_conditions(l, e->a);
		lower_conditions(l, e->b);
	} else if (e->op == OP_OR) {
		buf text = {0};
		scope s = enter(l);
		buf_putc(&text, '(');
		lower_or(l, e, &text);
		buf_putc(&text, ')');
		leave(l, s);
		add_line(l, keep(l->memory, &text));
		buf_free(&text);
	} else {
		lower_compare(l, e);
		learn(l, e, true);
	}
}

/* ---- functions */

static lowering begin(arena *a, lines *into, unsigned nsym)
{
	lowering l = {.memory = a, .into = into, .syms = NEED_ARRAY(a, range, nsym)};
	for (unsigned i = 0; i < nsym; i++)
		l.syms[i] = (range){INT64_MIN, INT64_MAX};
	return l;
}

static lowering begin_function(arena *a, lines *into, unsigned nsym, const char *const *names)
{
	lowering l = begin(a, into, nsym);
	l.names = names;
	l.pool = expr_pool_new();
	return l;
}

static body end(lowering *l, const expr *const *e, unsigned n, unsigned nsym)
{
	bool *used = NEED_ARRAY(l->memory, bool, nsym);
	for (unsigned i = 0; i < n; i++)
		mark_syms(e[i], used);
	buf_free(&l->scratch);
	expr_pool_free(l->pool);
	return (body){.lines = l->into->text,
	    .nlines = l->into->count,
	    .ntemps = l->next_temp,
	    .may_skip = l->may_skip,
	    .used = used,
	    .nsym = nsym};
}

static lowering begin_family(arena *a, lines *into, unsigned nsym, const lower_symbol *symbols, unsigned temps)
{
	lowering l = begin_function(a, into, nsym, NULL);
	l.given = symbols;
	l.next_temp = temps;
	for (unsigned i = 0; i < nsym; i++)
		l.syms[i] = (range){symbols[i].low, symbols[i].high};
	return l;
}

static body lower_all(lowering *l, arena *a, const expr *const *clauses, unsigned n, unsigned nsym)
{
	const expr **kept = NEED_ARRAY(a, const expr *, n);
	unsigned nkept = 0;
	for (unsigned i = 0; i < n; i++) {
		if (expr_is_tautology(clauses[i])) /* a compiler would warn of it */
			continue;
		kept[nkept++] = clauses[i];
		lower_conditions(l, clauses[i]);
	}
	return end(l, kept, nkept, nsym);
}

body lower_clauses(arena *a, const expr *const *clauses, unsigned n, unsigned nsym, const lower_symbol *symbols, unsigned temps)
{
	lines into = {0};
	lowering l = begin_family(a, &into, nsym, symbols, temps);
	return lower_all(&l, a, clauses, n, nsym);
}

body lower_stored(arena *a, const expr *e, unsigned nsym, const lower_symbol *symbols, const char *store, unsigned temps)
{
	lines into = {0};
	lowering l = begin_family(a, &into, nsym, symbols, temps);
	piece p = lower_value(&l, e);
	add_line(&l, format(&l, "%s, %s)", store, p.text));
	return end(&l, &e, 1, nsym);
}

bool lower_range(const expr *e, unsigned nsym, const lower_symbol *symbols, wide *low, wide *high)
{
	arena *a = arena_new();
	range r = {0, 0}, *syms = symbols ? NEED_ARRAY(a, range, nsym) : NULL;
	for (unsigned i = 0; symbols && i < nsym; i++)
		syms[i] = (range){symbols[i].low, symbols[i].high};
	bool is = fits(syms, e, &r);
	*low = r.low;
	*high = r.high;
	arena_free(a);
	return is;
}

body lower_valid(arena *a, const expr *const *clauses, unsigned n, unsigned nsym, const char *const *names)
{
	lines into = {0};
	lowering l = begin_function(a, &into, nsym, names);
	return lower_all(&l, a, clauses, n, nsym);
}

body lower_propagate(arena *a, const expr *const *dims, unsigned n, unsigned nsym, const char *const *names)
{
	lines into = {0};
	lowering l = begin_function(a, &into, nsym, names);
	for (unsigned i = 0; i < n; i++) {
		piece p = lower_value(&l, dims[i]);
		add_line(&l, format(&l, "set_dim(&out[%u], %s)", i, p.text));
		learn_range(&l, dims[i], (range){0, INT64_MAX});
	}
	return end(&l, dims, n, nsym);
}

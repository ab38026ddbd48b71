#include "notation.h"

#include <string.h>

#include "axes.h"
#include "guard.h"
#include "shapes.h"
#include "slice_term.h"
#include "tidy.h"
#include "window_term.h"

/* ---- places */

enum { MOST_ARGUMENTS = 5 };

/* What has a name in the notation; an argument that is NULL is None. */
typedef struct term {
	const char *name;
	const expr *arguments[MOST_ARGUMENTS];
	int n;
} term;

/* How the index of a place is written: relative to a variable, or where the anchor stands. */
typedef struct index {
	const notation *n;
	const form *f;
	bool variable;	    /* the anchor's position is i */
	const char *axis;   /* it is the one that this constant names; NULL: it is not */
	int left, right;    /* the anchor's position otherwise; -1: not counted from there */
	uint8_t dims, values;
	const term *terms; /* symbols beyond the form's places */
} index_of;

/* Whether an argument is a list of integers in some call form, one of tensors, or a tensor with a range. */
static bool is_list(const notation *n, const char *name, enum role_kind kind)
{
	for (int i = 0; i < n->n; i++) {
		const operator *op = n->ops[i];
		const argument *a = form_argument(op, name);
		for (int k = a ? a->first : 0; a && k < a->first + a->count; k++)
			if (op->roles[k].kind == kind && (kind == ROLE_ITEM || op->roles[k].list))
				return true;
	}
	return false;
}

/* Whether the argument's integers stand in lists of a list. */
static bool is_nested(const notation *n, const char *name)
{
	for (int i = 0; i < n->n; i++) {
		const argument *a = form_argument(n->ops[i], name);
		if (a && a->count && n->ops[i]->roles[a->first].outer_len)
			return true;
	}
	return false;
}

/* The length of a place's shape, or list, where that is the same in all call forms; 0 where it is not. */
static int length_everywhere(const notation *n, const place *p)
{
	int length = 0;
	for (int i = 0; i < n->n; i++) {
		int at = form_length(p, n->ops[i]);
		if (at && length && at != length)
			return 0;
		length = at ? at : length;
	}
	return length;
}

/* A position that is counted from the right. */
static void put_from_right(buf *to, const notation *n, const place *p, int right)
{
	int length = length_everywhere(n, p);
	buf_printf(to, "%d", length > right && right >= 0 ? length - 1 - right : -1 - right);
}

static void put_offset(buf *to, const char *from, int by)
{
	buf_puts(to, from);
	if (by)
		buf_printf(to, by > 0 ? " + %d" : " - %d", by > 0 ? by : -by);
}

/* Whether a constant counts dimensions from the left wherever it is one: 0 or more. */
static bool counts_from_left(const notation *n, const char *name)
{
	bool any = false;
	for (int i = 0; i < n->n; i++) {
		const call_value *v = call_named(n->ops[i]->call, name);
		int64_t axis;
		if (!v || !call_integer(v, &axis))
			continue;
		if (axis < 0)
			return false;
		any = true;
	}
	return any;
}

/* Whether a place is one of one dimension in all call forms that have it. */
static bool has_one(const notation *n, const place *p)
{
	for (int i = 0; i < n->n; i++)
		if (form_length(p, n->ops[i]) > 1)
			return false;
	return true;
}

/* A position: so many behind what has a name; without, a number, which `right` counts from the right. */
typedef struct position {
	const char *from;
	int at;
	bool right;
} position;

static position position_of(const index_of *x, const place *p, enum align how)
{
	const place anchor = form_anchor(x->f, x->values), *a = &anchor;
	int left = p->left - a->left, right = a->right - p->right; /* so far behind the anchor, counted from either end */
	if (how == NAMED && p->named)
		return (position){.from = p->named};
	if (how == AT_LEFT)
		return (position){.at = p->left};
	if (how == AT_RIGHT)
		return (position){.at = p->right, .right = true};
	if (x->variable)
		return (position){.from = "i", .at = how == FROM_LEFT ? left : right};
	if (x->axis && has_one(x->n, p))
		return (position){.at = 0};
	if (x->axis)
		return (position){.from = x->axis, .at = how == FROM_LEFT || counts_from_left(x->n, x->axis) ? left : right};
	if (x->right >= 0 && (how != FROM_LEFT || x->left < 0))
		return (position){.at = x->right - right, .right = true};
	return (position){.at = left + x->left};
}

static void put_index(buf *to, const index_of *x, const place *p, enum align how)
{
	position at = position_of(x, p, how);
	buf_putc(to, '[');
	if (at.from)
		put_offset(to, at.from, at.at);
	else if (at.right)
		put_from_right(to, x->n, p, at.at);
	else
		buf_printf(to, "%d", at.at);
	buf_putc(to, ']');
}

/* An item of a list with two numbers a dimension: pad[-2*i - 1]; first(pads)[i], last(pads)[i]. */
static void put_group(buf *to, const index_of *x, const place *p)
{
	const place a = form_anchor(x->f, x->values);
	int half = (p->left + p->right + 1) / 2;
	if (!x->variable) {
		buf_printf(to, "%s[%d", p->arg, p->left);
	} else if (x->values == PAIRS) { /* 2*(k - a + right) + parity, right being -1 - i */
		buf_printf(to, "%s[", p->arg);
		put_offset(to, "-2*i", 2 * (p->left / 2 - a.right - 1) + p->left % 2);
	} else {
		buf_printf(to, p->left >= half ? "last(%s)[" : "first(%s)[", p->arg);
		put_offset(to, "i", a.right - (half - 1 - p->left % half));
	}
	buf_putc(to, ']');
}

static int most_outputs(const notation *n)
{
	int most = 0;
	for (int i = 0; i < n->n; i++)
		most = n->ops[i]->nout > most ? n->ops[i]->nout : most;
	return most;
}

static void put_output(buf *to, const notation *n, int item)
{
	buf_puts(to, "out");
	if (most_outputs(n) > 1)
		buf_int(to, item);
}

static void put_dimension(buf *to, const index_of *x, const place *p)
{
	if (p->arg && is_list(x->n, p->arg, ROLE_DIM) && p->kind != FOLD_TENSORS)
		buf_printf(to, "%s[%d]", p->arg, p->item);
	else if (p->arg)
		buf_puts(to, p->arg);
	else
		put_output(to, x->n, p->item);
	put_index(to, x, p, (enum align)x->dims);
}

/* Which end of a range a place is where the anchor stands: 0, the low one; 1, the high one; else none. */
static int end_at(const index_of *x, const place *p)
{
	const place *a = &x->f->anchor;
	if (place_stays(p, a) || x->variable || x->axis || (x->values != FROM_LEFT && x->values != FROM_RIGHT))
		return p->left;
	if (x->values == FROM_LEFT && x->left >= 0)
		return p->left - a->left + x->left;
	return x->right >= 0 ? 1 - (p->right - a->right + x->right) : p->left;
}

static void put_value(buf *to, const index_of *x, const place *p)
{
	if (x->values >= PAIRS && p->left + p->right > 0 && !p->end) {
		put_group(to, x, p);
		return;
	}
	buf_puts(to, p->arg);
	if (p->end)
		buf_puts(to, end_at(x, p) == 0 ? ".low" : ".high");
	else if (is_list(x->n, p->arg, ROLE_ITEM)) {
		bool alone = p->left + p->right == 0; /* a number, or a list of one */
		place at = alone ? x->f->anchor : *p;
		if (!alone || x->variable)
			put_index(to, x, &at, (enum align)x->values);
		if (is_nested(x->n, p->arg))
			buf_printf(to, "[%d]", p->item);
	}
}

static const char *fold_name(const place *p)
{
	switch ((enum op)p->fold) {
	case OP_ADD:
		return p->each == NONZERO ? "count_nonzero" : p->each == DISTINCT ? "count_distinct" : "sum";
	case OP_MAX:
		return "most";
	case OP_MIN:
		return "least";
	default:
		return p->kind == FOLD_DIMS || p->kind == FOLD_OUT ? "numel" : "prod";
	}
}

/* The integers beside an argument's, by their names; false where that is not what a fold is of. */
static bool put_integers(buf *to, const index_of *x, const place *p)
{
	for (int i = 0; i < x->n->n && p->kind == FOLD_OTHERS && !x->variable; i++) {
		const operator *op = x->n->ops[i];
		const argument *a = form_argument(op, p->arg);
		int from, end, n = 0;
		if (!a || !form_is_integer(op, a))
			continue;
		form_run_of(op, a, &from, &end);
		for (int k = from; k < end; k++)
			if (k != a->first)
				buf_printf(to, "%s%s", n++ ? ", " : "", op->arguments[op->roles[k].arg].name);
		return true;
	}
	return false;
}

/* An end of a slice, so many behind a position; nothing where that is the end of the shape. */
static void put_end(buf *to, position at, int behind)
{
	int number = at.right ? at.at + 1 - behind : at.at + behind;
	if (at.from)
		put_offset(to, at.from, at.at + behind);
	else if (number)
		buf_printf(to, at.right ? "-%d" : "%d", number);
}

/* Dimensions from a place to another, as Python slices: input[1:], input[start_dim:end_dim + 1]. */
static void put_run(buf *to, const index_of *x, const place *p)
{
	enum align how = (enum align)x->dims;
	place last = *p;
	last.left = p->to_left;
	last.right = p->to_right;
	last.named = p->to_named;
	buf_printf(to, "numel(%s", p->arg);
	if (is_list(x->n, p->arg, ROLE_DIM))
		buf_printf(to, "[%d]", p->item);
	buf_putc(to, '[');
	put_end(to, position_of(x, p, how == NAMED && !p->named ? AT_LEFT : how), 0);
	buf_putc(to, ':');
	put_end(to, position_of(x, &last, how == NAMED && !last.named ? AT_RIGHT : how), how != NAMED || !last.named || !p->before);
	buf_puts(to, "])");
}

static void put_fold(buf *to, const index_of *x, const place *p)
{
	place at = *p;
	if (p->kind == FOLD_COUNT) {
		static const char *const NAMES[] = {"len", "len", "rank"};
		buf_printf(to, p->fold == OP_SUB ? "-%s(%s)" : "%s(%s)", NAMES[p->item], p->arg ? p->arg : "out");
		return;
	}
	if (p->kind == FOLD_RUN) {
		put_run(to, x, p);
		return;
	}
	buf_printf(to, "%s(", fold_name(p));
	if (p->kind == FOLD_OUT)
		put_output(to, x->n, p->item);
	else if (p->kind == FOLD_TENSORS) {
		buf_printf(to, "%s[:]", p->arg);
		put_index(to, x, &at, (enum align)x->dims);
	} else if (!put_integers(to, x, p)) {
		buf_printf(to, p->each == AT_LEAST_ONE ? "max(%s" : "%s", p->arg);
		if (p->kind == FOLD_DIMS && is_list(x->n, p->arg, ROLE_DIM))
			buf_printf(to, "[%d]", p->item);
		if (p->each == AT_LEAST_ONE)
			buf_puts(to, ", 1)");
		if (p->kind == FOLD_OTHERS) {
			buf_puts(to, " without ");
			put_index(to, x, &at, (enum align)x->values);
		}
		if (p->each == COPIED)
			buf_printf(to, ", 0 as in %s", p->copied);
	}
	buf_putc(to, ')');
}

static void put_term(buf *to, const index_of *x, const term *t);

static void put_place(buf *to, int k, const void *user)
{
	const index_of *x = user;
	if (k >= x->f->n) {
		put_term(to, x, &x->terms[k - x->f->n]);
		return;
	}
	const place *p = &x->f->places[k];
	if (p->kind == PLACE_DIM || p->kind == PLACE_OUT)
		put_dimension(to, x, p);
	else if (p->kind == PLACE_VALUE)
		put_value(to, x, p);
	else
		put_fold(to, x, p);
}

/* ---- windows and slices, by their names */

enum { MAX_TERMS = 8 };

static void put_term(buf *to, const index_of *x, const term *t)
{
	for (int k = 0; k < t->n; k++) {
		buf_printf(to, k ? ", " : "%s(", t->name);
		if (t->arguments[k])
			expr_print_named(to, t->arguments[k], put_place, x);
		else
			buf_puts(to, "None");
	}
	buf_putc(to, ')');
}

static const expr *or_number(expr_pool *pool, const expr *e, int64_t number)
{
	return e ? e : expr_const(pool, number);
}

/* The arguments behind a window's kernel are left out from the right where they are 1, 0 and 1. */
static bool term_of(term *t, expr_pool *pool, const expr *e)
{
	window_term w;
	slice_term s;
	if (window_of(&w, pool, e)) {
		*t = (term){"window", {w.size, w.kernel, or_number(pool, w.stride, 1), or_number(pool, w.padding, 0), or_number(pool, w.dilation, 1)},
		    w.dilation ? 5 : w.padding ? 4 : w.stride ? 3 : 2};
		return true;
	}
	if (!slice_of(&s, pool, e))
		return false;
	*t = (term){"slice", {s.size, s.begin, s.end, s.stride}, 4};
	return true;
}

/* Symbols from `first` on in place of the terms in e; what is divided is none. */
static const expr *without_terms(expr_pool *pool, const expr *e, int first, term *terms, int *n)
{
	if (e->a && *n < MAX_TERMS && term_of(&terms[*n], pool, e))
		return expr_sym(pool, first + (*n)++);
	if (!e->a)
		return e;
	const expr *a = e->op == OP_DIV ? e->a : without_terms(pool, e->a, first, terms, n);
	const expr *b = without_terms(pool, e->b, first, terms, n);
	if (e->c)
		return expr_ite(pool, without_terms(pool, e->c, first, terms, n), a, b);
	return expr_make(pool, e->op, a, b);
}

/* a + (b + c) without the parentheses. */
static const expr *flattened(expr_pool *pool, const expr *e)
{
	if (!e->a)
		return e;
	const expr *a = flattened(pool, e->a), *b = flattened(pool, e->b);
	if (e->c)
		return expr_ite(pool, flattened(pool, e->c), a, b);
	if (e->op == OP_ADD && b->op == OP_ADD)
		return flattened(pool, expr_make(pool, OP_ADD, expr_make(pool, OP_ADD, a, b->a), b->b));
	return expr_make(pool, e->op, a, b);
}

static bool compares(const expr *e)
{
	return e && (expr_is_bool(e) || compares(e->a) || compares(e->b) || compares(e->c));
}

/* The expression, or the sides of the equation that it is and no comparison in them; false where it is none. */
static bool put_sides(buf *to, buf *right, const index_of *at)
{
	expr_pool *pool = expr_pool_new();
	term terms[MAX_TERMS];
	index_of x = *at;
	int n = 0;
	x.terms = terms;
	const expr *e = without_terms(pool, flattened(pool, expr_copy(pool, x.f->e, NULL)), x.f->n, terms, &n);
	bool is = !right || (e->op == OP_EQ && !compares(e->a) && !compares(e->b));
	if (is)
		expr_print_named(to, right ? e->a : e, put_place, &x);
	if (is && right)
		expr_print_named(right, e->b, put_place, &x);
	expr_pool_free(pool);
	return is;
}

static void put_expression(buf *to, const index_of *at)
{
	put_sides(to, NULL, at);
}

/* ---- statements */

/* The positions in the order of their numbers: from the left 0, 1, …, from the right -32, …, -1. */
static bool at_bit(span x, int k)
{
	return k >= 0 && x.positions >> (x.from_left ? k : 31 - k) & 1;
}

/* "for each i", "for the last 2 i", "for i = -3, -1". */
static void put_where(buf *to, span x)
{
	if (x.axis) {
		buf_printf(to, x.but ? " for each i but %s" : " for each i in %s", x.axis);
	} else if (x.positions == EVERYWHERE) {
		buf_puts(to, " for each i");
	} else if (__builtin_popcount(x.positions) > 1) {
		bool run = (x.positions & (x.positions + 1)) == 0;
		if (run) {
			buf_printf(to, " for the %s %d i", x.from_left ? "first" : "last", __builtin_popcount(x.positions));
			return;
		}
		const char *before = " for i = ";
		for (int k = 0; k < 32; k++)
			if (at_bit(x, k)) {
				buf_printf(to, "%s%d", before, x.from_left ? k : k - 32);
				before = ", ";
			}
	}
}

/* Whether some place moves with the anchor. */
static bool moves(const statement *s, reading how)
{
	for (int k = 0; k < s->f.n; k++) {
		const place *p = &s->f.places[k];
		bool value = p->kind == FOLD_OTHERS || (p->kind == PLACE_VALUE && !place_stays(p, &s->f.anchor));
		if ((place_is_dims(p) && how.dims < AT_LEFT) || (value && values_move(how.values) && s->f.positional[1]))
			return true;
	}
	return false;
}

/* Whether the anchor stands at several positions in some call form. */
static bool has_several(const notation *n, const statement *s, span x)
{
	if (x.axis && x.but)
		return true;
	for (int i = 0; i < n->n && x.axis; i++)
		if (axes_count(n->ops[i], x.axis) > 1)
			return true;
	if (x.axis || x.positions != EVERYWHERE)
		return __builtin_popcount(x.positions) > 1;
	for (int i = 0; i < n->n; i++)
		if (form_anchors(&s->f, n->ops[i]) > 1)
			return true;
	return false;
}

static int lowest(uint32_t bits)
{
	return bits ? __builtin_ctz(bits) : 0;
}

/* a == b or a == 1 or b == 1, of two dimensions: the literals in the order in which choices are written. */
static bool is_broadcast(const form *f)
{
	const expr *e = f->e, *last = e->b, *two = e->op == OP_OR && e->a->op == OP_OR ? e->a : NULL;
	bool dims = f->n == 2 && f->places[0].kind != PLACE_VALUE && f->places[0].kind < FOLD_DIMS
		    && f->places[1].kind != PLACE_VALUE && f->places[1].kind < FOLD_DIMS;
	if (!two || !dims || two->a->op != OP_EQ || two->b->op != OP_EQ || last->op != OP_EQ)
		return false;
	const expr *a = two->a->a, *b = two->a->b;
	const expr *one = two->b, *other = last;
	bool ones = one->b->op == OP_CONST && one->b->value == 1 && other->b->op == OP_CONST && other->b->value == 1;
	return ones && a->op == OP_SYM && b->op == OP_SYM && a != b
	       && ((one->a == a && other->a == b) || (one->a == b && other->a == a));
}

static void put_whole(buf *to, const notation *n, const place *p)
{
	if (!p->arg)
		put_output(to, n, p->item);
	else
		buf_puts(to, p->arg);
	if (p->arg && is_list(n, p->arg, ROLE_DIM))
		buf_printf(to, "[%d]", p->item);
}

/* Whether one position is counted from the one end, and others are found from the other end of other shapes or lists: that is
 * one number only where lengths are the same in all call forms. */
static bool is_crossed(const notation *n, const statement *s, reading how, span x)
{
	if (x.axis || x.positions == EVERYWHERE || __builtin_popcount(x.positions) != 1)
		return false;
	bool crossed = false, vary = false;
	for (int k = 0; k < s->f.n; k++) {
		const place *p = &s->f.places[k];
		bool value = p->kind == PLACE_VALUE;
		if ((!value && p->kind != PLACE_DIM && p->kind != PLACE_OUT) || place_stays(p, &s->f.anchor))
			continue;
		crossed |= !place_in_one(p, &s->f.anchor) && (!value || p->left + p->right > 0)
		    && (value ? how.values : how.dims) == (x.from_left ? FROM_RIGHT : FROM_LEFT);
		vary |= !length_everywhere(n, p);
	}
	return crossed && vary;
}

/* The first end of a tensor's range among the places, where these move with the anchor; NULL: there is none. */
static const place *moving_end(const index_of *x)
{
	for (int k = 0; k < x->f->n && (x->values == FROM_LEFT || x->values == FROM_RIGHT); k++) {
		const place *p = &x->f->places[k];
		if (p->end && !place_stays(p, &x->f->anchor))
			return p;
	}
	return NULL;
}

/* Whether the anchor can stand there, and all places are. */
static bool stands(const index_of *x)
{
	const place *a = &x->f->anchor;
	if ((x->values == FROM_LEFT ? x->left : x->right) < 0)
		return false;
	for (int k = 0; k < x->f->n; k++) {
		const place *p = &x->f->places[k];
		bool value = p->kind == PLACE_VALUE || p->kind == FOLD_OTHERS;
		int how = value ? x->values : x->dims;
		if (p->end && (end_at(x, p) < 0 || end_at(x, p) > 1))
			return false;
		if (p->end || (p->kind >= FOLD_DIMS && p->kind != FOLD_TENSORS && p->kind != FOLD_OTHERS && p->kind != FOLD_RUN))
			continue;
		int right = p->kind == FOLD_RUN ? p->to_right : p->right;
		if ((how == FROM_LEFT && p->left - a->left + x->left < 0) || (how == FROM_RIGHT && right - a->right + x->right < 0))
			return false;
	}
	return true;
}

/* The anchor where the first end of a range among the places is the low one (0), or the high one. */
static index_of at_end(const index_of *x, const place *end, int which)
{
	const place *a = &x->f->anchor;
	index_of moved = *x;
	moved.variable = false;
	moved.left = a->left + which - end->left;
	moved.right = a->right - which + end->left;
	return moved;
}

/* A clause of the ends of a range is said of either, as far as it holds there: two are not worth a variable. */
static bool put_ends(buf *to, const index_of *x)
{
	const place *end = moving_end(x);
	if (!end)
		return false;
	const index_of ends[] = {at_end(x, end, 0), at_end(x, end, 1)};
	bool low = stands(&ends[0]), high = stands(&ends[1]), choice = low && high && x->f->e->op == OP_OR;
	buf_puts(to, choice ? "(" : "");
	if (low)
		put_expression(to, &ends[0]);
	if (low && high)
		buf_puts(to, choice ? ") and (" : " and ");
	if (high)
		put_expression(to, &ends[1]);
	buf_puts(to, choice ? ")" : "");
	return low || high;
}

/* A place's length in a call form; 0: a number, which is no list, or not there. */
static int moving_length(const place *p, const operator *op)
{
	const argument *a = p->kind == PLACE_VALUE ? form_argument(op, p->arg) : NULL;
	return a && a->count && op->roles[a->first].kind != ROLE_ITEM ? 0 : form_length(p, op);
}

/* Whether shapes or lists of other lengths meet, and are aligned at their first positions. */
static bool meet_at_first(const notation *n, const statement *s, reading how)
{
	for (int i = 0; i < n->n; i++) {
		int length = 0;
		for (int k = 0; k < s->f.n; k++) {
			const place *p = &s->f.places[k];
			bool value = p->kind == PLACE_VALUE;
			if ((!value && p->kind != PLACE_DIM && p->kind != PLACE_OUT) || (value ? how.values : how.dims) != FROM_LEFT || p->end)
				continue;
			int here = moving_length(p, n->ops[i]);
			if (here && length && here != length)
				return true;
			length = here ? here : length;
		}
	}
	return false;
}

/* The one dimension that a constant names, from the left, the same in nops call forms; -1: it is none such. */
static int axis_in_all(const operator *const *ops, int nops, const char *name)
{
	int at = -1;
	for (int i = 0; i < nops; i++) {
		axes a = axes_of(ops[i], name, AXES_RANK);
		if (a.kind != AXES_GIVEN || a.n != 1 || a.list[0] >= AXES_RANK / 2 || (i && a.list[0] != at))
			return -1;
		at = a.list[0];
	}
	return at;
}

/* The same where nothing shows that it is an axis: another constant names that dimension, too, in all call forms (of several masks
 * that are 0 none is an axis), or it never names another in the whole family. */
static int shared_axis(const notation *n, const char *name)
{
	int at = axis_in_all(n->ops, n->n, name);
	if (at < 0 || axis_in_all(n->whole ? n->whole : n->ops, n->whole ? n->nwhole : n->n, name) == at)
		return at;
	for (int k = 0; k < n->ops[0]->nargs; k++)
		if (strcmp(n->ops[0]->arguments[k].name, name) != 0 && axis_in_all(n->ops, n->n, n->ops[0]->arguments[k].name) == at)
			return at;
	return -1;
}

/* A clause as it will be written. */
typedef struct sentence {
	index_of x;
	span where;
	bool crossed, moves; /* `moves`: over all positions */
} sentence;

static sentence sentence_of(const notation *n, const statement *s, reading how)
{
	sentence c = {.where = s->spans[how.span]};
	c.x = (index_of){.n = n, .f = &s->f, .dims = how.dims, .values = how.values, .left = -1, .right = -1};
	c.crossed = moves(s, how) && is_crossed(n, s, how, c.where);
	c.x.variable = c.crossed || (moves(s, how) && has_several(n, s, c.where));
	c.moves = c.x.variable && c.where.positions == EVERYWHERE;
	int shared = c.where.axis && !c.where.but ? shared_axis(n, c.where.axis) : -1;
	if (shared >= 0)
		c.x.left = shared;
	else if (c.where.axis)
		c.x.axis = c.where.axis;
	else if (c.where.positions == EVERYWHERE)
		c.x.left = 0;
	else if (c.where.from_left)
		c.x.left = lowest(c.where.positions);
	else
		c.x.right = lowest(c.where.positions);
	return c;
}

/* What is said in one word, or of the ends of a range. */
static bool put_shortly(buf *to, const notation *n, const statement *s, reading how, const sentence *c)
{
	if (c->moves && how.dims == FROM_RIGHT && is_broadcast(&s->f)) {
		buf_puts(to, "broadcastable(");
		put_whole(to, n, &s->f.places[0]);
		buf_puts(to, ", ");
		put_whole(to, n, &s->f.places[1]);
		buf_putc(to, ')');
		return true;
	}
	return c->moves && !c->where.axis && put_ends(to, &c->x);
}

static void put_positions(buf *to, const notation *n, const statement *s, reading how, const sentence *c)
{
	if (c->crossed)
		buf_printf(to, " for i = %d", c->where.from_left ? lowest(c->where.positions) : -1 - lowest(c->where.positions));
	else if (c->x.variable)
		put_where(to, c->where);
	if (c->moves && !c->where.axis && meet_at_first(n, s, how))
		buf_puts(to, " from the left");
}

void notation_clause(buf *to, const notation *n, const statement *s, reading how)
{
	sentence c = sentence_of(n, s, how);
	if (put_shortly(to, n, s, how, &c))
		return;
	put_expression(to, &c.x);
	put_positions(to, n, s, how, &c);
}

bool notation_equation(equation *to, const notation *n, const statement *s, reading how)
{
	sentence c = sentence_of(n, s, how);
	buf shortly = {0};
	bool is = !put_shortly(&shortly, n, s, how, &c) && put_sides(&to->left, &to->right, &c.x);
	buf_free(&shortly);
	if (is)
		put_positions(&to->where, n, s, how, &c);
	return is;
}

/* As put_sides. */
static bool put_plain(buf *to, buf *right, const notation *n, const operator *op, const expr *e)
{
	expr_pool *pool = expr_pool_new();
	form f;
	bool is = form_of(&f, pool, op, expr_copy(pool, e, NULL), NULL, NULL, false);
	if (is)
		is = put_sides(to, right, &(index_of){.n = n, .f = &f, .dims = AT_LEFT, .values = AT_LEFT});
	else if (!right)
		expr_print(to, e);
	expr_pool_free(pool);
	return is;
}

void notation_plain(buf *to, const notation *n, const operator *op, const expr *e)
{
	put_plain(to, NULL, n, op, e);
}

bool notation_plain_equation(equation *to, const notation *n, const operator *op, const expr *e)
{
	return put_plain(&to->left, &to->right, n, op, e);
}

/* ---- outputs */

/* Where dimensions stand beside the one that a constant names. */
enum side { AT_AXIS, BUT_AXIS, BEFORE_AXIS, FROM_AXIS };

/* Output dimensions of one form. */
typedef struct line {
	form f;
	uint32_t right, left; /* its positions in the leader, counted from either end */
	int tensor, rank;
	bool displaced; /* in another call form it stands elsewhere; */
	const char *axis; /* where this constant says, NULL: none does */
	enum side side;
	bool from_right; /* it stands at one distance from the end in all call forms, and at several from the start */
	bool crossed;	 /* its places do not stand at one distance from the start */
	uint64_t forms;  /* the call forms that have it and no line of the leader's there; 0: it is the leader's */
	uint8_t dims, values; /* how dimensions and list items are found at all of these positions */
} line;

enum { MAX_LINES = 128, MOST_EXTRA = 6, MOST_FORMS = 64 };

typedef struct lines {
	line list[MAX_LINES];
	int n;
	bool folds; /* are places of their own */
	bool plain; /* no dimension goes by the name of an argument whose value it happens to be */
	int unsaid; /* dimensions of other call forms that are none of these */
	uint64_t others; /* the call forms that have more of them than are said */
} lines;

/* An output dimension of a call form as a line says it. */
static bool line_form(const lines *l, form *f, expr_pool *pool, const operator *op, const expr *e, const place *at)
{
	if (!form_of(f, pool, op, e, NULL, at, !l->folds ? NO_FOLDS : l->plain ? UNNAMED_FOLDS : FOLDS))
		return false;
	for (int k = 0; k < f->n && l->plain; k++)
		place_forget_names(&f->places[k]);
	if (l->plain)
		place_forget_names(&f->anchor);
	return true;
}

/* " where padding = 'same'", where one condition tells these call forms from all others. */
static bool put_guard(buf *to, const notation *n, uint64_t forms)
{
	bool in[MOST_FORMS];
	guard g;
	for (int i = 0; i < n->n && i < MOST_FORMS; i++)
		in[i] = forms >> i & 1;
	if (!forms || n->n > MOST_FORMS || !guard_find(&g, n->ops, n->n, in, NULL) || g.n > 1)
		return false;
	buf_puts(to, " where ");
	guard_put(to, &g);
	return true;
}

/* This, or " in -3, -7". */
static void put_forms(buf *to, const notation *n, uint64_t forms)
{
	const char *before = " in ";
	if (put_guard(to, n, forms))
		return;
	for (int i = 0; i < n->n && i < MOST_FORMS; i++) {
		const char *dash = strrchr(n->ops[i]->name, '-');
		if (!(forms >> i & 1))
			continue;
		buf_printf(to, "%s%s", before, dash ? dash : n->ops[i]->name);
		before = ", ";
	}
}

static void put_line(buf *to, const notation *n, const line *l)
{
	bool several = __builtin_popcount(l->right) > 1;
	index_of x = {.n = n, .f = &l->f, .variable = several || l->displaced, .left = -1, .right = lowest(l->right)};
	buf text = {0};
	put_output(&text, n, l->tensor);
	if (x.variable)
		buf_puts(&text, "[i] = ");
	else
		buf_printf(&text, "[%d] = ", l->from_right ? -1 - x.right : l->rank - 1 - x.right);
	x.dims = l->dims;
	x.values = l->values;
	if (!x.variable && l->dims != NAMED) { /* as it stands: counted from the left */
		bool right = l->from_right || l->crossed;
		x.left = right ? -1 : l->f.anchor.left;
		x.dims = x.values = right ? FROM_RIGHT : FROM_LEFT;
	}
	put_expression(&text, &x);
	static const char *const BESIDE[] = {[AT_AXIS] = " for i = %s", [BUT_AXIS] = " for each i but %s",
	    [BEFORE_AXIS] = " for each i before %s", [FROM_AXIS] = " for each i from %s on"};
	if (l->displaced && l->axis)
		buf_printf(&text, BESIDE[l->side], l->axis);
	else if (l->displaced)
		buf_puts(&text, " for some i");
	else if (several && __builtin_popcount(l->right) == l->rank)
		buf_puts(&text, " for each i");
	else if (several)
		put_where(&text, (span){.positions = l->right});
	put_forms(&text, n, l->forms);
	buf_json(to, text.text);
	buf_free(&text);
}

static int find_line(const lines *l, const form *f, int tensor)
{
	for (int k = 0; k < l->n; k++)
		if (l->list[k].tensor == tensor && form_equal(&l->list[k].f, f))
			return k;
	return -1;
}

/* The lines of output tensor t, of its last `only` dimensions. */
static void add_lines(lines *l, expr_pool *pool, const operator *op, int t, int only, const expr *const *out)
{
	for (int d = 0; d < op->nodim; d++) {
		place at = form_output_place(op, d);
		form f;
		if (at.item != t || at.right >= only || l->n == MAX_LINES || !line_form(l, &f, pool, op, out[d], &at))
			continue;
		int k = find_line(l, &f, at.item);
		if (k < 0)
			l->list[k = l->n++] = (line){.f = f, .tensor = at.item, .rank = at.left + at.right + 1};
		l->list[k].right |= position_bit(at.right);
		l->list[k].left |= position_bit(at.left);
	}
}

static way way_of(const line *l)
{
	return (way){.dims = l->dims, .values = l->values};
}

/* As tidy_same; NULL: an argument has no such place. */
static bool is_same(expr_pool *pool, const operator *op, const expr *applied, const expr *e)
{
	return applied && tidy_same(pool, op, applied, e);
}

/* Whether a line of several positions, of what arguments name, or of counts says this dimension, too, which is shorter: of one
 * factor, a product is it, and where a count is 1, nothing shows that it is one. */
static bool is_said(const lines *l, int n, expr_pool *pool, const operator *op, const place *at, const expr *e)
{
	for (int k = 0; k < n; k++) {
		const line *x = &l->list[k];
		bool there = x->right & position_bit(at->right) || __builtin_popcount(x->right) == x->rank;
		int missing;
		const expr *was;
		bool shorter = __builtin_popcount(x->right) > 1 || x->dims == NAMED || form_counts(&x->f);
		if (x->tensor == at->item && there && shorter
		    && is_same(pool, op, form_apply(&x->f, pool, op, NULL, at->left, at->right, way_of(x), &missing, &was), e) && !missing)
			return true;
	}
	return false;
}

/* Looks where another call form has these lines. */
static void compare_lines(lines *l, expr_pool *pool, const operator *op, const expr *const *out)
{
	for (int d = 0; d < op->nodim; d++) {
		place at = form_output_place(op, d);
		form f;
		int k = line_form(l, &f, pool, op, out[d], &at) ? find_line(l, &f, at.item) : -1;
		l->unsaid += at.item == l->list[0].tensor && k < 0 && !is_said(l, l->n, pool, op, &at, out[d]);
		bool right = k >= 0 && l->list[k].right & position_bit(at.right), left = k >= 0 && l->list[k].left & position_bit(at.left);
		if (k >= 0 && !right && !left)
			l->list[k].displaced = true;
		l->list[k < 0 ? 0 : k].from_right |= right && !left;
	}
}

/* Whether an argument of the line is there, without an item: the signature says nothing of what stands for it. */
static bool has_empty_list(const line *l, const operator *op)
{
	for (int k = 0; k < l->f.n; k++) {
		const call_value *v = l->f.places[k].arg ? call_named(op->call, l->f.places[k].arg) : NULL;
		if (v && v->kind == CALL_LIST && v->count == 0)
			return true;
	}
	return false;
}

/* Whether a line at this place says the dimension of who leaves arguments out: what they stand for is in the signature. */
static bool is_default(const lines *l, int n, expr_pool *pool, const operator *op, const place *at, const expr *e)
{
	for (int k = 0; k < n; k++) {
		const line *x = &l->list[k];
		way w = way_of(x);
		int missing = 0;
		const expr *was;
		if (x->tensor != at->item || !(x->right & position_bit(at->right)) || has_empty_list(x, op))
			continue;
		bool is = is_same(pool, op, form_apply(&x->f, pool, op, NULL, at->left, at->right, w, &missing, &was), e) && missing;
		for (int by = 1; !is && missing && missing <= MAX_MISSING && by < form_substitutes(missing); by++) {
			w.substitute = (uint8_t)by;
			is = is_same(pool, op, form_apply(&x->f, pool, op, NULL, at->left, at->right, w, &missing, &was), e);
		}
		if (is)
			return true;
	}
	return false;
}

/* What stands in none of the leader's lines: dimensions that other call forms have instead. */
static void add_others(lines *l, const notation *n, expr_pool *pool, const expr *const *const *outs, int t, int only)
{
	int leaders = l->n;
	for (int i = 0; i < n->n && i < MOST_FORMS; i++)
		for (int d = 0; d < n->ops[i]->nodim; d++) {
			place at = form_output_place(n->ops[i], d);
			uint32_t right = position_bit(at.right);
			form f;
			int k = 0;
			if (at.item != t || at.right >= only || !line_form(l, &f, pool, n->ops[i], outs[i][d], &at))
				continue;
			while (k < l->n && (!form_equal(&l->list[k].f, &f) || (k >= leaders && l->list[k].right != right)))
				k++;
			if (k < leaders || k == MAX_LINES || is_said(l, leaders, pool, n->ops[i], &at, outs[i][d])
			    || is_default(l, leaders, pool, n->ops[i], &at, outs[i][d]))
				continue;
			if (k == l->n)
				l->list[l->n++] = (line){.f = f, .tensor = t, .right = right, .from_right = true};
			l->list[k].forms |= UINT64_C(1) << i;
			l->others |= UINT64_C(1) << i;
		}
	if (l->n - leaders > MOST_EXTRA)
		l->n = leaders;
	else
		l->others = 0;
}

/* Whether a line, with places found in one way, is what all its dimensions are; who lacks an argument does not say. */
static bool is_found(const lines *l, int k, const notation *n, expr_pool *pool, const expr *const *const *outs)
{
	for (int i = 0; i < n->n; i++)
		for (int d = 0; d < n->ops[i]->nodim; d++) {
			place at = form_output_place(n->ops[i], d);
			form f;
			int missing;
			const expr *was;
			if (!line_form(l, &f, pool, n->ops[i], outs[i][d], &at) || find_line(l, &f, at.item) != k)
				continue;
			const line *x = &l->list[k];
			const expr *e = form_apply(&x->f, pool, n->ops[i], NULL, at.left, at.right, way_of(x), &missing, &was);
			if (e != outs[i][d] && missing == 0)
				return false;
		}
	return true;
}

/* Whether the text names no position by its number, which would be counted from the right. */
static bool is_of_any(const line *l)
{
	return l->displaced || (l->rank > 1 && __builtin_popcount(l->right) == l->rank);
}

static void find_ways(lines *l, const notation *n, expr_pool *pool, const expr *const *const *outs)
{
	static const struct {
		uint8_t dims, values;
	} WAYS_FOUND[] = {{FROM_RIGHT, FROM_RIGHT}, {FROM_LEFT, FROM_LEFT}, {FROM_RIGHT, PAIRS}, {FROM_RIGHT, HALVES}, {NAMED, FROM_RIGHT}};
	for (int k = 0; k < l->n; k++) {
		line *x = &l->list[k];
		bool found = false;
		for (size_t w = 0; w < sizeof WAYS_FOUND / sizeof *WAYS_FOUND && !found; w++) {
			x->dims = WAYS_FOUND[w].dims;
			x->values = WAYS_FOUND[w].values;
			found = (x->dims != FROM_LEFT || is_of_any(x)) && is_found(l, k, n, pool, outs);
		}
		line right = *x;
		x->dims = x->values = FROM_LEFT;
		right.crossed = found && !is_found(l, k, n, pool, outs);
		*x = right;
		if (!found)
			x->dims = x->values = FROM_RIGHT;
	}
}

/* Where one line of a tensor stands elsewhere, so do the others, but one that is said of each position. */
static void spread_displaced(lines *l)
{
	for (int k = 0; k < l->n; k++)
		for (int j = 0; j < l->n && l->list[k].displaced; j++)
			if (l->list[j].tensor == l->list[k].tensor)
				l->list[j].displaced |= __builtin_popcount(l->list[j].right) < l->list[j].rank;
}

/* ---- dimensions where a constant says */

/* The dimensions of a line's tensor that are its form in one call form, as bits from the left. */
static uint32_t positions_in(const lines *l, int k, expr_pool *pool, const operator *op, const expr *const *out)
{
	uint32_t positions = 0;
	for (int d = 0; d < op->nodim; d++) {
		place at = form_output_place(op, d);
		form f;
		if (at.item == l->list[k].tensor && line_form(l, &f, pool, op, out[d], &at) && find_line(l, &f, at.item) == k)
			positions |= position_bit(at.left);
	}
	return positions;
}

/* Whether these are the dimensions of a shape on that side of the axis. */
static bool is_beside(uint32_t positions, int rank, uint32_t axis, enum side side)
{
	uint32_t all = ((uint32_t)1 << rank) - 1, before = axis - 1;
	return positions == (side == AT_AXIS ? axis : side == BUT_AXIS ? all & ~axis : side == BEFORE_AXIS ? before : all & ~before);
}

/* Whether line k stands on that side of what the argument names, in all call forms. */
static bool stands_beside(const lines *l, int k, const notation *n, expr_pool *pool, const expr *const *const *outs,
    const char *argument, enum side side)
{
	int t = l->list[k].tensor;
	for (int i = 0; i < n->n; i++) {
		if (t >= n->ops[i]->nout)
			continue;
		int rank = n->ops[i]->call->outputs[t].rank;
		axes a = axes_of(n->ops[i], argument, rank);
		if (a.kind != AXES_GIVEN || a.n != 1 || rank > AXES_RANK
		    || !is_beside(positions_in(l, k, pool, n->ops[i], outs[i]), rank, a.positions, side))
			return false;
	}
	return true;
}

static void find_axis(lines *l, int k, const notation *n, expr_pool *pool, const expr *const *const *outs, int leader)
{
	line *x = &l->list[k];
	for (int a = 0; a < n->ops[leader]->nargs && !x->axis; a++)
		for (enum side side = AT_AXIS; side <= FROM_AXIS && !x->axis; side++)
			if (stands_beside(l, k, n, pool, outs, n->ops[leader]->arguments[a].name, side)
			    && !(side == AT_AXIS && shared_axis(n, n->ops[leader]->arguments[a].name) >= 0)) {
				x->axis = n->ops[leader]->arguments[a].name;
				x->side = side;
			}
}

static int count_displaced(const lines *l)
{
	int n = 0;
	for (int k = 0; k < l->n; k++)
		n += l->list[k].displaced;
	return n;
}

static int count_places(const lines *l)
{
	int n = 0;
	for (int k = 0; k < l->n; k++)
		n += l->list[k].f.n;
	return n;
}

/* Whether the lines are all dimensions of their tensor in all call forms. */
static bool says_all(const lines *l, const notation *n, expr_pool *pool, const expr *const *const *outs)
{
	for (int i = 0; i < n->n && l->n; i++) {
		int t = l->list[0].tensor, rank = t < n->ops[i]->nout ? n->ops[i]->call->outputs[t].rank : 0;
		uint32_t said = 0;
		for (int k = 0; k < l->n; k++)
			said |= positions_in(l, k, pool, n->ops[i], outs[i]);
		if (said != ((uint32_t)1 << rank) - 1)
			return false;
	}
	return true;
}

/* Where numbers do not say where lines stand in all call forms, constants do, if each has one. */
static void find_axes(lines *l, const notation *n, expr_pool *pool, const expr *const *const *outs, int leader)
{
	bool all = count_displaced(l) || l->unsaid, plain = !all;
	for (int k = 0; k < l->n && !plain; k++) {
		find_axis(l, k, n, pool, outs, leader);
		all &= l->list[k].axis != NULL;
	}
	all &= !plain && says_all(l, n, pool, outs);
	for (int k = 0; k < l->n && all; k++)
		l->list[k].displaced = true;
}

/* Whether lines say more than others: of more dimensions, where they are, in fewer lines, and of fewer places. A 2 is seldom the
 * length of a list, and a number seldom the name of a dimension, but where other call forms say so: those come last. */
static bool says_more(const lines *a, const lines *b)
{
	if (a->unsaid != b->unsaid)
		return a->unsaid < b->unsaid;
	int x = count_displaced(a), y = count_displaced(b);
	return x != y ? x < y : a->n != b->n ? a->n < b->n : count_places(a) < count_places(b);
}

/* The last `only` dimensions of an output tensor. */
static lines lines_of(const notation *n, expr_pool *pool, int leader, const expr *const *const *outs, int t, int only)
{
	lines best = {.n = 0};
	for (int variant = 0; variant < 4; variant++) {
		lines l = {.folds = variant & 1, .plain = !(variant & 2)};
		add_lines(&l, pool, n->ops[leader], t, only, outs[leader]);
		for (int i = 0; i < n->n; i++)
			compare_lines(&l, pool, n->ops[i], outs[i]);
		if (variant == 0 || says_more(&l, &best))
			best = l;
	}
	spread_displaced(&best);
	find_ways(&best, n, pool, outs);
	find_axes(&best, n, pool, outs, leader);
	return best;
}

/* The next dimension of output t behind d; -1: there is none. */
static int next_dimension(const operator *op, int t, int d)
{
	for (d++; d < op->nodim; d++)
		if (op->out_tensor[d] == t)
			return d;
	return -1;
}

/* The first output before t that all call forms give the same dimensions; -1: there is none. */
static int same_output(const notation *n, const expr *const *const *outs, int t)
{
	for (int u = 0; u < t; u++) {
		bool same = true;
		for (int i = 0; i < n->n && same; i++) {
			const operator *op = n->ops[i];
			int mine = -1, other = -1;
			do { /* both in step */
				mine = next_dimension(op, t, mine);
				other = next_dimension(op, u, other);
				same = mine < 0 || other < 0 ? mine == other : outs[i][mine] == outs[i][other];
			} while (same && mine >= 0);
		}
		if (same)
			return u;
	}
	return -1;
}

/* Whether output t has other ranks in other call forms: what they share is said from the right. */
static bool ranks_differ(const notation *n, int t)
{
	const operator *const *ops = n->whole ? n->whole : n->ops;
	int rank = -1, nops = n->whole ? n->nwhole : n->n;
	for (int i = 0; i < nops; i++) {
		if (t >= ops[i]->nout)
			continue;
		int here = ops[i]->call->outputs[t].rank;
		if (rank >= 0 && here != rank)
			return true;
		rank = here;
	}
	return false;
}

/* Whether some call form's output t has more than so many dimensions. */
static bool has_more(const notation *n, int t, int cut)
{
	for (int i = 0; i < n->n; i++)
		if (t < n->ops[i]->nout && n->ops[i]->call->outputs[t].rank > cut)
			return true;
	return false;
}

static void put_comma(buf *to)
{
	if (to->text[to->length - 1] == '"')
		buf_putc(to, ',');
}

/* "out is another in -3, -7". */
static void put_unsaid(buf *to, const notation *n, int t, uint64_t forms)
{
	buf text = {0};
	put_output(&text, n, t);
	buf_puts(&text, " is another");
	put_forms(&text, n, forms);
	put_comma(to);
	buf_json(to, text.text);
	buf_free(&text);
}

static bool all_beside(const lines *l)
{
	for (int k = 0; k < l->n; k++)
		if (!l->list[k].displaced || !l->list[k].axis)
			return false;
	return true;
}

static void put_output_tensor(buf *to, const notation *n, expr_pool *pool, int leader, const expr *const *const *outs, int t)
{
	int same = next_dimension(n->ops[leader], t, -1) < 0 ? -1 : same_output(n, outs, t);
	if (same >= 0) {
		buf_printf(to, "%s\"out%d = out%d\"", to->text[to->length - 1] == '"' ? "," : "", t, same);
		return;
	}
	if (shapes_output(to, n->ops, n->n, pool, t, 0, outs))
		return;
	int only = MAX_LINES;
	lines l = lines_of(n, pool, leader, outs, t, only);
	bool leave = l.n > 1 && !all_beside(&l) && (count_displaced(&l) || ranks_differ(n, t));
	for (int cut = 1; cut < 4 && leave && has_more(n, t, cut); cut++) {
		lines last = lines_of(n, pool, leader, outs, t, cut);
		if (!count_displaced(&last) && shapes_output(to, n->ops, n->n, pool, t, cut, outs)) {
			l = last;
			only = cut;
			break;
		}
	}
	if (!count_displaced(&l))
		add_others(&l, n, pool, outs, t, only);
	for (int k = 0; k < l.n; k++) {
		put_comma(to);
		put_line(to, n, &l.list[k]);
	}
	if (l.others)
		put_unsaid(to, n, t, l.others);
}

void notation_outputs(buf *to, const notation *n, expr_pool *pool, int leader, const expr *const *const *outs)
{
	for (int t = 0; t < n->ops[leader]->nout; t++)
		put_output_tensor(to, n, pool, leader, outs, t);
}

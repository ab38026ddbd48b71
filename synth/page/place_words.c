#include "place_words.h"

#include <string.h>

#include "axes.h"
#include "need.h"
#include "slice_term.h"
#include "window_term.h"

/* ---- places */

bool words_is_list(const notation *n, const char *name, enum role_kind kind)
{
	for (int i = 0; i < n->n; i++) {
		const operator *op = n->ops[i];
		const argument *a = expr_template_argument(op, name);
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
		const argument *a = expr_template_argument(n->ops[i], name);
		if (a && a->count && n->ops[i]->roles[a->first].outer_len)
			return true;
	}
	return false;
}

/* Whether the argument is a list of such. */
static bool has_several(const notation *n, const char *name)
{
	for (int i = 0; i < n->n; i++) {
		const argument *a = expr_template_argument(n->ops[i], name);
		if (a && a->count && expr_template_nested(n->ops[i], a, a->first + a->count - 1) > 0)
			return true;
	}
	return false;
}

int words_length(const notation *n, const template_index *p)
{
	int length = 0;
	for (int i = 0; i < n->n; i++) {
		int at = expr_template_length(p, n->ops[i]);
		if (at && length && at != length)
			return 0;
		length = at ? at : length;
	}
	return length;
}

int words_most_items(const notation *n, const char *name, size_t length)
{
	int most = 0;
	for (int i = 0; i < n->n; i++)
		for (int k = 0; k < n->ops[i]->nargs; k++) {
			const argument *a = &n->ops[i]->arguments[k];
			if (strlen(a->name) != length || memcmp(a->name, name, length) != 0 || !a->count)
				continue;
			int tensors = argument_tensors(n->ops[i], a), items = tensors ? tensors : n->ops[i]->roles[a->first].outer_len;
			int within = expr_template_nested(n->ops[i], a, a->first + a->count - 1);
			items = within ? within + 1 : items;
			most = items > most ? items : most;
		}
	return most;
}

int words_inner_length(const notation *n, const template_index *p)
{
	int length = 0;
	for (int i = 0; i < n->n && p->kind == INDEX_ITEM; i++) {
		const argument *a = expr_template_argument(n->ops[i], p->arg);
		const role *r = a && a->count ? &n->ops[i]->roles[a->first] : NULL;
		int at = r && r->outer_len ? r->len : 0;
		if (at && length && at != length)
			return 0;
		length = at ? at : length;
	}
	return length;
}

/* A position that is counted from the right. */
static void put_from_right(buf *to, const notation *n, const template_index *p, int right)
{
	int length = words_length(n, p);
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
static bool has_one(const notation *n, const template_index *p)
{
	for (int i = 0; i < n->n; i++)
		if (expr_template_length(p, n->ops[i]) > 1)
			return false;
	return true;
}

/* A position: so many behind what has a name; without, a number, which `right` counts from the right. */
typedef struct position {
	const char *from;
	int at;
	bool right;
} position;

static bool moves(const index_of *x, const template_index *p)
{
	bool value = p->kind == INDEX_ITEM || p->kind == FOLD_OTHERS;
	return value ? alignment_moves_items(x->values) && !template_index_stays(p, &x->f->pivot) : template_index_is_dims(p) && x->dims < AT_LEFT;
}

/* From where positions are counted. */
static template_index base_of(const index_of *x)
{
	template_index a = expr_template_pivot(x->f, x->values);
	for (int k = 0; k < x->f->n && x->everywhere && x->values < PAIRS && !moves(x, &a); k++)
		if (moves(x, &x->f->indices[k]))
			return x->f->indices[k];
	return a;
}

static position position_of(const index_of *x, const template_index *p, enum align how)
{
	const template_index base = base_of(x), *a = &base;
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

static void put_index(buf *to, const index_of *x, const template_index *p, enum align how)
{
	position at = position_of(x, p, how);
	int length = at.right ? words_length(x->n, p) : 0, left = !at.right ? at.at : length ? length - 1 - at.at : -1;
	buf_putc(to, '[');
	bool inner = p->kind == INDEX_ITEM && is_nested(x->n, p->arg); /* its own places are the inner lists' */
	if (x->n->beside && !inner && !at.from && left == x->n->inner - 1)
		buf_putc(to, 'j');
	else if (at.from)
		put_offset(to, at.from, at.at);
	else if (at.right)
		put_from_right(to, x->n, p, at.at);
	else
		buf_printf(to, "%d", at.at);
	buf_putc(to, ']');
}

/* An item of a list with two numbers a dimension: pad[-2*i - 1]; first(pads)[i], last(pads)[i]. */
static void put_group(buf *to, const index_of *x, const template_index *p)
{
	const template_index a = expr_template_pivot(x->f, x->values);
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

int words_most_outputs(const operator *const *ops, int n)
{
	int most = 0;
	for (int i = 0; i < n; i++)
		most = ops[i]->nout > most ? ops[i]->nout : most;
	return most;
}

void words_output(buf *to, const notation *n, int item)
{
	buf_puts(to, "out");
	bool several = n->nout > 1 || words_most_outputs(n->ops, n->n) > 1;
	if (n->together && n->together->first == item)
		buf_puts(to, "[k]");
	else if (several && n->ops[0]->from_end)
		buf_printf(to, "[%d]", -1 - item);
	else if (several)
		buf_int(to, item);
}

static void put_dimension(buf *to, const index_of *x, const template_index *p)
{
	if (p->arg && words_is_list(x->n, p->arg, ROLE_DIM) && p->kind != FOLD_TENSORS)
		buf_printf(to, "%s[%d]", p->arg, p->item);
	else if (p->arg)
		buf_puts(to, p->arg);
	else
		words_output(to, x->n, p->item);
	put_index(to, x, p, (enum align)x->dims);
}

int words_end(const index_of *x, const template_index *p)
{
	const template_index *a = &x->f->pivot;
	if (template_index_stays(p, a) || x->variable || x->axis || (x->values != FROM_LEFT && x->values != FROM_RIGHT))
		return p->left;
	if (x->values == FROM_LEFT && x->left >= 0)
		return p->left - a->left + x->left;
	return x->right >= 0 ? 1 - (p->right - a->right + x->right) : p->left;
}

static void put_value(buf *to, const index_of *x, const template_index *p)
{
	const walk *together = x->n->together;
	if (together && together->list && strcmp(together->list, p->arg) == 0) {
		buf_printf(to, "%s[k]", p->arg);
		return;
	}
	if (x->values >= PAIRS && p->left + p->right > 0 && !p->end) {
		put_group(to, x, p);
		return;
	}
	buf_puts(to, p->arg);
	if (has_several(x->n, p->arg))
		buf_printf(to, "[%d]", p->within);
	if (p->end)
		buf_puts(to, words_end(x, p) == 0 ? ".low" : ".high");
	else if (words_is_list(x->n, p->arg, ROLE_ITEM)) {
		bool alone = p->left + p->right == 0; /* a number, or a list of one */
		template_index at = alone ? x->f->pivot : *p;
		if (!alone || x->variable)
			put_index(to, x, &at, (enum align)x->values);
		if (is_nested(x->n, p->arg) && p->item == x->n->inner - 1)
			buf_puts(to, "[j]");
		else if (is_nested(x->n, p->arg))
			buf_printf(to, "[%d]", p->item);
	}
}

static const char *fold_name(const template_index *p)
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
static bool put_integers(buf *to, const index_of *x, const template_index *p)
{
	for (int i = 0; i < x->n->n && p->kind == FOLD_OTHERS && !x->variable; i++) {
		const operator *op = x->n->ops[i];
		const argument *a = expr_template_argument(op, p->arg);
		int from, end, n = 0;
		if (!a || !expr_template_is_integer(op, a))
			continue;
		expr_template_run_of(op, a, &from, &end);
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
static void put_run(buf *to, const index_of *x, const template_index *p)
{
	enum align how = (enum align)x->dims;
	template_index last = *p;
	last.left = p->to_left;
	last.right = p->to_right;
	last.named = p->to_named;
	buf_printf(to, "numel(%s", p->arg);
	if (words_is_list(x->n, p->arg, ROLE_DIM))
		buf_printf(to, "[%d]", p->item);
	buf_putc(to, '[');
	put_end(to, position_of(x, p, how == NAMED && !p->named ? AT_LEFT : how), 0);
	buf_putc(to, ':');
	put_end(to, position_of(x, &last, how == NAMED && !last.named ? AT_RIGHT : how), how != NAMED || !last.named || !p->before);
	buf_puts(to, "])");
}

static void put_fold(buf *to, const index_of *x, const template_index *p)
{
	template_index at = *p;
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
		words_output(to, x->n, p->item);
	else if (p->kind == FOLD_TENSORS) {
		buf_printf(to, "%s[:]", p->arg);
		put_index(to, x, &at, (enum align)x->dims);
	} else if (!put_integers(to, x, p)) {
		buf_printf(to, p->each == AT_LEAST_ONE ? "max(%s" : "%s", p->arg);
		if (p->kind == FOLD_DIMS && words_is_list(x->n, p->arg, ROLE_DIM))
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
	const template_index *p = &x->f->indices[k];
	if (p->kind == INDEX_DIM || p->kind == INDEX_OUT)
		put_dimension(to, x, p);
	else if (p->kind == INDEX_ITEM)
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

/* Whether a symbol is how many outputs there are, which is no kernel's size. */
static bool counts_outputs(const expr_template *f, const expr *e)
{
	return e->op == OP_SYM && e->value < f->n && f->indices[e->value].kind == FOLD_COUNT && !f->indices[e->value].arg;
}

/* The arguments behind a window's kernel are left out from the right where they are 1, 0 and 1. */
static bool term_of(term *t, expr_pool *pool, const expr_template *f, const expr *e)
{
	window_term w;
	slice_term s;
	if (window_term_of(&w, pool, e) && !counts_outputs(f, w.kernel)) {
		*t = (term){window_term_name(w.rounding), {w.size, w.kernel, or_number(pool, w.stride, 1), or_number(pool, w.padding, 0), or_number(pool, w.dilation, 1)},
		    w.dilation ? 5 : w.padding ? 4 : w.stride ? 3 : 2};
		return true;
	}
	if (!slice_of(&s, pool, e))
		return false;
	*t = (term){"slice", {s.size, s.begin, s.end, s.stride}, s.stride ? 4 : 3};
	return true;
}

/* Symbols behind the form's places in place of the terms in e; what is divided is none. */
static const expr *without_terms(expr_pool *pool, const expr *e, const expr_template *f, term *terms, int *n)
{
	if (e->a && *n < MAX_TERMS && term_of(&terms[*n], pool, f, e))
		return expr_sym(pool, f->n + (*n)++);
	if (!e->a)
		return e;
	const expr *a = e->op == OP_DIV ? e->a : without_terms(pool, e->a, f, terms, n);
	const expr *b = without_terms(pool, e->b, f, terms, n);
	if (e->c)
		return expr_ite(pool, without_terms(pool, e->c, f, terms, n), a, b);
	return expr_make(pool, e->op, a, b);
}

/* a + (b + c) and a + (b - c) without the parentheses. */
static const expr *flattened(expr_pool *pool, const expr *e)
{
	if (!e->a)
		return e;
	const expr *a = flattened(pool, e->a), *b = flattened(pool, e->b);
	if (e->c)
		return expr_ite(pool, flattened(pool, e->c), a, b);
	if (e->op == OP_ADD && b->op == OP_ADD)
		return flattened(pool, expr_make(pool, OP_ADD, expr_make(pool, OP_ADD, a, b->a), b->b));
	if (e->op == OP_ADD && b->op == OP_SUB)
		return flattened(pool, expr_make(pool, OP_SUB, expr_make(pool, OP_ADD, a, b->a), b->b));
	return expr_make(pool, e->op, a, b);
}

static bool compares(const expr *e)
{
	return e && (expr_is_bool(e) || compares(e->a) || compares(e->b) || compares(e->c));
}

bool words_sides(buf *to, buf *right, const index_of *at)
{
	expr_pool *pool = expr_pool_new();
	term terms[MAX_TERMS];
	index_of x = *at;
	int n = 0;
	x.terms = terms;
	const expr *e = without_terms(pool, flattened(pool, expr_copy(pool, x.f->e, NULL)), x.f, terms, &n);
	bool is = !right || (e->op == OP_EQ && !compares(e->a) && !compares(e->b));
	if (is)
		expr_print_named(to, right ? e->a : e, put_place, &x);
	if (is && right)
		expr_print_named(right, e->b, put_place, &x);
	expr_pool_free(pool);
	return is;
}

void words_expression(buf *to, const index_of *at)
{
	words_sides(to, NULL, at);
}

/* ---- positions */

/* The positions in the order of their numbers: from the left 0, 1, …, from the right -32, …, -1. */
static bool at_bit(clause_range x, int k)
{
	return k >= 0 && x.positions >> (x.from_left ? k : 31 - k) & 1;
}

static bool is_run(clause_range x)
{
	return (x.positions & (x.positions + 1)) == 0;
}

/* The same positions, counted from the left of so many. */
static clause_range from_left(clause_range x, int length)
{
	clause_range y = {.from_left = true};
	for (int k = 0; k < length && k < 32; k++)
		y.positions |= x.positions >> k & 1 ? quantified_clause_position(length - 1 - k) : 0;
	return y;
}

void words_each(buf *to, const char *each)
{
	buf_printf(to, strstr(need_text(to), " for ") ? ", %s" : " for %s", each);
}

int words_common_length(const index_of *x)
{
	int length = x->values < PAIRS ? words_length(x->n, &x->f->pivot) : 0;
	for (int k = 0; k < x->f->n && length; k++) {
		const template_index *p = &x->f->indices[k];
		length = moves(x, p) && words_length(x->n, p) != length ? 0 : length;
	}
	return length;
}

void words_where(buf *to, clause_range x, int length)
{
	if (length && !x.axis && !x.from_left && x.positions != EVERYWHERE && !is_run(x))
		x = from_left(x, length);
	if (x.axis) {
		buf_printf(to, x.but ? " for each i but %s" : " for each i in %s", x.axis);
	} else if (x.positions == EVERYWHERE) {
		buf_puts(to, " for each i");
	} else if (__builtin_popcount(x.positions) > 1) {
		if (is_run(x)) {
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

int words_shared_axis(const notation *n, const char *name)
{
	int at = axis_in_all(n->ops, n->n, name);
	if (at < 0 || axis_in_all(n->whole ? n->whole : n->ops, n->whole ? n->nwhole : n->n, name) == at)
		return at;
	for (int k = 0; k < n->ops[0]->nargs; k++)
		if (strcmp(n->ops[0]->arguments[k].name, name) != 0 && axis_in_all(n->ops, n->n, n->ops[0]->arguments[k].name) == at)
			return at;
	return -1;
}

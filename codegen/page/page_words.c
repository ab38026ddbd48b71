#include "page_words.h"

#include <string.h>

#include "api_rule_put.h"
#include "condition.h"
#include "name.h"
#include "need.h"
#include "page_bounds.h"
#include "slice_term.h"
#include "window_term.h"

enum { MAX_TERMS = 12, TERM_ARGUMENTS = 5, MOST_LISTED = 3, ALONE = 1000 /* added to a symbol that needs no parentheses */ };

typedef struct named_term {
	const char *name;
	const expr *arguments[TERM_ARGUMENTS];
	int n;
} named_term;

typedef struct writer {
	page_dims *d;
	const template *t;
	page_place at;
	named_term terms[MAX_TERMS];
	int nterms;
	bool alone; /* a symbol is the whole expression */
} writer;

void page_words_output(buf *to, const api_view *v, int t)
{
	if (v->nout > 1)
		buf_printf(to, "out%d", t);
	else
		buf_puts(to, "out");
}

void page_words_list(buf *to, const api_view *v, list_name name)
{
	if (name.kind == LIST_DIMS && name.item == ANY_ITEM) {
		name_comment(to, name.argument);
		buf_puts(to, "[k]");
		return;
	}
	if (name.kind == LIST_OUT) {
		page_words_output(to, v, name.item);
		return;
	}
	name_comment(to, name.argument);
	if (name.item >= 0 && name.kind == LIST_DIMS)
		buf_printf(to, "[%d]", name.item);
}

/* ---- references */

static void put_offset(buf *to, const char *index, int offset)
{
	buf_puts(to, index);
	if (offset)
		buf_printf(to, offset > 0 ? " + %d" : " - %d", offset > 0 ? offset : -offset);
}

/* Whether all lists have the same length, but for empty ones and those of one item, which stands for all. */
static bool is_of_one_length(const view_argument *a)
{
	return a->longest < 63 && !(a->lengths & ~((uint64_t)1 << a->longest | 2 | 1));
}

static bool is_of_one_item(const api_view *v, list_name name)
{
	const view_argument *a = view_list_of(v, name);
	return a && a->list && a->longest == 1;
}

static void put_index(buf *to, const writer *w, const reference *r)
{
	int at;
	buf_putc(to, '[');
	if (page_dims_position(r, w->at.fixed, w->at.i, &at)) {
		const view_argument *a = view_list_of(w->d->view, r->list);
		if (r->list.kind == LIST_ITEMS && at < 0 && a && a->list && at + a->longest >= 0 && is_of_one_length(a))
			at += a->longest;
		if (r->list.kind == LIST_ITEMS && a && a->longest == 1)
			at = 0; /* one item stands for all */
		buf_printf(to, "%d", at);
	} else if (r->list.kind == LIST_ITEMS && is_of_one_item(w->d->view, r->list)) {
		buf_putc(to, '0');
	} else {
		put_offset(to, r->base == AT_AXIS ? r->axis.argument : "i", r->offset);
	}
	buf_putc(to, ']');
}

/* "prod(shape without [i], 0 as in input)" */
static void put_fold(buf *to, const writer *w, const reference *r)
{
	bool product = r->fold == OP_MUL && r->list.kind != LIST_ITEMS;
	const char *name = r->each == NONZERO ? "count_nonzero" : r->each == DISTINCT ? "count_distinct" : r->others ? "prod"
	    : product ? "numel" : r->fold == OP_MUL ? "prod" : r->fold == OP_ADD ? "sum" : r->fold == OP_MIN ? "min" : "max";
	buf_printf(to, r->each == AT_LEAST_ONE ? "%s(max(" : "%s(", name);
	page_words_list(to, w->d->view, r->list);
	buf_puts(to, r->each == AT_LEAST_ONE ? ", 1)" : "");
	if (r->others) {
		buf_puts(to, " without ");
		put_index(to, w, r);
	}
	if (r->each == COPIED) {
		buf_puts(to, ", 0 as in ");
		page_words_list(to, w->d->view, r->copied);
	}
	buf_putc(to, ')');
}

static void put_reference(buf *to, int index, const void *user);

static void put_named(buf *to, const writer *w, const named_term *t)
{
	buf_printf(to, "%s(", t->name);
	for (int k = 0; k < t->n; k++) {
		buf_puts(to, k ? ", " : "");
		writer here = *w;
		here.alone = t->arguments[k] && !t->arguments[k]->a;
		if (t->arguments[k])
			expr_print_named(to, t->arguments[k], put_reference, &here);
		else
			buf_puts(to, "None");
	}
	buf_putc(to, ')');
}

static void put_reference(buf *to, int index, const void *user)
{
	const writer *w = user;
	int at;
	if (index >= ALONE) {
		writer here = *w;
		here.alone = true;
		put_reference(to, index - ALONE, &here);
		return;
	}
	if (index >= w->t->n) {
		put_named(to, w, &w->terms[index - w->t->n]);
		return;
	}
	const reference *r = &w->t->refs[index];
	const view_argument *a = view_list_of(w->d->view, r->list);
	if (r->base == ALL || r->others) {
		put_fold(to, w, r);
		return;
	}
	int slot = page_dims_position(r, w->at.fixed, w->at.i, &at) ? page_dims_slot(w->d, r->list, at) : -1;
	if (slot >= 0) {
		const dim_class *c = page_dims_class(w->d, slot);
		bool inside = !w->alone && !c->number && c->is && c->is->e->a;
		buf_puts(to, inside ? "(" : "");
		page_words_slot(to, w->d, slot);
		buf_puts(to, inside ? ")" : "");
		return;
	}
	if (r->list.kind == LIST_BOUNDS) {
		name_comment(to, r->list.argument);
		buf_puts(to, page_bounds_is_value(w->d->view, r) ? "" : r->offset == 0 ? ".low" : ".high");
		return;
	}
	page_words_list(to, w->d->view, r->list);
	if (r->list.kind == LIST_ITEMS && ((a && !a->list) || (w->at.items && r->base == AT_INDEX && !r->offset)))
		return;
	put_index(to, w, r);
}

/* ---- terms by their names */

static const expr *or_number(expr_pool *pool, const expr *e, int64_t number)
{
	return e ? e : expr_const(pool, number);
}

static bool term_of(named_term *t, expr_pool *pool, const expr *e)
{
	window_term w;
	slice_term s;
	if (window_term_of(&w, pool, e)) {
		*t = (named_term){window_term_name(w.rounding), {w.size, w.kernel, or_number(pool, w.stride, 1), or_number(pool, w.padding, 0), or_number(pool, w.dilation, 1)},
		    w.dilation ? 5 : w.padding ? 4 : w.stride ? 3 : 2};
		return true;
	}
	if (!slice_of(&s, pool, e))
		return false;
	*t = (named_term){"slice", {s.size, s.begin, s.end, s.stride}, s.stride ? 4 : 3};
	return true;
}

/* The broadcast size of two sizes: b if a is 1, else a. */
static bool broadcast_of(named_term *t, const expr *e)
{
	bool is = e->op == OP_ITE && e->c->op == OP_EQ && e->c->b->op == OP_CONST && e->c->b->value == 1 && e->c->a == e->b && e->a->op == OP_SYM;
	if (is)
		*t = (named_term){"broadcast", {e->b, e->a}, 2};
	return is;
}

static const expr *without_terms(writer *w, const expr *e)
{
	expr_pool *pool = w->d->view->pool;
	if (!e->a)
		return e;
	if (w->nterms < MAX_TERMS && (term_of(&w->terms[w->nterms], pool, e) || broadcast_of(&w->terms[w->nterms], e)))
		return expr_sym(pool, w->t->n + w->nterms++);
	const expr *a = e->op == OP_DIV ? e->a : without_terms(w, e->a), *b = without_terms(w, e->b);
	if (e->c)
		return expr_ite(pool, without_terms(w, e->c), a, b);
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

/* The sides of comparisons, and of sums, need no parentheses. */
static const expr *mark_alone(expr_pool *pool, const expr *e)
{
	const bool connects = e->op == OP_OR || e->op == OP_AND, loose = expr_is_bool(e) || e->op == OP_ADD;
	if (!e->a || e->c || !loose)
		return e;
	const expr *sides[] = {e->a, e->b};
	for (int k = 0; k < 2; k++) {
		if (sides[k]->op == OP_SYM)
			sides[k] = expr_sym(pool, (int)sides[k]->value + ALONE);
		else if (connects || e->op != OP_ADD)
			sides[k] = mark_alone(pool, sides[k]);
	}
	return expr_make(pool, e->op, sides[0], sides[1]);
}

static unsigned leaves(const expr *e)
{
	return e->op == OP_ADD || e->op == OP_SUB ? leaves(e->a) + leaves(e->b) : e->op != OP_CONST;
}

/* A comparison in which a term stands twice, as one of sums: a + b + b > c is a + 2*b > c. */
static const expr *collected(expr_pool *pool, const expr *e)
{
	linear l;
	bool equation;
	if (!condition_sides(e, &l, &equation))
		return e;
	unsigned terms = 0;
	for (unsigned k = 0; k < l.n; k++)
		terms += l.term[k].n > 0;
	return leaves(e->a) + leaves(e->b) > terms && terms ? linear_compare(pool, &l, equation ? OP_EQ : OP_GE) : e;
}

/* Without the sides of an `or` that never hold: x < x. */
static const expr *without_false(expr_pool *pool, const expr *e)
{
	if (e->op != OP_OR)
		return e;
	const expr *a = without_false(pool, e->a), *b = without_false(pool, e->b);
	const bool no = a->a == a->b && (a->op == OP_LT || a->op == OP_GT), neither = b->a == b->b && (b->op == OP_LT || b->op == OP_GT);
	return no ? b : neither ? a : expr_make(pool, OP_OR, a, b);
}

void page_words_put(buf *to, page_dims *d, const template *t, const expr *e, page_place at)
{
	e = page_bounds_as_values(d->view, &t, e);
	writer w = {.d = d, .t = t, .at = at};
	const expr *plain = without_terms(&w, flattened(d->view->pool, without_false(d->view->pool, e)));
	plain = collected(d->view->pool, plain);
	w.alone = !plain->a;
	expr_print_named(to, mark_alone(d->view->pool, plain), put_reference, &w);
}

/* A dimension as a number times something: 2*B of B = 4*hidden_size is 8*hidden_size. */
static int64_t multiple_of(const page_dims *d, const template **t, const expr **e, int *i)
{
	int64_t times = 1;
	for (int depth = 0; depth < 8; depth++) {
		int at;
		const expr *x = *e;
		if (x->op == OP_MUL && (x->a->op == OP_CONST || x->b->op == OP_CONST)) {
			times *= x->a->op == OP_CONST ? x->a->value : x->b->value;
			*e = x->a->op == OP_CONST ? x->b : x->a;
			continue;
		}
		if (x->op != OP_SYM || x->value >= (*t)->n || !page_dims_position(&(*t)->refs[x->value], true, *i, &at))
			break;
		const reference *r = &(*t)->refs[x->value];
		int slot = r->base == ALL || r->others ? -1 : page_dims_slot(d, r->list, at);
		const dim_class *c = slot >= 0 ? page_dims_class((page_dims *)d, slot) : NULL;
		if (!c || c->number || !c->is)
			break;
		*t = c->is;
		*e = c->is->e;
		*i = c->i;
	}
	return times;
}

static void put_value(buf *to, page_dims *d, const dim_class *c)
{
	const template *t = c->is;
	const expr *e = t->e;
	int i = c->i;
	int64_t times = multiple_of(d, &t, &e, &i);
	if (times != 1 && e->op != OP_SYM) {
		t = c->is;
		e = t->e;
		i = c->i;
		times = 1;
	}
	if (times != 1)
		buf_printf(to, "%lld*", (long long)times);
	page_words_put(to, d, t, e, (page_place){.fixed = true, .i = i});
}

bool page_words_put_positive(buf *to, page_dims *d, const template *t, int at)
{
	const expr *e = t->e->a;
	int64_t times = 0;
	if (t->e->op == OP_GT && t->e->b->op == OP_CONST && t->e->b->value == 0)
		times = multiple_of(d, &t, &e, &at);
	if (times < 2)
		return false;
	page_words_put(to, d, t, e, (page_place){.fixed = true, .i = at});
	buf_puts(to, " > 0");
	return true;
}

void page_words_slot(buf *to, page_dims *d, int slot)
{
	dim_class *c = page_dims_class(d, slot);
	if (c->number) {
		name_comment(to, c->number);
	} else if (c->is) {
		put_value(to, d, c);
	} else {
		c->name = c->name ? c->name : page_dims_letter(d);
		buf_puts(to, c->name);
	}
}

/* ---- whole shapes */

static void put_lists(buf *to, const api_view *v, const view_line *l, int n)
{
	const whole_shape *w = &l->whole;
	for (int k = 0, at; k < n; k++) {
		buf_puts(to, k ? ", " : "");
		if (k == 2 && whole_shape_counts(w))
			buf_printf(to, "len(%s)", w->lists[k].argument);
		else if (k == 1 && whole_shape_is_number(w, 2) && list_is(w->lists[1], w->lists[2]) && view_fixed_axis(v, l, w->lists[1], &at))
			buf_printf(to, "%d", at); /* a size that is an axis by chance */
		else
			page_words_list(to, v, w->lists[k]);
		if (w->cut)
			buf_printf(to, "[:-%d]", w->cut);
	}
}

void page_words_whole(buf *to, const api_view *v, const view_line *l)
{
	const whole_shape *w = &l->whole;
	static const char *const OTHERWISE[] = {[AXES_FIRST] = " or 0", [AXES_LAST] = " or -1"};
	if (w->kind == WHOLE_SAME) {
		if (w->lists[0].kind == LIST_ITEMS)
			buf_puts(to, "(*");
		else
			buf_puts(to, w->cut ? "" : "same as ");
		put_lists(to, v, l, 1);
		buf_puts(to, w->lists[0].kind == LIST_ITEMS ? ")" : "");
		return;
	}
	buf_printf(to, "%s(", w->kind == WHOLE_BROADCAST_ALL ? "broadcast" : WHOLE_NAMES[w->kind]);
	buf_puts(to, w->kind == WHOLE_BROADCAST_ALL ? "*" : "");
	if (whole_shape_is_of_tensors(w)) {
		name_comment(to, w->lists[0].argument);
		if (w->of > 1)
			buf_printf(to, ", %s", w->lists[1].argument);
	} else {
		put_lists(to, v, l, w->of);
	}
	if (w->otherwise)
		buf_puts(to, OTHERWISE[w->otherwise]);
	buf_puts(to, w->one ? ", 1)" : ")");
}

/* ---- guards */

static void put_subject(buf *to, const page_term *t)
{
	static const char *const OPENING[] = {[PAGE_GIVEN] = "", [PAGE_CONSTANT] = "", [PAGE_KIND] = "", [PAGE_RANK] = "rank(",
	    [PAGE_LENGTH] = "len(", [PAGE_OUTPUTS] = "len("};
	buf_puts(to, OPENING[t->aspect]);
	name_comment(to, t->aspect == PAGE_OUTPUTS ? "out" : t->argument);
	buf_puts(to, *OPENING[t->aspect] ? ")" : "");
}

static void put_values(buf *to, const page_term *t)
{
	for (int k = 0; k < t->nvalues; k++) {
		buf_puts(to, k ? ", " : "");
		name_comment(to, t->values[k]);
	}
}

static void put_term(buf *to, const page_term *t)
{
	static const char *const RELATIONS[] = {[PAGE_IS] = " == ", [PAGE_IS_NOT] = " != ", [PAGE_AT_LEAST] = " >= ", [PAGE_AT_MOST] = " <= ",
	    [PAGE_IN] = " in ("};
	const bool differs = t->relation == PAGE_IS_NOT, flag = t->aspect == PAGE_CONSTANT && t->relation <= PAGE_IS_NOT;
	const bool yes = flag && strcmp(t->values[0], "True") == 0, no = flag && strcmp(t->values[0], "False") == 0;
	if (yes || no)
		buf_puts(to, yes == differs ? "not " : "");
	put_subject(to, t);
	if (yes || no)
		return;
	if (t->aspect == PAGE_GIVEN) {
		buf_puts(to, differs ? " is omitted" : " is given");
		return;
	}
	buf_puts(to, t->aspect == PAGE_KIND ? differs ? " is not " : " is " : RELATIONS[t->relation]);
	put_values(to, t);
	buf_puts(to, t->relation == PAGE_IN ? ")" : "");
}

void page_words_guard(buf *to, const page_guard *g)
{
	bool single = true;
	for (int i = 0; i < g->n; i++)
		single = single && g->branches[i].n == 1;
	for (int i = 0; i < g->n; i++) {
		buf_puts(to, i == 0 ? "" : single ? " or " : ", or ");
		for (int k = 0; k < g->branches[i].n; k++) {
			buf_puts(to, k ? " and " : "");
			put_term(to, &g->branches[i].terms[k]);
		}
	}
}

/* " for i = -1, -2, ... but the first 2 of input" */
static void put_from_right(buf *to, const api_view *v, const index_range *w)
{
	buf_printf(to, " for i = -%d, -%d, ...", w->tail + 1, w->tail + 2);
	if (w->head)
		buf_puts(to, " but the first");
	if (w->head > 1)
		buf_printf(to, " %d", w->head);
	if (w->head && w->over.argument) {
		buf_puts(to, " of ");
		page_words_list(to, v, w->over);
	}
}

void page_words_range(buf *to, const api_view *v, const view_line *l)
{
	const index_range *w = &l->where;
	if (w->way == RANGE_NONE)
		return;
	if (w->way == RANGE_RIGHT && w->only && w->only == w->tail + 1) {
		buf_printf(to, " for i = -%d", w->only);
	} else if (w->only) {
		int from = w->way == RANGE_RIGHT ? -w->only : w->head, to_ = w->way == RANGE_RIGHT ? -w->tail - 1 : w->only - 1;
		buf_printf(to, from == to_ ? " for i = %d" : " for i in %d..%d", from, to_);
	} else if (view_counts_from_right(v, l)) {
		put_from_right(to, v, w);
	} else {
		buf_puts(to, " for each i");
		if (w->head == 1)
			buf_puts(to, " but the first");
		else if (w->head)
			buf_printf(to, " but the first %d", w->head);
		if (w->tail == 1)
			buf_puts(to, " but the last");
		else if (w->tail)
			buf_printf(to, " but the last %d", w->tail);
	}
	if (w->but.argument) {
		buf_puts(to, " except ");
		name_comment(to, w->but.argument);
	}
}

/* A signature's number: "-3". */
static void put_number(buf *to, const api_view *v, int row)
{
	name_comment(to, name_number(v->rows[row].op));
}

void page_words_condition(buf *to, const api_view *v, const view_line *l)
{
	if (l->kind == FOR_GUARD) {
		buf_puts(to, "  if ");
		page_words_guard(to, &l->g);
	}
	if (l->but) {
		buf_puts(to, l->kind == FOR_GUARD ? ", not in " : "  not in ");
		put_number(to, v, l->but - 1);
	}
	int listed = 0, with = 0;
	for (int i = 0; i < v->n; i++) {
		listed += l->state[i] == STATES_PART;
		with += l->state[i] != STATES_NOTHING;
	}
	if (l->kind == FOR_LISTED && listed > MOST_LISTED) {
		buf_printf(to, "  in %d of %d signatures", listed, with);
		return;
	}
	for (int i = 0, n = 0; i < v->n && l->kind == FOR_LISTED; i++)
		if (l->state[i] == STATES_PART) {
			buf_puts(to, n++ ? ", " : "  in ");
			put_number(to, v, i);
		}
}

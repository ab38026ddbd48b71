#include "page_clauses.h"

#include <stdlib.h>
#include <string.h>

#include "condition.h"
#include "name.h"
#include "need.h"
#include "page_bounds.h"
#include "page_own.h"
#include "text.h"

enum { EVIDENCE = 66 /* the column of the numbers */, FEW = 3 /* positions that are written out */, LONG = 5, RARE = 8, SIMPLE = 24 /* letters of a bound */ };

typedef struct evidence {
	int rejects, alone;
	bool empty; /* all that speak for it have an empty tensor */
} evidence;

/* The line whose evidence in a row counts for a line of another case: that of its largest part. NULL: there is none. */
static const view_line *teller_of(const api_view *v, const view_line *l, int row)
{
	const view_line *best = l->rejects[row] >= 0 ? l : NULL;
	for (int k = 0; k < v->nlines && l->rejects[row] < 0 && l->state[row] == STATES_PART; k++) {
		const view_line *o = &v->lines[k];
		if (o->output == CLAUSE_LINE && o->part[row] && !(o->part[row] & ~l->part[row]) && o->rejects[row] > (best ? best->rejects[row] : -1))
			best = o;
	}
	return best;
}

/* What a line explains in all signatures. */
static evidence evidence_of(const api_view *v, const view_line *l)
{
	evidence e = {.empty = true};
	for (int i = 0; i < v->n; i++) {
		const view_line *o = teller_of(v, l, i);
		if (!o || !o->rejects[i])
			continue;
		e.rejects += o->rejects[i];
		e.alone = o->alone > e.alone ? o->alone : e.alone;
		e.empty &= o->empty;
	}
	e.empty &= e.rejects > 0;
	return e;
}

static bool has_evidence(const api_view *v)
{
	for (int k = 0; k < v->nlines; k++)
		for (int i = 0; i < v->n; i++)
			if (v->lines[k].output == CLAUSE_LINE && v->lines[k].rejects[i] >= 0)
				return true;
	return false;
}

/* Whether a clause is of all items of lists alike, so that it needs no index. */
static bool is_of_items(const api_view *v, const view_line *l)
{
	const index_range *w = &l->where;
	bool any = false;
	for (int k = 0; k < l->t.n; k++) {
		const reference *r = &l->t.refs[k];
		if (r->base != AT_INDEX)
			continue;
		const view_argument *a = view_list_of(v, r->list);
		if (r->list.kind != LIST_ITEMS || r->offset || r->others || (w->only && a && a->list && a->longest > w->only))
			return false;
		any = true;
	}
	return any && !w->head && !w->tail && !w->but.argument;
}

static bool has_index(const view_line *l)
{
	for (int k = 0; k < l->t.n; k++)
		if (l->t.refs[k].base == AT_INDEX)
			return true;
	return false;
}

/* a == 1 or a == (a if b == 1 else b). */
static bool is_broadcast_to(const expr *e)
{
	const expr *choice = e->op == OP_OR && e->b->op == OP_EQ ? e->b->b : NULL, *a = choice ? e->b->a : NULL;
	return choice && choice->op == OP_ITE && e->a->op == OP_EQ && e->a->a == a && e->a->b->op == OP_CONST && e->a->b->value == 1 && choice->a == a
	    && choice->c->op == OP_EQ && choice->c->a == choice->b && choice->c->b->op == OP_CONST && choice->c->b->value == 1;
}

/* Whether the positions that a line leaves out at the front are missing in one of its two tensors. */
static bool has_all_pairs(const api_view *v, const view_line *l)
{
	for (int i = 0; i < v->n && l->where.head; i++) {
		int least = -1, over = -1;
		for (int k = 0; k < 2; k++) {
			const list_name name = l->t.refs[k].list;
			const call_value *x = name.kind == LIST_DIMS && name.item < 0 ? call_named(v->rows[i].op->call, name.argument) : NULL;
			const int rank = x && x->kind == CALL_TENSOR ? x->count : -1;
			least = k == 0 || rank < least ? rank : least;
			over = list_is(name, l->where.over) ? rank : over;
		}
		if (l->state[i] == STATES_PART && (least < 0 || over < 0 || least > over - l->where.head))
			return false;
	}
	return true;
}

/* a == b or a == 1 or b == 1, of dimensions or items at one position. */
static bool is_broadcast(const api_view *v, const view_line *l)
{
	const expr *e = l->t.e, *last = e->b, *two = e->op == OP_OR && e->a->op == OP_OR ? e->a : NULL;
	if ((!two && !is_broadcast_to(e)) || l->t.n != 2 || l->where.way != RANGE_RIGHT || l->where.only || l->where.but.argument || !has_all_pairs(v, l))
		return false;
	for (int k = 0; k < 2; k++)
		if (l->t.refs[k].base != AT_INDEX || l->t.refs[k].offset || l->t.refs[k].others || l->t.refs[k].list.kind == LIST_BOUNDS)
			return false;
	if (!two)
		return true;
	const expr *parts[] = {two->a, two->b, last};
	int equal = 0, ones = 0;
	for (int k = 0; k < 3; k++) {
		bool is = parts[k]->op == OP_EQ && parts[k]->a->op == OP_SYM;
		equal += is && parts[k]->b->op == OP_SYM;
		ones += is && parts[k]->b->op == OP_CONST && parts[k]->b->value == 1;
	}
	return equal == 1 && ones == 2;
}

static void put_broadcast(buf *to, const api_view *v, const view_line *l)
{
	const view_argument *first = view_list_of(v, l->t.refs[0].list), *second = view_list_of(v, l->t.refs[1].list);
	const bool turned = first > second;
	buf_puts(to, "broadcastable(");
	for (int k = 0; k < 2; k++) {
		buf_puts(to, k ? ", " : "");
		page_words_list(to, v, l->t.refs[turned ? 1 - k : k].list);
		if (l->where.tail)
			buf_printf(to, "[:-%d]", l->where.tail);
	}
	buf_putc(to, ')');
}

/* The one bound of a tensor's elements among the references; NULL: there is none, or several. */
static const reference *single_bound(const view_line *l)
{
	const reference *r = NULL;
	for (int k = 0; k < l->t.n; k++)
		if (l->t.refs[k].list.kind == LIST_BOUNDS) {
			if (r)
				return NULL;
			r = &l->t.refs[k];
		}
	return r;
}

/* What is said of a bound is said of all elements: x.low >= e, x.high <= e + 1 are x >= e, x <= e. */
static bool put_elements(buf *to, page_dims *d, const view_line *l, page_place at)
{
	const reference *r = single_bound(l);
	const int64_t x = r ? r - l->t.refs : 0;
	linear sum, f, rest;
	const expr *factor;
	bool equation;
	int64_t times;
	if (!r || page_bounds_is_value(d->view, r) || l->t.e->op == OP_OR || l->t.e->op == OP_AND || !condition_sides(l->t.e, &sum, &equation) || equation
	    || !linear_split(&sum, x, &f, &factor, &rest) || factor->op != OP_SYM || !linear_is_number(&f, &times) || times != (r->offset ? -1 : 1))
		return false;
	/* low + rest >= 0, or rest - high >= 0 */
	expr_pool *pool = d->view->pool;
	linear one = linear_number(1), other = r->offset ? linear_add(&rest, &one, -1) : linear_negated(&rest);
	const expr *most = linear_expr(pool, &other), *less = linear_expr(pool, &rest);
	const bool strict = r->offset && less->size < most->size;
	buf_puts(to, "elements of ");
	name_comment(to, r->list.argument);
	buf_puts(to, !r->offset ? " >= " : strict ? " < " : " <= ");
	const expr *e = strict ? less : most;
	const bool minus = e->op == OP_SUB && e->a->op == OP_CONST && e->a->value == 0 && !e->b->a;
	buf_puts(to, minus ? "-" : "");
	page_words_put(to, d, &l->t, minus ? e->b : e, at);
	return true;
}

/* Whether a clause only says that the lowest element is not above the highest one. */
static bool is_of_one_range(const view_line *l)
{
	const expr *e = l->t.e;
	if ((e->op != OP_LE && e->op != OP_LT) || e->a->op != OP_SYM || e->b->op != OP_SYM)
		return false;
	const reference *a = &l->t.refs[e->a->value], *b = &l->t.refs[e->b->value];
	return a->list.kind == LIST_BOUNDS && list_is(a->list, b->list) && a->offset == 0 && b->offset == 1;
}

static void put_at(buf *to, page_dims *d, const view_line *l, page_place at)
{
	if (!put_elements(to, d, l, at) && !(at.fixed && page_words_put_positive(to, d, &l->t, at.i)))
		page_words_put(to, d, &l->t, l->t.e, at);
}

/* At each of its positions, texts once: "P > 0, Q > 0". False: dimensions there have no names, or it is too long. */
static bool put_each(buf *to, page_dims *d, const view_line *l)
{
	int at[64], n = page_dims_stated(d->view, l, at, 64), said = 0;
	const char *texts[64];
	if (n < 1 || (n > 1 && l->t.e->op == OP_OR) || (n > FEW && l->t.e->size > 1))
		return false;
	for (int k = 0; k < n; k++) {
		buf text = {0};
		for (int j = 0, i; j < l->t.n; j++) {
			const reference *r = &l->t.refs[j];
			if (n > 1 && r->base == AT_INDEX && list_is_dims(r->list.kind)
			    && (!page_dims_position(r, true, at[k], &i) || page_dims_slot(d, r->list, i) < 0))
				return false;
		}
		put_at(&text, d, l, (page_place){.fixed = true, .i = at[k]});
		texts[k] = keep(d->view->memory, &text);
		buf_free(&text);
	}
	for (int k = 0; k < n; k++) {
		bool known = false;
		for (int j = 0; j < k; j++)
			known |= strcmp(texts[j], texts[k]) == 0;
		if (!known)
			buf_printf(to, said++ ? ", %s" : "%s", texts[k]);
	}
	return true;
}

/* The line with k in place of the one tensor of a list, beside its first, that it is said of. Returns which; 0: there is none. */
static int with_any_item(const view_line *l, view_line *to)
{
	int item = 0;
	const list_name *last = NULL; /* the list is that with the last item: params[6] beside hx[1] */
	*to = *l;
	for (int k = 0; k < l->t.n; k++) {
		const list_name *name = &l->t.refs[k].list;
		if (name->kind == LIST_DIMS && name->item > 0 && (!last || name->item > last->item))
			last = name;
	}
	for (int k = 0; k < to->t.n; k++) {
		list_name *name = &to->t.refs[k].list;
		if (name->kind != LIST_DIMS || name->item <= 0 || name->argument != last->argument)
			continue;
		if (item && name->item != item)
			return 0;
		item = name->item;
		name->item = ANY_ITEM;
	}
	if (item && to->where.over.item == item && to->where.over.argument == last->argument)
		to->where.over.item = ANY_ITEM;
	const expr *e = to->t.e;
	bool turned = item && e->op == OP_EQ && e->a->op == OP_SYM && e->b->op == OP_SYM && to->t.refs[e->b->value].list.item == ANY_ITEM;
	if (turned) {
		reference a = to->t.refs[e->a->value];
		to->t.refs[e->a->value] = to->t.refs[e->b->value];
		to->t.refs[e->b->value] = a;
	}
	return item;
}

/* The shape x if an expression is numel(x) == 0; otherwise NULL. */
static const reference *numel_of(const view_line *l, const expr *e)
{
	const reference *r = e->op == OP_EQ && e->a->op == OP_SYM && e->b->op == OP_CONST && e->b->value == 0 ? &l->t.refs[e->a->value] : NULL;
	return r && r->base == ALL && r->fold == OP_MUL && list_is_dims(r->list.kind) && r->each == AS_IS && !r->others ? r : NULL;
}

/* A clause without its last part, "or numel(x) == 0"; *empty: x. */
static view_line without_empty(const view_line *l, const reference **empty)
{
	view_line to = *l;
	const expr *e = l->t.e;
	*empty = e->op == OP_OR ? numel_of(l, e->b) : NULL;
	const reference *first = e->op == OP_OR && e->a->op != OP_OR ? numel_of(l, e->a) : NULL;
	if (*empty)
		to.t.e = e->a;
	else if (first)
		to.t.e = e->b;
	*empty = *empty ? *empty : first;
	return to;
}

/* Whether all tensors of an argument have the dimension that a clause names. */
static bool is_in_all(const api_view *v, const view_line *l, const reference *r)
{
	const view_argument *a = list_is_dims(r->list.kind) ? view_list_of(v, r->list) : NULL;
	const int at = r->base == AT_NUMBER ? r->offset : l->where.way == RANGE_RIGHT ? -l->where.only : l->where.only;
	return !a || (at < 0 ? -at : at + (r->base == AT_NUMBER)) <= a->least;
}

/* Whether a clause compares one size or number with a constant, in all calls or by one condition. */
static bool is_plain(const api_view *v, const view_line *l)
{
	const expr *e = l->t.e;
	const reference *r = expr_is_bool(e) && e->a->op == OP_SYM && e->b->op == OP_CONST ? &l->t.refs[e->a->value] : NULL;
	return r && r->base != ALL && is_in_all(v, l, r) && !l->but && l->kind != FOR_LISTED
	    && (l->kind == FOR_EACH_CALL || (l->g.n == 1 && l->g.branches[0].n == 1));
}

/* What it takes to read a clause and its guard: operations and references; more for alternatives, inequalities and conditions. */
static int effort_of(const view_line *l)
{
	enum { ALTERNATIVE = 4, DIFFERS = 4, CONDITION = 2 };
	const reference *empty;
	const expr *e = without_empty(l, &empty).t.e;
	int effort = l->cost + (e->op == OP_OR ? ALTERNATIVE : 0) + (e->op == OP_NE && e->b->op != OP_CONST ? DIFFERS : 0);
	for (int k = 0; k < l->g.n && l->kind == FOR_GUARD; k++)
		effort += CONDITION * (l->g.branches[k].n - (k == 0));
	return effort;
}

void page_clauses_count(api_view *v)
{
	for (int k = 0; k < v->nlines; k++) {
		view_line *l = &v->lines[k];
		if (!l->chosen || l->output != CLAUSE_LINE || l->t.e->op == OP_EQ)
			continue;
		const evidence e = evidence_of(v, l);
		l->counted = !is_plain(v, l) && !is_broadcast(v, l) && (e.empty || (effort_of(l) >= LONG && e.alone < RARE));
	}
}

static void put_text(buf *to, page_dims *d, const view_line *all)
{
	const reference *empty;
	const view_line rest = without_empty(all, &empty), *l = &rest;
	if (is_broadcast(d->view, l)) {
		put_broadcast(to, d->view, l);
	} else if (!has_index(l)) {
		put_at(to, d, l, (page_place){.fixed = true});
	} else if (is_of_items(d->view, l)) {
		put_at(to, d, l, (page_place){.items = true});
	} else if (!put_each(to, d, l)) {
		put_at(to, d, l, (page_place){.fixed = false});
		page_words_range(to, d->view, l);
	}
	if (empty) {
		buf_puts(to, " unless ");
		page_words_list(to, d->view, empty->list);
		buf_puts(to, " is empty");
	}
	page_words_condition(to, d->view, l);
}

typedef struct clause_text {
	const char *text, *exact; /* with k for a tensor of a list; as it is */
	uint64_t items;		  /* these tensors, as bits */
	int rejects, order;
	bool empty;
} clause_text;

typedef struct clause_count {
	int n, rejects;
} clause_count;

static int by_rejects(const void *a, const void *b)
{
	const clause_text *x = a, *y = b;
	return x->rejects != y->rejects ? (x->rejects < y->rejects) - (x->rejects > y->rejects) : x->order - y->order;
}

static void put_line(buf *out, const clause_text *c, bool numbers)
{
	buf line = {0};
	const bool several = c->items & (c->items - 1);
	buf_puts(&line, several || !c->items ? c->text : c->exact);
	for (int k = 0, n = 0; k < 64 && several; k++)
		if (c->items >> k & 1)
			buf_printf(&line, n++ ? ", %d" : ", k = %d", k);
	buf_puts(&line, c->empty ? "  (empty tensors only)" : "");
	int pad = line.length < EVIDENCE ? EVIDENCE - (int)line.length : 1;
	if (numbers)
		buf_printf(&line, "%*s%6d", pad, "", c->rejects);
	text_prose(out, " *     ", " *         ", need_text(&line));
	buf_free(&line);
}

/* "4 more clauses on empty tensors": `rulesmith explain` prints them. */
static void put_count(buf *out, const clause_count *c, const char *kind, bool numbers)
{
	buf text = {0};
	buf_printf(&text, "%d more clause%s %s", c->n, c->n == 1 ? "" : "s", kind);
	const clause_text line = {.text = need_text(&text), .rejects = c->rejects};
	if (c->n)
		put_line(out, &line, numbers);
	buf_free(&text);
}

/* Equal texts are one line. */
static void add(clause_text *list, int *n, clause_text c)
{
	for (int k = 0; k < *n; k++)
		if (strcmp(list[k].text, c.text) == 0) {
			list[k].rejects += c.rejects;
			list[k].items |= c.items;
			list[k].empty &= c.empty;
			return;
		}
	c.order = *n;
	list[(*n)++] = c;
}

/* Whether some signature's rule has clauses, on this page or not. */
static bool has_clauses(const api_view *v)
{
	for (int i = 0; i < v->n; i++)
		if (v->rows[i].op->rule.nclauses)
			return true;
	return false;
}

/* Whether a clause is of sizes. One of numbers holds for all tensors, even if only calls with empty ones were rejected. */
static bool has_dims(const view_line *l)
{
	for (int k = 0; k < l->t.n; k++)
		if (list_is_dims(l->t.refs[k].list.kind))
			return true;
	return false;
}

/* Clauses of one signature, if no signature has its clauses on the page. Returns their number. */
static int add_own(const api_view *v, clause_text **list)
{
	const page_own own = page_own_clauses(v);
	int n = 0;
	if (own.n)
		*list = NEED_ARRAY(v->memory, clause_text, own.n);
	for (int k = 0; k < own.n; k++)
		(*list)[n++] = (clause_text){.text = own.list[k], .exact = own.list[k], .order = k};
	return n;
}

void page_clauses_put(buf *out, page_dims *d)
{
	const api_view *v = d->view;
	clause_text *list = NEED_ARRAY(v->memory, clause_text, v->nlines + 1);
	clause_text table = {.text = "the shapes are as in the table", .order = -1, .empty = true};
	clause_count empty = {0}, rare = {0};
	bool numbers = has_evidence(v), any = false;
	int n = 0;
	for (int k = 0; k < v->nlines; k++) {
		const view_line *l = &v->lines[k];
		if (!l->chosen || l->output != CLAUSE_LINE)
			continue;
		const evidence e = evidence_of(v, l);
		clause_text c = {.rejects = e.rejects, .empty = e.empty && has_dims(l)};
		if (l->counted) {
			clause_count *count = e.empty ? &empty : &rare;
			count->n++;
			count->rejects += e.rejects;
			continue;
		}
		if (d->in_table[k]) {
			table.rejects += c.rejects;
			table.empty &= c.empty;
			any = true;
			continue;
		}
		view_line general;
		buf text = {0};
		if (is_of_one_range(l))
			continue;
		const int item = with_any_item(l, &general);
		put_text(&text, d, l);
		c.text = c.exact = keep(v->memory, &text);
		if (item) {
			put_text(&text, d, &general);
			c.text = keep(v->memory, &text);
			c.items = (uint64_t)1 << (item & 63);
		}
		add(list, &n, c);
		buf_free(&text);
	}
	if (!n && !any)
		n = add_own(v, &list);
	qsort(list, (size_t)n, sizeof *list, by_rejects);
	if (!n && !any && !empty.n && !rare.n) {
		buf_puts(out, has_clauses(v) ? "" : " *   all recorded shapes are accepted\n");
		return;
	}
	const char *title = " *   accepted when";
	buf_printf(out, numbers ? "%s%*s\n" : "%s\n", title, EVIDENCE + 12 - (int)strlen(title), "rejects");
	if (any)
		put_line(out, &table, numbers);
	for (int k = 0; k < n; k++)
		put_line(out, &list[k], numbers);
	put_count(out, &empty, "on empty tensors", numbers);
	put_count(out, &rare, "with low support", numbers);
}

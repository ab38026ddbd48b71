#include "page_dims.h"

#include <stdio.h>
#include <string.h>

#include "need.h"

/* ---- positions */

bool page_dims_position(const reference *r, bool fixed, int i, int *to)
{
	switch ((enum reference_base)r->base) {
	case AT_NUMBER: *to = r->offset; return true;
	case AT_INDEX: *to = i + r->offset; return fixed && (i < 0) == (*to < 0);
	case AT_AXIS: /* a constant axis was replaced by its number (view_cover.c) */
	case ALL: break;
	}
	return false;
}

/* The number of dimensions of a list, if it is the same in all calls; otherwise -1. */
static int fixed_rank(const api_view *v, list_name name)
{
	const view_argument *a = name.argument ? view_list_of(v, name) : NULL;
	return a && list_is_dims(name.kind) && a->tensor && !a->tensors && a->least == a->most ? a->least : -1;
}

static int positions_of(const api_view *v, const view_line *l, bool stated, int *to, int most)
{
	const index_range *w = &l->where;
	const view_argument *of = NULL; /* the list that the line is over */
	int from = 0, end = 1, n = 0, rank = -1, axis = 0;
	bool without = false;
	if (l->at.argument)
		return 0;
	if (w->but.argument && !(without = view_fixed_axis(v, l, w->but, &axis)))
		return 0;
	if (w->way != RANGE_NONE && (!w->only || w->but.argument)) {
		list_name over = w->over;
		if (!over.argument && l->output != CLAUSE_LINE)
			over = (list_name){LIST_OUTPUT, (int16_t)l->output, LIST_OUT};
		of = over.kind == LIST_ITEMS ? view_argument_of(v, over.argument) : NULL;
		rank = of ? of->list && !of->number && of->shortest == of->longest ? of->longest : -1
		    : stated ? view_stated_rank(v, l, over) : fixed_rank(v, over);
		if (rank < 0)
			return 0;
	}
	if (w->way == RANGE_RIGHT) {
		from = w->only ? -w->only : w->head - rank;
		end = -w->tail;
	} else if (w->way == RANGE_LEFT) {
		from = w->head;
		end = w->only ? w->only : rank - w->tail;
	}
	for (int i = from; i < end && n < most; i++)
		if (!without || (axis < 0 ? axis + rank : axis) != (i < 0 ? i + rank : i))
			to[n++] = i;
	return of && n > 1 ? 0 : n; /* items of a list keep their index */
}

int page_dims_positions(const api_view *v, const view_line *l, int *to, int most)
{
	return positions_of(v, l, false, to, most);
}

/* Whether a reference that the line requires is missing at position i in all signatures that it applies to. */
static bool is_absent(const api_view *v, const view_line *l, int i)
{
	for (int k = 0, at; k < l->t.n; k++) {
		const reference *r = &l->t.refs[k];
		if (!l->asks[k] || r->base == ALL || !list_is_dims(r->list.kind) || !page_dims_position(r, true, i, &at))
			continue;
		int rank = view_stated_rank(v, l, r->list);
		if (rank >= 0 && (at < 0 ? -at > rank : at >= rank))
			return true;
	}
	return false;
}

int page_dims_stated(const api_view *v, const view_line *l, int *to, int most)
{
	int n = positions_of(v, l, true, to, most), count = 0;
	for (int k = 0; k < n; k++)
		if (l->output != CLAUSE_LINE || !is_absent(v, l, to[k]))
			to[count++] = to[k];
	return count;
}

/* ---- slots */

static void see_position(const api_view *v, list_name list, int at)
{
	if (list.kind == LIST_OUT && list.item < v->nout && v->ncases[list.item])
		return;
	view_argument *a = list_is_dims(list.kind) && list.item >= -1 ? view_list_of(v, list) : NULL;
	if (!a || !a->tensor || a->tensors || (list.kind == LIST_DIMS && list.item >= 0))
		return;
	if (at >= 0 && at + 1 > a->left)
		a->left = at + 1;
	if (at < 0 && -at > a->right)
		a->right = -at;
}

/* Makes room for names of the positions that a line names one by one. */
static void see_line(const api_view *v, const view_line *l)
{
	int at[64], n = l->is_whole ? 0 : page_dims_positions(v, l, at, 64);
	const bool each = l->where.way != RANGE_NONE && !l->where.only && (!n || l->t.e->op == OP_OR);
	if (l->is_whole && l->whole.cut)
		for (int k = 0; k < l->whole.of; k++)
			see_position(v, l->whole.lists[k], -l->whole.cut);
	if (l->output != CLAUSE_LINE && !each && n)
		for (int k = 0; k < n; k++)
			see_position(v, (list_name){LIST_OUTPUT, (int16_t)l->output, LIST_OUT}, at[k]);
	if (l->is_whole && l->whole.cut)
		see_position(v, (list_name){LIST_OUTPUT, (int16_t)l->output, LIST_OUT}, -l->whole.cut);
	for (int k = 0; k < l->t.n; k++)
		for (int j = 0, to; j < (n && !each ? n : 1); j++)
			if (page_dims_position(&l->t.refs[k], n && !each, n ? at[j] : 0, &to))
				see_position(v, l->t.refs[k].list, to);
}

/* The input whose leading dimensions an output has in all calls: "out[:-2] = input[:-2]". NULL: none. */
static const view_argument *leader_of(const api_view *v, int t)
{
	for (int k = 0; k < v->nlines; k++) {
		const view_line *l = &v->lines[k];
		const reference *r = !l->is_whole && l->t.e->op == OP_SYM ? &l->t.refs[l->t.e->value] : NULL;
		bool whole = l->is_whole && l->whole.kind == WHOLE_SAME && l->whole.lists[0].kind == LIST_DIMS;
		bool each = r && r->base == AT_INDEX && !r->offset && r->list.kind == LIST_DIMS && l->where.way == RANGE_RIGHT && !l->where.only
		    && !l->where.head && !l->where.but.argument;
		if (!l->chosen || l->output != t || !view_is_always(l) || (!whole && !each))
			continue;
		list_name of = whole ? l->whole.lists[0] : r->list;
		if (of.item < 0)
			return view_list_of(v, of);
	}
	return NULL;
}

/* If an output has the same ranks as the input that leads it, both name the same number of dimensions. */
static void see_leader(const api_view *v, int t)
{
	view_argument *a = &v->arguments[v->narguments + t], *of = (view_argument *)leader_of(v, t);
	if (!of || v->ncases[t] || of->least != a->least || of->most != a->most)
		return;
	a->right = of->right > a->right ? of->right : a->right;
	of->right = a->right;
}

/* An output with the same ranks as the input that leads it has the same names at the same positions. */
static bool settle_output(const api_view *v, int t, int *slots)
{
	view_argument *a = &v->arguments[v->narguments + t];
	const view_argument *of = leader_of(v, t);
	if (!of || v->ncases[t] || of->left || !of->right || of->varies || of->least != a->least || of->most != a->most || *slots + of->right > DIM_SLOTS)
		return false;
	a->left = 0;
	a->right = of->right;
	a->leads = of->leads;
	a->slot = *slots;
	*slots += a->right;
	return true;
}

/* Decides which dimensions of a tensor have names. */
static void settle(view_argument *a, int *slots)
{
	if (a->left + a->right == 0 || !a->tensor || a->most > 12) {
		a->left = a->right = 0;
		a->varies = true;
		return;
	}
	if (a->least == a->most) {
		a->left = 0;
		a->right = a->most;
	} else if (a->left + a->right > a->least) {
		/* a position that only some calls have */
		if (a->right == a->most && a->most == a->least + 1) {
			a->left = 0;
			a->leads = true;
		} else if (a->right <= a->least) {
			a->left = 0;
			a->varies = true;
		} else {
			a->left = a->left <= a->least ? a->left : 0;
			a->right = 0;
			a->varies = true;
		}
	} else if (a->left == 0 && a->right == a->least && a->most == a->least + 1) {
		a->right++;
		a->leads = true;
	} else {
		a->varies = true;
	}
	a->slot = *slots;
	if (*slots + a->left + a->right > DIM_SLOTS) {
		a->left = a->right = 0;
		a->varies = true;
	}
	*slots += a->left + a->right;
}

int page_dims_slot(const page_dims *d, list_name list, int i)
{
	const view_argument *a = list_is_dims(list.kind) ? view_list_of(d->view, list) : NULL;
	if (!a || (list.kind == LIST_DIMS && list.item >= 0))
		return -1;
	if (i >= 0 && a->least == a->most && !a->left)
		i -= a->most;
	if (i >= 0)
		return i < a->left ? a->slot + i : -1;
	return -i <= a->right ? a->slot + a->left + a->right + i : -1;
}

static int root(const page_dims *d, int slot)
{
	while (d->of[slot] != slot)
		slot = d->of[slot];
	return slot;
}

dim_class *page_dims_class(page_dims *d, int slot)
{
	return &d->classes[root(d, slot)];
}

/* ---- equalities */

/* Whether the slot is an optional dimension, which equals no other one in all calls. */
static bool is_optional(const page_dims *d, int slot)
{
	for (int k = 0; k < d->view->narguments + d->view->nout; k++) {
		const view_argument *a = &d->view->arguments[k];
		if (a->leads && slot == a->slot)
			return true;
	}
	return false;
}

/* The slot of a term that is a single dimension; otherwise -1. */
static int slot_of(const page_dims *d, const template *t, const expr *e, int i)
{
	int at;
	if (e->op != OP_SYM)
		return -1;
	const reference *r = &t->refs[e->value];
	if (r->list.kind != LIST_DIMS || r->base == ALL || r->others || !page_dims_position(r, true, i, &at))
		return -1;
	int slot = page_dims_slot(d, r->list, at);
	return slot >= 0 && !is_optional(d, slot) ? slot : -1;
}

/* The text of a term that is an integer argument or a number; otherwise NULL. */
static const char *number_of(const page_dims *d, const template *t, const expr *e)
{
	if (e->op == OP_CONST)
		return need(arena_printf(d->view->memory, "%lld", (long long)e->value), 1);
	if (e->op != OP_SYM)
		return NULL;
	const reference *r = &t->refs[e->value];
	const view_argument *a = view_argument_of(d->view, r->list.argument);
	return r->list.kind == LIST_ITEMS && r->base != ALL && a && a->number && !a->list && !a->missing ? a->name : NULL;
}

static void unite(page_dims *d, int a, int b)
{
	a = root(d, a);
	b = root(d, b);
	if (a == b)
		return;
	int first = a < b ? a : b, second = a < b ? b : a;
	d->of[second] = first;
	if (!d->classes[first].number)
		d->classes[first].number = d->classes[second].number;
}

/* Unites two dimensions, or a dimension and a number. False: the equation is of another kind. */
static bool unite_sides(page_dims *d, const template *t, int i)
{
	int a = slot_of(d, t, t->e->a, i), b = slot_of(d, t, t->e->b, i);
	if (a >= 0 && b >= 0) {
		const char *one = page_dims_class(d, a)->number, *two = page_dims_class(d, b)->number;
		if (one && two && strcmp(one, two) != 0)
			return false;
		unite(d, a, b);
		return true;
	}
	const char *number = a >= 0 ? number_of(d, t, t->e->b) : b >= 0 ? number_of(d, t, t->e->a) : NULL;
	if (!number)
		return false;
	dim_class *c = page_dims_class(d, a >= 0 ? a : b);
	if (c->number && strcmp(c->number, number) != 0)
		return false;
	c->number = number;
	return true;
}

/* Whether the value of a class depends on a class. */
static bool depends(const page_dims *d, const template *t, const expr *e, int i, int on, int depth)
{
	if (e->a)
		return depends(d, t, e->a, i, on, depth) || depends(d, t, e->b, i, on, depth) || (e->c && depends(d, t, e->c, i, on, depth));
	int slot = slot_of(d, t, e, i);
	if (slot < 0 || depth > 8)
		return depth > 8;
	const dim_class *c = &d->classes[root(d, slot)];
	return root(d, slot) == on || (c->is && depends(d, c->is, c->is->e, c->i, on, depth + 1));
}

/* Whether all references of an expression have names: dimensions and arguments at fixed positions. */
static bool is_simple(const page_dims *d, const template *t, const expr *e, int i)
{
	if (e->a)
		return (e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL || e->op == OP_DIV) && is_simple(d, t, e->a, i) && is_simple(d, t, e->b, i);
	if (e->op == OP_CONST)
		return true;
	const reference *r = &t->refs[e->value];
	int at;
	return r->list.kind != LIST_OUT && r->base != ALL && page_dims_position(r, true, i, &at)
	    && (r->list.kind == LIST_ITEMS || slot_of(d, t, e, i) >= 0);
}

/* Defines the dimension on one side by the value on the other side. */
static bool define(page_dims *d, view_line *l, int i)
{
	template *t = &l->t;
	for (int side = 0; side < 2; side++) {
		const expr *one = side ? t->e->b : t->e->a, *other = side ? t->e->a : t->e->b;
		int slot = slot_of(d, t, one, i);
		dim_class *c = slot >= 0 ? page_dims_class(d, slot) : NULL;
		if (!c || c->is || c->number || other->size > 4 || !is_simple(d, t, other, i) || depends(d, t, other, i, root(d, slot), 0))
			continue;
		template *is = NEED_ARRAY(d->view->memory, template, 1);
		*is = *t;
		is->e = other;
		c->is = is;
		c->i = i;
		return true;
	}
	return false;
}

typedef bool absorb(page_dims *d, view_line *l, int i);

static bool absorb_equal(page_dims *d, view_line *l, int i)
{
	return unite_sides(d, &l->t, i);
}

/* Moves a clause into the table, if the table can state it at all positions. */
static void each_equation(page_dims *d, const api_view *v, absorb *by)
{
	for (int k = 0; k < v->nlines; k++) {
		view_line *l = &v->lines[k];
		int at[64], n;
		if (!l->chosen || l->output != CLAUSE_LINE || !view_is_always(l) || l->t.e->op != OP_EQ || d->in_table[k])
			continue;
		n = page_dims_positions(v, l, at, 64) ? page_dims_stated(v, l, at, 64) : 0;
		bool all = n > 0;
		for (int j = 0; j < n; j++)
			all &= by(d, l, at[j]);
		d->in_table[k] = all;
	}
}

/* Whether a clause states that two tensors have the same dimensions before their named ones. */
static bool is_of_leads(const api_view *v, const view_line *l)
{
	const expr *e = l->t.e;
	if (e->op != OP_EQ || e->a->op != OP_SYM || e->b->op != OP_SYM || l->where.way != RANGE_RIGHT || l->where.only || l->where.head)
		return false;
	const view_argument *of[2];
	for (int k = 0; k < 2; k++) {
		const reference *r = &l->t.refs[k ? e->b->value : e->a->value];
		of[k] = r->base == AT_INDEX && r->list.kind == LIST_DIMS && r->list.item < 0 ? view_list_of(v, r->list) : NULL;
		if (!of[k] || of[k]->left || !of[k]->varies || of[k]->right != l->where.tail - r->offset || l->asks[k ? e->b->value : e->a->value])
			return false;
	}
	for (int i = 0; i < v->n; i++) {
		const call_value *a = call_named(v->rows[i].op->call, of[0]->name), *b = call_named(v->rows[i].op->call, of[1]->name);
		if (!a || !b || a->kind != CALL_TENSOR || b->kind != CALL_TENSOR || a->count - of[0]->right != b->count - of[1]->right)
			return false;
	}
	return true;
}

static void absorb_leads(page_dims *d, const api_view *v)
{
	for (int k = 0; k < v->nlines; k++)
		if (v->lines[k].chosen && v->lines[k].output == CLAUSE_LINE && view_is_always(&v->lines[k]))
			d->in_table[k] |= is_of_leads(v, &v->lines[k]);
}

/* ---- names */

/* The number of trailing output dimensions with the same formula, if two dimensions precede them: the spatial rank
 * of images. */
static int spatial_rank(const api_view *v)
{
	for (int k = 0; k < v->nlines; k++) {
		const view_line *l = &v->lines[k];
		if (l->chosen && l->output == 0 && !l->is_whole && l->where.way == RANGE_RIGHT && l->where.only && !l->where.tail && l->t.e->a
		    && v->arguments[v->narguments].most == l->where.only + 2)
			return l->where.only;
	}
	return 0;
}

static const char *text_of(const page_dims *d, char letter)
{
	return need(arena_printf(d->view->memory, "%c", letter), 1);
}

static void take_letter(page_dims *d, char letter)
{
	char *at = strchr(d->letters, letter);
	if (at)
		memmove(at, at + 1, strlen(at));
}

/* A name of an argument is no name of a dimension. That of a tensor stands in no formula; N, C, H, W may equal it. */
static void drop_letters(page_dims *d, const api_view *v, bool tensors)
{
	for (int k = 0; k < v->narguments; k++) {
		const view_argument *a = &v->arguments[k];
		if (strlen(a->name) == 1 && (tensors || !a->tensor))
			take_letter(d, *a->name);
	}
}

/* Gives the names N, C, H, W to the first tensor with two dimensions more than the spatial rank. */
static void name_spatial(page_dims *d, const api_view *v)
{
	static const char *const LETTERS[] = {"", "NCL", "NCHW", "NCDHW"};
	int rank = spatial_rank(v);
	if (rank < 1 || rank > 3)
		return;
	for (int k = 0; k < v->narguments; k++) {
		const view_argument *a = &v->arguments[k];
		if (!a->tensor)
			continue;
		if (a->left || a->right != rank + 2)
			return;
		for (int j = 0; j < a->right; j++) {
			dim_class *c = page_dims_class(d, a->slot + j);
			if (!c->name && !c->number && !c->is && strchr(d->letters, LETTERS[rank][j])) {
				c->name = text_of(d, LETTERS[rank][j]);
				take_letter(d, LETTERS[rank][j]);
			}
		}
		return;
	}
}

const char *page_dims_letter(page_dims *d)
{
	if (!*d->letters)
		return "_";
	char letter = *d->letters;
	take_letter(d, letter);
	return text_of(d, letter);
}

void page_dims_find(page_dims *d, const api_view *v)
{
	*d = (page_dims){.view = v};
	strcpy(d->letters, "KMRSPQTUVXYZABDEFGIJLNHWC");
	drop_letters(d, v, false);
	d->in_table = NEED_ARRAY(v->memory, bool, v->nlines);
	for (int k = 0; k < v->nlines; k++)
		if (v->lines[k].chosen && !v->lines[k].counted)
			see_line(v, &v->lines[k]);
	for (int t = 0; t < v->nout; t++)
		see_leader(v, t);
	for (int k = 0; k < v->narguments + v->nout; k++)
		if (k < v->narguments || !settle_output(v, k - v->narguments, &d->n))
			settle(&v->arguments[k], &d->n);
	for (int k = 0; k < d->n; k++)
		d->of[k] = k;
	each_equation(d, v, absorb_equal);
	each_equation(d, v, define);
	absorb_leads(d, v);
	name_spatial(d, v);
	drop_letters(d, v, true);
}

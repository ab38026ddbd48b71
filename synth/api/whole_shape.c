#include "whole_shape.h"

#include <string.h>

/* ---- instantiation */

/* The positions that constant axes name in a shape of n dimensions. Returns false if an axis is not constant or out of range. */
static bool axes_of(const call_list *x, int n, int *to)
{
	for (int k = 0; k < x->n; k++) {
		if (x->e[k]->op != OP_CONST)
			return false;
		int64_t at = x->e[k]->value;
		if (n == 0 && (at == 0 || at == -1))
			continue;
		if (at < -n || at >= n)
			return false;
		to[k] = (int)(at < 0 ? at + n : at);
	}
	return true;
}

static bool names(const int *axes, int n, int at)
{
	for (int k = 0; k < n; k++)
		if (axes[k] == at)
			return true;
	return false;
}

static const expr *broadcast_dim(expr_pool *pool, const expr *a, const expr *b)
{
	return expr_ite(pool, expr_make(pool, OP_EQ, a, expr_const(pool, 1)), b, a);
}

/* A missing shape has no dimensions. */
static call_list broadcast(expr_pool *pool, const call_list *a, const call_list *b)
{
	call_list x = {.n = a->n > b->n ? a->n : b->n, .there = true};
	for (int k = 1; k <= x.n; k++) {
		const expr *one = k <= a->n ? a->e[a->n - k] : NULL, *two = k <= b->n ? b->e[b->n - k] : NULL;
		x.e[x.n - k] = !one ? two : !two ? one : broadcast_dim(pool, one, two);
	}
	return x;
}

/* WHOLE_DROP and WHOLE_SET. Omitted axes are all, the first or the last. */
static call_list edited(const whole_shape *w, call_list x, const call_list *axes, const expr *number)
{
	int at[LIST_LENGTH], n = axes->n;
	call_list y = {.there = axes_of(axes, x.n, at)};
	bool all = !axes->n && w->otherwise == AXES_ALL;
	if (!axes->n && !all) {
		at[0] = w->otherwise == AXES_FIRST ? 0 : x.n - 1;
		n = 1;
	}
	for (int k = 0; y.there && k < x.n; k++) {
		bool named = all || names(at, n, k);
		if (!named)
			y.e[y.n++] = x.e[k];
		else if (w->kind == WHOLE_SET)
			y.e[y.n++] = number;
	}
	return y;
}

static call_list inserted(call_list x, const call_list *axes, const expr *number)
{
	int at[LIST_LENGTH], n = x.n + axes->n, from = 0;
	call_list y = {.there = axes->there && n <= LIST_LENGTH && axes_of(axes, n, at)};
	for (int k = 0; y.there && k < n; k++) {
		bool named = names(at, axes->n, k);
		y.there = named || from < x.n;
		if (y.there)
			y.e[y.n++] = named ? number : x.e[from++];
	}
	y.there &= from == x.n;
	return y;
}

static call_list swapped(call_list x, const call_list *a, const call_list *b)
{
	int one[LIST_LENGTH] = {0}, two[LIST_LENGTH] = {0};
	x.there = a->n == 1 && b->n == 1 && axes_of(a, x.n, one) && axes_of(b, x.n, two);
	if (x.there && x.n) {
		const expr *e = x.e[*one];
		x.e[*one] = x.e[*two];
		x.e[*two] = e;
	}
	return x;
}

/* An omitted order reverses the dimensions. */
static call_list permuted(call_list x, const call_list *order)
{
	int at[LIST_LENGTH];
	call_list y = {.n = x.n, .there = axes_of(order, x.n, at) && (!order->n || order->n == x.n)};
	for (int k = 0; y.there && k < x.n; k++)
		y.e[k] = x.e[order->n ? at[k] : x.n - 1 - k];
	return y;
}

/* Replaces one dimension by a list; the first one if no axis is given. */
static call_list replaced(call_list x, const call_list *axes, const call_list *by)
{
	int at[LIST_LENGTH] = {0};
	call_list y = {.there = axes->n <= 1 && axes_of(axes, x.n, at) && *at < x.n && x.n - 1 + by->n <= LIST_LENGTH};
	for (int k = 0; y.there && k < x.n; k++)
		for (int j = 0; j < (k == *at ? by->n : 1); j++)
			y.e[y.n++] = k == *at ? by->e[j] : x.e[k];
	return y;
}

/* The dimensions of the first tensor; at the axis, the sum over all tensors. */
static call_list concatenated(const api_calls *f, const api_call *form, const whole_shape *w, const call_value *v, const call_list *axes)
{
	int at[LIST_LENGTH] = {0};
	list_name name = w->lists[0];
	call_list x = {.n = 0};
	for (name.item = 0; name.item < v->count; name.item++) {
		call_list y = call_list_of(f, form, name);
		if (name.item == 0) {
			x = y;
			at[0] = w->otherwise == AXES_LAST ? x.n - 1 : 0;
			x.there &= axes->n <= 1 && axes_of(axes, x.n, at) && *at >= 0 && *at < x.n;
		} else if (x.there) {
			x.there = y.there && y.n == x.n;
			x.e[*at] = x.there ? expr_make(f->pool, OP_ADD, x.e[*at], y.e[*at]) : NULL;
		}
		if (!x.there)
			return x;
	}
	return x;
}

static call_list broadcast_all(const api_calls *f, const api_call *form, const whole_shape *w, const call_value *v)
{
	list_name name = w->lists[0];
	call_list x = {.there = true};
	for (name.item = 0; name.item < v->count && x.there; name.item++) {
		call_list y = call_list_of(f, form, name);
		x = name.item ? broadcast(f->pool, &x, &y) : y;
		x.there &= y.there;
	}
	return x;
}

/* Merges the dimensions between two axes into their product; by default all. A scalar becomes one dimension of size 1. */
static call_list merged(expr_pool *pool, call_list x, const call_list *a, const call_list *b)
{
	int from = 0, to = x.n - 1, at[LIST_LENGTH] = {0};
	call_list y = {.there = a->n <= 1 && b->n <= 1 && axes_of(a, x.n, at)};
	from = a->n && x.n ? at[0] : from;
	y.there &= axes_of(b, x.n, at);
	to = b->n && x.n && y.there ? at[0] : to;
	y.there &= from <= to || x.n == 0;
	const expr *product = NULL;
	for (int k = 0; y.there && k < x.n; k++) {
		if (k < from || k > to) {
			y.e[y.n++] = x.e[k];
			continue;
		}
		product = expr_join(pool, OP_MUL, product, x.e[k]);
		if (k == to)
			y.e[y.n++] = product;
	}
	if (y.there && x.n == 0)
		y.e[y.n++] = expr_const(pool, 1);
	return y;
}

/* Removes the last dimensions. */
static call_list cut_off(call_list x, int cut)
{
	x.there &= x.n >= cut;
	x.n -= x.there ? cut : 0;
	return x;
}

static bool is_tensors(const call_value *v)
{
	return v && v->kind == CALL_LIST && v->count && v->items[0].kind == CALL_TENSOR;
}

/* Whether the number is the length of a list of tensors. */
static bool is_count(const whole_shape *w, const api_call *form)
{
	return whole_shape_counts(w) && is_tensors(call_value_of(form, w->lists[2].argument));
}

static bool is_absent(const api_call *form, list_name name)
{
	return call_is_none(call_value_of(form, name.argument));
}

static call_list shape_of(const whole_shape *w, const api_calls *f, const api_call *form)
{
	call_list x[MAX_WHOLE], none = {.n = 0};
	const call_value *tensors = call_value_of(form, w->lists[0].argument);
	bool all = w->kind == WHOLE_CONCAT || w->kind == WHOLE_BROADCAST_ALL;
	if (all && !is_tensors(tensors))
		return none;
	for (int k = all; k < w->of; k++) {
		if (k == 2 && is_count(w, form)) {
			x[k] = (call_list){.e = {expr_const(f->pool, call_value_of(form, w->lists[2].argument)->count)}, .n = 1, .there = true};
			continue;
		}
		x[k] = call_list_of(f, form, w->lists[k]);
		if (!x[k].there && !is_absent(form, w->lists[k])) /* unknown value */
			return none;
		if (x[k].there && w->cut)
			x[k] = cut_off(x[k], w->cut);
		if (w->cut && !x[k].there)
			return none;
	}
	if (!all && !x[0].there && w->kind != WHOLE_BROADCAST)
		return none;
	const expr *number = expr_const(f->pool, 1);
	if ((w->kind == WHOLE_SET || w->kind == WHOLE_INSERT) && !w->one) {
		if (x[2].n != 1)
			return none;
		number = x[2].e[0];
	}
	switch ((enum whole_kind)w->kind) {
	case WHOLE_SAME:
		return x[0];
	case WHOLE_BROADCAST:
		for (int k = 1; k < w->of; k++)
			x[0] = broadcast(f->pool, &x[0], &x[k]);
		return x[0];
	case WHOLE_DROP:
	case WHOLE_SET:
		return edited(w, x[0], &x[1], number);
	case WHOLE_INSERT:
		return inserted(x[0], &x[1], number);
	case WHOLE_SWAP:
		return swapped(x[0], &x[1], &x[2]);
	case WHOLE_PERMUTE:
		return permuted(x[0], &x[1]);
	case WHOLE_REPLACE:
		return replaced(x[0], &x[1], &x[2]);
	case WHOLE_CONCAT:
		return concatenated(f, form, w, tensors, &x[1]);
	case WHOLE_BROADCAST_ALL:
		return broadcast_all(f, form, w, tensors);
	case WHOLE_MERGE:
		return merged(f->pool, x[0], &x[1], &x[2]);
	}
	return none;
}

bool whole_shape_is(const whole_shape *w, const api_calls *f, const api_call *form, unsigned t)
{
	const call *c = form->of.call;
	call_list x = shape_of(w, f, form);
	int first = 0;
	for (unsigned k = 0; k < t; k++)
		first += c->outputs[k].rank;
	if (!x.there || x.n != c->outputs[t].rank - w->cut)
		return false;
	for (int k = 0; k < x.n; k++)
		if (x.e[k] != form->of.rule->out[first + k])
			return false;
	return true;
}

/* ---- candidates */

enum { MAX_SOURCES = 12, MAX_NAMED = 8, MAX_TENSORS = 6, MAX_CUT_SOURCES = 8 };

typedef struct words {
	list_name shapes[MAX_SOURCES], axes[MAX_NAMED], numbers[MAX_NAMED], tensors[MAX_NAMED];
	int nshapes, naxes, nnumbers, ntensors;
	bool tensor[MAX_SOURCES];
} words;

static void add_name(list_name *list, int *n, int most, list_name name)
{
	for (int k = 0; k < *n; k++)
		if (list_is(list[k], name))
			return;
	if (*n < most)
		list[(*n)++] = name;
}

static bool is_constant(const call_list *x)
{
	for (int k = 0; k < x->n; k++)
		if (x->e[k]->op != OP_CONST)
			return false;
	return x->n > 0;
}

static void add_words(words *w, const api_calls *f, const api_call *form, const char *argument)
{
	const call_value *v = call_value_of(form, argument);
	list_name name = {argument, -1, LIST_DIMS};
	if (!v)
		return;
	if (is_tensors(v)) {
		add_name(w->tensors, &w->ntensors, MAX_NAMED, name);
		add_name(w->numbers, &w->nnumbers, MAX_NAMED, name);
		for (name.item = 0; name.item < v->count && name.item < MAX_TENSORS; name.item++)
			add_name(w->shapes, &w->nshapes, MAX_SOURCES, name);
		return;
	}
	if (v->kind != CALL_TENSOR) {
		name.kind = LIST_ITEMS;
		call_list x = call_list_of(f, form, name);
		if (x.there && is_constant(&x))
			add_name(w->axes, &w->naxes, MAX_NAMED, name);
		if (x.there && x.number)
			add_name(w->numbers, &w->nnumbers, MAX_NAMED, name);
		if (!x.there)
			return;
	}
	add_name(w->shapes, &w->nshapes, MAX_SOURCES, name);
}

typedef struct shapes {
	whole_shape *list;
	int n, most;
} shapes;

static void add(shapes *to, whole_shape w)
{
	if (to->n < to->most)
		to->list[to->n++] = w;
}

static void add_broadcasts(shapes *to, const words *w)
{
	whole_shape all = {.kind = WHOLE_BROADCAST};
	for (int a = 0; a < w->nshapes; a++)
		for (int b = 0; b < w->nshapes; b++) {
			all = (whole_shape){.kind = WHOLE_BROADCAST, .of = 2, .lists = {w->shapes[a], w->shapes[b]}};
			if (a != b)
				add(to, all);
			for (int c = 0; c < w->nshapes && w->nshapes < 8; c++) {
				all.of = 3;
				all.lists[2] = w->shapes[c];
				if (a != b && b != c && a != c)
					add(to, all);
			}
		}
}

static void add_edits(shapes *to, list_name shape, list_name axis, const words *w)
{
	for (int otherwise = AXES_ALL; otherwise <= AXES_LAST; otherwise++) {
		add(to, (whole_shape){.kind = WHOLE_DROP, .of = 2, .lists = {shape, axis}, .otherwise = (uint8_t)otherwise});
		add(to, (whole_shape){.kind = WHOLE_SET, .of = 2, .lists = {shape, axis}, .otherwise = (uint8_t)otherwise, .one = true});
	}
	add(to, (whole_shape){.kind = WHOLE_INSERT, .of = 2, .lists = {shape, axis}, .one = true});
	add(to, (whole_shape){.kind = WHOLE_PERMUTE, .of = 2, .lists = {shape, axis}});
	for (int k = 0; k < w->nnumbers; k++) {
		for (int otherwise = AXES_ALL; otherwise <= AXES_LAST; otherwise++)
			add(to, (whole_shape){.kind = WHOLE_SET, .of = 3, .lists = {shape, axis, w->numbers[k]}, .otherwise = (uint8_t)otherwise});
		add(to, (whole_shape){.kind = WHOLE_INSERT, .of = 3, .lists = {shape, axis, w->numbers[k]}});
	}
	for (int k = 0; k < w->naxes; k++)
		if (!list_is(w->axes[k], axis)) {
			add(to, (whole_shape){.kind = WHOLE_SWAP, .of = 3, .lists = {shape, axis, w->axes[k]}});
			add(to, (whole_shape){.kind = WHOLE_MERGE, .of = 3, .lists = {shape, axis, w->axes[k]}});
		}
	for (int k = 0; k < w->nshapes; k++)
		if (!list_is(w->shapes[k], shape))
			add(to, (whole_shape){.kind = WHOLE_REPLACE, .of = 3, .lists = {shape, axis, w->shapes[k]}});
}

static words words_of(const api_calls *f)
{
	words w = {.nshapes = 0};
	for (int i = 0; i < f->n; i++)
		for (int k = 0; k < f->nnames; k++)
			add_words(&w, f, &f->forms[i], f->names[k]);
	return w;
}

/* Candidates over all tensors of a list. */
static void add_tensors(shapes *to, const words *w)
{
	for (int k = 0; k < w->ntensors; k++) {
		for (int x = 0; x < w->naxes; x++) {
			add(to, (whole_shape){.kind = WHOLE_CONCAT, .of = 2, .lists = {w->tensors[k], w->axes[x]}, .otherwise = AXES_FIRST});
			add(to, (whole_shape){.kind = WHOLE_CONCAT, .of = 2, .lists = {w->tensors[k], w->axes[x]}, .otherwise = AXES_LAST});
		}
		add(to, (whole_shape){.kind = WHOLE_BROADCAST_ALL, .of = 1, .lists = {w->tensors[k]}});
	}
}

int whole_shapes_cut(const api_calls *f, int cut, whole_shape *to, int most)
{
	shapes all = {to, 0, most};
	words w = words_of(f);
	for (int a = 0; a < w.nshapes; a++)
		if (w.shapes[a].kind == LIST_DIMS)
			add(&all, (whole_shape){.kind = WHOLE_SAME, .of = 1, .lists = {w.shapes[a]}, .cut = (uint8_t)cut});
	for (int a = 0; a < w.nshapes; a++)
		for (int b = 0; b < w.nshapes; b++)
			if (a != b && w.shapes[a].kind == LIST_DIMS && w.shapes[b].kind == LIST_DIMS)
				add(&all, (whole_shape){.kind = WHOLE_BROADCAST, .of = 2, .lists = {w.shapes[a], w.shapes[b]}, .cut = (uint8_t)cut});
	for (int a = 0; a < w.nshapes && w.nshapes < MAX_CUT_SOURCES; a++)
		for (int b = 0; b < w.nshapes; b++)
			for (int c = 0; c < w.nshapes; c++)
				if (a != b && b != c && a != c && w.shapes[a].kind == LIST_DIMS && w.shapes[b].kind == LIST_DIMS && w.shapes[c].kind == LIST_DIMS)
					add(&all, (whole_shape){.kind = WHOLE_BROADCAST, .of = 3, .lists = {w.shapes[a], w.shapes[b], w.shapes[c]}, .cut = (uint8_t)cut});
	return all.n;
}

int whole_shapes_of(const api_calls *f, whole_shape *to, int most)
{
	shapes all = {to, 0, most};
	words w = words_of(f);
	for (int a = 0; a < w.nshapes; a++)
		add(&all, (whole_shape){.kind = WHOLE_SAME, .of = 1, .lists = {w.shapes[a]}});
	add_broadcasts(&all, &w);
	add_tensors(&all, &w);
	for (int a = 0; a < w.nshapes; a++)
		for (int x = 0; x < w.naxes; x++)
			add_edits(&all, w.shapes[a], w.axes[x], &w);
	return all.n;
}

bool whole_shape_same(const whole_shape *a, const whole_shape *b)
{
	bool same = a->kind == b->kind && a->of == b->of && a->otherwise == b->otherwise && a->cut == b->cut && a->one == b->one;
	for (int k = 0; k < a->of && same; k++)
		same = list_is(a->lists[k], b->lists[k]);
	return same;
}

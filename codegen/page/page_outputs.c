#include "page_outputs.h"

#include <string.h>

#include "need.h"
#include "text.h"

enum { SHORT = 14 };

typedef struct saying { /* a line about one dimension of an output */
	const view_line *line;
	int at;
} saying;

/* Whether x and y are the same position, counted from different ends of a fixed rank. */
static bool same_position(const view_argument *a, int x, int y)
{
	if ((x < 0) != (y < 0) && a->least == a->most)
		return x - y == (x > y ? a->most : -a->most);
	return x == y;
}

/* Whether a line is about all leading dimensions, which are unnamed since their number varies. */
static bool is_leading(const view_argument *a, const view_line *l)
{
	return a->least != a->most && !a->varies && l->where.way == RANGE_RIGHT && !l->where.only && !l->where.head && !l->where.but.argument;
}

static bool covers(const api_view *v, const view_line *l, const view_argument *a, int position, int *at)
{
	int to[64], n = l->is_whole ? 0 : page_dims_stated(v, l, to, 64);
	for (int k = 0; k < n; k++)
		if (same_position(a, to[k], position)) {
			*at = to[k];
			return true;
		}
	*at = position;
	if (!l->is_whole)
		return is_leading(a, l) && position < -l->where.tail;
	return l->whole.cut && position < -l->whole.cut;
}

/* The slot of an input that a dimension always equals; otherwise -1. */
static int input_slot(const page_dims *d, const saying *s)
{
	int at;
	const view_line *l = s->line;
	if (l->is_whole)
		return l->whole.kind == WHOLE_SAME ? page_dims_slot(d, l->whole.lists[0], s->at) : -1;
	const reference *r = l->t.e->op == OP_SYM ? &l->t.refs[l->t.e->value] : NULL;
	if (!r || r->base == ALL || r->others || !page_dims_position(r, true, s->at, &at))
		return -1;
	return page_dims_slot(d, r->list, at);
}

static void put_slice(buf *to, const case_part *p)
{
	if (!p->from && !p->without)
		return;
	buf_putc(to, '[');
	if (p->from)
		buf_int(to, p->from);
	buf_putc(to, ':');
	if (p->without)
		buf_int(to, -p->without);
	buf_putc(to, ']');
}

void page_outputs_case(buf *to, page_dims *d, const view_case *c)
{
	buf_putc(to, '(');
	for (int k = 0; k < c->n; k++) {
		const case_part *p = &c->parts[k];
		const view_line *l = p->line;
		buf_puts(to, k ? ", " : "");
		if (!p->spread) {
			page_words_put(to, d, &l->t, l->t.e, (page_place){.fixed = true, .i = p->at});
			continue;
		}
		buf_putc(to, '*');
		if (l->is_whole) {
			page_words_whole(to, d->view, l);
			continue;
		}
		page_words_list(to, d->view, l->t.refs[l->t.e->value].list);
		put_slice(to, p);
	}
	buf_putc(to, ')');
	page_words_condition(to, d->view, &c->condition);
}

static void put_saying(buf *to, page_dims *d, const saying *s)
{
	const view_line *l = s->line;
	if (!l->is_whole) {
		page_words_put(to, d, &l->t, l->t.e, (page_place){.fixed = true, .i = s->at});
		return;
	}
	if (l->whole.kind == WHOLE_BROADCAST)
		buf_puts(to, "broadcast(");
	for (int k = 0; k < l->whole.of; k++) {
		int slot = page_dims_slot(d, l->whole.lists[k], s->at);
		buf_puts(to, k ? ", " : "");
		if (slot >= 0) {
			page_words_slot(to, d, slot);
			continue;
		}
		page_words_list(to, d->view, l->whole.lists[k]);
		buf_printf(to, "[%d]", s->at);
	}
	buf_puts(to, l->whole.kind == WHOLE_BROADCAST ? ")" : "");
}

/* Finds the lines about a dimension, unconditional ones first. Returns their number. */
static int sayings_of(const api_view *v, int t, int position, saying *to, int most)
{
	const view_argument *a = &v->arguments[v->narguments + t];
	int n = 0;
	for (int pass = 0; pass < 2; pass++)
		for (int k = 0; k < v->nlines; k++) {
			const view_line *l = &v->lines[k];
			int at;
			if (l->chosen && l->output == t && view_is_always(l) != pass && n < most && covers(v, l, a, position, &at))
				to[n++] = (saying){l, at};
		}
	return n;
}

typedef struct formulas {
	const char *text[DIM_SLOTS]; /* without the name */
	int slot[DIM_SLOTS];
	int n;
} formulas;

/* Names a dimension by a letter and prints its formula; equal formulas share a letter. */
static void name_formula(buf *out, page_dims *d, formulas *f, int slot, const saying *list, int n)
{
	buf text = {0};
	const char *always = NULL;
	for (int k = 0; k < n; k++) {
		buf value = {0};
		put_saying(&value, d, &list[k]);
		const bool known = always && strcmp(always, need_text(&value)) == 0;
		if (!known) {
			buf_puts(&text, need_text(&value));
			page_words_condition(&text, d->view, list[k].line);
			buf_putc(&text, '\n');
		}
		if (view_is_always(list[k].line))
			always = keep(d->view->memory, &value);
		buf_free(&value);
	}
	dim_class *c = page_dims_class(d, slot);
	for (int k = 0; k < f->n; k++)
		if (strcmp(f->text[k], need_text(&text)) == 0) {
			c->name = page_dims_class(d, f->slot[k])->name;
			buf_free(&text);
			return;
		}
	c->name = page_dims_letter(d);
	f->slot[f->n] = slot;
	f->text[f->n++] = keep(d->view->memory, &text);
	buf_free(&text);
	for (const char *line = f->text[f->n - 1], *end; *line; line = end + 1) {
		buf all = {0};
		end = strchr(line, '\n');
		buf_printf(&all, "%s = ", c->name);
		buf_add(&all, line, (size_t)(end - line));
		text_prose(out, " *     ", " *         ", need_text(&all));
		buf_free(&all);
	}
}

/* Whether all lines print the same value. */
static bool is_one_saying(page_dims *d, const saying *list, int n)
{
	buf first = {0}, other = {0};
	bool same = true;
	if (n > 1)
		put_saying(&first, d, &list[0]);
	for (int k = 1; k < n && same; k++) {
		buf_clear(&other);
		put_saying(&other, d, &list[k]);
		same = strcmp(need_text(&first), need_text(&other)) == 0;
	}
	buf_free(&first);
	buf_free(&other);
	return same;
}

static void name_dimension(buf *out, page_dims *d, formulas *f, int t, int slot, int position)
{
	saying list[8];
	int n = sayings_of(d->view, t, position, list, 8), always = 0;
	while (always < n && view_is_always(list[always].line))
		always++;
	n = always ? always : n; /* the others state the same in some calls */
	int input = n ? input_slot(d, &list[0]) : -1;
	for (int k = 1; k < n && input >= 0; k++) {
		int other = input_slot(d, &list[k]);
		input = other >= 0 && page_dims_class(d, other) == page_dims_class(d, input) ? input : -1;
	}
	if (input >= 0) {
		d->of[slot] = d->of[input];
		return;
	}
	if (n && view_is_always(list[0].line) && !list[0].line->is_whole && is_one_saying(d, list, n)) {
		buf text = {0};
		put_saying(&text, d, &list[0]);
		bool is_short = text.length <= SHORT;
		if (is_short) {
			d->classes[slot].is = NEED_ARRAY(d->view->memory, template, 1);
			*(template *)d->classes[slot].is = list[0].line->t;
			d->classes[slot].i = list[0].at;
		}
		buf_free(&text);
		if (is_short)
			return;
	}
	if (n)
		name_formula(out, d, f, slot, list, n);
}

/* Prints a line with an index: "out[i] = input[i]*repeats[i] for each i". */
static void put_indexed(buf *out, page_dims *d, const view_line *l)
{
	buf text = {0};
	int at[64], n = l->is_whole ? 0 : page_dims_positions(d->view, l, at, 64);
	page_words_output(&text, d->view, l->output);
	if (l->is_whole) {
		buf_printf(&text, "[:-%d] = ", l->whole.cut);
		page_words_whole(&text, d->view, l);
	} else if (l->at.argument) {
		buf_printf(&text, "[%s] = ", l->at.argument);
		page_words_put(&text, d, &l->t, l->t.e, (page_place){.fixed = false});
	} else if (n == 1) {
		buf_printf(&text, "[%d] = ", at[0]);
		page_words_put(&text, d, &l->t, l->t.e, (page_place){.fixed = true, .i = at[0]});
	} else {
		buf_puts(&text, "[i] = ");
		page_words_put(&text, d, &l->t, l->t.e, (page_place){.fixed = false});
		page_words_range(&text, d->view, l);
	}
	page_words_condition(&text, d->view, l);
	text_prose(out, " *     ", " *         ", need_text(&text));
	buf_free(&text);
}

/* The input whose leading dimensions a line gives; *without: how many of its last ones are excluded. */
static const view_argument *leading_input(const api_view *v, const view_line *l, int *without, list_name *name)
{
	const reference *r = !l->is_whole && l->t.e->op == OP_SYM ? &l->t.refs[l->t.e->value] : NULL;
	if (l->is_whole) {
		*without = l->whole.cut;
		*name = l->whole.lists[0];
	} else {
		if (!r || r->base != AT_INDEX || l->where.way != RANGE_RIGHT || l->where.only || l->where.head || l->where.but.argument)
			return NULL;
		*without = l->where.tail - r->offset;
		*name = r->list;
	}
	return (name->kind == LIST_DIMS || name->kind == LIST_ITEMS) && name->item < 0 && *without >= 0 ? view_list_of(v, *name) : NULL;
}

/* Whether a tensor is the first one of the page with "...". */
static bool is_first_varying(const api_view *v, const view_argument *a)
{
	for (int k = 0; k < v->narguments; k++)
		if (v->arguments[k].varies && v->arguments[k].tensor)
			return &v->arguments[k] == a;
	return false;
}

bool page_outputs_lead(buf *to, page_dims *d, const view_line *l)
{
	const api_view *v = d->view;
	const view_argument *out = &v->arguments[v->narguments + l->output];
	const int last = l->is_whole ? l->whole.cut : l->where.tail;
	int without;
	list_name name;
	if (!view_is_always(l) || !out->varies || out->left || out->right != last || (l->is_whole && !l->whole.cut))
		return false;
	if (l->is_whole && l->whole.kind != WHOLE_SAME) {
		buf_putc(to, '*');
		page_words_whole(to, v, l);
		return true;
	}
	const view_argument *a = leading_input(v, l, &without, &name);
	if (!a)
		return false;
	if (name.kind == LIST_DIMS && a->varies && !a->left && a->right >= without && is_first_varying(v, a)) {
		buf_puts(to, "...");
		for (int k = a->right; k > without; k--) {
			buf_puts(to, ", ");
			page_words_slot(to, d, a->slot + a->right - k);
		}
		return true;
	}
	buf_putc(to, '*');
	page_words_list(to, v, name);
	if (without)
		buf_printf(to, "[:-%d]", without);
	return true;
}

void page_outputs_name(buf *out, page_dims *d)
{
	const api_view *v = d->view;
	formulas *f = NEED_ARRAY(v->memory, formulas, 1);
	for (int t = 0; t < v->nout; t++) {
		const view_argument *a = &v->arguments[v->narguments + t];
		if (v->ncases[t])
			continue;
		for (int k = 0; k < a->left + a->right; k++)
			name_dimension(out, d, f, t, a->slot + k, k < a->left ? k : k - a->left - a->right);
		for (int k = 0; k < v->nlines; k++) {
			const view_line *l = &v->lines[k];
			int at[64], n = l->is_whole ? 0 : page_dims_stated(v, l, at, 64);
			buf lead = {0};
			bool named = n > 0 || is_leading(a, l) || (l->is_whole && (!l->whole.cut || !a->varies)) || (l->chosen && l->output == t && page_outputs_lead(&lead, d, l));
			buf_free(&lead);
			for (int j = 0; j < n; j++)
				named &= page_dims_slot(d, (list_name){LIST_OUTPUT, (int16_t)t, LIST_OUT}, at[j]) >= 0;
			if (l->chosen && l->output == t && !named)
				put_indexed(out, d, l);
		}
	}
}

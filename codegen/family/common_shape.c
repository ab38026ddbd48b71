#include "common_shape.h"

#include <string.h>

#include "need.h"

enum { MOST_ENDS = 4, POSITIONS = 128, MAX_WHOLES = 3000, MAX_TRIED = 400 };

typedef struct finder {
	const family_forms *f;
	unsigned t; /* the output tensor */
	bool *in;   /* the forms that are to be said */
} finder;

static int count(const finder *w, const bool *in)
{
	int n = 0;
	for (int i = 0; i < w->f->n; i++)
		n += in[i];
	return n;
}

/* ---- one output tensor of a form */

typedef struct output {
	const expr *const *e;
	int n;
} output;

static output output_of(const finder *w, int form)
{
	const rule_op *op = w->f->forms[form].op;
	output x = {op->rule.out, op->outputs[w->t].rank};
	for (unsigned k = 0; k < w->t; k++)
		x.e += op->outputs[k].rank;
	return x;
}

/* Whether a line is what a form has at all positions of its walk. */
static bool is_said(const finder *w, const shape_line *l, int form)
{
	output out = output_of(w, form);
	const call_form *x = &w->f->forms[form];
	int at[POSITIONS], n = walk_positions(&l->where, w->f, x, out.n, at, POSITIONS);
	if (n == POSITIONS)
		return false;
	for (int k = 0; k < n; k++) {
		int d = at[k] < 0 ? at[k] + out.n : at[k];
		const expr *e = d >= 0 && d < out.n ? template_instance(&l->t, w->f, x, at[k], NULL) : NULL;
		if (!e || !template_equals(w->f, x, e, out.e[d]))
			return false;
	}
	return true;
}

/* ---- lines */

typedef struct tries {
	shape_line list[MAX_TRIED];
	int n;
} tries;

static void add_try(tries *to, const template *t, walk where)
{
	for (int k = 0; k < to->n; k++)
		if (template_same(&to->list[k].t, t))
			return;
	if (to->n < MAX_TRIED)
		to->list[to->n++] = (shape_line){*t, where};
}

/* The templates of a form's output dimension d. */
static void add_tries(tries *to, const finder *w, int form, int d, walk where)
{
	output out = output_of(w, form);
	bool right = where.way == WALK_RIGHT;
	for (int folds = 0; folds < 2; folds++)
		for (int way = 0; way < 4; way++) {
			uint8_t moving = right ? WAY_RIGHT : WAY_LEFT, number = right ? WAY_NUMBER_RIGHT : WAY_NUMBER_LEFT;
			template t;
			template_way how = {.dims = way & 1 ? number : moving, .items = way & 2 ? number : moving, .folds = folds};
			if (template_of(&t, w->f, &w->f->forms[form], out.e[d], (anchor){d, out.n - 1 - d}, how))
				add_try(to, &t, where);
		}
}

/* The line of a walk that most forms agree with, which then are those that are in. False: there is none. */
static bool find_line(const finder *w, bool *in, walk where, shape_line *to, tries *room)
{
	int best = -1, most = 0;
	bool any = false;
	room->n = 0;
	for (int i = 0; i < w->f->n; i++) {
		int at[POSITIONS], n = in[i] ? walk_positions(&where, w->f, &w->f->forms[i], output_of(w, i).n, at, POSITIONS) : 0;
		int rank = output_of(w, i).n, d = n ? (at[0] < 0 ? at[0] + rank : at[0]) : -1;
		any |= n > 0;
		if (d >= 0 && d < rank)
			add_tries(room, w, i, d, where);
	}
	for (int k = 0; k < room->n; k++) {
		int n = 0;
		for (int i = 0; i < w->f->n; i++)
			n += in[i] && is_said(w, &room->list[k], i);
		if (n > most) {
			most = n;
			best = k;
		}
	}
	if (!any) {
		to->t.e = NULL;
		return true;
	}
	if (best < 0)
		return false;
	*to = room->list[best];
	for (int i = 0; i < w->f->n; i++)
		in[i] = in[i] && is_said(w, to, i); /* others may have fewer outputs */
	return true;
}

/* Neighbours of one template are one line. */
static void add_line(tensor_shape *to, const shape_line *l)
{
	if (!l->t.e || to->nlines == MAX_LINES)
		return;
	shape_line *last = to->nlines ? &to->lines[to->nlines - 1] : NULL;
	if (last && last->where.way == l->where.way && last->where.only && l->where.only && template_same(&last->t, &l->t)) {
		if (l->where.way == WALK_RIGHT)
			last->where.tail = l->where.tail;
		else
			last->where.only = l->where.only;
		return;
	}
	to->lines[to->nlines++] = *l;
}

/* The first `head` dimensions, those between, the last `tail` ones; in: who agrees. */
static bool try_ends(const finder *w, int head, int tail, uint8_t way, tensor_shape *to, bool *in, tries *room)
{
	shape_line l;
	*to = (tensor_shape){.is_whole = false};
	memcpy(in, w->in, (size_t)w->f->n * sizeof *in);
	for (int k = 0; k < head; k++) {
		if (!find_line(w, in, (walk){.way = WALK_LEFT, .head = (int16_t)k, .only = (int16_t)(k + 1)}, &l, room))
			return false;
		add_line(to, &l);
	}
	if (!find_line(w, in, (walk){.way = way, .head = (int16_t)head, .tail = (int16_t)tail}, &l, room))
		return false;
	add_line(to, &l);
	for (int k = tail; k > 0; k--) {
		if (!find_line(w, in, (walk){.way = WALK_RIGHT, .only = (int16_t)k, .tail = (int16_t)(k - 1)}, &l, room))
			return false;
		add_line(to, &l);
	}
	return true;
}

/* ---- the best of all */

typedef struct best {
	tensor_shape shape;
	bool *in;
	int n, price;
} best;

static void offer(const finder *w, best *b, const tensor_shape *s, const bool *in)
{
	int n = count(w, in), price = s->is_whole ? s->whole.of : 2 + 2 * s->nlines;
	if (n < b->n || (n == b->n && price >= b->price))
		return;
	b->shape = *s;
	b->n = n;
	b->price = price;
	memcpy(b->in, in, (size_t)w->f->n * sizeof *in);
}

static void offer_wholes(const finder *w, best *b, bool *in)
{
	whole_shape *list = NEED_ARRAY(w->f->scratch, whole_shape, MAX_WHOLES);
	int n = whole_shapes_of(w->f, list, MAX_WHOLES), all = count(w, w->in);
	for (int k = 0; k < n; k++) {
		tensor_shape s = {.is_whole = true, .whole = list[k]};
		for (int i = 0; i < w->f->n; i++)
			in[i] = w->in[i] && whole_shape_is(&list[k], w->f, &w->f->forms[i], w->t);
		offer(w, b, &s, in);
		if (b->n == all)
			return;
	}
}

static void offer_lines(const finder *w, best *b, bool *in)
{
	tries *room = NEED_ARRAY(w->f->scratch, tries, 1);
	int all = count(w, w->in);
	for (int ends = 0; ends <= MOST_ENDS && b->n < all; ends++)
		for (int head = 0; head <= ends; head++)
			for (int way = WALK_RIGHT; way <= WALK_LEFT; way++) {
				tensor_shape s;
				if (try_ends(w, head, ends - head, (uint8_t)way, &s, in, room))
					offer(w, b, &s, in);
			}
}

static tensor_shape find_tensor(finder *w)
{
	const family_forms *f = w->f;
	best b = {.in = NEED_ARRAY(f->scratch, bool, f->n)};
	bool *in = NEED_ARRAY(f->scratch, bool, f->n);
	offer_wholes(w, &b, in);
	if (b.n < count(w, w->in))
		offer_lines(w, &b, in);
	memcpy(w->in, b.in, (size_t)f->n * sizeof *in);
	return b.shape;
}

common_shape common_shape_of(const family_forms *f, const bool *among)
{
	common_shape to = {.members = NEED_ARRAY(f->memory, bool, f->n)};
	finder w = {.f = f, .in = to.members};
	memcpy(to.members, among, (size_t)f->n * sizeof *among);
	int first = 0;
	while (first < f->n && !among[first])
		first++;
	to.ntensors = first < f->n ? f->forms[first].op->nout : 0;
	to.tensors = NEED_ARRAY(f->memory, tensor_shape, to.ntensors);
	for (int i = 0; i < f->n; i++)
		to.members[i] &= f->forms[i].op->nout == to.ntensors;
	for (w.t = 0; w.t < to.ntensors; w.t++)
		to.tensors[w.t] = find_tensor(&w);
	to.nmembers = count(&w, to.members);
	return to;
}

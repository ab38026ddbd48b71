#include "fit_shapes.h"

#include <stdlib.h>
#include <string.h>

#include "need.h"

enum { MAX_ENDS = 4, POSITIONS = 128, MAX_WHOLES = 3000, MAX_TRIED = 400, MAX_CUT = 3 };

typedef struct finder {
	const api_calls *f;
	unsigned t; /* the output tensor */
	bool *in;   /* the signatures to fit */
} finder;

static int count(const finder *w, const bool *in)
{
	int n = 0;
	for (int i = 0; i < w->f->n; i++)
		n += in[i];
	return n;
}

/* ---- one output tensor of a signature */

typedef struct output {
	const expr *const *e;
	int n;
} output;

static output output_of(const finder *w, int form)
{
	const api_signature *s = &w->f->forms[form].of;
	output x = {s->rule->out, s->call->outputs[w->t].rank};
	for (unsigned k = 0; k < w->t; k++)
		x.e += s->call->outputs[k].rank;
	return x;
}

/* Whether a line equals the outputs of a signature at all positions of its range. */
static bool fits_line(const finder *w, const shape_line *l, int form)
{
	output out = output_of(w, form);
	const api_call *x = &w->f->forms[form];
	int at[POSITIONS], n = index_range_positions(&l->where, w->f, x, out.n, at, POSITIONS);
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

static void add_try(tries *to, const template *t, index_range where)
{
	for (int k = 0; k < to->n; k++)
		if (template_same(&to->list[k].t, t))
			return;
	if (to->n < MAX_TRIED)
		to->list[to->n++] = (shape_line){*t, where};
}

/* Adds the templates of output dimension d of a signature. */
static void add_tries(tries *to, const finder *w, int form, int d, index_range where)
{
	output out = output_of(w, form);
	bool right = where.way == RANGE_RIGHT;
	for (int folds = 0; folds < 2; folds++)
		for (int way = 0; way < 4; way++) {
			uint8_t moving = right ? WAY_RIGHT : WAY_LEFT, number = right ? WAY_NUMBER_RIGHT : WAY_NUMBER_LEFT;
			template t;
			template_way how = {.dims = way & 1 ? number : moving, .items = way & 2 ? number : moving, .folds = folds};
			if (template_of(&t, w->f, &w->f->forms[form], out.e[d], (anchor){d, out.n - 1 - d}, how))
				add_try(to, &t, where);
		}
}

/* Finds the line for a range that fits most signatures, and keeps only those in `in`. Returns false if there is none. */
static bool find_line(const finder *w, bool *in, index_range where, shape_line *to, tries *room)
{
	int best = -1, most = 0;
	bool any = false;
	room->n = 0;
	for (int i = 0; i < w->f->n; i++) {
		int at[POSITIONS], n = in[i] ? index_range_positions(&where, w->f, &w->f->forms[i], output_of(w, i).n, at, POSITIONS) : 0;
		int rank = output_of(w, i).n, d = n ? (at[0] < 0 ? at[0] + rank : at[0]) : -1;
		any |= n > 0;
		if (d >= 0 && d < rank)
			add_tries(room, w, i, d, where);
	}
	for (int k = 0; k < room->n; k++) {
		int n = 0;
		for (int i = 0; i < w->f->n; i++)
			n += in[i] && fits_line(w, &room->list[k], i);
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
		in[i] = in[i] && fits_line(w, to, i); /* others may have a lower rank */
	return true;
}

/* Merges adjacent lines with the same template. */
static void add_line(tensor_shape *to, const shape_line *l)
{
	if (!l->t.e || to->nlines == MAX_LINES)
		return;
	shape_line *last = to->nlines ? &to->lines[to->nlines - 1] : NULL;
	if (last && last->where.way == l->where.way && last->where.only && l->where.only && template_same(&last->t, &l->t)) {
		if (l->where.way == RANGE_RIGHT)
			last->where.tail = l->where.tail;
		else
			last->where.only = l->where.only;
		return;
	}
	to->lines[to->nlines++] = *l;
}

/* Tries lines for the first `head` dimensions, the middle, and the last `tail` dimensions. in: the signatures that they fit. */
static bool try_ends(const finder *w, int head, int tail, uint8_t way, tensor_shape *to, bool *in, tries *room)
{
	shape_line l;
	*to = (tensor_shape){.is_whole = false};
	memcpy(in, w->in, (size_t)w->f->n * sizeof *in);
	for (int k = 0; k < head; k++) {
		if (!find_line(w, in, (index_range){.way = RANGE_LEFT, .head = (int16_t)k, .only = (int16_t)(k + 1)}, &l, room))
			return false;
		add_line(to, &l);
	}
	if (!find_line(w, in, (index_range){.way = way, .head = (int16_t)head, .tail = (int16_t)tail}, &l, room))
		return false;
	add_line(to, &l);
	for (int k = tail; k > 0; k--) {
		if (!find_line(w, in, (index_range){.way = RANGE_RIGHT, .only = (int16_t)k, .tail = (int16_t)(k - 1)}, &l, room))
			return false;
		add_line(to, &l);
	}
	return true;
}

/* ---- the best description */

typedef struct best {
	tensor_shape shape;
	bool *in;
	int n, cost;
} best;

static void offer(const finder *w, best *b, const tensor_shape *s, const bool *in)
{
	int n = count(w, in), cost = (s->is_whole ? s->whole.of : 2) + 2 * s->nlines;
	if (n < b->n || (n == b->n && cost >= b->cost))
		return;
	b->shape = *s;
	b->n = n;
	b->cost = cost;
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
	for (int ends = 0; ends <= MAX_ENDS && b->n < all; ends++)
		for (int head = 0; head <= ends; head++)
			for (int way = RANGE_RIGHT; way <= RANGE_LEFT; way++) {
				tensor_shape s;
				if (try_ends(w, head, ends - head, (uint8_t)way, &s, in, room))
					offer(w, b, &s, in);
			}
}

/* Tries a whole shape for the leading dimensions and a line for each of the last ones. */
static void offer_cut(const finder *w, best *b, int cut, const whole_shape *lead, bool *in, tries *room)
{
	tensor_shape s = {.is_whole = true, .whole = *lead};
	shape_line l;
	for (int i = 0; i < w->f->n; i++)
		in[i] = w->in[i] && whole_shape_is(lead, w->f, &w->f->forms[i], w->t);
	if (count(w, in) <= b->n)
		return;
	for (int k = cut; k > 0; k--) {
		if (!find_line(w, in, (index_range){.way = RANGE_RIGHT, .only = (int16_t)k, .tail = (int16_t)(k - 1)}, &l, room))
			return;
		add_line(&s, &l);
	}
	offer(w, b, &s, in);
}

static void offer_cuts(const finder *w, best *b, bool *in)
{
	whole_shape *list = NEED_ARRAY(w->f->scratch, whole_shape, MAX_WHOLES);
	tries *room = NEED_ARRAY(w->f->scratch, tries, 1);
	int all = count(w, w->in);
	for (int cut = 1; cut <= MAX_CUT && b->n < all; cut++) {
		int n = whole_shapes_cut(w->f, cut, list, MAX_WHOLES);
		for (int k = 0; k < n && b->n < all; k++)
			offer_cut(w, b, cut, &list[k], in, room);
	}
}

static tensor_shape find_tensor(finder *w)
{
	const api_calls *f = w->f;
	best b = {.in = NEED_ARRAY(f->scratch, bool, f->n)};
	bool *in = NEED_ARRAY(f->scratch, bool, f->n);
	offer_wholes(w, &b, in);
	if (b.n < count(w, w->in))
		offer_lines(w, &b, in);
	if (b.n < count(w, w->in))
		offer_cuts(w, &b, in);
	memcpy(w->in, b.in, (size_t)f->n * sizeof *in);
	return b.shape;
}

api_shapes fit_shapes(const api_calls *f, const bool *among)
{
	api_shapes to = {.members = NEED_ARRAY(f->memory, bool, f->n)};
	finder w = {.f = f, .in = to.members};
	memcpy(to.members, among, (size_t)f->n * sizeof *among);
	int first = 0;
	while (first < f->n && !among[first])
		first++;
	to.ntensors = first < f->n ? f->forms[first].of.call->nout : 0;
	to.tensors = NEED_ARRAY(f->memory, tensor_shape, to.ntensors);
	for (int i = 0; i < f->n; i++)
		to.members[i] &= f->forms[i].of.call->nout == (int)to.ntensors;
	for (w.t = 0; w.t < to.ntensors; w.t++)
		to.tensors[w.t] = find_tensor(&w);
	to.nmembers = count(&w, to.members);
	return to;
}

/* ---- ranks */

enum { MAX_LENGTHS = 24 };

typedef struct lengths {
	list_name list[MAX_LENGTHS];
	int n;
} lengths;

static void add_length(lengths *to, list_name name)
{
	for (int k = 0; k < to->n; k++)
		if (list_is(to->list[k], name))
			return;
	if (to->n < MAX_LENGTHS)
		to->list[to->n++] = name;
}

/* Whether the line has as many positions as the rank allows. */
static bool is_open(const shape_line *l)
{
	return l->where.way != RANGE_NONE && !l->where.only;
}

/* The lists that the rank may depend on: first those that the open line runs along. */
static lengths lengths_of(const api_calls *f, const tensor_shape *s)
{
	lengths to = {.n = 0};
	for (int k = 0; k < s->nlines; k++)
		for (int j = 0; j < s->lines[k].t.n && is_open(&s->lines[k]); j++)
			if (s->lines[k].t.refs[j].base == AT_INDEX)
				add_length(&to, s->lines[k].t.refs[j].list);
	for (int kind = LIST_DIMS; kind <= LIST_ITEMS; kind++)
		for (int k = 0; k < f->nnames; k++) {
			add_length(&to, (list_name){f->names[k], -1, (uint8_t)kind});
			if (kind == LIST_DIMS)
				add_length(&to, (list_name){f->names[k], 0, (uint8_t)kind});
		}
	return to;
}

static int rank_in(const api_calls *f, int form, unsigned t)
{
	return f->forms[form].of.call->outputs[t].rank;
}

/* Whether in all members the rank is the sum of the lengths of these lists and one constant. */
static bool try_rank(const api_calls *f, const api_shapes *s, unsigned t, output_rank *r)
{
	bool first = true;
	for (int i = 0; i < f->n; i++) {
		int plus = s->members[i] ? rank_in(f, i, t) : 0;
		for (int k = 0; k < r->n && s->members[i]; k++) {
			call_list x = call_list_of(f, &f->forms[i], r->lists[k]);
			if (!x.there || (r->lists[k].kind == LIST_ITEMS && x.number))
				return false;
			plus -= x.n;
		}
		if (!s->members[i])
			continue;
		if (!first && plus != r->plus)
			return false;
		r->plus = plus;
		first = false;
	}
	return true;
}

static output_rank find_rank(const api_calls *f, const api_shapes *s, unsigned t)
{
	const tensor_shape *x = &s->tensors[t];
	output_rank best = {.known = false}, r = {.known = true};
	bool open = false;
	for (int k = 0; k < x->nlines; k++)
		open |= is_open(&x->lines[k]);
	if (!open)
		return try_rank(f, s, t, &r) ? r : best;
	lengths all = lengths_of(f, x);
	for (int a = 0; a < all.n; a++) {
		r = (output_rank){.known = true, .n = 1, .lists = {all.list[a]}};
		if (try_rank(f, s, t, &r) && (!best.known || abs(r.plus) < abs(best.plus)))
			best = r;
	}
	for (int a = 0; a < all.n; a++)
		for (int b = a + 1; b < all.n && !best.known; b++) {
			r = (output_rank){.known = true, .n = 2, .lists = {all.list[a], all.list[b]}};
			if (try_rank(f, s, t, &r))
				best = r;
		}
	return best;
}

void fit_ranks(const api_calls *f, api_shapes *s)
{
	for (unsigned t = 0; t < s->ntensors; t++)
		if (!s->tensors[t].is_whole)
			s->tensors[t].rank = find_rank(f, s, t);
}

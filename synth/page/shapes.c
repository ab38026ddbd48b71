#include "shapes.h"

#include <stdlib.h>
#include <string.h>

#include "axes.h"
#include "guard_text.h"
#include "guard.h"
#include "need.h"

enum { MAX_RANK = AXES_RANK, MAX_SOURCES = 12, MAX_NAMED = 8, MAX_CANDIDATES = 4000, MAX_SAID = 3, MOST_CUT = 3 };

/* ---- of one signature */

typedef struct shape {
	const expr *dims[MAX_RANK];
	int n;
	bool there;
} shape;

static const expr *integer(expr_pool *pool, const call_value *v)
{
	int64_t k;
	if (v->kind == CALL_INT)
		return expr_sym(pool, v->first);
	return call_integer(v, &k) ? expr_const(pool, k) : NULL;
}

static shape shape_of_value(expr_pool *pool, const call_value *v)
{
	shape x = {.there = true};
	if (v->kind == CALL_ELEMENTS)
		return shape_of_value(pool, v->items);
	if (v->kind == CALL_TENSOR) {
		x.there = v->count <= MAX_RANK;
		for (int k = 0; k < v->count && x.there; k++)
			x.dims[x.n++] = expr_sym(pool, v->first + k);
	} else if (v->kind == CALL_LIST) {
		x.there = v->count > 0 && v->count <= MAX_RANK;
		for (int k = 0; k < v->count && x.there; k++) {
			x.dims[x.n] = integer(pool, &v->items[k]);
			x.there = x.dims[x.n++] != NULL;
		}
	} else {
		x.dims[0] = integer(pool, v);
		x.n = 1;
		x.there = x.dims[0] != NULL;
	}
	return x;
}

static bool is_list_of_tensors(const call_value *v)
{
	return v && v->kind == CALL_LIST && v->count && v->items[0].kind == CALL_TENSOR;
}

/* ---- what a shape may be made of, in the words of the family */

typedef struct source {
	const char *name;
	int item;    /* of a list of tensors; -1: it is none */
	bool tensor; /* in some signature */
} source;

typedef struct words {
	const operator *const *ops; /* the signatures */
	int nops;
	expr_pool *pool;
	source sources[MAX_SOURCES];
	const char *axes[MAX_NAMED], *lists[MAX_NAMED], *numbers[MAX_NAMED];
	int nsources, naxes, nlists, nnumbers;
	int t; /* the output that is said, */
	const walk *together; /* with which others */
	int cut; /* so many dimensions of each shape, the last ones, are not spoken of; below 0: only so many, the first ones, are */
} words;

static void add_word(const char **list, int *n, const char *name)
{
	for (int k = 0; k < *n; k++)
		if (strcmp(list[k], name) == 0)
			return;
	if (*n < MAX_NAMED)
		list[(*n)++] = name;
}

static void add_source(words *w, const char *name, int item, bool tensor)
{
	for (int k = 0; k < w->nsources; k++)
		if (w->sources[k].item == item && strcmp(w->sources[k].name, name) == 0) {
			w->sources[k].tensor |= tensor;
			return;
		}
	if (w->nsources < MAX_SOURCES)
		w->sources[w->nsources++] = (source){name, item, tensor};
}

static bool is_walked(const words *w, const char *name)
{
	return w->together && w->together->list && strcmp(w->together->list, name) == 0;
}

static void add_words(words *w, const operator *op)
{
	for (int i = 0; i < op->call->nargs; i++) {
		const call_argument *a = &op->call->args[i];
		if (is_walked(w, a->name)) {
			add_word(w->numbers, &w->nnumbers, a->name);
		} else if (is_list_of_tensors(&a->value)) {
			add_word(w->lists, &w->nlists, a->name);
			add_word(w->numbers, &w->nnumbers, a->name);
			for (int k = 0; k < a->value.count && k < 4; k++)
				add_source(w, a->name, k, true);
		} else if (axes_of(op, a->name, MAX_RANK).kind == AXES_GIVEN) {
			add_word(w->axes, &w->naxes, a->name);
		} else if (shape_of_value(w->pool, &a->value).there) {
			add_source(w, a->name, -1, a->value.kind == CALL_TENSOR);
			if (a->value.kind == CALL_INT)
				add_word(w->numbers, &w->nnumbers, a->name);
		}
	}
}

/* How many of so many dimensions are spoken of. */
static int spoken(int rank, int cut)
{
	return cut >= 0 ? rank - cut : rank < -cut ? rank : -cut;
}

static shape shape_of_source(const words *w, const operator *op, source s)
{
	const call_value *v = call_named(op->call, s.name);
	if (!v || (s.item >= 0) != is_list_of_tensors(v) || (s.item >= 0 && s.item >= v->count))
		return (shape){.there = false};
	shape x = shape_of_value(w->pool, s.item >= 0 ? &v->items[s.item] : v);
	x.there &= !w->cut || (s.tensor && x.n >= abs(w->cut));
	x.n = x.there ? spoken(x.n, w->cut) : 0;
	return x;
}

/* ---- candidates */

enum function { THE_SHAPE, BROADCAST, BROADCAST_LIST, CONCAT, DROP, DROP_NUMBER, SET, REPLACE, INSERT, SWAP, MERGE, PERMUTE, JOIN };

typedef struct candidate {
	enum function is;
	int of[3], nof; /* sources */
	enum { ALL, FIRST, ALL_OF_NONE } otherwise; /* an omitted axis means all, the first one, or all as an empty list does, too */
	int slices[2]; /* JOIN: so many of a source's dimensions are cut off at its end, of the second at its start if negative */
	const char *list, *axis, *other; /* other: the second axis, or the number; NULL: 1 */
	bool *fits; /* the signatures whose output it gives */
} candidate;

/* What is missing, or no tensor, has no dimensions. */
static shape broadcast(expr_pool *pool, shape a, shape b)
{
	if (!a.there || !b.there)
		return a.there ? a : b;
	shape x = {.n = a.n > b.n ? a.n : b.n, .there = true};
	for (int k = 1; k <= x.n; k++) {
		const expr *one = k <= a.n ? a.dims[a.n - k] : NULL, *two = k <= b.n ? b.dims[b.n - k] : NULL;
		x.dims[x.n - k] = !one ? two : !two ? one : expr_broadcast(pool, one, two);
	}
	return x;
}

static shape broadcast_list(const words *w, const operator *op, const char *name)
{
	const call_value *v = call_named(op->call, name);
	shape x = {.there = false};
	for (int k = 0; is_list_of_tensors(v) && k < v->count; k++)
		x = broadcast(w->pool, x, shape_of_value(w->pool, &v->items[k]));
	return x;
}

/* The one axis that an argument names, or else another. */
static int one_axis(const axes *a, int otherwise)
{
	return a->kind == AXES_GIVEN && a->n == 1 ? a->list[0] : otherwise;
}

/* An omitted axis is the first one. */
static shape concat(const words *w, const operator *op, const candidate *c)
{
	const call_value *v = call_named(op->call, c->list);
	shape x = {.there = false}, sum = x;
	for (int k = 0; is_list_of_tensors(v) && k < v->count; k++) {
		shape one = shape_of_value(w->pool, &v->items[k]);
		sum = x.there ? sum : one;
		if (x.there && (!one.there || one.n != x.n))
			return (shape){.there = false};
		for (int d = 0; x.there && d < x.n; d++)
			sum.dims[d] = expr_make(w->pool, OP_ADD, sum.dims[d], one.dims[d]);
		x = x.there ? x : one;
	}
	axes a = c->axis && x.there ? axes_of(op, c->axis, x.n) : (axes){.kind = AXES_MISSING};
	int axis = one_axis(&a, 0);
	x.there &= a.kind != AXES_NONE && axis < x.n;
	if (x.there)
		x.dims[axis] = sum.dims[axis];
	return x;
}

static shape drop(shape x, const axes *a)
{
	shape left = {.there = x.there && a->kind != AXES_NONE};
	for (int k = 0; a->kind == AXES_GIVEN && k < x.n; k++)
		if (!(a->positions >> k & 1))
			left.dims[left.n++] = x.dims[k];
	return left;
}

/* Without the dimension that a number of the call names, one below 0 from the end: behind that each is the next one. */
static shape drop_number(const words *w, const operator *op, shape x, const char *name)
{
	const call_value *v = call_named(op->call, name);
	shape left = {.there = x.there && x.n && v && v->kind == CALL_INT};
	if (!left.there)
		return left;
	const expr *axis = expr_sym(w->pool, v->first), *end = expr_make(w->pool, OP_ADD, axis, expr_const(w->pool, x.n));
	const expr *at = expr_ite(w->pool, expr_make(w->pool, OP_LT, axis, expr_const(w->pool, 0)), end, axis);
	for (; left.n < x.n - 1; left.n++)
		left.dims[left.n] = expr_ite(w->pool, expr_make(w->pool, OP_LE, at, expr_const(w->pool, left.n)), x.dims[left.n + 1], x.dims[left.n]);
	return left;
}

/* The item that goes with the output. */
static const expr *walked_item(const words *w, const operator *op, const call_value *list)
{
	int k = walk_item(op, w->t);
	list = list->kind == CALL_ELEMENTS ? list->items : list;
	return list->kind == CALL_LIST && k < list->count ? integer(w->pool, &list->items[k]) : NULL;
}

static const expr *number(const words *w, const operator *op, const char *name)
{
	const call_value *v = name ? call_named(op->call, name) : NULL;
	if (!name)
		return expr_const(w->pool, 1);
	if (v && is_walked(w, name))
		return walked_item(w, op, v);
	if (is_list_of_tensors(v)) /* how many there are */
		return expr_const(w->pool, v->count);
	return v ? integer(w->pool, v) : NULL;
}

static shape set(const words *w, const operator *op, shape x, const axes *a, const candidate *c)
{
	const expr *to = number(w, op, c->other);
	x.there &= a->kind != AXES_NONE && to != NULL;
	for (int k = 0; x.there && k < x.n; k++)
		if (a->kind == AXES_MISSING || a->positions >> k & 1)
			x.dims[k] = to;
	return x;
}

/* A shape in place of one dimension, the first where none is named. */
static shape replace(const words *w, const operator *op, shape x, const axes *a, const candidate *c)
{
	shape by = shape_of_source(w, op, w->sources[c->of[1]]), y = {.there = false};
	int axis = one_axis(a, 0);
	if (!x.there || !by.there || axis >= x.n || a->kind == AXES_NONE || a->n > 1 || x.n - 1 + by.n > MAX_RANK)
		return y;
	y.there = true;
	for (int k = 0; k < x.n; k++)
		for (int j = 0; j < (k == axis ? by.n : 1); j++)
			y.dims[y.n++] = k == axis ? by.dims[j] : x.dims[k];
	return y;
}

/* The axes are those of what comes out. */
static shape insert(const words *w, const operator *op, shape x, const candidate *c)
{
	int more = axes_count(op, c->axis), from = 0;
	axes a = axes_of(op, c->axis, x.n + more);
	const expr *what = number(w, op, c->other);
	shape y = {.n = x.n + more, .there = x.there && a.kind == AXES_GIVEN && a.n == more && x.n + more <= MAX_RANK && what};
	for (int k = 0; y.there && k < y.n; k++)
		y.dims[k] = a.positions >> k & 1 ? what : from < x.n ? x.dims[from++] : NULL;
	return y;
}

static shape swap(const operator *op, shape x, const candidate *c)
{
	axes a = axes_of(op, c->axis, x.n), b = axes_of(op, c->other, x.n);
	x.there &= a.kind == AXES_GIVEN && b.kind == AXES_GIVEN && (x.n == 0 || (a.n == 1 && b.n == 1));
	if (x.there && x.n) {
		const expr *one = x.dims[a.list[0]];
		x.dims[a.list[0]] = x.dims[b.list[0]];
		x.dims[b.list[0]] = one;
	}
	return x;
}

static bool is_one_or_missing(const axes *a)
{
	return a->kind == AXES_MISSING || (a->kind == AXES_GIVEN && a->n == 1);
}

/* The first and the last dimension where none is named; a scalar has one dimension. */
static shape merge(const words *w, const operator *op, shape x, const candidate *c)
{
	axes a = axes_of(op, c->axis, x.n), b = axes_of(op, c->other, x.n);
	shape y = {.there = x.there && is_one_or_missing(&a) && is_one_or_missing(&b)};
	int from = one_axis(&a, 0), to = one_axis(&b, x.n - 1);
	const expr *product = NULL;
	y.there &= from <= to || x.n == 0;
	for (int k = 0; y.there && k < x.n; k++)
		if (k < from || k > to)
			y.dims[y.n++] = x.dims[k];
		else if ((product = expr_join(w->pool, OP_MUL, product, x.dims[k])), k == to)
			y.dims[y.n++] = product;
	if (y.there && x.n == 0)
		y.dims[y.n++] = expr_const(w->pool, 1);
	return y;
}

/* Without an order, the reverse. */
static shape permute(const operator *op, shape x, const candidate *c)
{
	axes a = axes_of(op, c->axis, x.n);
	shape y = {.n = x.n, .there = x.there && (a.kind == AXES_MISSING || (a.kind == AXES_GIVEN && a.n == x.n))};
	for (int k = 0; y.there && k < x.n; k++)
		y.dims[k] = x.dims[a.kind == AXES_GIVEN ? a.list[k] : x.n - 1 - k];
	return y;
}

static shape slice(shape x, int cut)
{
	x.there &= x.n >= abs(cut);
	x.n -= x.there ? abs(cut) : 0;
	if (x.there && cut < 0)
		memmove(x.dims, x.dims - cut, (size_t)x.n * sizeof *x.dims);
	return x;
}

/* The dimensions of the one, then those of the other. */
static shape join(shape x, shape y)
{
	x.there &= y.there && x.n + y.n <= MAX_RANK;
	for (int k = 0; x.there && k < y.n; k++)
		x.dims[x.n++] = y.dims[k];
	return x;
}

static shape shape_of(const words *w, const operator *op, const candidate *c)
{
	shape x = c->nof ? shape_of_source(w, op, w->sources[c->of[0]]) : (shape){.there = false};
	axes a = c->axis && x.there ? axes_of(op, c->axis, x.n) : (axes){.kind = AXES_MISSING};
	if (a.kind == AXES_MISSING && c->otherwise == FIRST && x.n)
		a = (axes){.kind = AXES_GIVEN, .positions = 1, .n = 1};
	if (a.kind == AXES_GIVEN && a.n == 0 && c->otherwise == ALL_OF_NONE)
		a.kind = AXES_MISSING;
	switch (c->is) {
	case THE_SHAPE:
		return x;
	case BROADCAST:
		for (int k = 1; k < c->nof; k++)
			x = broadcast(w->pool, x, shape_of_source(w, op, w->sources[c->of[k]]));
		return x;
	case BROADCAST_LIST:
		return broadcast_list(w, op, c->list);
	case CONCAT:
		return concat(w, op, c);
	case DROP:
		return drop(x, &a);
	case DROP_NUMBER:
		return drop_number(w, op, x, c->other);
	case SET:
		return set(w, op, x, &a, c);
	case REPLACE:
		return replace(w, op, x, &a, c);
	case INSERT:
		return insert(w, op, x, c);
	case SWAP:
		return swap(op, x, c);
	case MERGE:
		return merge(w, op, x, c);
	case PERMUTE:
		return permute(op, x, c);
	case JOIN:
		return join(slice(x, c->slices[0]), slice(shape_of_source(w, op, w->sources[c->of[1]]), c->slices[1]));
	}
	return x;
}

/* Whether output t has the shape, of the dimensions that are spoken of. */
static bool is_output(const operator *op, int t, int cut, const shape *x, const expr *const *out)
{
	int n = 0;
	for (int d = 0; x->there && d < op->nodim; d++)
		if (op->out_tensor[d] == t && op->out_pos[d] < spoken(op->out_rank[d], cut) && (n >= x->n || out[d] != x->dims[n++]))
			return false;
	return x->there && n == x->n;
}

typedef struct candidates {
	candidate list[MAX_CANDIDATES];
	int n;
} candidates;

static void add(candidates *to, candidate c)
{
	if (to->n < MAX_CANDIDATES)
		to->list[to->n++] = c;
}

/* In the order in which they are preferred. */
static void add_candidates(candidates *to, const words *w)
{
	for (int a = 0; a < w->nsources; a++)
		add(to, (candidate){.is = THE_SHAPE, .of = {a}, .nof = 1});
	for (int k = 0; k < w->nlists && !w->cut; k++)
		add(to, (candidate){.is = BROADCAST_LIST, .list = w->lists[k]});
	for (int a = 0; a < w->nsources; a++)
		for (int b = 0; b < w->nsources; b++)
			if (a != b && w->sources[a].tensor && w->sources[b].tensor)
				add(to, (candidate){.is = BROADCAST, .of = {a, b}, .nof = 2});
	for (int a = 0; a < w->nsources; a++)
		for (int b = 0; b < w->nsources; b++)
			for (int c = 0; c < w->nsources; c++)
				if (a != b && b != c && a != c && w->sources[a].tensor && w->sources[b].tensor && w->sources[c].tensor)
					add(to, (candidate){.is = BROADCAST, .of = {a, b, c}, .nof = 3});
	if (w->cut)
		return;
	for (int k = 0; k < w->nlists; k++)
		for (int x = -1; x < w->naxes; x++)
			add(to, (candidate){.is = CONCAT, .list = w->lists[k], .axis = x < 0 ? NULL : w->axes[x]});
	for (int a = 0; a < w->nsources; a++)
		for (int k = 0; k < w->nnumbers; k++)
			add(to, (candidate){.is = DROP_NUMBER, .of = {a}, .nof = 1, .other = w->numbers[k]});
	for (int a = 0; a < w->nsources; a++)
		for (int x = 0; x < w->naxes; x++) {
			for (int otherwise = ALL; otherwise <= ALL_OF_NONE; otherwise++) {
				add(to, (candidate){.is = DROP, .of = {a}, .nof = 1, .axis = w->axes[x], .otherwise = otherwise});
				add(to, (candidate){.is = SET, .of = {a}, .nof = 1, .axis = w->axes[x], .otherwise = otherwise});
			}
			for (int k = -1; k < w->nnumbers; k++) {
				const char *other = k < 0 ? NULL : w->numbers[k];
				if (other)
					add(to, (candidate){.is = SET, .of = {a}, .nof = 1, .axis = w->axes[x], .other = other});
				add(to, (candidate){.is = INSERT, .of = {a}, .nof = 1, .axis = w->axes[x], .other = other});
			}
			for (int y = x + 1; y < w->naxes; y++)
				add(to, (candidate){.is = SWAP, .of = {a}, .nof = 1, .axis = w->axes[x], .other = w->axes[y]});
			for (int y = 0; y < w->naxes; y++)
				if (y != x)
					add(to, (candidate){.is = MERGE, .of = {a}, .nof = 1, .axis = w->axes[x], .other = w->axes[y]});
			add(to, (candidate){.is = PERMUTE, .of = {a}, .nof = 1, .axis = w->axes[x]});
		}
	for (int a = 0; a < w->nsources; a++)
		for (int b = 0; b < w->nsources; b++)
			for (int x = -1; x < w->naxes && a != b && w->sources[a].tensor; x++)
				add(to, (candidate){.is = REPLACE, .of = {a, b}, .nof = 2, .axis = x < 0 ? NULL : w->axes[x]});
	for (int a = 0; a < w->nsources; a++)
		for (int b = 0; b < w->nsources; b++)
			for (int i = 0; i <= MOST_CUT && a != b && w->sources[a].tensor && w->sources[b].tensor; i++)
				for (int j = -MOST_CUT; j <= MOST_CUT; j++)
					add(to, (candidate){.is = JOIN, .of = {a, b}, .nof = 2, .slices = {i, j}});
}

/* ---- the fewest that cover all signatures */

typedef struct cover {
	int chosen[MAX_SAID], n;
} cover;

/* In how many ways the axes of a candidate are given where it fits: what varies with the output is no chance. */
static int different_axes(const words *w, const candidate *c)
{
	int n = 0;
	for (int i = 0; c->axis && i < w->nops; i++) {
		axes a = axes_of(w->ops[i], c->axis, MAX_RANK);
		bool new = c->fits[i] && a.kind == AXES_GIVEN;
		for (int j = 0; j < i && new; j++)
			new = !c->fits[j] || axes_of(w->ops[j], c->axis, MAX_RANK).positions != a.positions;
		n += new;
	}
	return n;
}

static bool find_cover(cover *to, const words *w, const candidates *all)
{
	bool *said = need(calloc((size_t)w->nops, sizeof *said), (size_t)w->nops);
	int left = w->nops;
	to->n = 0;
	while (left && to->n < MAX_SAID) {
		int best = -1, most = 0, axes = 0;
		for (int k = 0; k < all->n; k++) {
			int n = 0;
			for (int i = 0; i < w->nops; i++)
				n += all->list[k].fits[i] && !said[i];
			int ways = n && n >= most ? different_axes(w, &all->list[k]) : 0;
			if (ways < 2 && all->list[k].otherwise == ALL_OF_NONE)
				continue;
			if (n > most || (n && n == most && ways > axes && all->list[k].is == all->list[best].is)) {
				most = n;
				axes = ways;
				best = k;
			}
		}
		if (best < 0)
			break;
		to->chosen[to->n++] = best;
		left -= most;
		for (int i = 0; i < w->nops; i++)
			said[i] |= all->list[best].fits[i];
	}
	free(said);
	return left == 0;
}

/* ---- in words */

static void put_source(buf *to, source s)
{
	buf_puts(to, s.name);
	if (s.item >= 0)
		buf_printf(to, "[%d]", s.item);
}

/* The dimensions that are spoken of. */
static void put_cut(buf *to, int cut)
{
	if (cut)
		buf_printf(to, cut == -1 ? "[0]" : "[:%d]", -cut);
}

/* An argument, and its replacement if some signature omits it. */
static void put_or(buf *to, const words *w, const char *name, const char *instead)
{
	bool missing = false;
	for (int i = 0; i < w->nops; i++)
		missing |= axes_of(w->ops[i], name, MAX_RANK).kind == AXES_MISSING;
	buf_printf(to, missing ? ", %s or %s" : ", %s", name, instead);
}

static void put_shape(buf *to, const words *w, const candidate *c)
{
	static const char *const NAMES[] = {[BROADCAST] = "broadcast", [BROADCAST_LIST] = "broadcast", [CONCAT] = "concat",
	    [DROP] = "drop", [DROP_NUMBER] = "drop", [SET] = "set", [REPLACE] = "replace", [INSERT] = "insert", [SWAP] = "swap", [MERGE] = "merge", [PERMUTE] = "permute", [JOIN] = "join"};
	static const char *const OTHERWISE[] = {[ALL] = "", [FIRST] = " or 0", [ALL_OF_NONE] = " or all"};
	if (NAMES[c->is])
		buf_printf(to, "%s(", NAMES[c->is]);
	for (int k = 0; k < c->nof; k++) {
		if (k)
			buf_puts(to, ", ");
		if (k && c->is == REPLACE)
			buf_printf(to, "%s, ", c->axis ? c->axis : "0");
		put_source(to, w->sources[c->of[k]]);
		put_cut(to, w->cut);
		if (c->is == JOIN && c->slices[k])
			buf_printf(to, c->slices[k] > 0 ? "[:-%d]" : "[%d:]", abs(c->slices[k]));
	}
	if (c->list)
		buf_puts(to, c->list);
	if (c->is == MERGE) {
		put_or(to, w, c->axis, "0");
		put_or(to, w, c->other, "-1");
		buf_putc(to, ')');
		return;
	}
	if (c->axis && c->is != REPLACE)
		buf_printf(to, ", %s%s", c->axis, OTHERWISE[c->otherwise]);
	else if (c->is == CONCAT)
		buf_puts(to, ", 0");
	bool counts = false;
	for (int k = 0; k < w->nlists; k++)
		counts |= c->other && strcmp(w->lists[k], c->other) == 0;
	if (c->other || c->is == SET || c->is == INSERT)
		buf_printf(to, counts ? ", len(%s)" : c->other && is_walked(w, c->other) ? ", %s[k]" : ", %s", c->other ? c->other : "1");
	if (NAMES[c->is])
		buf_putc(to, ')');
}

/* The text of a constant; "" if the argument is omitted; NULL: it is no constant. */
static const char *constant_text(const operator *op, const char *name)
{
	const call_value *v = call_named(op->call, name);
	return !v ? "" : v->kind == CALL_CONST ? v->text : NULL;
}

/* Whether an argument has this text in all signatures that need the shape, and in none that another shape fits. */
static bool tells(const words *w, const candidate *c, const bool *only, const char *name, const char *text)
{
	for (int i = 0; i < w->nops; i++) {
		const char *at = constant_text(w->ops[i], name);
		bool same = at && strcmp(at, text) == 0;
		if ((only[i] && !same) || (!c->fits[i] && same))
			return false;
	}
	return true;
}

/* Whether an argument names a dimension in what is said: what it is decides no shape. */
static bool is_axis(const candidates *all, const cover *said, const char *name)
{
	for (int k = 0; k < said->n; k++) {
		const candidate *c = &all->list[said->chosen[k]];
		if ((c->axis && strcmp(c->axis, name) == 0) || (c->other && strcmp(c->other, name) == 0))
			return true;
	}
	return false;
}

/* Who can have no other of the chosen shapes. */
static void find_only(const words *w, const candidates *all, const cover *said, int k, bool *only)
{
	for (int i = 0; i < w->nops; i++) {
		only[i] = all->list[said->chosen[k]].fits[i];
		for (int j = 0; j < said->n; j++)
			only[i] &= j == k || !all->list[said->chosen[j]].fits[i];
	}
}

/* The constant that tells where a shape is right; false: there is none. An argument that only others have counts too. */
static bool put_constant(buf *to, const words *w, const candidates *all, const cover *said, int k, const bool *only)
{
	const candidate *c = &all->list[said->chosen[k]];
	int first = 0;
	while (first < w->nops && !only[first])
		first++;
	for (int j = -1; j < w->nops && first < w->nops; j++) {
		const call *one = w->ops[j < 0 ? first : j]->call;
		for (int a = 0; a < one->nargs; a++) {
			const char *name = one->args[a].name, *text = constant_text(w->ops[first], name);
			if (!text || (*text && is_axis(all, said, name)) || !tells(w, c, only, name, text))
				continue;
			buf_printf(to, *text ? CONDITION "%s = %s" : CONDITION "%s is omitted", name, text);
			return true;
		}
	}
	return false;
}

/* What else tells it: a rank, or that an argument is given or is a list. */
static bool put_guard(buf *to, const words *w, const candidates *all, const cover *said, int k, const bool *only)
{
	bool *out = need(calloc((size_t)w->nops, sizeof *out), (size_t)w->nops);
	guard g;
	for (int i = 0; i < w->nops; i++)
		out[i] = !all->list[said->chosen[k]].fits[i];
	bool found = guard_find(&g, w->ops, w->nops, only, out);
	free(out);
	for (int t = 0; t < g.n; t++)
		found &= g.terms[t].aspect != GUARD_CONSTANT || !*g.terms[t].value || !is_axis(all, said, g.terms[t].argument);
	if (!found)
		return false;
	buf_puts(to, CONDITION);
	guard_put(to, &g);
	return true;
}

/* Where a shape is said that is not everyone's; false: nothing tells. */
static bool put_where(buf *to, const words *w, const candidates *all, const cover *said, int k, bool *only)
{
	find_only(w, all, said, k, only);
	return put_constant(to, w, all, said, k, only) || put_guard(to, w, all, said, k, only);
}

/* The same, or that no other fits, or by the signatures' numbers. */
static void put_condition(buf *to, const words *w, const candidates *all, const cover *said, int k)
{
	bool *only = need(calloc((size_t)w->nops, sizeof *only), (size_t)w->nops);
	bool others = true;
	buf scratch = {0};
	for (int j = 0; j < said->n; j++)
		others &= j == k || put_where(&scratch, w, all, said, j, only);
	buf_free(&scratch);
	const char *before = " in ";
	bool told = put_where(to, w, all, said, k, only);
	if (!told && others)
		buf_puts(to, " otherwise");
	for (int i = 0; i < w->nops && !told && !others; i++) {
		const char *dash = strrchr(w->ops[i]->name, '-');
		if (!only[i])
			continue;
		buf_printf(to, "%s%s", before, dash ? dash : w->ops[i]->name);
		before = ", ";
	}
	free(only);
}

static void put_output(buf *to, const words *w, const candidates *all, const cover *said, const char *name)
{
	for (int k = 0; k < said->n; k++) {
		buf text = {0};
		buf_puts(&text, name);
		put_cut(&text, w->cut);
		buf_puts(&text, " = ");
		put_shape(&text, w, &all->list[said->chosen[k]]);
		if (w->together)
			buf_printf(&text, " for %s", w->together->each);
		if (said->n > 1)
			put_condition(&text, w, all, said, k);
		if (to->length && to->text[to->length - 1] == '"')
			buf_putc(to, ',');
		buf_json(to, need_text(&text));
		buf_free(&text);
	}
}

bool shapes_output(buf *to, const operator *const *ops, int nops, expr_pool *pool, int t, const char *name, const walk *together, int cut,
    const expr *const *const *outs)
{
	words w = {.ops = ops, .nops = nops, .pool = pool, .t = t, .together = together, .cut = cut};
	candidates *all = need(calloc(1, sizeof *all), sizeof *all);
	cover said;
	for (int i = 0; i < nops; i++)
		add_words(&w, ops[i]);
	add_candidates(all, &w);
	bool *fits = need(calloc((size_t)(all->n * nops) + 1, sizeof *fits), (size_t)(all->n * nops));
	for (int k = 0; k < all->n; k++) {
		all->list[k].fits = fits + (ptrdiff_t)k * nops;
		for (int i = 0; i < nops; i++) {
			shape x = shape_of(&w, ops[i], &all->list[k]);
			all->list[k].fits[i] = t >= ops[i]->nout || is_output(ops[i], t, cut, &x, outs[i]);
		}
	}
	bool found = find_cover(&said, &w, all);
	if (found)
		put_output(to, &w, all, &said, name);
	free(fits);
	free(all);
	return found;
}

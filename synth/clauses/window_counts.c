#include "window_counts.h"

#include "prices.h"

enum { MOST_LISTS = 8, MOST_SIZES = 3, LEAST_RECORDS = 4 };

/* Numbers of a call: a list's items, or one number for all positions. */
typedef struct series {
	int first, n; /* n 0: the argument is not there */
} series;

/* One reading of a call: what its lists and numbers are. */
typedef struct reading {
	series size, kernel, stride, padding, dilation;
	int count; /* the dimension */
} reading;

typedef struct search {
	solver *s;
	pattern_offer *offer;
	void *user;
	series lists[MOST_LISTS]; /* and numbers; the first of them is none */
	int n;
} search;

/* ---- by numbers */

static int64_t at(series x, const int64_t *row, int k, int64_t otherwise)
{
	return x.n == 0 ? otherwise : row[x.first + (x.n == 1 ? 0 : k)];
}

/* How much is added to a size: a padding of each side, or all beginnings and then all ends. */
static int64_t padded(const reading *r, const int64_t *row, int k)
{
	int64_t low = at(r->padding, row, k, 0);
	return r->padding.n == 2 * r->size.n ? low + row[r->padding.first + r->size.n + k] : 2 * low;
}

static bool is_small(int64_t x)
{
	return x > -((int64_t)1 << 20) && x < (int64_t)1 << 20;
}

/* Whether the dimension is what the reading says. */
static bool counts(const reading *r, const int64_t *row)
{
	int64_t all = 1;
	for (int k = 0; k < r->size.n; k++) {
		int64_t stride = at(r->stride, row, k, 1), dilation = at(r->dilation, row, k, 1);
		int64_t size = at(r->size, row, k, 0), kernel = at(r->kernel, row, k, 0), padding = padded(r, row, k);
		if (!is_small(stride) || !is_small(dilation) || !is_small(size) || !is_small(kernel) || !is_small(padding) || stride <= 0)
			return false;
		int64_t last = size + padding - dilation * (kernel - 1) - 1;
		int64_t fit = (last >= 0 ? last / stride : -((stride - 1 - last) / stride)) + 1;
		if (!is_small(fit) || !is_small(all))
			return false;
		all *= fit;
	}
	return row[r->count] == all;
}

/* On all passing records, in which what is counted varies. */
static bool holds(const operator *op, const reading *r)
{
	bool varies = false;
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = passing_record(op, k);
		if (!counts(r, row))
			return false;
		varies |= row[r->count] != passing_record(op, 0)[r->count];
	}
	return varies && op->npass >= LEAST_RECORDS;
}

/* ---- by expressions */

static const expr *item(expr_pool *p, series x, int k)
{
	return expr_sym(p, x.first + (x.n == 1 ? 0 : k));
}

static const expr *padded_size(expr_pool *p, const reading *r, int k)
{
	const expr *size = item(p, r->size, k);
	if (r->padding.n == 0)
		return size;
	const expr *low = item(p, r->padding, k);
	const expr *both = r->padding.n == 2 * r->size.n ? expr_make(p, OP_ADD, low, expr_sym(p, r->padding.first + r->size.n + k))
							  : expr_make(p, OP_MUL, expr_const(p, 2), low);
	return expr_make(p, OP_ADD, size, both);
}

static const expr *windows(expr_pool *p, const reading *r, int k)
{
	const expr *one = expr_const(p, 1), *reach = expr_make(p, OP_SUB, item(p, r->kernel, k), one);
	if (r->dilation.n)
		reach = expr_make(p, OP_MUL, item(p, r->dilation, k), reach);
	const expr *left = expr_make(p, OP_SUB, padded_size(p, r, k), reach);
	if (r->stride.n == 0)
		return left;
	return expr_make(p, OP_ADD, expr_make(p, OP_DIV, expr_make(p, OP_SUB, left, one), item(p, r->stride, k)), one);
}

/* The dimension is their product; and each of them is there. */
static void offer_reading(const search *w, const reading *r)
{
	expr_pool *p = w->s->pool;
	const expr *product = NULL, *some = NULL;
	for (int k = 0; k < r->size.n; k++) {
		const expr *e = windows(p, r, k), *fits = expr_make(p, OP_GT, e, expr_const(p, 0));
		product = product ? expr_make(p, OP_MUL, product, e) : e;
		some = some ? expr_make(p, OP_AND, some, fits) : fits;
	}
	w->offer(w->user, expr_make(p, OP_EQ, expr_sym(p, r->count), product), PRICE_WINDOWS);
	w->offer(w->user, some, PRICE_WINDOWS);
}

/* ---- all readings */

static bool same(series a, series b)
{
	return a.n && b.n && a.first == b.first;
}

/* Whether a list has a number for each of n positions, or a number may stand for all. */
static bool suits(series x, int n, bool sides)
{
	return x.n <= 1 || x.n == n || (sides && x.n == 2 * n);
}

static void try_knobs(const search *w, reading r)
{
	const operator *op = w->s->op;
	for (int i = 0; i < w->n; i++)
		for (int j = 0; j < w->n; j++)
			for (int k = 0; k < w->n; k++) {
				series s = w->lists[i], p = w->lists[j], d = w->lists[k];
				if (!suits(s, r.size.n, false) || !suits(p, r.size.n, true) || !suits(d, r.size.n, false) || same(s, p) || same(s, d)
				    || same(p, d) || same(s, r.size) || same(s, r.kernel) || same(p, r.size) || same(p, r.kernel)
				    || same(d, r.size) || same(d, r.kernel))
					continue;
				r.stride = s;
				r.padding = p;
				r.dilation = d;
				for (r.count = 0; r.count < op->nsym; r.count++)
					if (op->roles[r.count].kind == ROLE_DIM && holds(op, &r))
						offer_reading(w, &r);
			}
}

/* ---- sizes that windows came from */

/* One reading: the last sizes of a list were counted, each by its windows, as the last dimensions of a tensor. */
typedef struct covering {
	reading r;	/* its size and count are not looked at */
	int size, dim;	/* the first symbols of the last n of both */
	int n;
} covering;

static series stride_of(const covering *c)
{
	return c->r.stride.n ? c->r.stride : c->r.kernel;
}

/* Each size is less than a stride from what the windows cover. */
static bool covers(const covering *c, const int64_t *row)
{
	for (int k = 0; k < c->n; k++) {
		int64_t size = row[c->size + k], dim = row[c->dim + k], kernel = at(c->r.kernel, row, k, 0);
		int64_t stride = at(stride_of(c), row, k, 0), padding = at(c->r.padding, row, k, 0);
		if (!is_small(size) || !is_small(dim) || !is_small(kernel) || !is_small(stride) || !is_small(padding))
			return false;
		int64_t far = size - ((dim - 1) * stride + kernel - 2 * padding);
		if (far >= stride || far <= -stride)
			return false;
	}
	return true;
}

static void offer_covering(const search *w, const covering *c)
{
	expr_pool *p = w->s->pool;
	const expr *all = NULL, *product = NULL;
	for (int k = 0; k < c->n; k++) {
		const expr *size = expr_sym(p, c->size + k), *stride = item(p, stride_of(c), k);
		const expr *steps = expr_make(p, OP_SUB, expr_sym(p, c->dim + k), expr_const(p, 1));
		const expr *span = expr_make(p, OP_ADD, expr_make(p, OP_MUL, steps, stride), item(p, c->r.kernel, k));
		if (c->r.padding.n)
			span = expr_make(p, OP_SUB, span, expr_make(p, OP_MUL, expr_const(p, 2), item(p, c->r.padding, k)));
		const expr *above = expr_make(p, OP_LT, expr_make(p, OP_SUB, span, stride), size);
		const expr *below = expr_make(p, OP_LT, size, expr_make(p, OP_ADD, span, stride));
		const expr *one = expr_make(p, OP_AND, above, below);
		all = all ? expr_make(p, OP_AND, all, one) : one;
		product = product ? expr_make(p, OP_MUL, product, size) : size;
	}
	w->offer(w->user, all, PRICE_WINDOWS);
	for (int i = 0; i < w->s->op->nsym; i++) /* what points into them */
		if (w->s->op->roles[i].end)
			w->offer(w->user, expr_make(p, OP_LE, expr_sym(p, i), product), PRICE_WINDOWS);
}

static bool covers_all(const operator *op, const covering *c)
{
	for (int k = 0; k < op->npass; k++)
		if (!covers(c, passing_record(op, k)))
			return false;
	return op->npass >= LEAST_RECORDS;
}

static void try_coverings(const search *w, covering c, series sizes)
{
	for (int i = 1; i < w->n; i++)
		for (int j = 0; j < w->n; j++)
			for (int k = 0; k < w->n; k++) {
				c.r.kernel = w->lists[i];
				c.r.stride = w->lists[j];
				c.r.padding = w->lists[k];
				if (suits(c.r.kernel, c.n, false) && suits(c.r.stride, c.n, false) && suits(c.r.padding, c.n, false)
				    && !same(c.r.kernel, sizes) && !same(c.r.stride, sizes) && !same(c.r.padding, sizes)
				    && !same(c.r.kernel, c.r.stride) && !same(c.r.kernel, c.r.padding) && !same(c.r.stride, c.r.padding)
				    && covers_all(w->s->op, &c))
					offer_covering(w, &c);
			}
}

static void find_coverings(const search *w)
{
	const operator *op = w->s->op;
	for (int a = 1; a < w->n; a++)
		for (int i = 0; i < op->nsym && w->lists[a].n > 1; i++) {
			const role *r = &op->roles[i];
			for (int n = 1; r->kind == ROLE_DIM && r->pos == 0 && n <= MOST_SIZES && n <= w->lists[a].n && n < r->len; n++)
				try_coverings(w, (covering){.size = w->lists[a].first + w->lists[a].n - n, .dim = i + r->len - n, .n = n},
				    w->lists[a]);
		}
}

static void take_lists(search *w)
{
	const operator *op = w->s->op;
	w->lists[w->n++] = (series){0};
	for (int i = 0; i < op->nsym && w->n < MOST_LISTS; i++) {
		const role *r = &op->roles[i];
		if (r->kind == ROLE_INT)
			w->lists[w->n++] = (series){i, 1};
		else if (r->kind == ROLE_ITEM && r->pos == 0 && !r->outer_len && r->len > 1)
			w->lists[w->n++] = (series){i, r->len};
	}
}

void window_counts(solver *s, pattern_offer *offer, void *user)
{
	search w = {.s = s, .offer = offer, .user = user};
	take_lists(&w);
	find_coverings(&w);
	for (int a = 0; a < w.n; a++)
		for (int b = 0; b < w.n; b++) {
			reading r = {.size = w.lists[a], .kernel = w.lists[b]};
			if (a != b && r.size.n > 1 && r.size.n <= MOST_SIZES && r.kernel.n == r.size.n)
				try_knobs(&w, r);
		}
}

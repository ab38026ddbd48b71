#include "window_counts.h"

#include "costs.h"

enum { MAX_LISTS = 8, MAX_SIZES = 3, MAX_BEHIND = 1, MIN_RECORDS = 4 };

/* Integers of a call: the items of a list, or one integer for all positions. */
typedef struct series {
	int first, n; /* n 0: the argument is missing */
} series;

/* One interpretation of a call: which lists and integers are which parameter. Without a kernel a window is one element wide,
 * which gives the number of strides, as with `SAME` padding. */
typedef struct interpretation {
	series size, kernel, stride, padding, dilation;
	int count; /* the dimension that counts */
	bool cut;  /* quotients round towards 0: a kernel that exceeds its size by less than a stride fits once */
} interpretation;

typedef struct search {
	solver *s;
	template_offer *offer;
	void *user;
	series lists[MAX_LISTS]; /* and integers; the first entry is "missing" */
	int n;
} search;

/* ---- on records */

static int64_t at(series x, const int64_t *row, int k, int64_t otherwise)
{
	return x.n == 0 ? otherwise : row[x.first + (x.n == 1 ? 0 : k)];
}

/* Total padding of a size: the same on both sides, or all beginnings and then all ends. */
static int64_t padded(const interpretation *r, const int64_t *row, int k)
{
	int64_t low = at(r->padding, row, k, 0);
	return r->padding.n == 2 * r->size.n ? low + row[r->padding.first + r->size.n + k] : 2 * low;
}

static bool is_small(int64_t x)
{
	return x > -((int64_t)1 << 20) && x < (int64_t)1 << 20;
}

/* The number of windows along axis k; false if a value is out of range. */
static bool fit_along(const interpretation *r, const int64_t *row, int k, int64_t *fit)
{
	int64_t stride = at(r->stride, row, k, 1), dilation = at(r->dilation, row, k, 1);
	int64_t size = at(r->size, row, k, 0), kernel = at(r->kernel, row, k, 1), padding = padded(r, row, k);
	if (!is_small(stride) || !is_small(dilation) || !is_small(size) || !is_small(kernel) || !is_small(padding) || stride <= 0)
		return false;
	int64_t last = size + padding - dilation * (kernel - 1) - 1;
	*fit = last >= 0 || r->cut ? last / stride + 1 : 1 - (stride - 1 - last) / stride;
	return is_small(*fit);
}

/* Whether the dimension equals the number of windows. */
static bool counts(const interpretation *r, const int64_t *row)
{
	int64_t all = 1, fit;
	for (int k = 0; k < r->size.n; k++) {
		if (!fit_along(r, row, k, &fit) || !is_small(all))
			return false;
		all *= fit;
	}
	return row[r->count] == all;
}

/* Whether the interpretation holds on all passing records, and the counted dimension varies. */
static bool holds(const operator *op, const interpretation *r)
{
	bool varies = false;
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = passing_record(op, k);
		if (!counts(r, row))
			return false;
		varies |= row[r->count] != passing_record(op, 0)[r->count];
	}
	return varies && op->npass >= MIN_RECORDS;
}

/* ---- as expressions */

static const expr *item(expr_pool *p, series x, int k)
{
	return expr_sym(p, x.first + (x.n == 1 ? 0 : k));
}

static const expr *both_sides(expr_pool *p, const interpretation *r, int k)
{
	const expr *low = item(p, r->padding, k);
	return r->padding.n == 2 * r->size.n ? expr_make(p, OP_ADD, low, expr_sym(p, r->padding.first + r->size.n + k))
					      : expr_make(p, OP_MUL, expr_const(p, 2), low);
}

static const expr *padded_size(expr_pool *p, const interpretation *r, int k)
{
	const expr *size = item(p, r->size, k);
	if (r->padding.n == 0)
		return size;
	return expr_make(p, OP_ADD, size, both_sides(p, r, k));
}

static const expr *reach(expr_pool *p, const interpretation *r, int k)
{
	const expr *before = expr_make(p, OP_SUB, item(p, r->kernel, k), expr_const(p, 1));
	return r->dilation.n ? expr_make(p, OP_MUL, item(p, r->dilation, k), before) : before;
}

static const expr *windows(expr_pool *p, const interpretation *r, int k)
{
	const expr *one = expr_const(p, 1), *size = padded_size(p, r, k), *last; /* start of the last window */
	if (r->dilation.n)
		last = expr_make(p, OP_SUB, expr_make(p, OP_SUB, size, reach(p, r, k)), one);
	else
		last = expr_make(p, OP_SUB, size, r->kernel.n ? item(p, r->kernel, k) : one);
	return expr_make(p, OP_ADD, r->stride.n ? expr_make(p, OP_DIV, last, item(p, r->stride, k)) : last, one);
}

/* The dimension equals the product of window counts; each count is positive. */
static void offer_reading(const search *w, const interpretation *r)
{
	expr_pool *p = w->s->pool;
	const expr *product = NULL, *some = NULL;
	for (int k = 0; k < r->size.n; k++) {
		const expr *e = windows(p, r, k), *fits = expr_make(p, OP_GT, e, expr_const(p, 0));
		product = expr_join(p, OP_MUL, product, e);
		some = expr_join(p, OP_AND, some, fits);
	}
	w->offer(w->user, expr_make(p, OP_EQ, expr_sym(p, r->count), product), COST_WINDOWS);
	w->offer(w->user, some, COST_WINDOWS);
}

/* ---- all interpretations */

static bool same(series a, series b)
{
	return a.n && b.n && a.first == b.first;
}

/* Whether a list has one item per position, or is a single integer for all. */
static bool suits(series x, int n, bool sides)
{
	return x.n <= 1 || x.n == n || (sides && x.n == 2 * n);
}

static void try_parameters(const search *w, interpretation r)
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

/* One interpretation: the last dimensions of a tensor count the windows over the last sizes of a list. */
typedef struct covering {
	interpretation r;	/* its size and count are unused */
	int size, dim;	/* the first of the last n symbols of each */
	int n;
} covering;

static series stride_of(const covering *c)
{
	return c->r.stride.n ? c->r.stride : c->r.kernel;
}

/* Whether each size is less than a stride away from the extent that the windows cover. */
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
		all = expr_join(p, OP_AND, all, one);
		product = expr_join(p, OP_MUL, product, size);
	}
	w->offer(w->user, all, COST_WINDOWS);
	for (int i = 0; i < w->s->op->nsym; i++) /* indices into the output */
		if (w->s->op->roles[i].end)
			w->offer(w->user, expr_make(p, OP_LE, expr_sym(p, i), product), COST_WINDOWS);
}

static bool covers_all(const operator *op, const covering *c)
{
	for (int k = 0; k < op->npass; k++)
		if (!covers(c, passing_record(op, k)))
			return false;
	return op->npass >= MIN_RECORDS;
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
			for (int n = 1; r->kind == ROLE_DIM && r->pos == 0 && n <= MAX_SIZES && n <= w->lists[a].n && n < r->len; n++)
				try_coverings(w, (covering){.size = w->lists[a].first + w->lists[a].n - n, .dim = i + r->len - n, .n = n},
				    w->lists[a]);
		}
}

/* ---- dimensions that each count windows along one axis of another tensor */

/* The last n dimensions of a tensor, without the `behind` last ones; n 0 if it has fewer. */
static series axes_at(const operator *op, int first, int n, int behind)
{
	const role *r = &op->roles[first];
	bool begins = r->kind == ROLE_DIM && r->pos == 0 && n + behind <= r->len;
	return begins ? (series){first + r->len - n - behind, n} : (series){0};
}

/* The same for a tensor or for a shape given as a list. */
static series sizes_at(const operator *op, int first, int n, int behind)
{
	const role *r = &op->roles[first];
	bool begins = r->kind == ROLE_ITEM && r->pos == 0 && !r->outer_len && n + behind <= r->len;
	return begins ? (series){first + r->len - n - behind, n} : axes_at(op, first, n, behind);
}

/* If a list has one item per dimension of the tensor or shape, its items for the axes; otherwise the list. */
static series along(const search *w, series list, const interpretation *r)
{
	const role *first = &w->s->op->roles[r->size.first];
	return list.n == first->len && list.n > r->size.n ? (series){list.first + first->pos, r->size.n} : list;
}

/* Whether all vary: a symbol that never varied does not show how it is used. */
static bool varied(const operator *op, series x)
{
	bool all = true;
	for (int k = 0; k < x.n && all; k++)
		all = solver_values(op, x.first + k, -1, 2) > 1;
	return all;
}

static bool counts_each(const operator *op, const interpretation *r)
{
	for (int i = 0; i < op->npass; i++) {
		const int64_t *row = passing_record(op, i);
		int64_t fit;
		for (int k = 0; k < r->size.n; k++)
			if (!fit_along(r, row, k, &fit) || row[r->count + k] != fit)
				return false;
	}
	return op->npass >= MIN_RECORDS;
}

/* If quotients are truncated, at least one window is left, and the kernel exceeds the size by less than the stride. */
static void offer_each(const search *w, const interpretation *r)
{
	expr_pool *p = w->s->pool;
	const expr *all = NULL, *near = NULL, *one = expr_const(p, 1);
	for (int k = 0; k < r->size.n; k++) {
		const expr *e = windows(p, r, k);
		e = r->cut ? expr_make(p, OP_MAX, e, one) : e;
		all = expr_join(p, OP_AND, all, expr_make(p, OP_EQ, expr_sym(p, r->count + k), e));
		if (!r->cut)
			continue;
		const expr *room = expr_make(p, OP_ADD, padded_size(p, r, k), item(p, r->stride, k));
		near = expr_join(p, OP_AND, near, expr_make(p, OP_GT, room, expr_make(p, OP_ADD, reach(p, r, k), one)));
	}
	w->offer(w->user, all, COST_WINDOWS);
	if (near)
		w->offer(w->user, near, COST_WINDOWS);
}

/* Offers the interpretation, with floor or with truncated quotients, whichever the passing records confirm. */
static void try_each(const search *w, interpretation r)
{
	const operator *op = w->s->op;
	for (int cut = 0; cut <= (r.stride.n > 0); cut++) {
		r.cut = cut;
		if (!counts_each(op, &r))
			continue;
		if (varied(op, r.stride) && varied(op, r.padding) && varied(op, r.dilation))
			offer_each(w, &r);
		return;
	}
}

/* Tries all lists and integers, or none, as stride, padding and dilation, if each varies. */
static void try_strides(const search *w, interpretation r)
{
	for (int i = 0; i < w->n; i++)
		for (int j = 0; j < w->n; j++)
			for (int k = 0; k < w->n; k++) {
				r.stride = along(w, w->lists[i], &r);
				r.padding = w->lists[j];
				r.dilation = along(w, w->lists[k], &r);
				if (suits(r.stride, r.size.n, false) && suits(r.padding, r.size.n, true) && suits(r.dilation, r.size.n, false)
				    && !same(r.stride, r.padding) && !same(r.stride, r.dilation) && !same(r.padding, r.dilation)
				    && !same(r.kernel, r.stride) && !same(r.kernel, r.padding) && !same(r.kernel, r.dilation))
					try_each(w, r);
			}
}

/* Tries dimensions of a tensor, arguments of the call, or no kernel. */
static void try_kernels(const search *w, interpretation r, int behind)
{
	const operator *op = w->s->op;
	for (int i = 0; i < op->nsym; i++)
		for (int last = 0; last <= 2 * behind; last++) { /* with channels last, a kernel may have two channel dimensions */
			r.kernel = axes_at(op, i, r.size.n, last);
			if (r.kernel.n && !same(r.kernel, r.size) && r.kernel.first != r.count && varied(op, r.kernel))
				try_strides(w, r);
		}
	for (int i = 1; i < w->n; i++) {
		r.kernel = along(w, w->lists[i], &r);
		if (suits(r.kernel, r.size.n, false) && varied(op, r.kernel))
			try_strides(w, r);
	}
	r.kernel = (series){0};
	for (int i = 1; i < w->n; i++) {
		r.stride = along(w, w->lists[i], &r);
		if (suits(r.stride, r.size.n, false) && !same(r.stride, r.size))
			try_each(w, r);
	}
}

/* Called for axes of a tensor that the last dimensions of another may count. */
typedef void axes_visitor(const search *w, interpretation r, int behind);

static void each_counted(const search *w, axes_visitor *at)
{
	const operator *op = w->s->op;
	for (int z = 0; z < op->nsym; z++)
		for (int i = 0; i < op->nsym; i++)
			for (int n = 1; n <= MAX_SIZES && i != z; n++)
				for (int behind = 0; behind <= MAX_BEHIND; behind++) {
					series to = axes_at(op, z, n, behind), from = sizes_at(op, i, n, behind);
					if (to.n && from.n && varied(op, to) && varied(op, from))
						at(w, (interpretation){.size = from, .count = to.first}, behind);
				}
}

/* ---- lists and integers of a call */

static void take_lists(search *w)
{
	const operator *op = w->s->op;
	w->lists[w->n++] = (series){0};
	for (int i = 0; i < op->nsym && w->n < MAX_LISTS; i++) {
		const role *r = &op->roles[i];
		if (r->kind == ROLE_INT)
			w->lists[w->n++] = (series){i, 1};
		else if (r->kind == ROLE_ITEM && r->pos == 0 && !r->outer_len && r->len > 1)
			w->lists[w->n++] = (series){i, r->len};
	}
}

/* ---- a total size that the windows cover: one axis may compensate for another */

/* The extent that the windows cover along axis k; the dimension is their number. */
static int64_t span_along(const interpretation *r, const int64_t *row, int k)
{
	return (at(r->size, row, k, 0) - 1) * at(r->stride, row, k, 1) + at(r->kernel, row, k, 0) - padded(r, row, k);
}

static bool is_small_everywhere(series x, const int64_t *row)
{
	bool all = true;
	for (int k = 0; k < x.n; k++)
		all = all && is_small(row[x.first + k]);
	return all;
}

/* `sizes` has one item per dimension of the tensor; the interpretation is about the last ones. */
static bool holds_spans(const operator *op, series sizes, const interpretation *r)
{
	for (int i = 0; i < op->npass; i++) {
		const int64_t *row = passing_record(op, i);
		const series *parts[] = {&sizes, &r->size, &r->kernel, &r->stride, &r->padding};
		double room = 1, asked = 1; /* only compared, so rounding does not matter */
		for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
			if (!is_small_everywhere(*parts[k], row))
				return false;
		int before = sizes.n - r->size.n;
		for (int k = 0; k < sizes.n; k++) {
			room *= (double)row[sizes.first + k];
			asked *= (double)(k < before ? row[r->size.first - before + k] : span_along(r, row, k - before));
		}
		if (room < asked)
			return false;
	}
	return op->npass >= MIN_RECORDS;
}

static const expr *span(expr_pool *p, const interpretation *r, int k)
{
	const expr *e = item(p, r->size, k), *one = expr_const(p, 1);
	if (r->stride.n)
		e = expr_make(p, OP_MUL, expr_make(p, OP_SUB, e, one), item(p, r->stride, k));
	e = expr_make(p, OP_ADD, e, item(p, r->kernel, k));
	if (r->padding.n)
		e = expr_make(p, OP_SUB, e, both_sides(p, r, k));
	return r->stride.n ? e : expr_make(p, OP_SUB, e, one);
}

static void offer_spans(const search *w, series sizes, const interpretation *r)
{
	expr_pool *p = w->s->pool;
	const expr *room = NULL, *asked = NULL;
	int before = sizes.n - r->size.n;
	for (int k = 0; k < sizes.n; k++) {
		const expr *size = expr_sym(p, sizes.first + k);
		const expr *e = k < before ? expr_sym(p, r->size.first - before + k) : span(p, r, k - before);
		room = expr_join(p, OP_MUL, room, size);
		asked = expr_join(p, OP_MUL, asked, e);
	}
	w->offer(w->user, expr_make(p, OP_LE, asked, room), COST_WINDOWS);
}

static void try_spans(const search *w, series sizes, interpretation r)
{
	for (int i = 1; i < w->n; i++)
		for (int j = 0; j < w->n; j++)
			for (int k = 0; k < w->n; k++) {
				r.kernel = w->lists[i];
				r.stride = w->lists[j];
				r.padding = w->lists[k];
				if (r.kernel.n == r.size.n && suits(r.stride, r.size.n, false) && suits(r.padding, r.size.n, true)
				    && !same(r.kernel, r.stride) && !same(r.kernel, r.padding) && !same(r.stride, r.padding)
				    && holds_spans(w->s->op, sizes, &r))
					offer_spans(w, sizes, &r);
			}
}

static void find_spans(const search *w)
{
	const operator *op = w->s->op;
	for (int a = 1; a < w->n; a++)
		for (int i = 0; i < op->nsym; i++)
			for (int n = 1; n <= MAX_SIZES && n < w->lists[a].n && w->lists[a].n == op->roles[i].len; n++) {
				series size = axes_at(op, i, n, 0);
				if (size.n && varied(op, size) && varied(op, w->lists[a]))
					try_spans(w, w->lists[a], (interpretation){.size = size});
			}
}

/* ---- windows without gaps: the rest behind the last stride is inside its window */

static bool is_empty(const operator *op, const int64_t *row, int symbol)
{
	const role *r = &op->roles[symbol];
	bool empty = false;
	for (int k = 0; k < r->len; k++)
		empty |= row[symbol - r->pos + k] == 0;
	return empty;
}

/* Checks nonempty tensors only. */
static bool leaves_no_gap(const operator *op, const interpretation *r)
{
	int seen = 0;
	for (int i = 0; i < op->npass; i++) {
		const int64_t *row = passing_record(op, i);
		if (is_empty(op, row, r->size.first))
			continue;
		seen++;
		for (int k = 0; k < r->size.n; k++) {
			int64_t size = at(r->size, row, k, 0), kernel = at(r->kernel, row, k, 0);
			int64_t stride = at(r->stride, row, k, 1), dilation = at(r->dilation, row, k, 1);
			if (!is_small(size) || !is_small(kernel) || !is_small(stride) || !is_small(dilation) || size < 0 || stride <= 0
			    || (size + stride - 1) % stride > dilation * (kernel - 1))
				return false;
		}
	}
	return seen >= MIN_RECORDS;
}

static void offer_no_gap(const search *w, const interpretation *r)
{
	expr_pool *p = w->s->pool;
	const expr *all = NULL, *one = expr_const(p, 1);
	for (int k = 0; k < r->size.n; k++) {
		const expr *behind = expr_make(p, OP_MOD, expr_make(p, OP_SUB, item(p, r->size, k), one), item(p, r->stride, k));
		const expr *e = r->dilation.n ? expr_make(p, OP_LE, behind, reach(p, r, k))
					      : expr_make(p, OP_LT, behind, item(p, r->kernel, k));
		all = expr_join(p, OP_AND, all, e);
	}
	w->offer(w->user, all, COST_WINDOWS);
}

static void try_gaps(const search *w, interpretation r)
{
	for (int a = 1; a < w->n; a++)
		for (int b = 1; b < w->n; b++)
			for (int c = 0; c < w->n; c++) {
				r.kernel = along(w, w->lists[a], &r);
				r.stride = along(w, w->lists[b], &r);
				r.dilation = along(w, w->lists[c], &r);
				if (suits(r.kernel, r.size.n, false) && suits(r.stride, r.size.n, false) && suits(r.dilation, r.size.n, false)
				    && !same(r.kernel, r.stride) && !same(r.kernel, r.dilation) && !same(r.stride, r.dilation)
				    && leaves_no_gap(w->s->op, &r))
					offer_no_gap(w, &r);
			}
}

/* ---- windows that begin inside their axis; as many as the dimension at `count` says */

static bool begin_inside(const operator *op, const interpretation *r)
{
	int seen = 0;
	for (int i = 0; i < op->npass; i++) {
		const int64_t *row = passing_record(op, i);
		if (is_empty(op, row, r->count))
			continue;
		seen++;
		for (int k = 0; k < r->size.n; k++) {
			int64_t size = at(r->size, row, k, 0), count = row[r->count + k], stride = at(r->stride, row, k, 1);
			if (!is_small(size) || !is_small(count) || !is_small(stride) || (count - 1) * stride > size)
				return false;
		}
	}
	return seen >= MIN_RECORDS;
}

static void offer_begins(const search *w, const interpretation *r)
{
	expr_pool *p = w->s->pool;
	const expr *all = NULL;
	for (int k = 0; k < r->size.n; k++) {
		const expr *before = expr_make(p, OP_SUB, expr_sym(p, r->count + k), expr_const(p, 1));
		const expr *begin = expr_make(p, OP_MUL, before, item(p, r->stride, k));
		all = expr_join(p, OP_AND, all, expr_make(p, OP_LE, begin, item(p, r->size, k)));
	}
	w->offer(w->user, all, COST_WINDOWS);
}

static void try_begins(const search *w, interpretation r, int behind)
{
	(void)behind;
	for (int a = 1; a < w->n; a++) {
		r.stride = along(w, w->lists[a], &r);
		if (suits(r.stride, r.size.n, false) && !same(r.stride, r.size) && varied(w->s->op, r.stride)
		    && begin_inside(w->s->op, &r))
			offer_begins(w, &r);
	}
}

void window_counts_gaps(solver *s, template_offer *offer, void *user)
{
	search w = {.s = s, .offer = offer, .user = user};
	const operator *op = s->op;
	take_lists(&w);
	each_counted(&w, try_begins);
	for (int i = 0; i < op->nsym; i++)
		for (int n = 1; n <= MAX_SIZES; n++)
			for (int behind = 0; behind <= MAX_BEHIND; behind++) {
				series size = axes_at(op, i, n, behind);
				if (size.n && varied(op, size))
					try_gaps(&w, (interpretation){.size = size});
			}
}

void window_counts_generate(solver *s, template_offer *offer, void *user)
{
	search w = {.s = s, .offer = offer, .user = user};
	take_lists(&w);
	find_coverings(&w);
	each_counted(&w, try_kernels);
	find_spans(&w);
	window_counts_gaps(s, offer, user);
	for (int a = 0; a < w.n; a++)
		for (int b = 0; b < w.n; b++) {
			interpretation r = {.size = w.lists[a], .kernel = w.lists[b]};
			if (a != b && r.size.n > 1 && r.size.n <= MAX_SIZES && r.kernel.n == r.size.n)
				try_parameters(&w, r);
		}
}

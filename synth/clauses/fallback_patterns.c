#include "fallback_patterns.h"

#include "costs.h"
#include "dimension_quotients.h"
#include "window_counts.h"

typedef struct offers {
	solver *s;
	template_offer *offer;
	void *user;
} offers;

enum { MAX_ITEMS = 8, MAX_COMMON = 3 };

/* ---- runs of symbols: the dimensions of a tensor, or the items of a list */

typedef struct run {
	int first, n;
} run;

static bool begins(const operator *op, int i)
{
	const role *r = &op->roles[i];
	return r->kind != ROLE_INT && r->pos == 0 && !r->outer_len && r->len <= MAX_ITEMS && i + r->len <= op->nsym;
}

static run run_at(const operator *op, int i)
{
	return (run){i, op->roles[i].len};
}

static bool is_list(const operator *op, run r)
{
	return op->roles[r.first].kind == ROLE_ITEM;
}

static const expr *product(expr_pool *p, run r)
{
	const expr *e = expr_sym(p, r.first);
	for (int k = 1; k < r.n; k++)
		e = expr_make(p, OP_MUL, e, expr_sym(p, r.first + k));
	return e;
}

static const expr *is_empty(expr_pool *p, run r)
{
	return expr_make(p, OP_EQ, product(p, r), expr_const(p, 0));
}

/* ---- strides */

/* Σ (a_i - 1)·b_i is less than the number of elements of the tensor, with or without an offset, unless the view is empty. */
static void offer_reach(const offers *o, run a, run b, run tensor)
{
	const operator *op = o->s->op;
	expr_pool *p = o->s->pool;
	const expr *sum = NULL, *numel = product(p, tensor), *empty = is_empty(p, a);
	for (int k = 0; k < a.n; k++) {
		const expr *before = expr_make(p, OP_SUB, expr_sym(p, a.first + k), expr_const(p, 1));
		const expr *part = expr_make(p, OP_MUL, before, expr_sym(p, b.first + k));
		sum = expr_join(p, OP_ADD, sum, part);
	}
	o->offer(o->user, expr_make(p, OP_OR, expr_make(p, OP_LT, sum, numel), empty), COST_REACH);
	for (int i = 0; i < op->nsym; i++) {
		if (op->roles[i].kind != ROLE_INT)
			continue;
		const expr *last = expr_make(p, OP_ADD, sum, expr_sym(p, i));
		o->offer(o->user, expr_make(p, OP_OR, expr_make(p, OP_LT, last, numel), empty), COST_REACH);
	}
}

/* No item of b is negative, unless the sizes a are empty. */
static void offer_signs(const offers *o, run a, run b)
{
	expr_pool *p = o->s->pool;
	const expr *all = NULL, *empty = is_empty(p, a);
	for (int k = 0; k < b.n; k++) {
		const expr *one = expr_make(p, OP_GE, expr_sym(p, b.first + k), expr_const(p, 0));
		one = expr_make(p, OP_OR, one, empty);
		all = expr_join(p, OP_AND, all, one);
	}
	o->offer(o->user, all, COST_SIGNS);
}

/* Along each dimension of size > 1, stride b is at least 0 (OP_GE), or positive (OP_GT) so that no two elements overlap;
 * unless the sizes a are empty. */
static void offer_moves(const offers *o, run a, run b, enum op than)
{
	expr_pool *p = o->s->pool;
	const expr *all = NULL, *empty = is_empty(p, a);
	for (int k = 0; k < b.n; k++) {
		const expr *moves = expr_make(p, than, expr_sym(p, b.first + k), expr_const(p, 0));
		const expr *one = expr_make(p, OP_OR, moves, expr_make(p, OP_LE, expr_sym(p, a.first + k), expr_const(p, 1)));
		one = a.n > 1 ? expr_make(p, OP_OR, one, empty) : one;
		all = expr_join(p, OP_AND, all, one);
	}
	o->offer(o->user, all, COST_MOVES);
}

static void offer_strides(const offers *o)
{
	const operator *op = o->s->op;
	for (int i = 0; i < op->nsym; i++)
		for (int j = 0; begins(op, i) && j < op->nsym; j++) {
			run a = run_at(op, i), b = run_at(op, j);
			if (i == j || !begins(op, j) || !is_list(op, a) || !is_list(op, b) || a.n != b.n)
				continue;
			offer_signs(o, a, b);
			offer_moves(o, a, b, OP_GE);
			offer_moves(o, a, b, OP_GT);
			for (int k = 0; k < op->nsym; k++)
				if (begins(op, k) && !is_list(op, run_at(op, k)))
					offer_reach(o, a, b, run_at(op, k));
		}
}

/* ---- exact quotients */

static void offer_even(const offers *o)
{
	const operator *op = o->s->op;
	expr_pool *p = o->s->pool;
	const expr *all = NULL;
	for (int d = 0; d < op->nodim; d++) {
		const expr *e = o->s->rule->out[d];
		if (e->op != OP_DIV || expr_is_bool(e))
			continue;
		const expr *even = expr_make(p, OP_EQ, expr_make(p, OP_MOD, e->a, e->b), expr_const(p, 0));
		o->offer(o->user, even, COST_EVEN);
		all = expr_join(p, OP_AND, all, even);
	}
	if (all && all->op == OP_AND)
		o->offer(o->user, all, COST_EVEN);
}

/* ---- dividends: a window count that is clamped to 0 may not be far below it */

static void offer_quotients(const offers *o, const expr *e)
{
	expr_pool *p = o->s->pool;
	if (e->op == OP_MAX || e->op == OP_MIN || e->op == OP_ADD || e->op == OP_SUB) {
		offer_quotients(o, e->a);
		offer_quotients(o, e->b);
	}
	if (e->op != OP_DIV)
		return;
	const expr *least = e->a, *zero = expr_const(p, 0);
	for (int k = 0; k < 3; k++) {
		o->offer(o->user, expr_make(p, OP_GT, least, zero), COST_DIVIDED);
		o->offer(o->user, expr_make(p, OP_GE, least, zero), COST_DIVIDED);
		least = expr_make(p, OP_ADD, least, e->b);
	}
}

static void offer_divided(const offers *o)
{
	for (int d = 0; d < o->s->op->nodim; d++)
		if (o->s->rule->out[d]->size > 2)
			offer_quotients(o, o->s->rule->out[d]);
}

/* ---- a size that one dimension must have */

/* At least one of n expressions equals c. */
static void offer_some(const offers *o, const expr *const *e, int n, int64_t c)
{
	expr_pool *p = o->s->pool;
	const expr *some = NULL;
	for (int k = 0; k < n; k++) {
		const expr *one = expr_make(p, OP_EQ, e[k], expr_const(p, c));
		some = expr_join(p, OP_OR, some, one);
	}
	o->offer(o->user, some, COST_SOME);
}

static int values(const offers *o, const expr *const *e, int n, int row, int64_t *to)
{
	const operator *op = o->s->op;
	int m = 0;
	for (int k = 0; k < n; k++) {
		wide v;
		if (expr_eval(e[k], passing_record(op, row), &v) && v > -1000 && v < 1000)
			to[m++] = (int64_t)v;
	}
	return m;
}

/* The values that some of the expressions has in every passing record; returns their number. */
static int common_values(const offers *o, const expr *const *e, int n, int64_t common[MAX_ITEMS])
{
	const operator *op = o->s->op;
	int64_t own[MAX_ITEMS];
	int m = op->npass ? values(o, e, n, 0, common) : 0;
	for (int row = 1; row < op->npass && m; row++) {
		int k = values(o, e, n, row, own), left = 0;
		for (int i = 0; i < m; i++) {
			int j = 0;
			while (j < k && own[j] != common[i])
				j++;
			if (j < k)
				common[left++] = common[i];
		}
		m = left;
	}
	return m < MAX_COMMON ? m : MAX_COMMON;
}

/* If a_k is the first item of a that equals c, then b_k equals c too. */
static void offer_first(const offers *o, run a, run b, int64_t c)
{
	expr_pool *p = o->s->pool;
	const expr *all = NULL, *earlier = NULL;
	for (int k = 0; k < a.n; k++) {
		const expr *here = expr_make(p, OP_EQ, expr_sym(p, a.first + k), expr_const(p, c));
		const expr *there = expr_make(p, OP_EQ, expr_sym(p, b.first + k), expr_const(p, c));
		const expr *one = expr_make(p, OP_OR, expr_make(p, OP_NE, here->a, here->b), there);
		one = earlier ? expr_make(p, OP_OR, one, earlier) : one;
		all = expr_join(p, OP_AND, all, one);
		earlier = expr_join(p, OP_OR, earlier, here);
	}
	o->offer(o->user, all, COST_FIRST);
}

/* An operator that searches a dimension of a given size takes the first. Skips a size that equals the rank: an API rule would
 * read it as the rank. */
static void offer_run_sizes(const offers *o, run a)
{
	const operator *op = o->s->op;
	const expr *e[MAX_ITEMS];
	int64_t common[MAX_ITEMS];
	for (int k = 0; k < a.n; k++)
		e[k] = expr_sym(o->s->pool, a.first + k);
	int m = common_values(o, e, a.n, common);
	for (int i = 0; i < m; i++) {
		offer_some(o, e, a.n, common[i]);
		for (int b = 0; common[i] != a.n && b < op->nsym; b++)
			if (b != a.first && begins(op, b) && run_at(op, b).n == a.n)
				offer_first(o, a, run_at(op, b), common[i]);
	}
}

static void offer_sizes(const offers *o)
{
	const operator *op = o->s->op;
	int64_t common[MAX_ITEMS];
	for (int i = 0; i < op->nsym; i++)
		if (begins(op, i) && run_at(op, i).n > 1)
			offer_run_sizes(o, run_at(op, i));
	for (int from = 0, to; from < op->nodim; from = to) {
		for (to = from + 1; to < op->nodim && op->out_tensor[to] == op->out_tensor[from]; to++)
			;
		if (to - from < 2 || to - from > MAX_ITEMS)
			continue;
		int m = common_values(o, o->s->rule->out + from, to - from, common);
		for (int i = 0; i < m; i++)
			offer_some(o, o->s->rule->out + from, to - from, common[i]);
	}
}

/* ---- groups: one dimension is a multiple of another, and the quotient divides a third */

static bool is_multiple(const operator *op, int b, int c)
{
	bool more = false;
	for (int r = 0; r < op->npass; r++) {
		const int64_t *row = passing_record(op, r);
		if (row[c] <= 0 || row[b] % row[c])
			return false;
		more |= row[b] > row[c];
	}
	return more;
}

static void offer_groups(const offers *o)
{
	const operator *op = o->s->op;
	expr_pool *p = o->s->pool;
	for (int b = 0; b < op->nsym; b++)
		for (int c = 0; op->roles[b].kind == ROLE_DIM && c < op->nsym; c++) {
			if (op->roles[c].kind != ROLE_DIM || b == c || !is_multiple(op, b, c))
				continue;
			const expr *groups = expr_make(p, OP_DIV, expr_sym(p, b), expr_sym(p, c));
			for (int a = 0; a < op->nsym; a++)
				if (op->roles[a].kind == ROLE_DIM && a != b && a != c)
					o->offer(o->user, expr_make(p, OP_EQ, expr_make(p, OP_MOD, expr_sym(p, a), groups),
						expr_const(p, 0)), COST_GROUPS);
		}
}

/* ---- batches: the product of all dimensions but the last is a multiple of a dimension of another tensor */

static void offer_batches(const offers *o)
{
	const operator *op = o->s->op;
	expr_pool *p = o->s->pool;
	for (int i = 0; i < op->nsym; i++) {
		if (!begins(op, i) || is_list(op, run_at(op, i)) || run_at(op, i).n < 3)
			continue;
		const expr *all = product(p, (run){i, run_at(op, i).n - 1});
		for (int d = 0; d < op->nsym; d++)
			if (op->roles[d].kind == ROLE_DIM && op->roles[d].tensor != op->roles[i].tensor)
				o->offer(o->user, expr_make(p, OP_EQ, expr_make(p, OP_MOD, all, expr_sym(p, d)), expr_const(p, 0)), COST_GROUPS);
	}
}

/* ---- chunks: a signature has a fixed number of outputs, whatever the call requests */

static bool has_symbol(const expr *e, int x)
{
	if (e->op == OP_SYM || e->op == OP_CONST)
		return e->op == OP_SYM && e->value == x;
	return has_symbol(e->a, x) || has_symbol(e->b, x) || (e->c && has_symbol(e->c, x));
}

/* The dimension that e divides by a symbol or by the number of outputs; -1 if there is none. */
static int divided_dimension(const operator *op, const expr *e)
{
	if (!e || e->op == OP_SYM || e->op == OP_CONST)
		return -1;
	if (e->op == OP_DIV && (e->b->op == OP_SYM || (e->b->op == OP_CONST && e->b->value == op->nout)))
		for (int x = 0; x < op->nsym; x++)
			if (op->roles[x].kind == ROLE_DIM && has_symbol(e->a, x))
				return x;
	int x = divided_dimension(op, e->a);
	return x >= 0 ? x : divided_dimension(op, e->b);
}

/* A dimension x split into chunks of x//n, rounded up, gives as many chunks as there are outputs; if x is 0, n is the number
 * of outputs. */
static void offer_pieces(const offers *o)
{
	const operator *op = o->s->op;
	expr_pool *p = o->s->pool;
	const expr *one = expr_const(p, 1), *zero = expr_const(p, 0), *pieces = expr_const(p, op->nout);
	for (int d = 0, before = -1; d < op->nodim && op->nout > 1; d++) {
		int x = divided_dimension(op, o->s->rule->out[d]);
		if (x < 0 || x == before)
			continue;
		before = x;
		const expr *last = expr_make(p, OP_SUB, expr_sym(p, x), one), *some = expr_make(p, OP_GT, expr_sym(p, x), zero);
		for (int n = 0; n < op->nsym; n++) {
			if (op->roles[n].kind == ROLE_DIM)
				continue;
			const expr *asked = expr_make(p, OP_DIV, last, expr_sym(p, n)), *is = expr_make(p, OP_DIV, last, pieces);
			o->offer(o->user, expr_make(p, OP_EQ, asked, is), COST_GROUPS);
			o->offer(o->user, expr_make(p, OP_OR, some, expr_make(p, OP_EQ, expr_sym(p, n), pieces)), COST_GROUPS);
		}
	}
}

/* ---- constraints that do not apply to empty tensors */

enum { MAX_TENSORS = 6, MAX_PAIRED_TENSORS = 3, MAX_EMPTY = 12 };

typedef struct weakened_offers {
	offers to;
	const expr *empty[MAX_EMPTY];
	int n;
} weakened_offers;

/* Adds `or empty` to each conjunct. */
static const expr *weaken(expr_pool *p, const expr *e, const expr *empty)
{
	if (e->op == OP_AND)
		return expr_make(p, OP_AND, weaken(p, e->a, empty), weaken(p, e->b, empty));
	return expr_make(p, OP_OR, e, empty);
}

static void offer_unless_empty(void *user, const expr *e, int cost)
{
	const weakened_offers *u = user;
	const operator *op = u->to.s->op;
	bool alive[MAX_EMPTY], refuted = false;
	int left = u->n;
	for (int k = 0; k < u->n; k++)
		alive[k] = true;
	for (int r = 0; r < op->npass && left; r++) {
		const int64_t *row = passing_record(op, r);
		if (expr_holds(e, row))
			continue;
		refuted = true;
		for (int k = 0; k < u->n; k++)
			if (alive[k] && !expr_holds(u->empty[k], row)) {
				alive[k] = false;
				left--;
			}
	}
	for (int k = 0; refuted && k < u->n; k++)
		if (alive[k])
			u->to.offer(u->to.user, weaken(u->to.s->pool, e, u->empty[k]), cost + COST_UNLESS_EMPTY);
}

static bool is_offered(const weakened_offers *u, const expr *empty)
{
	for (int k = 0; k < u->n; k++)
		if (u->empty[k] == empty)
			return true;
	return false;
}

/* If an output expression tests whether something is 0, that test. */
static void add_guard(weakened_offers *u, const expr *out)
{
	const expr *c = out->c;
	if (!c || c->op != OP_EQ || c->b->op != OP_CONST || c->b->value != 0)
		return;
	if (!is_offered(u, c))
		u->empty[u->n++] = c;
}

/* One of two products is 0. */
static const expr *either(expr_pool *p, const expr *a, const expr *b)
{
	return expr_make(p, OP_EQ, expr_make(p, OP_MUL, a->a, b->a), expr_const(p, 0));
}

/* Dimensions of two tensors at the same position are equal. */
static void offer_equal_dimensions(weakened_offers *u)
{
	const operator *op = u->to.s->op;
	for (int i = 0; i < op->nsym; i++)
		for (int j = i + 1; j < op->nsym; j++) {
			const role *a = &op->roles[i], *b = &op->roles[j];
			bool same = a->len - a->pos == b->len - b->pos || a->pos == b->pos;
			if (a->kind == ROLE_DIM && b->kind == ROLE_DIM && a->tensor != b->tensor && same)
				offer_unless_empty(u, expr_make(u->to.s->pool, OP_EQ, expr_sym(u->to.s->pool, i),
							  expr_sym(u->to.s->pool, j)), COST_EQUAL);
		}
}

/* Bounds of an index range: at most the size of a dimension, and at least minus that size. */
static void offer_indices(weakened_offers *u)
{
	const operator *op = u->to.s->op;
	expr_pool *p = u->to.s->pool;
	for (int i = 0; i < op->nsym; i++)
		for (int d = 0; op->roles[i].end && op->roles[i].pos == 0 && d < op->nsym; d++) {
			if (op->roles[d].kind != ROLE_DIM)
				continue;
			const expr *low = expr_sym(p, i), *high = expr_sym(p, i + 1), *size = expr_sym(p, d);
			offer_unless_empty(u, expr_make(p, OP_LE, high, size), COST_EQUAL);
			offer_unless_empty(u, expr_make(p, OP_GE, expr_make(p, OP_ADD, low, size), expr_const(p, 0)), COST_EQUAL);
		}
}

/* An output is empty: no window fits, sizes come from another argument, or the indexed dimension is not part of the output. */
static void add_empty_outputs(weakened_offers *u)
{
	const operator *op = u->to.s->op;
	expr_pool *p = u->to.s->pool;
	const expr *const *out = u->to.s->rule->out;
	for (int from = 0, to; from < op->nodim && u->n < MAX_EMPTY; from = to) {
		const expr *numel = NULL;
		for (to = from; to < op->nodim && op->out_tensor[to] == op->out_tensor[from]; to++)
			numel = expr_join(p, OP_MUL, numel, out[to]);
		const expr *empty = expr_make(p, OP_EQ, numel, expr_const(p, 0));
		if (numel->size > 0 && !is_offered(u, empty))
			u->empty[u->n++] = empty;
	}
}

void fallback_patterns_unless_empty(solver *s, template_offer *offer, void *user)
{
	const operator *op = s->op;
	weakened_offers u = {.to = {s, offer, user}};
	for (int i = 0; i < op->nsym && u.n < MAX_TENSORS; i++)
		if (begins(op, i) && !is_list(op, run_at(op, i)))
			u.empty[u.n++] = is_empty(s->pool, run_at(op, i));
	for (int a = 0, tensors = u.n; a < tensors && tensors <= MAX_PAIRED_TENSORS; a++)
		for (int b = a + 1; b < tensors && u.n < MAX_EMPTY; b++)
			u.empty[u.n++] = either(s->pool, u.empty[a], u.empty[b]);
	add_empty_outputs(&u);
	for (int d = 0; d < op->nodim && u.n < MAX_EMPTY; d++)
		add_guard(&u, s->rule->out[d]);
	templates_generate(s, offer_unless_empty, &u);
	offers weakened = {s, offer_unless_empty, &u};
	offer_divided(&weakened);
	offer_groups(&weakened);
	offer_batches(&weakened);
	offer_equal_dimensions(&u);
	offer_indices(&u);
	window_counts_gaps(s, offer_unless_empty, &u);
}

/* A dimension is as long as a diagonal of an output matrix: d == min(rows + min(k, 0), cols - max(k, 0)). For a band of
 * diagonals k to K, the longest one: rows with K, cols with k. */
static void offer_diagonal(const offers *o, int output, int low, int high)
{
	expr_pool *p = o->s->pool;
	const expr *const *out = o->s->rule->out + output, *zero = expr_const(p, 0);
	const expr *rows = expr_make(p, OP_ADD, out[0], expr_make(p, OP_MIN, expr_sym(p, high), zero));
	const expr *cols = expr_make(p, OP_SUB, out[1], expr_make(p, OP_MAX, expr_sym(p, low), zero));
	const expr *length = expr_make(p, OP_MIN, rows, cols);
	for (int d = 0; d < o->s->op->nsym; d++)
		if (o->s->op->roles[d].kind == ROLE_DIM)
			o->offer(o->user, expr_make(p, OP_EQ, expr_sym(p, d), length), COST_DIAGONAL);
}

static void offer_diagonals(const offers *o)
{
	const operator *op = o->s->op;
	for (int d = 0; d + 1 < op->nodim; d++)
		for (int k = 0; k < op->nsym && op->out_pos[d] + 2 == op->out_rank[d]; k++) {
			bool ends = op->roles[k].end && op->roles[k].pos == 0;
			if (op->roles[k].kind == ROLE_DIM)
				continue;
			offer_diagonal(o, d, k, k);
			if (ends)
				offer_diagonal(o, d, k, k + 1);
		}
}

void fallback_patterns(solver *s, template_offer *offer, void *user)
{
	offers o = {s, offer, user};
	offer_strides(&o);
	offer_even(&o);
	offer_sizes(&o);
	offer_groups(&o);
	offer_batches(&o);
	offer_pieces(&o);
	offer_divided(&o);
	offer_diagonals(&o);
	dimension_quotients(s, offer, user);
}

#include "fallback_leaves.h"

#include "costs.h"

/* ---- reshape lists: -1 is inferred, 0 copies a dimension or makes the tensor empty */

/* Products of the items of a list, without the one that is computed. */
typedef struct sizes {
	const expr *others, *positive; /* plain, and with max(item, 1) for each item; NULL: no items */
	bool copies;		       /* an item of 0 copies the input dimension at its position */
} sizes;

static const expr *at_least_one(expr_pool *p, const expr *e)
{
	return expr_make(p, OP_MAX, e, expr_const(p, 1));
}

/* An item, or the input dimension at its position if it is 0. */
static const expr *copied_or_given(const target *t, int item, int first)
{
	const role *r = &t->s->op->roles[item];
	expr_pool *p = t->s->pool;
	const expr *x = expr_sym(p, item);
	if (r->pos >= t->s->op->roles[first].len)
		return x;
	return expr_ite(p, expr_make(p, OP_EQ, x, expr_const(p, 0)), expr_sym(p, first + r->pos), x);
}

static void add_item(const target *t, sizes *z, int item, int first)
{
	expr_pool *p = t->s->pool;
	const expr *x = z->copies ? copied_or_given(t, item, first) : expr_sym(p, item);
	z->others = expr_join(p, OP_MUL, z->others, x);
	z->positive = expr_join(p, OP_MUL, z->positive, at_least_one(p, x));
}

/* numel // others. If `others` is 0, both products are taken without zeros. */
static const expr *inferred_size(const target *t, const sizes *z, int first)
{
	expr_pool *p = t->s->pool;
	const expr *numel = NULL, *positive = NULL;
	for (int k = 0; k < t->s->op->roles[first].len; k++) {
		numel = expr_join(p, OP_MUL, numel, expr_sym(p, first + k));
		positive = expr_join(p, OP_MUL, positive, at_least_one(p, expr_sym(p, first + k)));
	}
	if (!z->others)
		return numel;
	const expr *e = expr_make(p, OP_DIV, numel, z->others);
	if (z->copies)
		return e;
	const expr *none = expr_make(p, OP_EQ, z->others, expr_const(p, 0));
	return expr_ite(p, none, expr_make(p, OP_DIV, positive, z->positive), e);
}

/* The size that item i of a reshape list gives; the tensor's dimensions begin at symbol `first`. */
static const expr *reshaped_size(const target *t, int i, int first, bool copies)
{
	const operator *op = t->s->op;
	expr_pool *p = t->s->pool;
	const expr *x = expr_sym(p, i), *own = copies ? copied_or_given(t, i, first) : x;
	sizes z = {.copies = copies};
	bool has_wildcard = false;
	for (int k = 0; k < t->nrows; k++)
		has_wildcard |= t->s->cols[i][t->rows[k]] == -1;
	for (int k = 0; k < op->nsym; k++)
		if (k != i && op->roles[k].kind == ROLE_ITEM && op->roles[k].list == op->roles[i].list)
			add_item(t, &z, k, first);
	return has_wildcard ? expr_ite(p, expr_make(p, OP_EQ, x, expr_const(p, -1)), inferred_size(t, &z, first), own) : own;
}

static void add_sizes(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	const operator *op = t->s->op;
	for (int i = 0; i < op->nsym; i++) {
		const role *r = &op->roles[i];
		if (r->kind != ROLE_ITEM || r->outer_len || r->len != op->out_rank[t->d] || r->pos != op->out_pos[t->d])
			continue;
		for (int first = 0; first < op->nsym; first++)
			for (int copies = 0; copies < 2 && op->roles[first].kind == ROLE_DIM && op->roles[first].pos == 0; copies++)
				target_offer(t, p, sample, bit, reshaped_size(t, i, first, copies), COST_WILDCARD);
	}
}

/* ---- shifted and trimmed broadcasting */

/* The alignment of tensors: by how many dimensions each is shifted to the left. */
typedef struct shift {
	int longer, all;
	bool from_left; /* tensors longer than the output are aligned at the left */
} shift;

static bool is_aligned_at(const operator *op, const role *r, int d, shift by)
{
	int rank = op->out_rank[d], pos = op->out_pos[d];
	if (r->kind != ROLE_DIM)
		return false;
	if (by.from_left && r->len > rank)
		return r->pos == pos;
	int right = r->len - 1 - r->pos;
	return right == rank - 1 - pos + by.all + (r->len > rank ? by.longer : 0);
}

/* Broadcasts the dimensions aligned with the output: `b if a == 1 else a`. less 1: each minus 1; less 2: each max(x -
 * 1, 0). */
static const expr *broadcast(const target *t, shift by, int less)
{
	const operator *op = t->s->op;
	expr_pool *p = t->s->pool;
	const expr *e = NULL;
	int n = 0;
	for (int i = 0; i < op->nsym && n <= 6; i++) {
		if (!is_aligned_at(op, &op->roles[i], t->d, by))
			continue;
		const expr *x = expr_sym(p, i);
		if (less)
			x = expr_make(p, OP_SUB, x, expr_const(p, 1));
		if (less > 1)
			x = expr_make(p, OP_MAX, x, expr_const(p, 0));
		e = n++ ? expr_broadcast(p, e, x) : x;
	}
	return n >= 2 && n <= 6 ? e : NULL;
}

static void add_shifted_broadcasts(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	static const shift SHIFTS[] = {{0}, {.from_left = true}, {.longer = 1}, {.longer = 2}, {.all = 1}};
	for (size_t k = 0; k < sizeof SHIFTS / sizeof *SHIFTS; k++)
		for (int less = 0; less < 3; less++) {
			const expr *e = broadcast(t, SHIFTS[k], less);
			if (e)
				target_offer(t, p, sample, bit, e, COST_BROADCAST + COST_BROADCAST_SHIFTED * (k > 0) + COST_ONE * less);
		}
}

/* Broadcasts the two relevant dimensions after k - 1 elements were trimmed from each: `b if a == k else a`. */
static void add_trimmed_broadcasts(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	const operator *op = t->s->op;
	const expr *of[2];
	if (t->nrelevant != 2)
		return;
	for (int i = 0, n = 0; n < 2; i++) {
		if (t->relevant[i] && op->roles[i].kind != ROLE_DIM)
			return;
		if (t->relevant[i])
			of[n++] = expr_sym(t->s->pool, i);
	}
	for (int k = 2; k <= MAX_TRIMMED; k++)
		target_offer(t, p, sample, bit, expr_trimmed_broadcast(t->s->pool, of[0], of[1], k),
		    COST_BROADCAST + COST_BROADCAST_SHIFTED + COST_ONE * k);
}

/* ---- all dimensions but one */

/* The dimension at the output's position after removal of the one that integer x selects. */
static const expr *without_selected(const target *t, int first, int x)
{
	expr_pool *p = t->s->pool;
	const expr *index = expr_sym(p, x);
	int len = t->s->op->roles[first].len, pos = t->s->op->out_pos[t->d];
	bool negative = false;
	for (int k = 0; k < t->nrows; k++) {
		int64_t v = t->s->cols[x][t->rows[k]];
		if (v < -len || v >= len)
			return NULL;
		negative |= v < 0;
	}
	if (negative)
		index = expr_ite(p, expr_make(p, OP_LT, index, expr_const(p, 0)), expr_make(p, OP_ADD, index, expr_const(p, len)), index);
	return expr_ite(p, expr_make(p, OP_LE, index, expr_const(p, pos)), expr_sym(p, first + pos + 1), expr_sym(p, first + pos));
}

/* The dimension at the output's position after removal of the first one that is 1. */
static const expr *without_one(const target *t, int first)
{
	expr_pool *p = t->s->pool;
	int pos = t->s->op->out_pos[t->d];
	const expr *removed = NULL;
	for (int k = 0; k <= pos; k++) {
		const expr *one = expr_make(p, OP_EQ, expr_sym(p, first + k), expr_const(p, 1));
		removed = expr_join(p, OP_OR, removed, one);
	}
	return expr_ite(p, removed, expr_sym(p, first + pos + 1), expr_sym(p, first + pos));
}

static void add_all_but_one(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	const operator *op = t->s->op;
	for (int first = 0; first < op->nsym; first++) {
		const role *r = &op->roles[first];
		if (r->kind != ROLE_DIM || r->pos || r->len != op->out_rank[t->d] + 1)
			continue;
		target_offer(t, p, sample, bit, without_one(t, first), COST_SELECTION);
		for (int x = 0; x < op->nsym; x++) {
			const expr *e = op->roles[x].kind == ROLE_INT ? without_selected(t, first, x) : NULL;
			if (e)
				target_offer(t, p, sample, bit, e, COST_SELECTION);
		}
	}
}

/* ---- fractions: a dimension scaled by a constant */

enum { MAX_DIVISOR = 20, MAX_SCALE = 4, MIN_VALUES = 4 };

/* Whether (a·x + b)//q is the output on every row. */
static bool is_fraction(const target *t, int x, int64_t a, int64_t b, int64_t q)
{
	const int64_t *col = t->s->cols[x], *out = t->s->cols[t->s->op->nsym + t->d];
	for (int k = 0; k < t->nrows; k++)
		if (floordiv((wide)a * col[t->rows[k]] + b, q) != out[t->rows[k]])
			return false;
	return true;
}

static bool has_min_values(const target *t, int x)
{
	int64_t seen[MIN_VALUES];
	int n = 0;
	for (int k = 0; k < t->nrows && n < MIN_VALUES; k++) {
		int64_t v = t->s->cols[x][t->rows[k]];
		int j = 0;
		while (j < n && seen[j] != v)
			j++;
		if (j == n)
			seen[n++] = v;
	}
	return n == MIN_VALUES;
}

/* The fraction with the smallest divisor, rounded down or up; NULL if none fits. */
static const expr *fraction(const target *t, int x)
{
	expr_pool *p = t->s->pool;
	for (int64_t q = 2; q <= MAX_DIVISOR; q++)
		for (int64_t a = 1; a <= MAX_SCALE * q; a++)
			for (int up = 0; up < 2; up++) {
				if (!is_fraction(t, x, a, up * (q - 1), q))
					continue;
				const expr *e = expr_sym(p, x);
				if (a > 1)
					e = expr_make(p, OP_MUL, expr_const(p, a), e);
				if (up)
					e = expr_make(p, OP_ADD, e, expr_const(p, q - 1));
				return expr_make(p, OP_DIV, e, expr_const(p, q));
			}
	return NULL;
}

static void add_fractions(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	const operator *op = t->s->op;
	for (int x = 0; x < op->nsym; x++) {
		bool is_candidate = t->nrelevant ? t->nrelevant == 1 && t->relevant[x] : !t->inert[x] && target_misfit(t, x) < 3;
		const expr *e = is_candidate && has_min_values(t, x) ? fraction(t, x) : NULL;
		if (e)
			target_offer(t, p, sample, bit, e, COST_FRACTION);
	}
}

void fallback_leaves_offer(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	add_sizes(t, p, sample, bit);
	add_fractions(t, p, sample, bit);
	add_all_but_one(t, p, sample, bit);
	add_shifted_broadcasts(t, p, sample, bit);
	add_trimmed_broadcasts(t, p, sample, bit);
}

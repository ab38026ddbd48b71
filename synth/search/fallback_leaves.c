#include "fallback_leaves.h"

#include "costs.h"

/* ---- sizes: -1 is the rest, 0 a copy or nothing */

/* What the items of a list other than `but`, which is a size of its own, come to. */
typedef struct sizes {
	const expr *others, *positive; /* their product, and with 1 in place of what is below; NULL: there are none */
	bool copies;		       /* a 0 is a copy of the dimension at its place */
} sizes;

static const expr *at_least_one(expr_pool *p, const expr *e)
{
	return expr_make(p, OP_MAX, e, expr_const(p, 1));
}

/* An item, or the tensor's dimension at its place where it is 0. */
static const expr *copied(const target *t, int item, int first)
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
	const expr *x = z->copies ? copied(t, item, first) : expr_sym(p, item);
	z->others = expr_join(p, OP_MUL, z->others, x);
	z->positive = expr_join(p, OP_MUL, z->positive, at_least_one(p, x));
}

/* numel // others; where the others have no element, what the dimensions that are not 0 leave. */
static const expr *rest(const target *t, const sizes *z, int first)
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

/* Item i of a list of sizes for a tensor whose dimensions begin at `first`. */
static const expr *size_text(const target *t, int i, int first, bool copies)
{
	const operator *op = t->s->op;
	expr_pool *p = t->s->pool;
	const expr *x = expr_sym(p, i), *own = copies ? copied(t, i, first) : x;
	sizes z = {.copies = copies};
	bool marks = false;
	for (int k = 0; k < t->nrows; k++)
		marks |= t->s->cols[i][t->rows[k]] == -1;
	for (int k = 0; k < op->nsym; k++)
		if (k != i && op->roles[k].kind == ROLE_ITEM && op->roles[k].list == op->roles[i].list)
			add_item(t, &z, k, first);
	return marks ? expr_ite(p, expr_make(p, OP_EQ, x, expr_const(p, -1)), rest(t, &z, first), own) : own;
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
				target_offer(t, p, sample, bit, size_text(t, i, first, copies), PRICE_WILDCARD);
	}
}

/* ---- broadcasting over parts */

/* How far a tensor's dimensions are moved to the left before they are compared: longer ones than the output, all. */
typedef struct shift {
	int longer, all;
	bool from_left; /* longer ones are aligned there */
} shift;

static bool stands_at(const operator *op, const role *r, int d, shift by)
{
	int rank = op->out_rank[d], pos = op->out_pos[d];
	if (r->kind != ROLE_DIM)
		return false;
	if (by.from_left && r->len > rank)
		return r->pos == pos;
	int right = r->len - 1 - r->pos;
	return right == rank - 1 - pos + by.all + (r->len > rank ? by.longer : 0);
}

/* `b if a == 1 else a` over what stands at the output's place, each without its first element or as it is. */
static const expr *broadcast(const target *t, shift by, int less)
{
	const operator *op = t->s->op;
	expr_pool *p = t->s->pool;
	const expr *e = NULL;
	int n = 0;
	for (int i = 0; i < op->nsym && n <= 6; i++) {
		if (!stands_at(op, &op->roles[i], t->d, by))
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
				target_offer(t, p, sample, bit, e, PRICE_BROADCAST + PRICE_BROADCAST_SHIFTED * (k > 0) + PRICE_ONE * less);
		}
}

/* The two dimensions that matter, wherever they stand, of which each broadcasts with the other once its ends are off:
 * `b if a == k else a`. */
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
	for (int k = 2; k <= MOST_TRIMMED; k++)
		target_offer(t, p, sample, bit, expr_trimmed_broadcast(t->s->pool, of[0], of[1], k),
		    PRICE_BROADCAST + PRICE_BROADCAST_SHIFTED + PRICE_ONE * k);
}

/* ---- all dimensions but one */

/* The dimension of which an integer names the place: this one or, if it goes, the next. */
static const expr *unnamed(const target *t, int first, int x)
{
	expr_pool *p = t->s->pool;
	const expr *place = expr_sym(p, x);
	int len = t->s->op->roles[first].len, pos = t->s->op->out_pos[t->d];
	bool negative = false;
	for (int k = 0; k < t->nrows; k++) {
		int64_t v = t->s->cols[x][t->rows[k]];
		if (v < -len || v >= len)
			return NULL;
		negative |= v < 0;
	}
	if (negative)
		place = expr_ite(p, expr_make(p, OP_LT, place, expr_const(p, 0)), expr_make(p, OP_ADD, place, expr_const(p, len)), place);
	return expr_ite(p, expr_make(p, OP_LE, place, expr_const(p, pos)), expr_sym(p, first + pos + 1), expr_sym(p, first + pos));
}

/* The dimension at this place where one that is 1 is left out. */
static const expr *squeezed(const target *t, int first)
{
	expr_pool *p = t->s->pool;
	int pos = t->s->op->out_pos[t->d];
	const expr *gone = NULL;
	for (int k = 0; k <= pos; k++) {
		const expr *one = expr_make(p, OP_EQ, expr_sym(p, first + k), expr_const(p, 1));
		gone = expr_join(p, OP_OR, gone, one);
	}
	return expr_ite(p, gone, expr_sym(p, first + pos + 1), expr_sym(p, first + pos));
}

static void add_all_but_one(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	const operator *op = t->s->op;
	for (int first = 0; first < op->nsym; first++) {
		const role *r = &op->roles[first];
		if (r->kind != ROLE_DIM || r->pos || r->len != op->out_rank[t->d] + 1)
			continue;
		target_offer(t, p, sample, bit, squeezed(t, first), PRICE_SELECTION);
		for (int x = 0; x < op->nsym; x++) {
			const expr *e = op->roles[x].kind == ROLE_INT ? unnamed(t, first, x) : NULL;
			if (e)
				target_offer(t, p, sample, bit, e, PRICE_SELECTION);
		}
	}
}

/* ---- fractions: a scale by which a dimension shrinks or grows */

enum { MOST_DIVISOR = 20, MOST_SCALE = 4, LEAST_VALUES = 4 };

/* Whether (a·x + b)//q is the output on every row. */
static bool is_fraction(const target *t, int x, int64_t a, int64_t b, int64_t q)
{
	const int64_t *col = t->s->cols[x], *out = t->s->cols[t->s->op->nsym + t->d];
	for (int k = 0; k < t->nrows; k++)
		if (floordiv((wide)a * col[t->rows[k]] + b, q) != out[t->rows[k]])
			return false;
	return true;
}

static bool has_values(const target *t, int x)
{
	int64_t seen[LEAST_VALUES];
	int n = 0;
	for (int k = 0; k < t->nrows && n < LEAST_VALUES; k++) {
		int64_t v = t->s->cols[x][t->rows[k]];
		int j = 0;
		while (j < n && seen[j] != v)
			j++;
		if (j == n)
			seen[n++] = v;
	}
	return n == LEAST_VALUES;
}

/* The one of the least divisor; rounded down, or up. */
static const expr *fraction(const target *t, int x)
{
	expr_pool *p = t->s->pool;
	for (int64_t q = 2; q <= MOST_DIVISOR; q++)
		for (int64_t a = 1; a <= MOST_SCALE * q; a++)
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
		bool worth = t->nrelevant ? t->nrelevant == 1 && t->relevant[x] : !t->inert[x] && target_misfit(t, x) < 3;
		const expr *e = worth && has_values(t, x) ? fraction(t, x) : NULL;
		if (e)
			target_offer(t, p, sample, bit, e, PRICE_FRACTION);
	}
}

void uncommon_leaves(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	add_sizes(t, p, sample, bit);
	add_fractions(t, p, sample, bit);
	add_all_but_one(t, p, sample, bit);
	add_shifted_broadcasts(t, p, sample, bit);
	add_trimmed_broadcasts(t, p, sample, bit);
}

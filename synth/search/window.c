/* Windows: how many positions a kernel of k elements, `dilation` apart, has on an axis of x elements, moving by
 * `stride`. With low and high elements of padding before and after,
 *
 *   y = x + low + high - dilation*(k - 1) - 1
 *
 * is the last possible start, and the number of positions depends on how the operator rounds:
 *
 *   y//stride + 1                                           floor: the usual rounding
 *   y/stride + 1, C's quotient                              the same, but a kernel too long by less than a stride still fits
 *   min((y - 1)//stride + 2, (x + low - 1)//stride + 1)     ceil_mode: one more position, if it starts before the end
 *   (y - 1)//stride + 2                                     one more position
 *
 * Each may be clamped at 0. Every assignment of symbols to axis, kernel and so on is tried, with all variants at once
 * as bits of a mask. Every relevant symbol must be used, and at most two symbols without evidence.
 *
 * Example: x = 7, k = 3, stride = 2, no padding: y = 4, 4//2 + 1 = 3.
 */
#include "window.h"

#include "costs.h"

enum { AXIS, KERNEL, STRIDE, DILATION, LOW, HIGH, PARTS };
enum { FLOOR, TRUNC, CEIL_INSIDE, CEIL, ROUNDINGS }; /* rounding, from common to rare */
enum { CLAMPED = ROUNDINGS, VARIANTS = 2 * ROUNDINGS };
enum { MAX_UNSEEN = 2, MIN_ROWS = 16 };

typedef struct window {
	problem *p;
	const leaf *part[PARTS]; /* NULL: absent; HIGH is LOW if the padding is the same on both sides */
	int unseen;		 /* number of parts without evidence */
	uint32_t covered;
	answer *best;
} window;

/* ---- counting */

static int64_t value(const window *w, int part, int r, int64_t otherwise)
{
	return w->part[part] ? w->part[part]->col[r] : otherwise;
}

static bool is_moderate(int64_t v)
{
	return v > -((int64_t)1 << 30) && v < (int64_t)1 << 30;
}

/* Computes the number of positions for each rounding. False if a value is too large. */
static bool positions(const window *w, int r, int64_t count[ROUNDINGS])
{
	int64_t x = value(w, AXIS, r, 0), k = value(w, KERNEL, r, 1), stride = value(w, STRIDE, r, 1);
	int64_t dilation = value(w, DILATION, r, 1), low = value(w, LOW, r, 0), high = value(w, HIGH, r, 0);
	if (!is_moderate(x) || !is_moderate(k) || !is_moderate(stride) || !is_moderate(dilation) || !is_moderate(low)
	    || !is_moderate(high) || stride <= 0)
		return false;
	int64_t y = x + low + high - dilation * (k - 1) - 1;
	count[FLOOR] = (int64_t)floordiv(y, stride) + 1;
	count[TRUNC] = y / stride + 1;
	count[CEIL] = (int64_t)floordiv(y - 1, stride) + 2;
	int64_t inside = (int64_t)floordiv(x + low - 1, stride) + 1;
	count[CEIL_INSIDE] = inside < count[CEIL] ? inside : count[CEIL];
	return true;
}

/* The variants that agree with all rows, as bits. */
static unsigned matching_variants(const window *w)
{
	unsigned alive = (1U << VARIANTS) - 1;
	int64_t count[ROUNDINGS];
	for (int r = 0; alive && r < w->p->rows; r++) {
		++*w->p->work;
		if (!positions(w, r, count))
			return 0;
		for (int rounding = 0; rounding < ROUNDINGS; rounding++) {
			if (count[rounding] != w->p->target[r])
				alive &= ~(1U << rounding);
			if ((count[rounding] < 0 ? 0 : count[rounding]) != w->p->target[r])
				alive &= ~(1U << (rounding + CLAMPED));
		}
	}
	return alive;
}

/* ---- expressions */

static const expr *padded(const window *w)
{
	expr_pool *p = w->p->pool;
	const expr *x = w->part[AXIS]->e;
	if (!w->part[LOW])
		return x;
	if (w->part[HIGH] == w->part[LOW])
		return expr_make(p, OP_ADD, x, expr_make(p, OP_MUL, expr_const(p, 2), w->part[LOW]->e));
	return expr_make(p, OP_ADD, expr_make(p, OP_ADD, x, w->part[LOW]->e), w->part[HIGH]->e);
}

/* These functions write the same expressions as the other stages, so that equal shape functions are recognized. */

static const expr *product(expr_pool *p, const expr *a, const expr *b)
{
	return a->value < b->value ? expr_make(p, OP_MUL, a, b) : expr_make(p, OP_MUL, b, a);
}

/* The padded axis: x + low + high, + dilation for a dilated kernel. */
static const expr *padded_extent(const window *w)
{
	expr_pool *p = w->p->pool;
	return w->part[DILATION] ? expr_make(p, OP_ADD, padded(w), w->part[DILATION]->e) : padded(w);
}

/* The extent of the kernel: dilation*k; without dilation k. */
static const expr *kernel_extent(const window *w)
{
	return w->part[DILATION] ? product(w->p->pool, w->part[DILATION]->e, w->part[KERNEL]->e) : w->part[KERNEL]->e;
}

static const expr *steps(const window *w, const expr *far)
{
	return w->part[STRIDE] ? expr_make(w->p->pool, OP_DIV, far, w->part[STRIDE]->e) : far;
}

static const expr *floor_expr(const window *w)
{
	expr_pool *p = w->p->pool;
	const expr *y = expr_make(p, OP_SUB, padded_extent(w), kernel_extent(w)), *one = expr_const(p, 1);
	return expr_make(p, OP_ADD, steps(w, w->part[DILATION] ? expr_make(p, OP_SUB, y, one) : y), one);
}

static const expr *trunc_expr(const window *w)
{
	expr_pool *p = w->p->pool;
	const expr *one = expr_const(p, 1), *min_size = w->part[DILATION] ? expr_make(p, OP_ADD, kernel_extent(w), one) : kernel_extent(w);
	const expr *missing = expr_make(p, OP_SUB, min_size, padded(w));
	missing = w->part[DILATION] ? expr_make(p, OP_SUB, missing, w->part[DILATION]->e) : missing;
	const expr *down = expr_make(p, OP_SUB, one, steps(w, missing));
	return expr_ite(p, expr_make(p, OP_GE, padded_extent(w), min_size), floor_expr(w), down);
}

static const expr *ceil_expr(const window *w)
{
	expr_pool *p = w->p->pool;
	const expr *k = w->part[KERNEL]->e, *one = expr_const(p, 1), *y = padded(w);
	if (w->part[DILATION])
		y = expr_make(p, OP_SUB, y, expr_make(p, OP_MUL, expr_make(p, OP_SUB, k, one), w->part[DILATION]->e));
	else
		y = expr_make(p, OP_SUB, y, k);
	y = expr_make(p, OP_SUB, y, expr_const(p, w->part[DILATION] ? 2 : 1));
	return expr_make(p, OP_ADD, steps(w, y), expr_const(p, 2));
}

static const expr *inside_expr(const window *w)
{
	expr_pool *p = w->p->pool;
	const expr *x = w->part[AXIS]->e, *one = expr_const(p, 1);
	x = w->part[LOW] ? expr_make(p, OP_ADD, x, w->part[LOW]->e) : x;
	const expr *inside = expr_make(p, OP_ADD, steps(w, expr_make(p, OP_SUB, x, one)), one);
	return expr_make(p, OP_MIN, inside, ceil_expr(w));
}

static const expr *variant_expr(const window *w, int variant)
{
	static const expr *(*const WRITERS[ROUNDINGS])(const window *) = {floor_expr, trunc_expr, inside_expr, ceil_expr};
	const expr *e = WRITERS[variant % ROUNDINGS](w);
	return variant >= CLAMPED ? expr_make(w->p->pool, OP_MAX, expr_const(w->p->pool, 0), e) : e;
}

/* ---- search */

static void offer_variant(const window *w)
{
	++*w->p->tried;
	unsigned alive = matching_variants(w);
	if (!alive)
		return;
	int variant = __builtin_ctz(alive), cost = COST_WINDOW + COST_TRAIT * (variant % ROUNDINGS + 2 * (variant >= CLAMPED));
	for (int part = 0; part < PARTS; part++)
		cost += w->part[part] && (part != HIGH || w->part[HIGH] != w->part[LOW]) ? w->part[part]->cost : 0;
	if (!w->best->e || cost <= w->best->cost)
		answer_offer(w->best, variant_expr(w, variant), cost);
}

static bool is_used(const window *w, int parts, const leaf *x)
{
	for (int part = 0; part < parts; part++)
		if (w->part[part] == x)
			return true;
	return false;
}

/* Whether x can be the part. */
static bool is_candidate(const window *w, int part, const leaf *x)
{
	bool is_axis = x->is_dim && (x->aligned || x->covers);
	return x->e->op == OP_SYM && !is_used(w, part, x) && (part == AXIS ? is_axis : part == KERNEL || !x->is_dim);
}

/* Tries all choices of this part and the following ones. */
static void choose_parts(const window *w, int part)
{
	problem *p = w->p;
	int missing = __builtin_popcount(p->relevant & ~w->covered);
	if (missing > PARTS - part || *p->work >= p->budget)
		return;
	if (part == PARTS) {
		offer_variant(w);
		return;
	}
	window next = *w;
	next.part[part] = part == HIGH ? w->part[LOW] : NULL;
	if (part > KERNEL)
		choose_parts(&next, part + 1);
	for (int i = 0; i < p->nleaves && (part != HIGH || w->part[LOW]); i++) {
		const leaf *x = &p->leaves[i];
		if (!is_candidate(w, part, x))
			continue;
		next.part[part] = x;
		next.covered = w->covered | x->covers;
		next.unseen = w->unseen + !x->covers;
		if (next.unseen <= MAX_UNSEEN)
			choose_parts(&next, part + 1);
	}
}

answer window_search(problem *p)
{
	answer best = {0};
	window w = {.p = p, .best = &best};
	if (p->rows >= MIN_ROWS && p->relevant)
		choose_parts(&w, AXIS);
	return best;
}

/* A kernel of k elements that stand `dilation` apart slides over an axis of x elements, `stride` at a step. With low and high
 * elements added before and behind,
 *
 *   y = x + low + high - dilation*(k - 1) - 1
 *
 * is how far it can go, and the positions are, for what the operator does with a rest,
 *
 *   y//stride + 1                                           it is left (frameworks)
 *   y/stride + 1, the quotient of C                         likewise, but a kernel that is too long by less than a stride fits
 *   min((y - 1)//stride + 2, (x + low - 1)//stride + 1)     one more position, if it begins before the end (ceil_mode)
 *   (y - 1)//stride + 2                                     one more position
 *
 * each brought to 0 or not. Which symbols are the axis, the kernel and the rest is asked of the records, all ways at once as
 * bits of a mask: every symbol that matters must be one of them, and two at most may be there that were not seen to matter.
 *
 * Example: x = 7, k = 3, stride = 2, no padding: y = 4, 4//2 + 1 = 3.
 */
#include "window.h"

#include "costs.h"

enum { AXIS, KERNEL, STRIDE, DILATION, LOW, HIGH, PARTS };
enum { FLOOR, CUT, CEIL_INSIDE, CEIL, RESTS }; /* what is done with a rest, by how common it is */
enum { BROUGHT_TO_0 = RESTS, WAYS = 2 * RESTS };
enum { MOST_UNSEEN = 2, LEAST_ROWS = 16 };

typedef struct pool {
	problem *p;
	const leaf *part[PARTS]; /* NULL: not there; HIGH is LOW where one number is added on both sides */
	int unseen;		 /* how many of them were not seen to matter */
	uint32_t covered;
	answer *best;
} pool;

/* ---- by numbers */

static int64_t value(const pool *w, int part, int r, int64_t otherwise)
{
	return w->part[part] ? w->part[part]->col[r] : otherwise;
}

static bool is_moderate(int64_t v)
{
	return v > -((int64_t)1 << 30) && v < (int64_t)1 << 30;
}

/* The positions for each rest, in count; false where a number is beyond what is looked at. */
static bool positions(const pool *w, int r, int64_t count[RESTS])
{
	int64_t x = value(w, AXIS, r, 0), k = value(w, KERNEL, r, 1), stride = value(w, STRIDE, r, 1);
	int64_t dilation = value(w, DILATION, r, 1), low = value(w, LOW, r, 0), high = value(w, HIGH, r, 0);
	if (!is_moderate(x) || !is_moderate(k) || !is_moderate(stride) || !is_moderate(dilation) || !is_moderate(low)
	    || !is_moderate(high) || stride <= 0)
		return false;
	int64_t y = x + low + high - dilation * (k - 1) - 1;
	count[FLOOR] = (int64_t)floordiv(y, stride) + 1;
	count[CUT] = y / stride + 1;
	count[CEIL] = (int64_t)floordiv(y - 1, stride) + 2;
	int64_t inside = (int64_t)floordiv(x + low - 1, stride) + 1;
	count[CEIL_INSIDE] = inside < count[CEIL] ? inside : count[CEIL];
	return true;
}

/* The ways that agree with all rows, as bits. */
static unsigned ways(const pool *w)
{
	unsigned alive = (1U << WAYS) - 1;
	int64_t count[RESTS];
	for (int r = 0; alive && r < w->p->rows; r++) {
		++*w->p->work;
		if (!positions(w, r, count))
			return 0;
		for (int rest = 0; rest < RESTS; rest++) {
			if (count[rest] != w->p->target[r])
				alive &= ~(1U << rest);
			if ((count[rest] < 0 ? 0 : count[rest]) != w->p->target[r])
				alive &= ~(1U << (rest + BROUGHT_TO_0));
		}
	}
	return alive;
}

/* ---- texts */

static const expr *padded(const pool *w)
{
	expr_pool *p = w->p->pool;
	const expr *x = w->part[AXIS]->e;
	if (!w->part[LOW])
		return x;
	if (w->part[HIGH] == w->part[LOW])
		return expr_make(p, OP_ADD, x, expr_make(p, OP_MUL, expr_const(p, 2), w->part[LOW]->e));
	return expr_make(p, OP_ADD, expr_make(p, OP_ADD, x, w->part[LOW]->e), w->part[HIGH]->e);
}

/* Texts are those that the other searches come to, so that a shape function is one function wherever it was found. */

static const expr *product(expr_pool *p, const expr *a, const expr *b)
{
	return a->value < b->value ? expr_make(p, OP_MUL, a, b) : expr_make(p, OP_MUL, b, a);
}

/* What is there for a kernel: x + low + high, + dilation where it is dilated. */
static const expr *room(const pool *w)
{
	expr_pool *p = w->p->pool;
	return w->part[DILATION] ? expr_make(p, OP_ADD, padded(w), w->part[DILATION]->e) : padded(w);
}

/* What the kernel takes of it: dilation*k, + 1 where it is dilated. */
static const expr *taken(const pool *w)
{
	return w->part[DILATION] ? product(w->p->pool, w->part[DILATION]->e, w->part[KERNEL]->e) : w->part[KERNEL]->e;
}

static const expr *steps(const pool *w, const expr *far)
{
	return w->part[STRIDE] ? expr_make(w->p->pool, OP_DIV, far, w->part[STRIDE]->e) : far;
}

static const expr *floor_text(const pool *w)
{
	expr_pool *p = w->p->pool;
	const expr *y = expr_make(p, OP_SUB, room(w), taken(w)), *one = expr_const(p, 1);
	return expr_make(p, OP_ADD, steps(w, w->part[DILATION] ? expr_make(p, OP_SUB, y, one) : y), one);
}

static const expr *cut_text(const pool *w)
{
	expr_pool *p = w->p->pool;
	const expr *one = expr_const(p, 1), *least = w->part[DILATION] ? expr_make(p, OP_ADD, taken(w), one) : taken(w);
	const expr *missing = expr_make(p, OP_SUB, least, padded(w));
	missing = w->part[DILATION] ? expr_make(p, OP_SUB, missing, w->part[DILATION]->e) : missing;
	const expr *down = expr_make(p, OP_SUB, one, steps(w, missing));
	return expr_ite(p, expr_make(p, OP_GE, room(w), least), floor_text(w), down);
}

static const expr *ceil_text(const pool *w)
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

static const expr *inside_text(const pool *w)
{
	expr_pool *p = w->p->pool;
	const expr *x = w->part[AXIS]->e, *one = expr_const(p, 1);
	x = w->part[LOW] ? expr_make(p, OP_ADD, x, w->part[LOW]->e) : x;
	const expr *inside = expr_make(p, OP_ADD, steps(w, expr_make(p, OP_SUB, x, one)), one);
	return expr_make(p, OP_MIN, inside, ceil_text(w));
}

static const expr *text(const pool *w, int way)
{
	static const expr *(*const TEXTS[RESTS])(const pool *) = {floor_text, cut_text, inside_text, ceil_text};
	const expr *e = TEXTS[way % RESTS](w);
	return way >= BROUGHT_TO_0 ? expr_make(w->p->pool, OP_MAX, expr_const(w->p->pool, 0), e) : e;
}

/* ---- all pools */

static void judge(const pool *w)
{
	++*w->p->tried;
	unsigned alive = ways(w);
	if (!alive)
		return;
	int way = __builtin_ctz(alive), cost = PRICE_WINDOW + PRICE_TRAIT * (way % RESTS + 2 * (way >= BROUGHT_TO_0));
	for (int part = 0; part < PARTS; part++)
		cost += w->part[part] && (part != HIGH || w->part[HIGH] != w->part[LOW]) ? w->part[part]->cost : 0;
	if (!w->best->e || cost <= w->best->cost)
		answer_offer(w->best, text(w, way), cost);
}

static bool is_taken(const pool *w, int parts, const leaf *x)
{
	for (int part = 0; part < parts; part++)
		if (w->part[part] == x)
			return true;
	return false;
}

/* A symbol that could be the part. */
static bool suits(const pool *w, int part, const leaf *x)
{
	bool is_axis = x->is_dim && (x->aligned || x->covers);
	return x->e->op == OP_SYM && !is_taken(w, part, x) && (part == AXIS ? is_axis : part == KERNEL || !x->is_dim);
}

/* Every choice of this part and those behind it. */
static void choose(const pool *w, int part)
{
	problem *p = w->p;
	int missing = __builtin_popcount(p->relevant & ~w->covered);
	if (missing > PARTS - part || *p->work >= p->budget)
		return;
	if (part == PARTS) {
		judge(w);
		return;
	}
	pool next = *w;
	next.part[part] = part == HIGH ? w->part[LOW] : NULL;
	if (part > KERNEL)
		choose(&next, part + 1);
	for (int i = 0; i < p->nleaves && (part != HIGH || w->part[LOW]); i++) {
		const leaf *x = &p->leaves[i];
		if (!suits(w, part, x))
			continue;
		next.part[part] = x;
		next.covered = w->covered | x->covers;
		next.unseen = w->unseen + !x->covers;
		if (next.unseen <= MOST_UNSEEN)
			choose(&next, part + 1);
	}
}

answer pool_search(problem *p)
{
	answer best = {0};
	pool w = {.p = p, .best = &best};
	if (p->rows >= LEAST_ROWS && p->relevant)
		choose(&w, AXIS);
	return best;
}

/* Slices: how many positions start, start + step, … lie before `end` on an axis of length d.
 *
 *   max((hi(end) - lo(start) - 1)//step + 1, 0)      lo(x) = max(index(x), 0)
 *                                                    hi(x) = min(index(x), d)
 *                                                    index(x) = x + d if x < 0 else x
 *
 * For a negative step, which walks down from start to end:
 *
 *   max((hi(end) - lo(start) + 1)//step + 1, 0)      lo(x) = min(index(x), d - 1)
 *                                                    hi(x) = max(index(x), -1)
 *
 * d is a dimension or the rank. start, end and step are integers of the call. Each may be missing; the defaults are
 * 0, d and 1, or d - 1 and -1 for a negative step. Operators differ in what wraps, what is clamped and whether an
 * empty slice is allowed. Each such property is a trait that is present or not. All combinations of traits are tested
 * together, record by record, as bits of a mask.
 *
 * Of the combinations that agree with all records, the one closest to the usual traits wins. The end is usually
 * clamped. The start is clamped if records have negative bounds or steps. Other traits are used only if a record
 * needs them, so that untested calls are rejected. If the target is a symbol, all ORDINARY traits are usual: only
 * calls that obey the equation are among the records, and nothing else is known of the operator. The branch for
 * negative steps is written only if a record has one.
 *
 * A walk down two axes at once, one of which starts later, is a diagonal:
 *
 *   max(min(d + min(x, 0), e - max(x, 0)), 0)
 *
 * Example: d = 20, start = -3, end = 100, step = 2: positions 17 and 19, and (20 - 17 - 1)//2 + 1 = 2.
 */
#include "slice.h"

#include "costs.h"

enum {
	WRAPS = 1,  /* negative bounds count from the end */
	LOW = 2,    /* start is clamped to 0, or to d - 1 for a negative step */
	HIGH = 4,   /* end is clamped to d, or to -1 for a negative step */
	EMPTY = 8,  /* a slice that ends before its start is empty instead of negative */
	INSIDE = 16, /* with a negative step, start is also clamped to 0, as in ONNX but not in Python */
	TRAITS = 5, CHOICES = 1 << TRAITS,
	ORDINARY = WRAPS | LOW | HIGH | EMPTY
};

enum { MIN_ROWS = 8, MIN_ROWS_NO_EVIDENCE = 24, MAX_AXES = 8 };

typedef struct slice {
	const leaf *axis, *start, *end, *step; /* start, end, step: NULL if missing */
} slice;

/* ---- values */

static int64_t index_of(int64_t x, int64_t d, unsigned traits)
{
	return (traits & WRAPS) && x < 0 ? x + d : x;
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The number of positions; step is not 0. Columns hold values below 2^61, so nothing overflows. */
static int64_t count(const slice *w, int r, unsigned traits)
{
	int64_t d = w->axis->col[r], step = w->step ? w->step->col[r] : 1;
	int64_t lo = step < 0 ? d - 1 : 0, hi = step < 0 ? -1 : d;
	if (w->start) {
		lo = index_of(w->start->col[r], d, traits);
		if ((traits & INSIDE) && step < 0)
			lo = larger(lo, 0);
		if (traits & LOW)
			lo = step < 0 ? smaller(lo, d - 1) : larger(lo, 0);
	}
	if (w->end) {
		hi = index_of(w->end->col[r], d, traits);
		if (traits & HIGH)
			hi = step < 0 ? larger(hi, -1) : smaller(hi, d);
	}
	int64_t n = (int64_t)floordiv((wide)hi - lo - (step < 0 ? -1 : 1), step) + 1;
	return (traits & EMPTY) ? larger(n, 0) : n;
}

/* ---- expressions */

static const expr *index_expr(expr_pool *p, const expr *x, const expr *d, unsigned traits)
{
	if (!(traits & WRAPS))
		return x;
	return expr_ite(p, expr_make(p, OP_LT, x, expr_const(p, 0)), expr_make(p, OP_ADD, x, d), x);
}

static const expr *start_expr(expr_pool *p, const slice *w, unsigned traits, bool down)
{
	const expr *d = w->axis->e, *zero = expr_const(p, 0);
	if (!w->start)
		return down ? expr_make(p, OP_SUB, d, expr_const(p, 1)) : zero;
	const expr *x = index_expr(p, w->start->e, d, traits);
	if (traits & (down ? INSIDE : LOW))
		x = expr_make(p, OP_MAX, x, zero);
	if ((traits & LOW) && down)
		x = expr_make(p, OP_MIN, x, expr_make(p, OP_SUB, d, expr_const(p, 1)));
	return x;
}

static const expr *end_expr(expr_pool *p, const slice *w, unsigned traits, bool down)
{
	const expr *d = w->axis->e;
	if (!w->end)
		return down ? expr_const(p, -1) : d;
	const expr *x = index_expr(p, w->end->e, d, traits);
	if (traits & HIGH)
		x = expr_make(p, down ? OP_MAX : OP_MIN, x, down ? expr_const(p, -1) : d);
	return x;
}

/* (end - start ∓ 1)//step, or end - start without a step. */
static const expr *length_expr(expr_pool *p, const slice *w, unsigned traits, bool down)
{
	const expr *one = expr_const(p, 1), *end = end_expr(p, w, traits, down), *start = start_expr(p, w, traits, down);
	if (down && !w->end) /* -1 - start + 1 */
		return expr_make(p, OP_DIV,
		    w->start ? expr_make(p, OP_SUB, expr_const(p, 0), start) : expr_make(p, OP_SUB, one, w->axis->e), w->step->e);
	const expr *x = start->op == OP_CONST && start->value == 0 ? end : expr_make(p, OP_SUB, end, start);
	if (!w->step)
		return x;
	return expr_make(p, OP_DIV, expr_make(p, down ? OP_ADD : OP_SUB, x, one), w->step->e);
}

static const expr *slice_expr(const problem *q, const slice *w, unsigned traits)
{
	expr_pool *p = q->pool;
	bool up = !w->step, down = false;
	for (int r = 0; w->step && r < q->rows; r++) {
		up |= w->step->col[r] > 0;
		down |= w->step->col[r] < 0;
	}
	const expr *e = length_expr(p, w, traits, !up);
	if (up && down)
		e = expr_ite(p, expr_make(p, OP_LT, w->step->e, expr_const(p, 0)), length_expr(p, w, traits, true), e);
	if (w->step)
		e = expr_make(p, OP_ADD, e, expr_const(p, 1));
	return traits & EMPTY ? expr_make(p, OP_MAX, e, expr_const(p, 0)) : e;
}

/* ---- the search */

static bool is_negative_in_a_row(const problem *p, const leaf *x)
{
	for (int r = 0; x && r < p->rows; r++)
		if (x->col[r] < 0)
			return true;
	return false;
}

/* The traits that can make a difference with the bounds that are present. */
static unsigned traits_of(const problem *p, const slice *w)
{
	unsigned t = WRAPS | (w->start || w->end ? EMPTY : 0) | (w->end ? HIGH : 0);
	if (!w->start)
		return t;
	return t | LOW | (is_negative_in_a_row(p, w->step) ? INSIDE : 0);
}

/* All combinations of the traits, as a mask. */
static uint32_t choices(unsigned traits)
{
	uint32_t mask = 0;
	for (unsigned t = 0; t < CHOICES; t++)
		if (!(t & ~traits))
			mask |= (uint32_t)1 << t;
	return mask;
}

static unsigned usual_traits(const problem *p, const slice *w)
{
	unsigned t = HIGH;
	if (p->selected)
		return ORDINARY;
	if (is_negative_in_a_row(p, w->start) || is_negative_in_a_row(p, w->end))
		t |= WRAPS | LOW;
	return is_negative_in_a_row(p, w->step) ? t | LOW : t;
}

static void try_slice(problem *p, const slice *w, answer *best)
{
	unsigned possible = traits_of(p, w);
	uint32_t alive = choices(possible);
	++*p->work;
	++*p->tried;
	for (int r = 0; alive && r < p->rows; r++)
		for (uint32_t left = alive; left; left &= left - 1) {
			unsigned t = (unsigned)__builtin_ctz(left);
			if (count(w, r, t) != p->target[r])
				alive &= ~((uint32_t)1 << t);
			*p->work += r % 4 == 0;
		}
	unsigned usual = alive ? possible & usual_traits(p, w) : 0;
	for (; alive; alive &= alive - 1) {
		unsigned t = (unsigned)__builtin_ctz(alive);
		int cost = COST_WINDOW + w->axis->cost + COST_TRAIT * __builtin_popcount(t ^ usual);
		cost += w->start ? w->start->cost : 0;
		cost += w->end ? w->end->cost : 0;
		cost += w->step ? w->step->cost : 0;
		if (!best->e || cost <= best->cost)
			answer_offer(best, slice_expr(p, w, t), cost);
	}
}

static bool is_whole(const problem *p, const int64_t *col, bool zero)
{
	for (int r = 0; r < p->rows; r++)
		if (col[r] == NOVAL || (!zero && col[r] == 0))
			return false;
	return true;
}

/* Whether x is an integer of the call or NULL (missing). */
static bool is_bound(const leaf *x)
{
	return !x || (x->e->op == OP_SYM && !x->is_dim);
}

static uint32_t covers(const leaf *x)
{
	return x ? x->covers : 0;
}

/* Tries every start, end and step for one axis. */
static void try_axis(problem *p, const leaf *axis, answer *best)
{
	for (int s = -1; s < p->nleaves; s++)
		for (int e = -1; e < p->nleaves; e++)
			for (int t = -1; t < p->nleaves && *p->work < p->budget; t++) {
				slice w = {axis, s < 0 ? NULL : &p->leaves[s], e < 0 ? NULL : &p->leaves[e],
				    t < 0 ? NULL : &p->leaves[t]};
				bool twice = (s >= 0 && (s == e || s == t)) || (e >= 0 && e == t);
				uint32_t covered = covers(axis) | covers(w.start) | covers(w.end) | covers(w.step);
				if (twice || (s < 0 && e < 0 && t < 0) || !is_bound(w.start) || !is_bound(w.end) || !is_bound(w.step))
					continue;
				if ((covered & p->relevant) == p->relevant && (!w.step || is_whole(p, w.step->col, false)))
					try_slice(p, &w, best);
			}
}

/* ---- diagonals */

/* Whether the target is the length of a diagonal with offset x; `empty`: clamped at 0. */
static bool walks_both(const problem *p, const leaf *d, const leaf *e, const leaf *x, bool empty)
{
	++*p->work;
	++*p->tried;
	for (int r = 0; r < p->rows; r++) {
		int64_t n = smaller(d->col[r] + smaller(x->col[r], 0), e->col[r] - larger(x->col[r], 0));
		if ((empty ? larger(n, 0) : n) != p->target[r])
			return false;
		*p->work += r % 4 == 0;
	}
	return true;
}

static const expr *diagonal_expr(expr_pool *p, const leaf *d, const leaf *e, const leaf *x, bool empty)
{
	const expr *zero = expr_const(p, 0);
	const expr *down = expr_make(p, OP_ADD, d->e, expr_make(p, OP_MIN, x->e, zero));
	const expr *right = expr_make(p, OP_SUB, e->e, expr_make(p, OP_MAX, x->e, zero));
	const expr *n = expr_make(p, OP_MIN, down, right);
	return empty ? expr_make(p, OP_MAX, n, zero) : n;
}

static bool is_axis(const problem *p, const leaf *x)
{
	return x->e->op == OP_SYM && (x->is_dim || p->selected) && (x->aligned || x->covers) && is_whole(p, x->col, true);
}

static void try_diagonals(problem *p, answer *best)
{
	for (int i = 0; i < p->nleaves; i++)
		for (int j = 0; is_axis(p, &p->leaves[i]) && j < p->nleaves; j++)
			for (int k = 0; j != i && is_axis(p, &p->leaves[j]) && k < p->nleaves && *p->work < p->budget; k++) {
				const leaf *d = &p->leaves[i], *e = &p->leaves[j], *x = &p->leaves[k];
				if (!is_bound(x) || ((d->covers | e->covers | x->covers) & p->relevant) != p->relevant)
					continue;
				bool plain = !p->selected && walks_both(p, d, e, x, false);
				if (plain || walks_both(p, d, e, x, true))
					answer_offer(best, diagonal_expr(p->pool, d, e, x, !plain),
					    COST_WINDOW + d->cost + e->cost + x->cost + (plain ? 0 : COST_TRAIT));
			}
}

answer slice_search(problem *p)
{
	answer best = {0};
	if (p->rows < (p->relevant ? MIN_ROWS : MIN_ROWS_NO_EVIDENCE))
		return best;
	for (int i = 0, axes = 0; i < p->nleaves && axes < MAX_AXES; i++) {
		const leaf *x = &p->leaves[i];
		if (!is_axis(p, x))
			continue;
		try_axis(p, x, &best);
		axes++;
	}
	if (!best.e)
		try_diagonals(p, &best);
	if (!best.e && p->length.e)
		try_axis(p, &p->length, &best);
	return best;
}

#include "fallback_stage.h"

#include "costs.h"
#include "rows.h"
#include "size_factor.h"

/* ---- truncation: at 0, or quotients rounded towards 0 as in C */

enum { MAX_TERMS = 16, MIN_ABOVE = 8, MIN_TRUNCATED = 2 };

/* A sum as lists of its added and subtracted terms. */
typedef struct sides {
	const expr *e[2][MAX_TERMS];
	int n[2];
} sides;

static bool add_terms(sides *x, expr_pool *p, const expr *e, bool minus)
{
	if (e->op == OP_ADD || e->op == OP_SUB)
		return add_terms(x, p, e->a, minus) && add_terms(x, p, e->b, minus != (e->op == OP_SUB));
	if (e->op == OP_CONST && e->value == 0)
		return true;
	if (e->op == OP_CONST && e->value < 0) {
		e = expr_const(p, -e->value);
		minus = !minus;
	}
	if (x->n[minus] == MAX_TERMS)
		return false;
	x->e[minus][x->n[minus]++] = e;
	return true;
}

static const expr *sum(const sides *x, expr_pool *p, bool minus)
{
	const expr *e = x->n[minus] ? x->e[minus][0] : expr_const(p, 0);
	for (int k = 1; k < x->n[minus]; k++)
		e = expr_make(p, OP_ADD, e, x->e[minus][k]);
	return e;
}

/* Added minus subtracted terms, or the negation if `minus`. */
static const expr *difference(const sides *x, expr_pool *p, bool minus)
{
	const expr *e = sum(x, p, minus);
	for (int k = 0; k < x->n[!minus]; k++)
		e = expr_make(p, OP_SUB, e, x->e[!minus][k]);
	return e;
}

/* Rewrites num//q + k as the truncated quotient y/q + 1 with y = num + (k - 1)·q. NULL if e is not a quotient. */
static const expr *truncated_quotient(expr_pool *p, const expr *e)
{
	int64_t k = 0;
	if ((e->op == OP_ADD || e->op == OP_SUB) && e->b->op == OP_CONST) {
		k = e->op == OP_ADD ? e->b->value : -e->b->value;
		e = e->a;
	}
	sides y = {.n = {0}};
	if (e->op != OP_DIV || k < -2 || k > 3 || !add_terms(&y, p, e->a, false))
		return NULL;
	for (int64_t j = k; j != 1; j += j < 1 ? 1 : -1)
		if (!add_terms(&y, p, e->b, j < 1))
			return NULL;
	const expr *one = expr_const(p, 1);
	const expr *up = expr_make(p, OP_ADD, expr_make(p, OP_DIV, difference(&y, p, false), e->b), one);
	const expr *down = expr_make(p, OP_SUB, one, expr_make(p, OP_DIV, difference(&y, p, true), e->b));
	return expr_ite(p, expr_make(p, OP_GE, sum(&y, p, false), sum(&y, p, true)), up, down);
}

/* Searches the rows whose output is above `min`; *n is their number. Finds nothing if there are too few, or if all
 * other rows have empty tensors (these are special cases, not truncation). */
static answer search_above(solver *s, int d, const int *rows, int nrows, int64_t min, int stages, int *n)
{
	const int64_t *out = s->cols[s->op->nsym + d];
	int *above = ARENA_ARRAY(s->scratch, int, nrows + 1);
	bool cut = false;
	*n = 0;
	for (int k = 0; k < nrows; k++)
		if (out[rows[k]] > min)
			above[(*n)++] = rows[k];
		else
			cut |= !record_is_of_empty(s->op, passing_record(s->op, rows[k]));
	if (*n < MIN_ABOVE || !cut)
		return (answer){0};
	answer a = rows_search(s, d, above, *n, 0, stages, LEAVES_PLAIN);
	return a.e || min ? a : rows_search(s, d, above, *n, 0, QUICK_STAGES, LEAVES_DERIVED);
}

static answer checked_answer(solver *s, int d, const int *rows, int nrows, const expr *e, int cost, const char *description)
{
	if (!e || solver_output_refuted(s->op, d, e, rows, nrows) >= 0)
		return (answer){0};
	solver_log(s, "  found: ", e, "  (%s, %d records)", description, nrows);
	return (answer){e, cost};
}

/* Tries max(F, 0), with F fitted on the rows whose output is above 0. Then y/q + 1 with C's quotient, written as
 * `y//q + 1 if y >= 0 else 1 - (0 - y)//q`: where the result exceeds 1 this is a floor template, which is fitted
 * there. Both are checked on all rows. */
static answer truncated_search(solver *s, int d, const int *rows, int nrows, int stages)
{
	int n;
	answer a = search_above(s, d, rows, nrows, 0, stages, &n);
	const expr *e = a.e ? expr_make(s->pool, OP_MAX, a.e, expr_const(s->pool, 0)) : NULL;
	answer cut = checked_answer(s, d, rows, nrows, e, a.cost + COST_CLAMP, "0 where that is below 0");
	if (cut.e)
		return cut;
	a = search_above(s, d, rows, nrows, 1, stages, &n);
	if (!a.e || nrows - n < MIN_TRUNCATED)
		return (answer){0};
	if (solver_output_refuted(s->op, d, a.e, rows, nrows) < 0) /* no row is truncated */
		return a;
	return checked_answer(s, d, rows, nrows, truncated_quotient(s->pool, a.e), a.cost + COST_GUARD, "a truncated quotient");
}

/* ---- truncation at a constant */

enum { MIN_CAPPED = 3 };

/* Tries min(F, M), where M is the maximum output. F is fitted on the rows whose output is below M, and must exceed M
 * on at least MIN_CAPPED others. */
static answer capped_search(solver *s, int d, const int *rows, int nrows)
{
	const int64_t *out = s->cols[s->op->nsym + d];
	int *below = ARENA_ARRAY(s->scratch, int, nrows + 1), n = 0, cut = 0;
	int64_t max = 0;
	for (int k = 0; k < nrows; k++)
		max = out[rows[k]] > max ? out[rows[k]] : max;
	for (int k = 0; k < nrows; k++)
		if (out[rows[k]] < max)
			below[n++] = rows[k];
	answer a = n < MIN_ABOVE ? (answer){0} : rows_search(s, d, below, n, 0, QUICK_STAGES, LEAVES_PLAIN);
	for (int k = 0; a.e && k < nrows; k++) {
		wide value;
		cut += out[rows[k]] == max && expr_eval(a.e, passing_record(s->op, rows[k]), &value) && value > max;
	}
	const expr *e = cut < MIN_CAPPED ? NULL : expr_make(s->pool, OP_MIN, a.e, expr_const(s->pool, max));
	return checked_answer(s, d, rows, nrows, e, a.cost + COST_CLAMP + COST_SHIFT_LARGE, "at most the maximum");
}

/* ---- guards */

enum { MIN_ROWS = 3 };

static void offer_answer(answer *best, answer a)
{
	if (a.e)
		answer_offer(best, a.e, a.cost);
}

/* Searches one part of a guard. */
static answer search_side(solver *s, int d, const int *rows, int nrows)
{
	answer a = rows_search(s, d, rows, nrows, 0, 3, LEAVES_PLAIN);
	offer_answer(&a, rows_search(s, d, rows, nrows, 0, 1, LEAVES_FALLBACK));
	return a.e ? a : rows_search(s, d, rows, nrows, 0, QUICK_STAGES, LEAVES_DERIVED);
}

/* Splits rows by a condition. False if a part has fewer than MIN_ROWS rows. */
static bool split(const solver *s, const int *rows, int nrows, const expr *condition, int *side[2], int n[2])
{
	n[0] = n[1] = 0;
	for (int k = 0; k < nrows; k++) {
		bool yes = expr_holds(condition, passing_record(s->op, rows[k]));
		side[yes][n[yes]++] = rows[k];
	}
	return n[0] >= MIN_ROWS && n[1] >= MIN_ROWS;
}

static answer search_cases(solver *s, int d, const int *rows, int nrows, int cases);

/* Searches both parts of a condition. With cases > 1, one of them may be split again. */
static answer search_case(solver *s, int d, const int *rows, int nrows, const expr *condition, int cases)
{
	arena_mark mark = arena_save(s->scratch);
	int *side[2] = {ARENA_ARRAY(s->scratch, int, nrows + 1), ARENA_ARRAY(s->scratch, int, nrows + 1)}, n[2];
	answer a[2] = {{0}};
	if (split(s, rows, nrows, condition, side, n)) {
		a[1] = search_side(s, d, side[1], n[1]);
		if (a[1].e || cases > 1)
			a[0] = search_side(s, d, side[0], n[0]);
		for (int k = 0; k < 2; k++)
			if (!a[k].e && a[!k].e && cases > 1)
				a[k] = search_cases(s, d, side[k], n[k], cases - 1);
	}
	arena_release(s->scratch, mark);
	if (!a[0].e || !a[1].e)
		return (answer){0};
	return (answer){expr_ite(s->pool, condition, a[1].e, a[0].e), a[0].cost + a[1].cost + COST_GUARD};
}

/* Guards on empty tensors and zero-size dimensions, which often have special outputs. */
static void search_empty(solver *s, int d, const int *rows, int nrows, answer *best)
{
	const operator *op = s->op;
	const expr *zero = expr_const(s->pool, 0), *numel = NULL;
	for (int i = 0; i < op->nsym && s->work < s->limit; i++) {
		const role *r = &op->roles[i];
		if (r->kind != ROLE_DIM)
			continue;
		numel = r->pos ? expr_make(s->pool, OP_MUL, numel, expr_sym(s->pool, i)) : expr_sym(s->pool, i);
		if (r->len > 1)
			offer_answer(best, search_case(s, d, rows, nrows, expr_make(s->pool, OP_EQ, expr_sym(s->pool, i), zero), 1));
		if (r->pos + 1 == r->len)
			offer_answer(best, search_case(s, d, rows, nrows, expr_make(s->pool, OP_EQ, numel, zero), 1));
	}
}

/* ---- several cases */

enum { MAX_CASES = 3 }; /* maximum number of nested conditions */

/* Guards on integers that may be -1 (inferred from the rest) or behave differently below 0. */
static answer search_cases(solver *s, int d, const int *rows, int nrows, int cases)
{
	answer best = {0};
	for (int i = 0; i < s->op->nsym && s->work < s->limit; i++) {
		const expr *x = expr_sym(s->pool, i);
		const expr *conditions[] = {expr_make(s->pool, OP_EQ, x, expr_const(s->pool, -1)), expr_make(s->pool, OP_GE, x, expr_const(s->pool, 0))};
		for (int c = 0; c < 2 && s->op->roles[i].kind != ROLE_DIM; c++)
			offer_answer(&best, search_case(s, d, rows, nrows, conditions[c], cases));
	}
	return best;
}

/* ---- triangles */

/* 2·(1 + 2 + … + n), or 0 for negative n: max(n, 0)*(n + 1). */
static const expr *double_triangle(expr_pool *p, const expr *n)
{
	return expr_make(p, OP_MUL, expr_make(p, OP_MAX, n, expr_const(p, 0)), expr_make(p, OP_ADD, n, expr_const(p, 1)));
}

/* The offset of a diagonal: plus or minus a symbol (symbol -1: none), plus a constant. */
typedef struct diagonal {
	int symbol;
	bool minus;
	int64_t constant;
} diagonal;

/* from + by; NULL stands for 0. */
static const expr *shifted(expr_pool *p, const expr *from, diagonal by)
{
	if (by.constant)
		from = expr_join(p, OP_ADD, from, expr_const(p, by.constant));
	if (by.symbol < 0)
		return from;
	const expr *symbol = expr_sym(p, by.symbol);
	return by.minus ? expr_make(p, OP_SUB, from ? from : expr_const(p, 0), symbol) : expr_join(p, OP_ADD, from, symbol);
}

/* Counts the positions (i, j) of a rectangle with j - i <= by. Each row has one position more than the row above,
 * within the columns. Computed by inclusion and exclusion of triangles. */
static const expr *count_below(expr_pool *p, const expr *rows, const expr *cols, diagonal by)
{
	const expr *end = shifted(p, rows, by), *start = shifted(p, NULL, by);
	const expr *more = double_triangle(p, end), *less = double_triangle(p, expr_make(p, OP_SUB, end, cols));
	if (start) {
		more = expr_make(p, OP_ADD, more, double_triangle(p, expr_make(p, OP_SUB, start, cols)));
		less = expr_make(p, OP_ADD, less, double_triangle(p, start));
	}
	return expr_make(p, OP_DIV, expr_make(p, OP_SUB, more, less), expr_const(p, 2));
}

/* Tries the triangle below the diagonal of an of[0] × of[1] rectangle, with offset of[2] (-1: none) and an offset of
 * -1, 0 or 1. */
static void try_triangle(solver *s, int d, const int *rows, int nrows, const int *of, answer *best)
{
	static const int64_t CONSTANTS[] = {0, -1, 1};
	for (int k = 0; k < (of[2] < 0 ? 3 : 6); k++) {
		diagonal by = {of[2], k >= 3, CONSTANTS[k % 3]};
		const expr *e = count_below(s->pool, expr_sym(s->pool, of[0]), expr_sym(s->pool, of[1]), by);
		int cost = COST_TRIANGLE + (of[2] < 0 ? 2 : 3) * COST_SYMBOL + (by.constant ? COST_SHIFT_SMALL : 0);
		offer_answer(best, checked_answer(s, d, rows, nrows, e, cost, "a triangle of a rectangle"));
	}
}

/* Tries triangles if two or three symbols move the output: the sides of a rectangle and the offset of its diagonal. */
static void search_triangle(solver *s, int d, const int *rows, int nrows, answer *best)
{
	int moving[3] = {-1, -1, -1}, n = 0;
	for (int i = 0; i < s->op->nsym; i++)
		if (solver_moves(s, i, d)) {
			if (n == 3)
				return;
			moving[n++] = i;
		}
	for (int i = 0; n > 1 && i < n; i++)
		for (int j = 0; j < n; j++)
			if (i != j)
				try_triangle(s, d, rows, nrows, (const int[]){moving[i], moving[j], n == 3 ? moving[3 - i - j] : -1}, best);
}

/* ---- counts */

/* Tries the number of nonzero and of distinct items in a (nested) list, if one of the items moves the output. */
static void search_counts(solver *s, int d, const int *rows, int nrows, answer *best)
{
	const operator *op = s->op;
	const expr **items = ARENA_ARRAY(s->scratch, const expr *, op->nsym + 1);
	for (int k = 0; k < op->nargs; k++) {
		const argument *a = &op->arguments[k];
		bool moves = false;
		int n = 0;
		for (int i = a->first; i < a->first + a->count; i++)
			if (op->roles[i].kind == ROLE_ITEM) {
				items[n++] = expr_sym(s->pool, i);
				moves |= solver_moves(s, i, d);
			}
		for (enum each each = NONZERO; moves && n > 1 && each <= DISTINCT; each++) {
			const expr *e = size_factor_count(s->pool, each, items, n);
			offer_answer(best, checked_answer(s, d, rows, nrows, e, COST_COUNT, each == NONZERO ? "numbers that are not 0" : "distinct numbers"));
		}
	}
}

void fallback_stage_search(solver *s, int d, const int *rows, int nrows, answer *best)
{
	bool none = !best->e;
	if (!none && best->cost <= MAX_TRUSTED_COST)
		return;
	offer_answer(best, rows_search(s, d, rows, nrows, 0, 1, LEAVES_FALLBACK));
	offer_answer(best, rows_search(s, d, rows, nrows, WINDOW_STAGE, WINDOW_STAGE + 1, LEAVES_WINDOW));
	offer_answer(best, truncated_search(s, d, rows, nrows, QUICK_STAGES));
	if (!best->e || best->cost > MAX_TRUSTED_COST)
		search_empty(s, d, rows, nrows, best);
	if (best->e || !none)
		return;
	offer_answer(best, rows_search(s, d, rows, nrows, 0, QUICK_STAGES, LEAVES_ALL));
	if (!best->e)
		offer_answer(best, rows_search(s, d, rows, nrows, CLAMP_STAGE, CLAMP_STAGE + 1, LEAVES_REACH));
	if (!best->e)
		search_triangle(s, d, rows, nrows, best);
	if (!best->e)
		search_counts(s, d, rows, nrows, best);
	if (!best->e)
		offer_answer(best, capped_search(s, d, rows, nrows));
	if (!best->e)
		offer_answer(best, truncated_search(s, d, rows, nrows, STAGES));
	if (!best->e)
		offer_answer(best, search_cases(s, d, rows, nrows, MAX_CASES));
}

#include "fallback_stage.h"

#include "costs.h"
#include "rows.h"
#include "size_factor.h"

/* ---- cut off: at 0, or quotients towards 0, as C has them */

enum { MOST_TERMS = 16, LEAST_ABOVE = 8, LEAST_BELOW = 2 };

/* A sum as its added and its subtracted terms. */
typedef struct sides {
	const expr *e[2][MOST_TERMS];
	int n[2];
} sides;

static bool add(sides *x, expr_pool *p, const expr *e, bool minus)
{
	if (e->op == OP_ADD || e->op == OP_SUB)
		return add(x, p, e->a, minus) && add(x, p, e->b, minus != (e->op == OP_SUB));
	if (e->op == OP_CONST && e->value == 0)
		return true;
	if (e->op == OP_CONST && e->value < 0) {
		e = expr_const(p, -e->value);
		minus = !minus;
	}
	if (x->n[minus] == MOST_TERMS)
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

/* The added terms less the subtracted ones; the other way round with `minus`. */
static const expr *difference(const sides *x, expr_pool *p, bool minus)
{
	const expr *e = sum(x, p, minus);
	for (int k = 0; k < x->n[!minus]; k++)
		e = expr_make(p, OP_SUB, e, x->e[!minus][k]);
	return e;
}

/* num//q + k as the truncated y/q + 1, y = num + (k - 1)·q. NULL when e is no quotient. */
static const expr *truncate(expr_pool *p, const expr *e)
{
	int64_t k = 0;
	if ((e->op == OP_ADD || e->op == OP_SUB) && e->b->op == OP_CONST) {
		k = e->op == OP_ADD ? e->b->value : -e->b->value;
		e = e->a;
	}
	sides y = {.n = {0}};
	if (e->op != OP_DIV || k < -2 || k > 3 || !add(&y, p, e->a, false))
		return NULL;
	for (int64_t j = k; j != 1; j += j < 1 ? 1 : -1)
		if (!add(&y, p, e->b, j < 1))
			return NULL;
	const expr *one = expr_const(p, 1);
	const expr *up = expr_make(p, OP_ADD, expr_make(p, OP_DIV, difference(&y, p, false), e->b), one);
	const expr *down = expr_make(p, OP_SUB, one, expr_make(p, OP_DIV, difference(&y, p, true), e->b));
	return expr_ite(p, expr_make(p, OP_GE, sum(&y, p, false), sum(&y, p, true)), up, down);
}

/* What holds on the rows whose output is above least, if it is found at once; and how many rows these are. Where empty
 * tensors alone have others, nothing is cut off. */
static answer search_above(solver *s, int d, const int *rows, int nrows, int64_t least, int stages, int *n)
{
	const int64_t *out = s->cols[s->op->nsym + d];
	int *above = ARENA_ARRAY(s->scratch, int, nrows + 1);
	bool cut = false;
	*n = 0;
	for (int k = 0; k < nrows; k++)
		if (out[rows[k]] > least)
			above[(*n)++] = rows[k];
		else
			cut |= !record_is_of_empty(s->op, passing_record(s->op, rows[k]));
	if (*n < LEAST_ABOVE || !cut)
		return (answer){0};
	answer a = search_rows(s, d, above, *n, 0, stages, PLAIN);
	return a.e || least ? a : search_rows(s, d, above, *n, 0, CHEAP_STAGES, DERIVED);
}

static answer agreeing(solver *s, int d, const int *rows, int nrows, const expr *e, int cost, const char *what)
{
	if (!e || output_refuted(s->op, d, e, rows, nrows) >= 0)
		return (answer){0};
	log_expr(s, "  found: ", e, "  (%s, %d records)", what, nrows);
	return (answer){e, cost};
}

/* max(F, 0), where F is found on the rows whose output is above 0; or y/q + 1 with the quotient of C, written as `y//q + 1 if
 * y >= 0 else 1 - (0 - y)//q`: where the result exceeds 1 it is a floor template, which is sought there. Either is checked on
 * all rows. */
static answer truncated_search(solver *s, int d, const int *rows, int nrows, int stages)
{
	int n;
	answer a = search_above(s, d, rows, nrows, 0, stages, &n);
	const expr *e = a.e ? expr_make(s->pool, OP_MAX, a.e, expr_const(s->pool, 0)) : NULL;
	answer cut = agreeing(s, d, rows, nrows, e, a.cost + PRICE_CLAMP, "0 where that is below 0");
	if (cut.e)
		return cut;
	a = search_above(s, d, rows, nrows, 1, stages, &n);
	if (!a.e || nrows - n < LEAST_BELOW)
		return (answer){0};
	if (output_refuted(s->op, d, a.e, rows, nrows) < 0) /* nothing is cut off */
		return a;
	return agreeing(s, d, rows, nrows, truncate(s->pool, a.e), a.cost + PRICE_GUARD, "a truncated quotient");
}

/* ---- cut off at a number */

enum { LEAST_CUT = 3 };

/* min(F, M). M is the maximum output. F is found on the rows whose output is below M, and exceeds M on three
 * others. */
static answer capped_search(solver *s, int d, const int *rows, int nrows)
{
	const int64_t *out = s->cols[s->op->nsym + d];
	int *below = ARENA_ARRAY(s->scratch, int, nrows + 1), n = 0, cut = 0;
	int64_t most = 0;
	for (int k = 0; k < nrows; k++)
		most = out[rows[k]] > most ? out[rows[k]] : most;
	for (int k = 0; k < nrows; k++)
		if (out[rows[k]] < most)
			below[n++] = rows[k];
	answer a = n < LEAST_ABOVE ? (answer){0} : search_rows(s, d, below, n, 0, CHEAP_STAGES, PLAIN);
	for (int k = 0; a.e && k < nrows; k++) {
		wide value;
		cut += out[rows[k]] == most && expr_eval(a.e, passing_record(s->op, rows[k]), &value) && value > most;
	}
	const expr *e = cut < LEAST_CUT ? NULL : expr_make(s->pool, OP_MIN, a.e, expr_const(s->pool, most));
	return agreeing(s, d, rows, nrows, e, a.cost + PRICE_CLAMP + PRICE_SHIFT_LARGE, "at most the maximum");
}

/* ---- guards */

enum { LEAST_ROWS = 3 };

static void offer(answer *best, answer a)
{
	if (a.e)
		answer_offer(best, a.e, a.cost);
}

/* One side of a guard. */
static answer search_side(solver *s, int d, const int *rows, int nrows)
{
	answer a = search_rows(s, d, rows, nrows, 0, 3, PLAIN);
	offer(&a, search_rows(s, d, rows, nrows, 0, 1, UNCOMMON));
	return a.e ? a : search_rows(s, d, rows, nrows, 0, CHEAP_STAGES, DERIVED);
}

/* The rows on either side of a condition; false where either has too few. */
static bool split(const solver *s, const int *rows, int nrows, const expr *condition, int *side[2], int n[2])
{
	n[0] = n[1] = 0;
	for (int k = 0; k < nrows; k++) {
		bool yes = expr_holds(condition, passing_record(s->op, rows[k]));
		side[yes][n[yes]++] = rows[k];
	}
	return n[0] >= LEAST_ROWS && n[1] >= LEAST_ROWS;
}

static answer search_cases(solver *s, int d, const int *rows, int nrows, int cases);

/* Both sides of a condition on the rows: at once, or one of them by more cases. */
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
	return (answer){expr_ite(s->pool, condition, a[1].e, a[0].e), a[0].cost + a[1].cost + PRICE_GUARD};
}

/* Where a tensor has no element, or a dimension is 0, often something else holds. */
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
			offer(best, search_case(s, d, rows, nrows, expr_make(s->pool, OP_EQ, expr_sym(s->pool, i), zero), 1));
		if (r->pos + 1 == r->len)
			offer(best, search_case(s, d, rows, nrows, expr_make(s->pool, OP_EQ, numel, zero), 1));
	}
}

/* ---- lists of cases */

enum { MOST_CASES = 3 }; /* conditions one after the other */

/* A number that may be -1 for what the others say, or that does another thing below 0. */
static answer search_cases(solver *s, int d, const int *rows, int nrows, int cases)
{
	answer best = {0};
	for (int i = 0; i < s->op->nsym && s->work < s->limit; i++) {
		const expr *x = expr_sym(s->pool, i);
		const expr *conditions[] = {expr_make(s->pool, OP_EQ, x, expr_const(s->pool, -1)), expr_make(s->pool, OP_GE, x, expr_const(s->pool, 0))};
		for (int c = 0; c < 2 && s->op->roles[i].kind != ROLE_DIM; c++)
			offer(&best, search_case(s, d, rows, nrows, conditions[c], cases));
	}
	return best;
}

/* ---- triangles */

/* Twice 1 + 2 + … + n, 0 where n is below 0: max(n, 0)*(n + 1). */
static const expr *stairs(expr_pool *p, const expr *n)
{
	return expr_make(p, OP_MUL, expr_make(p, OP_MAX, n, expr_const(p, 0)), expr_make(p, OP_ADD, n, expr_const(p, 1)));
}

/* By how much a diagonal is shifted: a symbol, or it taken from 0 (symbol -1: none), and a constant. */
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

/* How many positions (i, j) of a rectangle have j - i <= by: in each row a position more than in the one above, from where the
 * first one is until the columns end; by inclusion and exclusion of stairs. */
static const expr *count_below(expr_pool *p, const expr *rows, const expr *cols, diagonal by)
{
	const expr *end = shifted(p, rows, by), *start = shifted(p, NULL, by);
	const expr *more = stairs(p, end), *less = stairs(p, expr_make(p, OP_SUB, end, cols));
	if (start) {
		more = expr_make(p, OP_ADD, more, stairs(p, expr_make(p, OP_SUB, start, cols)));
		less = expr_make(p, OP_ADD, less, stairs(p, start));
	}
	return expr_make(p, OP_DIV, expr_make(p, OP_SUB, more, less), expr_const(p, 2));
}

/* The triangle below the diagonal of a rectangle, of[0] × of[1], that of[2] shifts (-1: nothing does), and one more or less. */
static void try_triangle(solver *s, int d, const int *rows, int nrows, const int *of, answer *best)
{
	static const int64_t CONSTANTS[] = {0, -1, 1};
	for (int k = 0; k < (of[2] < 0 ? 3 : 6); k++) {
		diagonal by = {of[2], k >= 3, CONSTANTS[k % 3]};
		const expr *e = count_below(s->pool, expr_sym(s->pool, of[0]), expr_sym(s->pool, of[1]), by);
		int cost = PRICE_TRIANGLE + (of[2] < 0 ? 2 : 3) * PRICE_SYMBOL + (by.constant ? PRICE_SHIFT_SMALL : 0);
		offer(best, agreeing(s, d, rows, nrows, e, cost, "a triangle of a rectangle"));
	}
}

/* Where two numbers move the output, or three: the sides of a rectangle, and by how much its diagonal is shifted. */
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

/* Of a list's items, those of lists in it too, where one of them moves the output: how many are not 0, how many are distinct. */
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
			const expr *e = count_of_items(s->pool, each, items, n);
			offer(best, agreeing(s, d, rows, nrows, e, PRICE_COUNT, each == NONZERO ? "numbers that are not 0" : "distinct numbers"));
		}
	}
}

void resort_search(solver *s, int d, const int *rows, int nrows, answer *best)
{
	bool none = !best->e;
	if (!none && best->cost <= MOST_TRUSTED)
		return;
	offer(best, search_rows(s, d, rows, nrows, 0, 1, UNCOMMON));
	offer(best, search_rows(s, d, rows, nrows, WINDOW_STAGE, WINDOW_STAGE + 1, POOLED));
	offer(best, truncated_search(s, d, rows, nrows, CHEAP_STAGES));
	if (!best->e || best->cost > MOST_TRUSTED)
		search_empty(s, d, rows, nrows, best);
	if (best->e || !none)
		return;
	offer(best, search_rows(s, d, rows, nrows, 0, CHEAP_STAGES, DOUBTED));
	if (!best->e)
		offer(best, search_rows(s, d, rows, nrows, CLAMP_STAGE, CLAMP_STAGE + 1, REACHING));
	if (!best->e)
		search_triangle(s, d, rows, nrows, best);
	if (!best->e)
		search_counts(s, d, rows, nrows, best);
	if (!best->e)
		offer(best, capped_search(s, d, rows, nrows));
	if (!best->e)
		offer(best, truncated_search(s, d, rows, nrows, STAGES));
	if (!best->e)
		offer(best, search_cases(s, d, rows, nrows, MOST_CASES));
}

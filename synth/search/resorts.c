#include "resorts.h"

#include "prices.h"
#include "rows.h"
#include "truncated.h"

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
	return a.e ? a : search_rows(s, d, rows, nrows, 0, 3, DERIVED);
}

/* Both sides of a condition on the rows. */
static void search_both(solver *s, int d, const int *rows, int nrows, const expr *condition, answer *best)
{
	const operator *op = s->op;
	int *yes = ARENA_ARRAY(s->scratch, int, nrows + 1), *no = ARENA_ARRAY(s->scratch, int, nrows + 1), ny = 0, nn = 0;
	for (int k = 0; k < nrows; k++)
		if (expr_holds(condition, passing_record(op, rows[k])))
			yes[ny++] = rows[k];
		else
			no[nn++] = rows[k];
	if (ny < LEAST_ROWS || nn < LEAST_ROWS)
		return;
	arena_mark mark = arena_save(s->scratch);
	answer a = search_side(s, d, yes, ny), b = a.e ? search_side(s, d, no, nn) : (answer){0};
	arena_release(s->scratch, mark);
	if (a.e && b.e)
		answer_offer(best, expr_ite(s->pool, condition, a.e, b.e), a.cost + b.cost + PRICE_GUARD);
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
			search_both(s, d, rows, nrows, expr_make(s->pool, OP_EQ, expr_sym(s->pool, i), zero), best);
		if (r->pos + 1 == r->len)
			search_both(s, d, rows, nrows, expr_make(s->pool, OP_EQ, numel, zero), best);
	}
}

void resort_search(solver *s, int d, const int *rows, int nrows, answer *best)
{
	bool none = !best->e;
	if (!none && best->cost <= MOST_TRUSTED)
		return;
	offer(best, search_rows(s, d, rows, nrows, 0, 1, UNCOMMON));
	offer(best, truncated_search(s, d, rows, nrows));
	if (!best->e || best->cost > MOST_TRUSTED)
		search_empty(s, d, rows, nrows, best);
	if (best->e || !none)
		return;
	offer(best, search_rows(s, d, rows, nrows, 0, CHEAP_STAGES, DOUBTED));
	if (!best->e)
		offer(best, search_rows(s, d, rows, nrows, CLAMP_STAGE, CLAMP_STAGE + 1, REACHING));
}

#include "view_points.h"

#include <string.h>

#include "need.h"
#include "rng.h"

enum { TRIALS = 600, MOST_POINTS = 200, MOST_CHANGES = 3 };

static bool is_dimension(const view_row *row, int symbol)
{
	const list_place *p = &row->calls->forms[row->form].places[symbol];
	return p->list.argument && list_is_dims(p->list.kind);
}

/* Changes the value of a symbol, alone or with all symbols that are equal to it. */
static void change(int64_t *x, const view_row *row, uint64_t *random)
{
	static const int64_t VALUES[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 24, 31, 33, 64, 100, -1, -2, -3};
	const int nsym = (int)row->op->nsym, j = (int)(rng_mix(random) % (uint64_t)nsym);
	const int64_t old = x[j];
	int64_t new = VALUES[rng_mix(random) % (sizeof VALUES / sizeof *VALUES)];
	switch (rng_mix(random) % 4) {
	case 0: new = old + 1; break;
	case 1: new = old - 1; break;
	default: break;
	}
	const bool all = rng_mix(random) % 2;
	for (int k = 0; k < nsym; k++)
		if (k == j || (all && x[k] == old))
			x[k] = new < 0 && is_dimension(row, k) ? 0 : new;
}

static bool is_accepted(const view_row *row, const int64_t *x, int64_t *out)
{
	return rule_clauses_hold(&row->op->rule, x) && rule_propagate(&row->op->rule, x, out);
}

static void add(const api_view *v, view_points *to, const int64_t *x, unsigned nsym)
{
	int64_t *kept = NEED_ARRAY(v->memory, int64_t, nsym);
	memcpy(kept, x, nsym * sizeof *x);
	to->x[to->n++] = kept;
}

const view_points *view_points_of(const api_view *v, view_row *row)
{
	if (row->points)
		return row->points;
	view_points *p = NEED_ARRAY(v->memory, view_points, 1);
	const rule_op *op = row->op;
	uint64_t random = 1;
	int64_t *x = NEED_ARRAY(v->memory, int64_t, op->nsym), *out = NEED_ARRAY(v->memory, int64_t, op->nodim);
	p->x = NEED_ARRAY(v->memory, const int64_t *, MOST_POINTS);
	row->points = p;
	for (unsigned k = 0; k < op->nrecords && p->n < MOST_POINTS; k++)
		if (is_accepted(row, op->records + (size_t)k * (op->nsym + op->nodim), out))
			add(v, p, op->records + (size_t)k * (op->nsym + op->nodim), op->nsym);
	const int first = p->n;
	for (int k = 0; k < TRIALS && first && op->nsym && p->n < MOST_POINTS; k++) {
		const int64_t *from = p->x[rng_mix(&random) % (uint64_t)p->n];
		memcpy(x, from, op->nsym * sizeof *x);
		for (int changes = 1 + (int)(rng_mix(&random) % MOST_CHANGES); changes > 0; changes--)
			change(x, row, &random);
		if (is_accepted(row, x, out))
			add(v, p, x, op->nsym);
	}
	return p;
}

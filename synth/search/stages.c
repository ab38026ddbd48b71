#include "stages.h"

#include <stdlib.h>
#include <string.h>

#include "costs.h"
#include "fallback_stage.h"
#include "rows.h"
#include "target.h"

/* ---- guards: split the records by a predicate on one symbol and search both parts */

enum { PREDICATES = 5, EVEN = 4 };

static const expr *predicate(solver *s, int symbol, int kind)
{
	static const struct {
		enum op op;
		int64_t value;
	} KINDS[PREDICATES] = {{OP_LT, 0}, {OP_EQ, 0}, {OP_EQ, 1}, {OP_EQ, -1}, {OP_EQ, 0}};
	const expr *x = expr_sym(s->pool, symbol);
	if (kind == EVEN)
		x = expr_make(s->pool, OP_MOD, x, expr_const(s->pool, 2));
	return expr_make(s->pool, KINDS[kind].op, x, expr_const(s->pool, KINDS[kind].value));
}

static answer guard_search(solver *s, int d, const int *rows, int nrows, int depth)
{
	const operator *op = s->op;
	answer best = {0};
	int width = op->nsym + op->nodim;
	int *yes = ARENA_ARRAY(s->scratch, int, nrows), *no = ARENA_ARRAY(s->scratch, int, nrows);
	for (int i = 0; i < op->nsym && s->work < s->limit; i++)
		for (int kind = 0; kind < PREDICATES; kind++) {
			const expr *c = predicate(s, i, kind);
			int ny = 0, nn = 0;
			if (op->roles[i].kind == ROLE_DIM && (kind == 0 || kind == EVEN))
				continue;
			for (int k = 0; k < nrows; k++)
				if (expr_holds(c, op->pass + (size_t)rows[k] * width))
					yes[ny++] = rows[k];
				else
					no[nn++] = rows[k];
			int min = kind == EVEN ? 8 : 3;
			if (ny < min || nn < min)
				continue;
			arena_mark mark = arena_save(s->scratch);
			answer a = rows_search(s, d, no, nn, 0, 3, LEAVES_PLAIN);
			answer b = rows_search(s, d, yes, ny, 0, 3, LEAVES_PLAIN);
			if (!a.e && b.e && b.e->size == 0) /* one part is a copy; the other may be a clamp such as
							    * max(0, …) */
				a = rows_search(s, d, no, nn, CLAMP_STAGE, CLAMP_STAGE + 1, LEAVES_PLAIN);
			if (a.e && !b.e && depth > 1)
				b = guard_search(s, d, yes, ny, depth - 1);
			arena_release(s->scratch, mark);
			if (a.e && b.e)
				answer_offer(&best, expr_ite(s->pool, c, b.e, a.e), a.cost + b.cost + COST_GUARD);
		}
	return best;
}

/* Whether two records agree in all symbols but not in the output, so that the output depends on data. */
static bool data_dependent(const solver *s, int d)
{
	const operator *op = s->op;
	size_t width = (size_t)op->nsym + op->nodim;
	for (int k = 1; k < op->npass; k++) {
		const int64_t *a = op->pass + (size_t)(k - 1) * width, *b = a + width;
		if (memcmp(a, b, sizeof *a * (size_t)op->nsym) == 0 && a[op->nsym + d] != b[op->nsym + d])
			return true;
	}
	return false;
}

static bool same_values(const operator *op, const bool *used, int j, int k)
{
	const int64_t *x = passing_record(op, j), *y = passing_record(op, k);
	for (int i = 0; i < op->nsym; i++)
		if (used[i] && x[i] != y[i])
			return false;
	return true;
}

/* Overfitted: e has more operations than its symbols have distinct combinations of values, so some expression would
 * always fit. */
static bool is_overfitted(const solver *s, const expr *e)
{
	const operator *op = s->op;
	bool *used = ARENA_ARRAY(s->scratch, bool, op->nsym + 1);
	int seen = 0;
	expr_mark_syms(e, used);
	for (int k = 0; k < op->npass && seen < e->size; k++) {
		int j = 0;
		while (j < k && !same_values(op, used, j, k))
			j++;
		seen += j == k;
	}
	return seen < e->size;
}

const expr *stages_search(solver *s, int d, enum effort effort, const char **why)
{
	if (data_dependent(s, d)) {
		*why = "data-dependent output: equal symbols, other output dimensions";
		return NULL;
	}
	int *rows = ARENA_ARRAY(s->scratch, int, s->op->npass + 1);
	answer a = {0};
	for (int k = 0; k < s->op->npass; k++)
		rows[k] = k;
	if (effort == EFFORT_QUICK) {
		a = rows_search(s, d, rows, s->op->npass, 0, QUICK_STAGES, LEAVES_PLAIN);
	} else {
		a = guard_search(s, d, rows, s->op->npass, 1);
		answer other = rows_search(s, d, rows, s->op->npass, QUICK_STAGES, STAGES, LEAVES_PLAIN);
		if (!other.e)
			other = rows_search(s, d, rows, s->op->npass, 0, QUICK_STAGES, LEAVES_DERIVED);
		if (!other.e)
			other = rows_search(s, d, rows, s->op->npass, CLAMP_STAGE, CLAMP_STAGE + 1, LEAVES_DERIVED);
		if (other.e) /* a guard may cost more than an expression without one */
			answer_offer(&a, other.e, other.cost);
		fallback_stage_search(s, d, rows, s->op->npass, &a);
	}
	if (a.e && is_overfitted(s, a.e)) {
		solver_log(s, "  fitted: ", a.e, "  (more operations than combinations of values)");
		a.e = NULL;
	}
	*why = "no expression within the budget gives every recorded output";
	return a.e;
}

static const expr *explain(const solver *s, int symbol)
{
	enum { EXPLAIN_BUDGET = 400000 };
	const operator *op = s->op;
	int width = op->nsym + 1;
	uint16_t tensor = 0, pos = op->roles[symbol].pos, rank = op->roles[symbol].len;
	operator other = *op;
	solver t;
	rule r;
	const char *why;
	if (op->npass < 8)
		return NULL;
	other.nodim = 1;
	other.out_tensor = &tensor;
	other.out_pos = &pos;
	other.out_rank = &rank;
	other.pass = ARENA_ARRAY(s->scratch, int64_t, (size_t)op->npass * width);
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = passing_record(op, k);
		int64_t *to = other.pass + (size_t)k * width;
		memcpy(to, row, sizeof *to * (size_t)op->nsym);
		to[op->nsym] = to[symbol];
		to[symbol] = 0;
	}
	solver_start(&t, &other, s->pool, s->scratch, s->options, &r, s->stages);
	t.limit = EXPLAIN_BUDGET;
	t.target_is_symbol = true;
	return stages_search(&t, 0, EFFORT_QUICK, &why);
}

const expr *stages_explain(const solver *s, int symbol)
{
	explained *x = &s->explained[symbol];
	if (!x->known) {
		arena_mark mark = arena_save(s->scratch);
		*x = (explained){true, explain(s, symbol)};
		arena_release(s->scratch, mark);
	}
	return x->e;
}

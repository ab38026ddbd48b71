#include "rows.h"

#include <assert.h>

#include "clock.h"
#include "enumerate.h"
#include "floor.h"
#include "window.h"
#include "fallback_leaves.h"
#include "slice.h"

enum { MAX_SYMBOL_LEAVES = 13, MAX_POOL_LEAVES = 26 };

static answer run_stage(problem *p, int stage)
{
	answer best, other;
	switch (stage) {
	case 0:
		return enumerate_search(p, 1);
	case 1: /* both have short expressions: the lower cost wins */
		best = floor_linear_search(p, 2);
		other = p->nleaves <= 18 ? enumerate_search(p, 2) : (answer){0};
		if (other.e)
			answer_offer(&best, other.e, other.cost);
		return best;
	case 2:
		return floor_exact_search(p);
	case 3:
		return p->window_only ? window_search(p) : slice_search(p);
	case 4:
		return floor_linear_search(p, 5);
	case 5:
		return enumerate_search(p, 3);
	default:
		return floor_clamp_search(p, p->kernel_reach ? 4 : p->relevant ? 5 : 3);
	}
}

static int choose_sample(const target *t, int *sample)
{
	int n = t->nrows < ROWS - 8 ? t->nrows : ROWS - 8;
	for (int k = 0; k < n; k++)
		sample[k] = (int)((long)k * t->nrows / n);
	return n;
}

static void log_refuted(target *t, const char *stage, answer a, int wrong)
{
	solver *s = t->s;
	const operator *op = s->op;
	if (!s->log)
		return;
	buf text = {0};
	const int64_t *row = passing_record(op, t->rows[wrong]);
	for (int i = 0; i < op->nsym; i++)
		buf_printf(&text, "%s%lld", i ? "," : "[", (long long)row[i]);
	solver_log(s, "  refuted: ", a.e, "  (%s, cost %d) by record %s]: %lld", stage, a.cost, text.text,
	    (long long)row[op->nsym + t->d]);
	buf_free(&text);
}

/* Runs one stage until its answer holds on all records. A record that refutes an answer joins the sample. */
static answer stage_search(target *t, int stage, int max_symbols)
{
	solver *s = t->s;
	int sample[ROWS], n = choose_sample(t, sample);
	answer a = {0};
	for (int attempt = 0; attempt < 8; attempt++) {
		arena_mark mark = arena_save(s->scratch);
		problem p;
		target_problem(t, &p, sample, n, max_symbols);
		a = run_stage(&p, stage);
		arena_release(s->scratch, mark);
		if (!a.e)
			return a;
		int wrong = solver_output_refuted(s->op, t->d, a.e, t->rows, t->nrows);
		if (wrong < 0) {
			solver_log(s, "  found: ", a.e, "  (%s, cost %d, %d records)", stage_name(stage), a.cost,
			    t->nrows);
			return a;
		}
		log_refuted(t, stage_name(stage), a, wrong);
		assert(n < ROWS);
		sample[n++] = wrong;
	}
	return (answer){0};
}

static bool is_constant(const target *t, int64_t *value)
{
	const int64_t *out = t->s->cols[t->s->op->nsym + t->d];
	*value = out[t->rows[0]];
	for (int k = 1; k < t->nrows; k++)
		if (out[t->rows[k]] != *value)
			return false;
	return true;
}

/* If the output is constant: an input dimension at the same position with the same value in all records, or -1. The
 * dimension is the better answer, since it stays right if it varies. */
static int constant_twin(const target *t, int64_t value)
{
	const operator *op = t->s->op;
	for (int i = 0; i < op->nsym; i++) {
		if (op->roles[i].kind != ROLE_DIM || target_misfit(t, i) != 0)
			continue;
		int k = 0;
		while (k < t->nrows && t->s->cols[i][t->rows[k]] == value)
			k++;
		if (k == t->nrows)
			return i;
	}
	return -1;
}

answer rows_search(solver *s, int d, const int *rows, int nrows, int from, int to, enum leaves leaves)
{
	target t = {.s = s, .d = d, .rows = rows, .nrows = nrows, .leaves = leaves, .more = fallback_leaves_offer};
	bool *member = ARENA_ARRAY(s->scratch, bool, s->op->npass + 1);
	for (int k = 0; k < nrows; k++)
		member[rows[k]] = true;
	target_weigh(&t, member);
	answer best = {0};
	int64_t value;
	if (is_constant(&t, &value)) {
		int i = constant_twin(&t, value);
		best = (answer){i >= 0 ? expr_sym(s->pool, i) : expr_const(s->pool, value), 6};
		solver_log(s, "  found: ", best.e, "  (the same in all %d records)", nrows);
		return best;
	}
	if (leaves == LEAVES_DERIVED && !t.nrelevant)
		return best;
	for (int stage = from; stage < to && !best.e && s->work < s->limit; stage++) {
		double from = clock_thread_seconds();
		t.tried = &s->stages[stage].tried;
		t.selected = s->target_is_symbol && stage == WINDOW_STAGE;
		best = stage_search(&t, stage, leaves == LEAVES_WINDOW ? MAX_POOL_LEAVES : MAX_SYMBOL_LEAVES);
		s->stages[stage].seconds += clock_thread_seconds() - from;
	}
	return best;
}

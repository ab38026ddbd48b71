#include "stages.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "enumerate.h"
#include "floor.h"
#include "prices.h"
#include "resorts.h"
#include "rows.h"
#include "target.h"
#include "window.h"

enum { MAX_SYMBOL_LEAVES = 13 };

/* ---- stages */

static answer run_stage(problem *p, int stage)
{
	answer best, other;
	switch (stage) {
	case 0:
		return enumerate_search(p, 1);
	case 1: /* both are short: the cheaper text wins */
		best = linear_search(p, 2);
		other = p->nleaves <= 18 ? enumerate_search(p, 2) : (answer){0};
		if (other.e)
			answer_offer(&best, other.e, other.cost);
		return best;
	case 2:
		return exact_search(p);
	case 3:
		return window_search(p);
	case 4:
		return linear_search(p, 5);
	case 5:
		return enumerate_search(p, 3);
	case 6:
		return clamp_search(p, p->reaching ? 4 : p->relevant ? 5 : 3);
	default:
		return enumerate_search(p, 5);
	}
}

/* The first record that e gets wrong, as an index into t->rows; -1: none. */
static int refuted_by(const target *t, const expr *e, const int64_t *row_major, int width)
{
	const operator *op = t->s->op;
	for (int k = 0; k < t->nrows; k++) {
		const int64_t *row = row_major + (size_t)t->rows[k] * width;
		wide v;
		if (!expr_eval(e, row, &v) || v != row[op->nsym + t->d])
			return k;
	}
	return -1;
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
	const int64_t *row = op->pass + (size_t)t->rows[wrong] * (op->nsym + op->nodim);
	for (int i = 0; i < op->nsym; i++)
		buf_printf(&text, "%s%lld", i ? "," : "[", (long long)row[i]);
	log_expr(s, "  refuted: ", a.e, "  (%s, cost %d) by record %s]: %lld", stage, a.cost, text.text,
	    (long long)row[op->nsym + t->d]);
	buf_free(&text);
}

/* Runs one stage until its answer holds on all records: a record that refutes it joins the sample. */
static answer stage_search(target *t, int stage, int most)
{
	solver *s = t->s;
	const operator *op = s->op;
	int sample[ROWS], n = choose_sample(t, sample);
	answer a = {0};
	for (int attempt = 0; attempt < 8; attempt++) {
		arena_mark mark = arena_save(s->scratch);
		problem p;
		target_problem(t, &p, sample, n, most);
		a = run_stage(&p, stage);
		arena_release(s->scratch, mark);
		if (!a.e)
			return a;
		int wrong = refuted_by(t, a.e, op->pass, op->nsym + op->nodim);
		if (wrong < 0) {
			log_expr(s, "  found: ", a.e, "  (%s, cost %d, %d records)", stage_name(stage), a.cost,
			    t->nrows);
			return a;
		}
		log_refuted(t, stage_name(stage), a, wrong);
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

/* A constant output may be a dimension that never varied: one at the very same place, when it has that
 * value in every record, explains it as well and is right wherever the dimension does vary. */
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

answer search_rows(solver *s, int d, const int *rows, int nrows, int from, int to, enum leaves leaves)
{
	target t = {.s = s, .d = d, .rows = rows, .nrows = nrows, .leaves = leaves};
	bool *member = ARENA_ARRAY(s->scratch, bool, s->op->npass + 1);
	for (int k = 0; k < nrows; k++)
		member[rows[k]] = true;
	target_weigh(&t, member);
	answer best = {0};
	int64_t value;
	if (is_constant(&t, &value)) {
		int i = constant_twin(&t, value);
		best = (answer){i >= 0 ? expr_sym(s->pool, i) : expr_const(s->pool, value), 6};
		log_expr(s, "  found: ", best.e, "  (the same in all %d records)", nrows);
		return best;
	}
	if (leaves == DERIVED && !t.nrelevant)
		return best;
	for (int stage = from; stage < to && !best.e && s->work < s->limit; stage++) {
		double from = clock_thread_seconds();
		t.tried = &s->stages[stage].tried;
		t.selected = s->bound && stage == WINDOW_STAGE;
		best = stage_search(&t, stage, MAX_SYMBOL_LEAVES);
		s->stages[stage].seconds += clock_thread_seconds() - from;
	}
	return best;
}

/* ---- guards: split the records by a predicate on one symbol and explain both sides */

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
			int least = kind == EVEN ? 8 : 3;
			if (ny < least || nn < least)
				continue;
			arena_mark mark = arena_save(s->scratch);
			answer a = search_rows(s, d, no, nn, 0, 3, PLAIN);
			answer b = search_rows(s, d, yes, ny, 0, 3, PLAIN);
			if (!a.e && b.e && b.e->size == 0) /* a copy; the rest may be a clamp: max(0, …) */
				a = search_rows(s, d, no, nn, CLAMP_STAGE, CLAMP_STAGE + 1, PLAIN);
			if (a.e && !b.e && depth > 1)
				b = guard_search(s, d, yes, ny, depth - 1);
			arena_release(s->scratch, mark);
			if (a.e && b.e)
				answer_offer(&best, expr_ite(s->pool, c, b.e, a.e), a.cost + b.cost + PRICE_GUARD);
		}
	return best;
}

/* Whether two records agree on every symbol and differ in the output: it depends on data. */
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

const expr *shape_search(solver *s, int d, enum effort effort, const char **why)
{
	if (data_dependent(s, d)) {
		*why = "data-dependent output: equal symbols, other output dimensions";
		return NULL;
	}
	int *rows = ARENA_ARRAY(s->scratch, int, s->op->npass + 1);
	answer a = {0};
	for (int k = 0; k < s->op->npass; k++)
		rows[k] = k;
	s->budget = STAGE_BUDGET;
	if (effort == CHEAP) {
		a = search_rows(s, d, rows, s->op->npass, 0, CHEAP_STAGES, PLAIN);
	} else {
		a = guard_search(s, d, rows, s->op->npass, 1);
		answer other = search_rows(s, d, rows, s->op->npass, CHEAP_STAGES, STAGES - 1, PLAIN);
		if (!other.e)
			other = search_rows(s, d, rows, s->op->npass, 0, CHEAP_STAGES, DERIVED);
		if (!other.e)
			other = search_rows(s, d, rows, s->op->npass, CLAMP_STAGE, CLAMP_STAGE + 1, DERIVED);
		if (other.e) /* a guard is not always the plainest */
			answer_offer(&a, other.e, other.cost);
		resort_search(s, d, rows, s->op->npass, &a);
		s->budget = LAST_BUDGET;
		if (!a.e)
			a = search_rows(s, d, rows, s->op->npass, STAGES - 1, STAGES, PLAIN);
	}
	*why = "no expression within the budget gives every recorded output";
	return a.e;
}

const expr *shape_explain(const solver *s, int symbol)
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
		const int64_t *row = op->pass + (size_t)k * (op->nsym + op->nodim);
		int64_t *to = other.pass + (size_t)k * width;
		memcpy(to, row, sizeof *to * (size_t)op->nsym);
		to[op->nsym] = to[symbol];
		to[symbol] = 0;
	}
	solver_start(&t, &other, s->pool, s->scratch, s->options, &r, s->stages);
	t.limit = EXPLAIN_BUDGET;
	t.bound = true;
	return shape_search(&t, 0, CHEAP, &why);
}

/* The search for one output dimension, staged from cheap to dear (design, synth).
 *
 * Leaves are chosen by evidence and by argument structure: symbols that are known to move the target
 * come first, then those aligned with it (the same dimension counted from the left or the right, the
 * same position of a list), then the rest that is not known to be inert.
 */
#include "solve.h"

#include <stdlib.h>
#include <string.h>

#include "problem.h"

enum { STAGE_BUDGET = 6000000, LAST_BUDGET = 40000000 }; /* units of work, about 5 ns each */
enum { MAX_SYMBOL_LEAVES = 13, MAX_RELEVANT = 30, INERT_STEPS = 3 };

/* A target restricted to some records: the whole, or one side of a guard. */
typedef struct target {
	solver *s;
	int d; /* output dimension */
	const int *rows;
	int nrows;
	bool *relevant, *inert; /* nsym */
	int nrelevant;
	long *tried; /* of the stage that runs */
	bool derived; /* relevant symbols only, and what is derived from one: halves, remainders, squares, signs */
} target;

/* ---- evidence */

static void weigh_symbols(target *t, const bool *member)
{
	solver *s = t->s;
	const int64_t *out = s->cols[s->op->nsym + t->d];
	t->relevant = ARENA_ARRAY(s->scratch, bool, s->op->nsym + 1);
	t->inert = ARENA_ARRAY(s->scratch, bool, s->op->nsym + 1);
	for (int i = 0; i < s->op->nsym; i++) {
		int seen = 0;
		for (int k = 0; k < s->evidence.nsteps[i]; k++) {
			step st = s->evidence.steps[i][k];
			if (!member[st.a] || !member[st.b])
				continue;
			seen++;
			if (out[st.a] != out[st.b])
				t->relevant[i] = true;
		}
		t->nrelevant += t->relevant[i];
		t->inert[i] = !t->relevant[i] && seen >= INERT_STEPS;
	}
}

/* How well a symbol's place fits the output dimension: 0 best. */
static int misfit(const target *t, int i)
{
	const operator *op = t->s->op;
	const role *r = &op->roles[i];
	int d = op->out_pos[t->d], rank = op->out_rank[t->d];
	if (r->kind == ROLE_INT)
		return 1;
	if (r->kind == ROLE_ITEM && r->outer_len) /* [[a, b], …]: one pair a dimension */
		return r->outer == d || r->outer == d - (rank - r->outer_len) ? 1 : 6;
	if (r->kind == ROLE_ITEM && r->len == 1)
		return 1;
	if (r->pos == d && r->len == rank)
		return 0;
	if (r->pos == d - (rank - r->len))
		return 1;
	if (r->pos == d)
		return 2;
	if (r->kind == ROLE_ITEM && r->len == 2 * ((r->len + 1) / 2)
	    && r->pos / 2 == rank - 1 - d) /* pad's list: pairs from the last dimension */
		return 2;
	return 6;
}

/* ---- leaves */

static int64_t *gather(const target *t, const problem *p, const int *sample, int i)
{
	int64_t *col = arena_alloc(t->s->scratch, sizeof *col * (size_t)p->rows);
	for (int r = 0; r < p->rows; r++) {
		int64_t v = t->s->cols[i][t->rows[sample[r]]];
		col[r] = v < -((int64_t)1 << 61) ? -((int64_t)1 << 61) : v > (int64_t)1 << 61 ? (int64_t)1 << 61 : v;
	}
	return col;
}

static void add_constant(const target *t, problem *p, int64_t value, int cost)
{
	int64_t *col = arena_alloc(t->s->scratch, sizeof *col * (size_t)p->rows);
	for (int r = 0; r < p->rows; r++)
		col[r] = value;
	if (p->nleaves < MAX_LEAVES)
		p->leaves[p->nleaves++] = (leaf){.e = expr_const(p->pool, value), .col = col, .cost = cost};
}

typedef struct ranked {
	int symbol, weight;
} ranked;

static int by_weight(const void *a, const void *b)
{
	const ranked *x = a, *y = b;
	return x->weight != y->weight ? x->weight - y->weight : x->symbol - y->symbol;
}

static int rank_symbols(const target *t, ranked *to)
{
	int n = 0;
	for (int i = 0; i < t->s->op->nsym; i++) {
		int fit = misfit(t, i);
		if (t->inert[i] || (t->derived && !t->relevant[i]))
			continue;
		to[n++] = (ranked){i, (t->relevant[i] ? 0 : fit < 3 ? 10 : 20) + fit};
	}
	qsort(to, (size_t)n, sizeof *to, by_weight);
	return n;
}

static void add_symbols(const target *t, problem *p, const int *sample, uint32_t *bit, int most)
{
	ranked *order = ARENA_ARRAY(t->s->scratch, ranked, t->s->op->nsym + 1);
	int n = rank_symbols(t, order);
	for (int k = 0; k < n && k < most; k++) {
		int i = order[k].symbol, fit = misfit(t, i);
		p->leaves[p->nleaves++] = (leaf){.e = expr_sym(p->pool, i), .col = gather(t, p, sample, i),
		    .covers = bit[i], .cost = 8 + fit + (t->relevant[i] ? 0 : 3), .aligned = fit < 3,
		    .is_dim = t->s->op->roles[i].kind == ROLE_DIM};
	}
}

/* Any expression, evaluated; dropped when a record gives it no value. */
static void add_leaf(const target *t, problem *p, const int *sample, const expr *e, uint32_t covers, int cost)
{
	const operator *op = t->s->op;
	int64_t *col = arena_alloc(t->s->scratch, sizeof *col * (size_t)p->rows);
	if (p->nleaves >= MAX_LEAVES)
		return;
	for (int r = 0; r < p->rows; r++) {
		wide v;
		const int64_t *row = op->pass + (size_t)t->rows[sample[r]] * (op->nsym + op->nodim);
		if (!expr_eval(e, row, &v) || v > (wide)1 << 61 || v < -((wide)1 << 61))
			return;
		col[r] = (int64_t)v;
	}
	for (int k = 0; k < p->nleaves; k++)
		if (memcmp(p->leaves[k].col, col, sizeof *col * (size_t)p->rows) == 0)
			return;
	p->leaves[p->nleaves++] = (leaf){.e = e, .col = col, .covers = covers, .cost = cost, .fold = e->size > 1};
}

static uint32_t covered_by(const operator *op, const expr *e, const uint32_t *bit)
{
	uint32_t covers = e->op == OP_SYM && e->value < op->nsym ? bit[e->value] : 0;
	covers |= e->a ? covered_by(op, e->a, bit) | covered_by(op, e->b, bit) : 0;
	return covers | (e->c ? covered_by(op, e->c, bit) : 0);
}

/* Halves, quarters, remainders, squares and signs of single symbols, and the outputs that are known. */
static void add_derived(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	solver *s = t->s;
	expr_pool *pool = p->pool;
	for (int e = 0; e < s->op->nodim; e++)
		if (e != t->d && s->rule->out[e] && s->rule->out[e]->size > 0)
			add_leaf(t, p, sample, s->rule->out[e], covered_by(s->op, s->rule->out[e], bit), 12);
	for (int i = 0; i < s->op->nsym; i++) {
		const expr *x = expr_sym(pool, i);
		if (!t->relevant[i])
			continue;
		add_leaf(t, p, sample, expr_make(pool, OP_DIV, x, expr_const(pool, 2)), bit[i], 14);
		add_leaf(t, p, sample, expr_make(pool, OP_MOD, x, expr_const(pool, 2)), bit[i], 15);
		add_leaf(t, p, sample, expr_make(pool, OP_MUL, x, x), bit[i], 16);
		add_leaf(t, p, sample, expr_make(pool, OP_DIV, x, expr_const(pool, 4)), bit[i], 18);
		int64_t low = 0, high = 0;
		for (int k = 0; k < t->nrows; k++) {
			int64_t v = s->cols[i][t->rows[k]];
			low = v < low ? v : low;
			high = v > high ? v : high;
		}
		if (low > -2 || high < 1) /* -1 alone is a mark, not a quantity */
			continue;
		add_leaf(t, p, sample, expr_make(pool, OP_MAX, x, expr_const(pool, 0)), bit[i], 16);
		add_leaf(t, p, sample, expr_make(pool, OP_MIN, x, expr_const(pool, 0)), bit[i], 16);
	}
}

/* A size of -1 stands for whatever makes the number of elements come out: `numel // others if s == -1 else s`. */
static void add_wildcards(const target *t, problem *p, const int *sample)
{
	const operator *op = t->s->op;
	expr_pool *pool = p->pool;
	for (int i = 0; i < op->nsym; i++) {
		const role *r = &op->roles[i];
		int marks = 0;
		bool below = false;
		for (int k = 0; k < t->nrows; k++) {
			marks += t->s->cols[i][t->rows[k]] == -1;
			below |= t->s->cols[i][t->rows[k]] < -1;
		}
		if (r->kind == ROLE_DIM || !marks || below || t->inert[i])
			continue;
		const expr *others = NULL, *x = expr_sym(pool, i);
		for (int k = 0; k < op->nsym; k++) {
			const role *q = &op->roles[k];
			if (k == i || q->kind != r->kind || q->list != r->list || q->outer_len)
				continue;
			others = others ? expr_make(pool, OP_MUL, others, expr_sym(pool, k)) : expr_sym(pool, k);
		}
		for (int from = 0; from < op->nsym; from++) {
			const expr *numel = expr_sym(pool, from);
			if (op->roles[from].kind != ROLE_DIM || op->roles[from].pos != 0)
				continue;
			for (int k = 1; k < op->roles[from].len; k++)
				numel = expr_make(pool, OP_MUL, numel, expr_sym(pool, from + k));
			const expr *rest = others ? expr_make(pool, OP_DIV, numel, others) : numel;
			const expr *mark = expr_make(pool, OP_EQ, x, expr_const(pool, -1));
			add_leaf(t, p, sample, expr_ite(pool, mark, rest, x), p->relevant, 20 + misfit(t, i));
		}
	}
}

/* Whether the items of symbol i's list differ in every record, as those of a permutation do. */
static bool all_distinct(const target *t, int i)
{
	const operator *op = t->s->op;
	for (int j = 0; j < op->nsym; j++) {
		if (j == i || op->roles[j].kind != ROLE_ITEM || op->roles[j].list != op->roles[i].list)
			continue;
		for (int k = 0; k < t->nrows; k++)
			if (t->s->cols[i][t->rows[k]] == t->s->cols[j][t->rows[k]])
				return false;
	}
	return true;
}

/* The dimension of a tensor that an item of a list names: `s0 if s4 == 0 else s1 if s4 == 1 else …`. */
static void add_selections(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	const operator *op = t->s->op;
	expr_pool *pool = p->pool;
	for (int i = 0; i < op->nsym; i++) {
		const role *r = &op->roles[i];
		if (r->kind != ROLE_ITEM || r->len < 2 || misfit(t, i) > 2 || t->inert[i] || !all_distinct(t, i))
			continue;
		for (int from = 0; from < op->nsym; from++) {
			const role *q = &op->roles[from];
			if (q->kind != ROLE_DIM || q->pos != 0 || q->len < 2 || q->len > 8)
				continue;
			bool inside = true, negative = false;
			for (int k = 0; k < t->nrows && inside; k++) {
				int64_t v = t->s->cols[i][t->rows[k]];
				inside = v >= -q->len && v < q->len;
				negative |= v < 0;
			}
			const expr *x = expr_sym(pool, i), *e = expr_sym(pool, from + q->len - 1);
			for (int k = q->len - 2; inside && k >= 0; k--) {
				const expr *c = expr_make(pool, OP_EQ, x, expr_const(pool, k));
				if (negative)
					c = expr_make(pool, OP_OR, c, expr_make(pool, OP_EQ, x, expr_const(pool, k - q->len)));
				e = expr_ite(pool, c, expr_sym(pool, from + k), e);
			}
			if (inside)
				add_leaf(t, p, sample, e, covered_by(op, e, bit), 22);
		}
	}
}

/* op over the symbols listed; skipped when none of them is relevant although some symbol is. */
static void add_fold(const target *t, problem *p, const int *sample, const uint32_t *bit, enum op op,
    const int *symbols, int n, int cost)
{
	uint32_t covers = 0;
	for (int k = 0; k < n; k++)
		covers |= bit[symbols[k]];
	if (n < 2 || p->nleaves >= MAX_LEAVES || (t->nrelevant && !covers))
		return;
	for (int k = 0; k < n; k++) /* an inert member would have shown itself in a sum or product */
		if (t->inert[symbols[k]] && (op == OP_ADD || op == OP_MUL))
			return;
	int64_t *col = gather(t, p, sample, symbols[0]);
	const expr *e = expr_sym(p->pool, symbols[0]);
	for (int k = 1; k < n; k++) {
		const int64_t *x = t->s->cols[symbols[k]];
		e = expr_make(p->pool, op, e, expr_sym(p->pool, symbols[k]));
		for (int r = 0; r < p->rows; r++) {
			int64_t a = col[r], b = x[t->rows[sample[r]]];
			bool ok = a != NOVAL;
			if (op == OP_ADD)
				ok = ok && !__builtin_add_overflow(a, b, &a);
			else if (op == OP_MUL)
				ok = ok && !__builtin_mul_overflow(a, b, &a);
			else if (op == OP_MIN ? b < a : b > a)
				a = b;
			col[r] = ok ? a : NOVAL;
		}
	}
	p->leaves[p->nleaves++] = (leaf){.e = e, .col = col, .covers = covers, .cost = cost, .fold = true};
}

/* Products over runs of a tensor's dimensions: numel, flatten, reshape. */
static void add_tensor_folds(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	const operator *op = t->s->op;
	int dims[64];
	for (int i = 0; i < op->nsym; i++) {
		const role *r = &op->roles[i];
		if (r->kind != ROLE_DIM || r->pos != 0 || r->len < 2 || r->len > 64)
			continue;
		for (int length = r->len; length >= 2; length--)
			for (int from = 0; from + length <= r->len; from++) {
				if (r->len > 6 && length != r->len)
					continue;
				for (int k = 0; k < length; k++)
					dims[k] = i + from + k;
				add_fold(t, p, sample, bit, OP_MUL, dims, length, 14 + length);
			}
	}
}

/* Sizes given as arguments of their own: the product of a run of integers, and of all but the one aligned with
 * the output. */
static void add_other_integers(const target *t, problem *p, const int *sample, const uint32_t *bit, int *items)
{
	const operator *op = t->s->op;
	for (int from = 0, to; from < op->nsym; from = to) {
		for (to = from; to < op->nsym && op->roles[to].kind == ROLE_INT; to++)
			;
		int n = 0;
		for (int k = from; k < to; k++)
			if (k - from != op->out_pos[t->d])
				items[n++] = k;
		if (to - from == op->out_rank[t->d])
			add_fold(t, p, sample, bit, OP_MUL, items, n, 18);
		to += to == from;
	}
}

/* Over a list's items: all, and all but the one aligned with the output. */
static void add_list_folds(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	static const enum op OPS[] = {OP_MUL, OP_ADD, OP_MAX, OP_MIN};
	const operator *op = t->s->op;
	int *items = ARENA_ARRAY(t->s->scratch, int, op->nsym + 1);
	for (int list = 1; list <= op->nlists; list++) {
		int n = 0, others = 0;
		for (int i = 0; i < op->nsym; i++)
			if (op->roles[i].kind == ROLE_ITEM && op->roles[i].list == list)
				items[n++] = i;
		for (int o = 0; o < 4; o++)
			add_fold(t, p, sample, bit, OPS[o], items, n, 18);
		for (int k = 0; k < n; k++)
			if (op->roles[items[k]].pos != op->out_pos[t->d])
				items[others++] = items[k];
		if (others < n)
			add_fold(t, p, sample, bit, OP_MUL, items, others, 18);
	}
	add_other_integers(t, p, sample, bit, items);
}

/* Over the tensors of a list: the same dimension of each. */
static void add_tensor_list_folds(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	static const enum op OPS[] = {OP_ADD, OP_MAX, OP_MIN, OP_MUL};
	const operator *op = t->s->op;
	int *dims = ARENA_ARRAY(t->s->scratch, int, op->nsym + 1);
	for (int list = 1; list <= op->nlists; list++)
		for (int pos = 0; pos < 8; pos++) {
			int n = 0;
			for (int i = 0; i < op->nsym; i++) {
				const role *r = &op->roles[i];
				if (r->kind == ROLE_DIM && r->list == list && r->pos == pos)
					dims[n++] = i;
			}
			for (int o = 0; o < 4; o++)
				add_fold(t, p, sample, bit, OPS[o], dims, n, 14);
		}
}

/* Broadcasting: `b if a == 1 else a` over the dimensions that stand at the output's place, counted from
 * the right as broadcasting does, one a tensor. */
static void add_broadcasts(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	const operator *op = t->s->op;
	int right = op->out_rank[t->d] - 1 - op->out_pos[t->d], n = 0;
	uint32_t covers = 0;
	int64_t *col = NULL;
	const expr *e = NULL;
	for (int i = 0; i < op->nsym; i++) {
		const role *r = &op->roles[i];
		if (r->kind != ROLE_DIM || r->len - 1 - r->pos != right)
			continue;
		const int64_t *x = t->s->cols[i];
		covers |= bit[i];
		if (n++ == 0) {
			col = gather(t, p, sample, i);
			e = expr_sym(p->pool, i);
			continue;
		}
		const expr *one = expr_make(p->pool, OP_EQ, e, expr_const(p->pool, 1));
		e = expr_ite(p->pool, one, expr_sym(p->pool, i), e);
		for (int k = 0; k < p->rows; k++)
			col[k] = col[k] == 1 ? x[t->rows[sample[k]]] : col[k];
	}
	if (n >= 2 && n <= 6 && p->nleaves < MAX_LEAVES && (!t->nrelevant || covers))
		p->leaves[p->nleaves++] = (leaf){.e = e, .col = col, .covers = covers, .cost = 12 + 2 * n, .fold = true};
}

static void build_problem(const target *t, problem *p, const int *sample, int n, int most)
{
	solver *s = t->s;
	uint32_t *bit = ARENA_ARRAY(s->scratch, uint32_t, s->op->nsym + 1);
	int bits = 0;
	*p = (problem){.pool = s->pool, .scratch = s->scratch, .rows = n, .work = &s->work, .tried = t->tried,
	    .budget = s->work + s->budget < s->limit ? s->work + s->budget : s->limit};
	for (int i = 0; i < s->op->nsym; i++)
		if (t->relevant[i] && bits < MAX_RELEVANT)
			bit[i] = 1u << bits++;
	p->relevant = (1u << bits) - 1;
	p->derived = t->derived;
	p->target = gather(t, p, sample, s->op->nsym + t->d);
	add_symbols(t, p, sample, bit, most);
	if (t->derived)
		add_derived(t, p, sample, bit);
	add_constant(t, p, 1, 6);
	add_constant(t, p, 2, 8);
	add_broadcasts(t, p, sample, bit);
	add_tensor_list_folds(t, p, sample, bit);
	add_list_folds(t, p, sample, bit);
	add_tensor_folds(t, p, sample, bit);
	add_selections(t, p, sample, bit);
	add_wildcards(t, p, sample);
	if (p->nleaves < MAX_LEAVES)
		add_constant(t, p, 0, 8);
}

/* ---- stages */

enum { STAGES = SHAPE_STAGES, CHEAP_STAGES = 4, CLAMP_STAGE = 5 };

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
		return linear_search(p, 5);
	case 4:
		return enumerate_search(p, 3);
	case 5:
		return clamp_search(p, p->relevant ? 5 : 3);
	default:
		return enumerate_search(p, 5);
	}
}

void answer_offer(answer *best, const expr *e, int cost)
{
	if (!best->e || cost < best->cost || (cost == best->cost && expr_compare(e, best->e) < 0))
		*best = (answer){e, cost};
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
		build_problem(t, &p, sample, n, most);
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
		if (op->roles[i].kind != ROLE_DIM || misfit(t, i) != 0)
			continue;
		int k = 0;
		while (k < t->nrows && t->s->cols[i][t->rows[k]] == value)
			k++;
		if (k == t->nrows)
			return i;
	}
	return -1;
}

static answer search_rows(solver *s, int d, const int *rows, int nrows, int from, int to, bool derived)
{
	target t = {.s = s, .d = d, .rows = rows, .nrows = nrows, .derived = derived};
	bool *member = ARENA_ARRAY(s->scratch, bool, s->op->npass + 1);
	for (int k = 0; k < nrows; k++)
		member[rows[k]] = true;
	weigh_symbols(&t, member);
	answer best = {0};
	int64_t value;
	if (is_constant(&t, &value)) {
		int i = constant_twin(&t, value);
		best = (answer){i >= 0 ? expr_sym(s->pool, i) : expr_const(s->pool, value), 6};
		log_expr(s, "  found: ", best.e, "  (the same in all %d records)", nrows);
		return best;
	}
	if (derived && !t.nrelevant)
		return best;
	for (int stage = from; stage < to && !best.e && s->work < s->limit; stage++) {
		double from = thread_seconds();
		t.tried = &s->stages[stage].tried;
		best = stage_search(&t, stage, MAX_SYMBOL_LEAVES);
		s->stages[stage].seconds += thread_seconds() - from;
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
			if (ny < 3 || nn < 3)
				continue;
			arena_mark mark = arena_save(s->scratch);
			answer a = search_rows(s, d, no, nn, 0, 3, false);
			answer b = search_rows(s, d, yes, ny, 0, 3, false);
			if (!a.e && b.e && b.e->size == 0) /* a copy; the rest may be a clamp: max(0, …) */
				a = search_rows(s, d, no, nn, CLAMP_STAGE, CLAMP_STAGE + 1, false);
			if (a.e && !b.e && depth > 1)
				b = guard_search(s, d, yes, ny, depth - 1);
			arena_release(s->scratch, mark);
			if (a.e && b.e)
				answer_offer(&best, expr_ite(s->pool, c, b.e, a.e), a.cost + b.cost + 30);
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
		a = search_rows(s, d, rows, s->op->npass, 0, CHEAP_STAGES, false);
	} else {
		answer other = {0};
		a = guard_search(s, d, rows, s->op->npass, 1);
		if (!a.e)
			other = search_rows(s, d, rows, s->op->npass, CHEAP_STAGES, STAGES - 1, false);
		if (!other.e)
			other = search_rows(s, d, rows, s->op->npass, 0, CHEAP_STAGES, true);
		if (!other.e)
			other = search_rows(s, d, rows, s->op->npass, CLAMP_STAGE, CLAMP_STAGE + 1, true);
		if (other.e) /* a guard is not always the plainest */
			answer_offer(&a, other.e, other.cost);
		s->budget = LAST_BUDGET;
		if (!a.e)
			a = search_rows(s, d, rows, s->op->npass, STAGES - 1, STAGES, false);
	}
	*why = "no expression within the budget gives every recorded output";
	return a.e;
}

/* A symbol as a function of the others, on the passing records: what calls must agree on. */
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
	return shape_search(&t, 0, CHEAP, &why);
}

#include "target.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "costs.h"

enum { MAX_RELEVANT = 30, INERT_STEPS = 3 };
enum { STAGE_BUDGET = 1500000 }; /* work units, about 5 ns each */

/* ---- evidence */

void target_weigh(target *t, const bool *member)
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
		t->inert[i] = !t->relevant[i] && seen >= INERT_STEPS && t->leaves != LEAVES_ALL && t->leaves != LEAVES_WINDOW;
	}
}

int target_misfit(const target *t, int i)
{
	const operator *op = t->s->op;
	const role *r = &op->roles[i];
	int d = op->out_pos[t->d], rank = op->out_rank[t->d];
	if (r->kind == ROLE_INT)
		return 1;
	if (r->kind == ROLE_ITEM && r->outer_len) /* [[a, b], …]: one pair per dimension */
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
	    && r->pos / 2 == rank - 1 - d) /* pairs from the last dimension to the first, as in torch's pad */
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
		int fit = target_misfit(t, i);
		if ((t->inert[i] && !t->selected) || (t->leaves == LEAVES_DERIVED && !t->relevant[i]))
			continue;
		to[n++] = (ranked){i, (t->relevant[i] ? 0 : fit < 3 ? 10 : 20) + fit};
	}
	qsort(to, (size_t)n, sizeof *to, by_weight);
	return n;
}

static void add_symbols(const target *t, problem *p, const int *sample, uint32_t *bit, int max_symbols)
{
	ranked *order = ARENA_ARRAY(t->s->scratch, ranked, t->s->op->nsym + 1);
	int n = rank_symbols(t, order);
	for (int k = 0; k < n && k < max_symbols; k++) {
		int i = order[k].symbol, fit = target_misfit(t, i);
		p->leaves[p->nleaves++] = (leaf){.e = expr_sym(p->pool, i), .col = gather(t, p, sample, i),
		    .covers = bit[i], .cost = COST_SYMBOL + fit + (t->relevant[i] ? 0 : COST_UNSEEN), .aligned = fit < 3,
		    .is_dim = t->s->op->roles[i].kind == ROLE_DIM};
	}
}

/* Adds an expression as a leaf, unless it lacks a value on a record or its column is already there. */
static void add_leaf(const target *t, problem *p, const int *sample, const expr *e, uint32_t covers, int cost)
{
	const operator *op = t->s->op;
	int64_t *col = arena_alloc(t->s->scratch, sizeof *col * (size_t)p->rows);
	if (p->nleaves >= MAX_LEAVES)
		return;
	for (int r = 0; r < p->rows; r++) {
		wide v;
		const int64_t *row = passing_record(op, t->rows[sample[r]]);
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

void target_offer(const target *t, problem *p, const int *sample, const uint32_t *bit, const expr *e, int cost)
{
	add_leaf(t, p, sample, e, covered_by(t->s->op, e, bit), cost);
}

/* Adds halves, quarters, remainders, squares and signs of relevant symbols, and the known outputs. */
static void add_derived(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	solver *s = t->s;
	expr_pool *pool = p->pool;
	for (int e = 0; e < s->op->nodim; e++)
		if (e != t->d && s->rule->out[e] && s->rule->out[e]->size > 0)
			add_leaf(t, p, sample, s->rule->out[e], covered_by(s->op, s->rule->out[e], bit), COST_KNOWN_OUTPUT);
	for (int i = 0; i < s->op->nsym; i++) {
		const expr *x = expr_sym(pool, i);
		if (!t->relevant[i])
			continue;
		add_leaf(t, p, sample, expr_make(pool, OP_DIV, x, expr_const(pool, 2)), bit[i], COST_HALF);
		add_leaf(t, p, sample, expr_make(pool, OP_MOD, x, expr_const(pool, 2)), bit[i], COST_PARITY);
		add_leaf(t, p, sample, expr_make(pool, OP_MUL, x, x), bit[i], COST_SQUARE);
		add_leaf(t, p, sample, expr_make(pool, OP_DIV, x, expr_const(pool, 4)), bit[i], COST_QUARTER);
		int64_t low = 0, high = 0;
		for (int k = 0; k < t->nrows; k++) {
			int64_t v = s->cols[i][t->rows[k]];
			low = v < low ? v : low;
			high = v > high ? v : high;
		}
		if (low > -2 || high < 1) /* a symbol of -1 and above is a size with a wildcard */
			continue;
		add_leaf(t, p, sample, expr_make(pool, OP_MAX, x, expr_const(pool, 0)), bit[i], COST_SIGN);
		add_leaf(t, p, sample, expr_make(pool, OP_MIN, x, expr_const(pool, 0)), bit[i], COST_SIGN);
	}
}

/* Wildcard: a size of -1 is inferred from the number of elements: `numel // others if s == -1 else s`. */
static void add_wildcards(const target *t, problem *p, const int *sample)
{
	const operator *op = t->s->op;
	expr_pool *pool = p->pool;
	for (int i = 0; i < op->nsym; i++) {
		const role *r = &op->roles[i];
		int wildcards = 0;
		bool negative = false;
		for (int k = 0; k < t->nrows; k++) {
			wildcards += t->s->cols[i][t->rows[k]] == -1;
			negative |= t->s->cols[i][t->rows[k]] < -1;
		}
		if (r->kind == ROLE_DIM || !wildcards || negative || t->inert[i])
			continue;
		const expr *others = NULL, *x = expr_sym(pool, i);
		for (int k = 0; k < op->nsym; k++) {
			const role *q = &op->roles[k];
			if (k == i || q->kind != r->kind || q->list != r->list || q->outer_len)
				continue;
			others = expr_join(pool, OP_MUL, others, expr_sym(pool, k));
		}
		for (int from = 0; from < op->nsym; from++) {
			const expr *numel = expr_sym(pool, from);
			if (op->roles[from].kind != ROLE_DIM || op->roles[from].pos != 0)
				continue;
			for (int k = 1; k < op->roles[from].len; k++)
				numel = expr_make(pool, OP_MUL, numel, expr_sym(pool, from + k));
			const expr *rest = others ? expr_make(pool, OP_DIV, numel, others) : numel;
			const expr *mark = expr_make(pool, OP_EQ, x, expr_const(pool, -1));
			add_leaf(t, p, sample, expr_ite(pool, mark, rest, x), p->relevant, COST_WILDCARD + target_misfit(t, i));
		}
	}
}

/* Whether the items of symbol i's list differ in every record, as in a permutation. */
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

/* The dimension that a list item selects: `s0 if s4 == 0 else s1 if s4 == 1 else …`. */
static void add_selections(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	const operator *op = t->s->op;
	expr_pool *pool = p->pool;
	for (int i = 0; i < op->nsym; i++) {
		const role *r = &op->roles[i];
		if (r->kind != ROLE_ITEM || r->len < 2 || target_misfit(t, i) > 2 || t->inert[i] || !all_distinct(t, i))
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
				add_leaf(t, p, sample, e, covered_by(op, e, bit), COST_SELECTION);
		}
	}
}

/* Adds a fold of the symbols. Skipped if some symbols are relevant but none of these. */
static void add_fold(const target *t, problem *p, const int *sample, const uint32_t *bit, enum op op,
    const int *symbols, int n, int cost)
{
	uint32_t covers = 0;
	for (int k = 0; k < n; k++)
		covers |= bit[symbols[k]];
	if (n < 2 || p->nleaves >= MAX_LEAVES || (t->nrelevant && !covers))
		return;
	for (int k = 0; k < n; k++) /* an inert symbol cannot be a term of a sum or product */
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

/* Products of consecutive dimensions of a tensor: numel, flatten, reshape. */
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
				add_fold(t, p, sample, bit, OP_MUL, dims, length, COST_FOLD_DIMS + length);
			}
	}
}

/* Sizes given as separate arguments: the product of consecutive integers, without the one aligned with the output. */
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
			add_fold(t, p, sample, bit, OP_MUL, items, n, COST_FOLD_ITEMS);
		to += to == from;
	}
}

/* Folds of a list's items: of all, and the product without the one aligned with the output. */
static void add_list_folds(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	static const enum op FOLDS[] = {OP_MUL, OP_ADD, OP_MAX, OP_MIN};
	const operator *op = t->s->op;
	int *items = ARENA_ARRAY(t->s->scratch, int, op->nsym + 1);
	for (int list = 1; list <= op->nlists; list++) {
		int n = 0, others = 0;
		for (int i = 0; i < op->nsym; i++)
			if (op->roles[i].kind == ROLE_ITEM && op->roles[i].list == list)
				items[n++] = i;
		for (int o = 0; o < 4; o++)
			add_fold(t, p, sample, bit, FOLDS[o], items, n, COST_FOLD_ITEMS);
		for (int k = 0; k < n; k++)
			if (op->roles[items[k]].pos != op->out_pos[t->d])
				items[others++] = items[k];
		if (others < n)
			add_fold(t, p, sample, bit, OP_MUL, items, others, COST_FOLD_ITEMS);
	}
	add_other_integers(t, p, sample, bit, items);
}

/* Folds over a list of tensors: the same dimension of each. */
static void add_tensor_list_folds(const target *t, problem *p, const int *sample, const uint32_t *bit)
{
	static const enum op FOLDS[] = {OP_ADD, OP_MAX, OP_MIN, OP_MUL};
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
				add_fold(t, p, sample, bit, FOLDS[o], dims, n, COST_FOLD_TENSORS);
		}
}

/* Broadcasting: `b if a == 1 else a` over the dimensions aligned with the output from the right, one per tensor. */
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
		e = expr_broadcast(p->pool, e, expr_sym(p->pool, i));
		for (int k = 0; k < p->rows; k++)
			col[k] = col[k] == 1 ? x[t->rows[sample[k]]] : col[k];
	}
	if (n >= 2 && n <= 6 && p->nleaves < MAX_LEAVES && (!t->nrelevant || covers))
		p->leaves[p->nleaves++] = (leaf){.e = e, .col = col, .covers = covers,
		    .cost = COST_BROADCAST + COST_BROADCAST_EACH * n, .fold = true};
}

/* The rank as an axis length, for APIs that slice a shape. */
static void set_length(const target *t, problem *p)
{
	const operator *op = t->s->op;
	int i = 0;
	while (i < op->nsym && op->roles[i].kind != ROLE_DIM)
		i++;
	if (i == op->nsym)
		return;
	int64_t *col = arena_alloc(t->s->scratch, sizeof *col * (size_t)p->rows);
	for (int r = 0; r < p->rows; r++)
		col[r] = op->roles[i].len;
	p->length = (leaf){.e = expr_const(p->pool, op->roles[i].len), .col = col, .cost = COST_RANK};
}

void target_problem(const target *t, problem *p, const int *sample, int n, int max_symbols)
{
	solver *s = t->s;
	uint32_t *bit = ARENA_ARRAY(s->scratch, uint32_t, s->op->nsym + 1);
	int bits = 0;
	assert(n <= ROWS);
	*p = (problem){.pool = s->pool, .scratch = s->scratch, .rows = n, .work = &s->work, .tried = t->tried,
	    .budget = s->work + STAGE_BUDGET < s->limit ? s->work + STAGE_BUDGET : s->limit};
	for (int i = 0; i < s->op->nsym; i++)
		if (t->relevant[i] && bits < MAX_RELEVANT)
			bit[i] = 1u << bits++;
	p->relevant = (1u << bits) - 1;
	p->derived = t->leaves == LEAVES_DERIVED;
	p->kernel_reach = t->leaves == LEAVES_REACH;
	p->window_only = t->leaves == LEAVES_WINDOW;
	p->all_symbols = t->leaves == LEAVES_ALL;
	p->selected = t->selected;
	p->target = gather(t, p, sample, s->op->nsym + t->d);
	add_symbols(t, p, sample, bit, max_symbols);
	if (t->leaves == LEAVES_DERIVED)
		add_derived(t, p, sample, bit);
	if (t->leaves == LEAVES_FALLBACK)
		t->more(t, p, sample, bit);
	add_constant(t, p, 1, COST_ONE);
	add_constant(t, p, 2, COST_TWO);
	add_broadcasts(t, p, sample, bit);
	add_tensor_list_folds(t, p, sample, bit);
	add_list_folds(t, p, sample, bit);
	add_tensor_folds(t, p, sample, bit);
	add_selections(t, p, sample, bit);
	add_wildcards(t, p, sample);
	if (p->nleaves < MAX_LEAVES)
		add_constant(t, p, 0, COST_ZERO);
	set_length(t, p);
}

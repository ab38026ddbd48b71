/* The search for clauses: conditions that every passing record satisfies and that together reject every
 * failing one (design, synth points 6 and 7).
 *
 * Terms are symbols, outputs of the rule itself and folds. Literals compare terms, sums, differences,
 * products, quotients and remainders of terms; a literal is two bit sets, over the passing and over the
 * failing records. A clause is one to three literals whose passing sets together hold every passing
 * record. Clauses are chosen jointly: the next one has the greatest (records newly rejected) ×
 * exp(-cost), and at the end whatever the others make superfluous goes. A chosen clause is then lifted:
 * carried to the other positions of its lists and dimensions wherever the passing records agree.
 */
#include "solve.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "patterns.h"
#include "problem.h"

enum { MAX_CHOSEN = 48, MAX_TERMS = 48, MAX_LITERALS = 24000, MAX_PAIRED = 700, MAX_CLAUSES = 100, MAX_CANDIDATES = 30000, MAX_EQUATIONS = 12, TRIPLES = 20000000 };

typedef struct term {
	const expr *e;
	int64_t *col;
	int cost;
	uint64_t syms; /* first 64 symbols as bits */
	int pos;       /* dimension or list position, for alignment; -1: none */
} term;

typedef struct literal {
	const expr *e;
	uint64_t *holds; /* words: passing records, then failing ones */
	uint64_t syms, hash;
	int cost;
	int passes;
} literal;

typedef struct candidate {
	int lit[3]; /* -1: unused */
	int cost;
	uint64_t *rejects; /* fail words */
	uint64_t weight;   /* falls with the cost */
	int nrejects;
} candidate;

typedef struct clause_solver {
	solver *s;
	int npass, nfail, wp, wf;
	term terms[MAX_TERMS];
	int nterms, nplain; /* nplain: symbols only */
	literal *lits;
	int nlits;
	int32_t *slots;
	candidate *cands;
	int ncands;
	uint64_t *last; /* mask of the passing words */
	uint64_t *open; /* failing records not rejected yet */
} clause_solver;

static int popcount(const uint64_t *w, int n)
{
	int c = 0;
	for (int i = 0; i < n; i++)
		c += __builtin_popcountll(w[i]);
	return c;
}

static const int64_t *row_of(const clause_solver *c, int r)
{
	const operator *op = c->s->op;
	return r < c->npass ? op->pass + (size_t)r * (op->nsym + op->nodim)
			    : op->fail + (size_t)(r - c->npass) * op->nsym;
}

/* ---- terms */

static void add_term(clause_solver *c, const expr *e, int cost, int pos)
{
	solver *s = c->s;
	int rows = c->npass + c->nfail;
	if (c->nterms >= MAX_TERMS)
		return;
	term *t = &c->terms[c->nterms];
	*t = (term){.e = e, .cost = cost, .pos = pos};
	t->col = arena_alloc(s->scratch, sizeof *t->col * (size_t)rows);
	bool *used = ARENA_ARRAY(s->scratch, bool, s->op->nsym + 1);
	expr_mark_syms(e, used);
	for (int i = 0; i < s->op->nsym && i < 64; i++)
		t->syms |= (uint64_t)used[i] << i;
	for (int r = 0; r < rows; r++) {
		wide v;
		bool ok = expr_eval(e, row_of(c, r), &v) && v < (wide)1 << 62 && v > -((wide)1 << 62);
		t->col[r] = ok ? (int64_t)v : NOVAL;
	}
	for (int k = 0; k < c->nterms; k++)
		if (memcmp(c->terms[k].col, t->col, sizeof *t->col * (size_t)rows) == 0)
			return;
	c->nterms++;
}

/* Which symbols turn a passing record into a failing one by themselves. */
static void mark_critical(const clause_solver *c, int *critical)
{
	const operator *op = c->s->op;
	for (int f = 0; f < c->nfail && f < 400; f++) {
		const int64_t *x = row_of(c, c->npass + f);
		for (int p = 0; p < c->npass && p < 400; p++) {
			const int64_t *y = row_of(c, p);
			int at = -1, differ = 0;
			for (int i = 0; i < op->nsym && differ < 2; i++)
				if (x[i] != y[i]) {
					differ++;
					at = i;
				}
			if (differ == 1)
				critical[at]++;
		}
	}
}

static void add_symbol_terms(clause_solver *c, const int *critical)
{
	const operator *op = c->s->op;
	for (int pass = 0; pass < 2; pass++) /* critical ones first, should there be too many */
		for (int i = 0; i < op->nsym && c->nterms < MAX_TERMS - 12; i++)
			if ((critical[i] > 0) == (pass == 0))
				add_term(c, expr_sym(c->s->pool, i), critical[i] ? 8 : 12, op->roles[i].pos);
	c->nplain = c->nterms;
}

/* Whether symbols i and i + 1 belong to the same tensor, or to the same list of integers. */
static bool together(const operator *op, int i)
{
	const role *a = &op->roles[i], *b = &op->roles[i + 1];
	return i + 1 < op->nsym && a->kind == b->kind && a->kind != ROLE_INT && a->arg == b->arg
	    && a->tensor == b->tensor && a->list == b->list;
}

/* The number of elements of each tensor, the product and the sum of each list. */
static void add_fold_terms(clause_solver *c)
{
	const operator *op = c->s->op;
	expr_pool *pool = c->s->pool;
	for (int from = 0, to; from < op->nsym; from = to + 1) {
		const expr *product = expr_sym(pool, from), *sum = product;
		for (to = from; together(op, to); to++) {
			product = expr_make(pool, OP_MUL, product, expr_sym(pool, to + 1));
			sum = expr_make(pool, OP_ADD, sum, expr_sym(pool, to + 1));
		}
		if (to == from || to - from > 24)
			continue;
		if (to - from < 8)
			add_term(c, product, 14, -1);
		if (op->roles[from].kind == ROLE_ITEM)
			add_term(c, sum, 14, -1);
	}
}

/* The number of elements of each output that is not a copy: a view's must be its input's. */
static void add_output_products(clause_solver *c)
{
	const operator *op = c->s->op;
	const expr *const *out = c->s->rule->out;
	for (int from = 0, to; from < op->nodim; from = to) {
		const expr *product = out[from];
		int size = out[from]->size;
		for (to = from + 1; to < op->nodim && op->out_tensor[to] == op->out_tensor[from]; to++) {
			product = expr_make(c->s->pool, OP_MUL, product, out[to]);
			size += out[to]->size;
		}
		if (size && to - from > 1 && to - from < 10)
			add_term(c, product, 14, -1);
	}
}

/* For two lists of one length: Σ (a_i - 1)·b_i, the last offset that strides b reach in shape a. */
static void add_offset_terms(clause_solver *c)
{
	const operator *op = c->s->op;
	expr_pool *pool = c->s->pool;
	for (int a = 0; a < op->nsym; a++)
		for (int b = 0; b < op->nsym; b++) {
			const role *x = &op->roles[a], *y = &op->roles[b];
			if (x->kind == ROLE_INT || y->kind == ROLE_INT || x->pos || y->pos || x->len != y->len || x->len > 8
			    || a == b || y->kind == ROLE_DIM || x->kind == ROLE_DIM || x->outer_len || y->outer_len)
				continue;
			const expr *sum = NULL;
			for (int k = 0; k < x->len && b + k < op->nsym && a + k < op->nsym; k++) {
				const expr *before = expr_make(pool, OP_SUB, expr_sym(pool, a + k), expr_const(pool, 1));
				const expr *part = expr_make(pool, OP_MUL, before, expr_sym(pool, b + k));
				sum = sum ? expr_make(pool, OP_ADD, sum, part) : part;
			}
			add_term(c, sum, 22, -1);
			for (int i = 0; i < op->nsym; i++)
				if (op->roles[i].kind == ROLE_INT)
					add_term(c, expr_make(pool, OP_ADD, sum, expr_sym(pool, i)), 30, -1);
		}
}

/* Halves of integers that matter: a spectrum has n // 2 + 1 bins. */
static void add_halves(clause_solver *c, const int *critical)
{
	const operator *op = c->s->op;
	expr_pool *pool = c->s->pool;
	for (int i = 0; i < op->nsym; i++)
		if (critical[i] && op->roles[i].kind == ROLE_INT)
			add_term(c, expr_make(pool, OP_DIV, expr_sym(pool, i), expr_const(pool, 2)), 20, -1);
}

static void build_terms(clause_solver *c)
{
	solver *s = c->s;
	int *critical = ARENA_ARRAY(s->scratch, int, s->op->nsym + 1);
	mark_critical(c, critical);
	add_symbol_terms(c, critical);
	for (int d = 0; d < s->op->nodim; d++)
		if (s->rule->out[d]->size > 0)
			add_term(c, s->rule->out[d], 9, s->op->out_pos[d]);
	add_fold_terms(c);
	add_output_products(c);
	add_offset_terms(c);
	add_halves(c, critical);
}

/* ---- literals */

static uint64_t hash_words(const uint64_t *w, int n)
{
	uint64_t h = 0;
	for (int i = 0; i < n; i++)
		h = (h ^ w[i]) * 0x9e3779b97f4a7c15u + (h >> 29);
	return h;
}

/* x op y by records, or x op constant (y NULL). */
static void compare_columns(enum op op, const int64_t *x, const int64_t *y, int64_t constant, uint64_t *bits, int rows)
{
	if (y)
		column_compare(op, x, y, bits, rows);
	else
		column_compare_const(op, x, constant, bits, rows);
}

/* Offers `x op y`; equal bit sets keep the cheapest text. */
static void add_literal(clause_solver *c, enum op op, const expr *xe, const int64_t *x, const expr *ye,
    const int64_t *y, int64_t constant, int cost, uint64_t syms)
{
	int words = c->wp + c->wf;
	uint64_t bits[words];
	if (c->nlits >= MAX_LITERALS)
		return;
	c->s->work++;
	c->s->stages[STAGE_CLAUSES].tried++;
	compare_columns(op, x, y, constant, bits, c->npass);
	int passes = popcount(bits, c->wp);
	if (passes == 0)
		return;
	compare_columns(op, x + c->npass, y ? y + c->npass : NULL, constant, bits + c->wp, c->nfail);
	if (popcount(bits + c->wp, c->wf) == c->nfail)
		return;
	uint64_t h = hash_words(bits, words);
	uint32_t mask = (1u << 16) - 1, at = (uint32_t)(h >> 20) & mask;
	for (; c->slots[at] >= 0; at = (at + 1) & mask) {
		literal *o = &c->lits[c->slots[at]];
		if (o->hash == h && memcmp(o->holds, bits, sizeof bits) == 0) {
			if (cost < o->cost) {
				o->cost = cost;
				o->syms = syms;
				o->e = expr_make(c->s->pool, op, xe, ye ? ye : expr_const(c->s->pool, constant));
			}
			return;
		}
	}
	literal *l = &c->lits[c->nlits];
	*l = (literal){.syms = syms, .hash = h, .cost = cost, .passes = passes,
	    .e = expr_make(c->s->pool, op, xe, ye ? ye : expr_const(c->s->pool, constant))};
	l->holds = arena_alloc(c->s->scratch, sizeof bits);
	memcpy(l->holds, bits, sizeof bits);
	c->slots[at] = c->nlits++;
}

static void with_constants(clause_solver *c, const expr *e, const int64_t *col, int cost, uint64_t syms)
{
	static const struct {
		enum op op;
		int64_t value;
		int cost;
	} LIST[] = {{OP_EQ, 0, 3}, {OP_EQ, 1, 2}, {OP_EQ, 2, 8}, {OP_NE, 0, 3}, {OP_NE, 1, 7}, {OP_GT, 0, 0},
	    {OP_GE, 0, 0}, {OP_GT, 1, 3}, {OP_GE, -1, 4}, {OP_GT, 2, 8}, {OP_LT, 0, 4}, {OP_LE, 0, 4},
	    {OP_LE, 1, 5}, {OP_LE, 2, 8}, {OP_EQ, -1, 4}, {OP_GE, -2, 9}};
	for (size_t k = 0; k < sizeof LIST / sizeof *LIST; k++)
		add_literal(c, LIST[k].op, e, col, NULL, NULL, LIST[k].value, cost + LIST[k].cost, syms);
}

/* Bounds at the extremes of the passing records: they fit by construction, so they are dear. */
static void with_extremes(clause_solver *c, const term *t)
{
	int64_t low = INT64_MAX, high = NOVAL;
	for (int r = 0; r < c->npass; r++) {
		if (t->col[r] == NOVAL)
			return;
		low = t->col[r] < low ? t->col[r] : low;
		high = t->col[r] > high ? t->col[r] : high;
	}
	int far = (low < -8 || low > 8) ? 12 : 0;
	add_literal(c, OP_GE, t->e, t->col, NULL, NULL, low, t->cost + 24 + far, t->syms);
	far = (high < -8 || high > 8) ? 12 : 0;
	add_literal(c, OP_LE, t->e, t->col, NULL, NULL, high, t->cost + 24 + far, t->syms);
	if (low == high)
		add_literal(c, OP_EQ, t->e, t->col, NULL, NULL, low, t->cost + 20 + far, t->syms);
}

static int misalignment(const term *a, const term *b)
{
	return a->pos < 0 || b->pos < 0 || a->pos == b->pos ? 0 : 5;
}

static void compare_terms(clause_solver *c, const term *a, const term *b)
{
	int cost = a->cost + b->cost + misalignment(a, b);
	uint64_t syms = a->syms | b->syms;
	add_literal(c, OP_EQ, a->e, a->col, b->e, b->col, 0, cost, syms);
	add_literal(c, OP_NE, a->e, a->col, b->e, b->col, 0, cost + 6, syms);
	add_literal(c, OP_LE, a->e, a->col, b->e, b->col, 0, cost + 1, syms);
	add_literal(c, OP_LT, a->e, a->col, b->e, b->col, 0, cost + 1, syms);
	add_literal(c, OP_LE, b->e, b->col, a->e, a->col, 0, cost + 1, syms);
	add_literal(c, OP_LT, b->e, b->col, a->e, a->col, 0, cost + 1, syms);
}

static const struct combination {
	enum op op;
	int cost;
	bool commutes;
} COMBINATIONS[] = {{OP_ADD, 8, true}, {OP_SUB, 8, false}, {OP_MUL, 9, true}, {OP_MOD, 10, false},
    {OP_DIV, 12, false}, {OP_MAX, 18, true}, {OP_MIN, 18, true}};

/* Literals over x op y: against constants, and against every third term when `third` is set. */
static void combine_terms(clause_solver *c, int most, bool third)
{
	int rows = c->npass + c->nfail;
	int64_t *col = arena_alloc(c->s->scratch, sizeof *col * (size_t)rows);
	for (size_t k = 0; k < sizeof COMBINATIONS / sizeof *COMBINATIONS; k++)
		for (int i = 0; i < most; i++)
			for (int j = 0; j < most; j++) {
				const struct combination *m = &COMBINATIONS[k];
				const term *a = &c->terms[i], *b = &c->terms[j];
				if (i == j || (m->commutes && j < i) || c->nlits >= MAX_LITERALS)
					continue;
				const expr *e = expr_make(c->s->pool, m->op, a->e, b->e);
				int cost = a->cost + b->cost + m->cost + misalignment(a, b);
				column_apply(m->op, a->col, b->col, col, rows);
				if (!third) {
					with_constants(c, e, col, cost, a->syms | b->syms);
					continue;
				}
				for (int z = 0; z < most; z++) {
					const term *t = &c->terms[z];
					if (z == i || z == j)
						continue;
					uint64_t syms = a->syms | b->syms | t->syms;
					int total = cost + t->cost + misalignment(a, t);
					add_literal(c, OP_EQ, e, col, t->e, t->col, 0, total, syms);
					add_literal(c, OP_LE, e, col, t->e, t->col, 0, total + 1, syms);
					add_literal(c, OP_LT, e, col, t->e, t->col, 0, total + 1, syms);
					add_literal(c, OP_GE, e, col, t->e, t->col, 0, total + 1, syms);
				}
			}
}

/* 2·x against y: padding at most half the kernel. */
static void double_terms(clause_solver *c, int most)
{
	int rows = c->npass + c->nfail;
	int64_t *col = arena_alloc(c->s->scratch, sizeof *col * (size_t)rows);
	for (int i = 0; i < most; i++) {
		const term *a = &c->terms[i];
		const expr *e = expr_make(c->s->pool, OP_MUL, expr_const(c->s->pool, 2), a->e);
		column_apply_const(OP_MUL, a->col, 2, col, rows);
		for (int j = 0; j < most; j++) {
			const term *b = &c->terms[j];
			int cost = a->cost + b->cost + 10 + misalignment(a, b);
			if (i == j)
				continue;
			add_literal(c, OP_LE, e, col, b->e, b->col, 0, cost, a->syms | b->syms);
			add_literal(c, OP_LT, e, col, b->e, b->col, 0, cost, a->syms | b->syms);
			add_literal(c, OP_EQ, e, col, b->e, b->col, 0, cost, a->syms | b->syms);
		}
	}
}

/* A pattern is a literal of its own price: forms that recur in all frameworks are likelier than a shorter
 * text that fits as well. It must hold on every passing record by itself. */
static void add_pattern(void *user, const expr *e, int cost)
{
	clause_solver *c = user;
	int words = c->wp + c->wf, rows = c->npass + c->nfail;
	c->s->work += 8;
	c->s->stages[STAGE_CLAUSES].tried++;
	for (int r = 0; r < c->npass; r++)
		if (!expr_holds(e, row_of(c, r)))
			return;
	uint64_t *bits = arena_alloc(c->s->scratch, sizeof *bits * (size_t)words);
	memcpy(bits, c->last, sizeof *bits * (size_t)c->wp);
	memset(bits + c->wp, 0, sizeof *bits * (size_t)c->wf);
	for (int r = c->npass; r < rows; r++)
		if (expr_holds(e, row_of(c, r)))
			bits[c->wp + (r - c->npass) / 64] |= (uint64_t)1 << (r - c->npass) % 64;
	if (popcount(bits + c->wp, c->wf) < c->nfail && c->nlits < MAX_LITERALS)
		c->lits[c->nlits++] = (literal){.e = e, .holds = bits, .cost = cost, .passes = c->npass};
}

/* Dimensions that the passing records make a function of the other symbols: `s9 == (s1 - s4)//s13 + 1`. */
static void add_equations(clause_solver *c)
{
	const operator *op = c->s->op;
	int *critical = ARENA_ARRAY(c->s->scratch, int, op->nsym + 1);
	mark_critical(c, critical);
	for (int i = 0, tried = 0; i < op->nsym && tried < MAX_EQUATIONS; i++) {
		if (!critical[i] || op->roles[i].kind != ROLE_DIM)
			continue;
		tried++;
		arena_mark mark = arena_save(c->s->scratch);
		const expr *e = shape_explain(c->s, i);
		arena_release(c->s->scratch, mark);
		if (e && e->size > 1 && e->size < 12)
			add_pattern(c, expr_make(c->s->pool, OP_EQ, expr_sym(c->s->pool, i), e), 20 + 3 * e->size);
	}
}

static void build_literals(clause_solver *c, int effort)
{
	int n = c->nterms;
	patterns_generate(c->s, add_pattern, c);
	for (int i = 0; i < n; i++)
		with_constants(c, c->terms[i].e, c->terms[i].col, c->terms[i].cost, c->terms[i].syms);
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++)
			compare_terms(c, &c->terms[i], &c->terms[j]);
	for (int i = 0; i < n; i++)
		with_extremes(c, &c->terms[i]);
	if (effort > 0) {
		add_equations(c);
		int most = n < 28 ? n : 28;
		double_terms(c, most);
		combine_terms(c, most, false);
	}
	if (effort > 1)
		combine_terms(c, n < 14 ? n : 14, true);
}

/* ---- clauses */

static bool covers_pass(const clause_solver *c, const uint64_t *x, const uint64_t *y, const uint64_t *z)
{
	for (int w = 0; w < c->wp; w++)
		if ((x[w] | (y ? y[w] : 0) | (z ? z[w] : 0)) != c->last[w])
			return false;
	return true;
}

/* 2^48 × exp(-cost / 9) in integers, since a machine's exp may differ in the last bit and ties would then
 * fall otherwise. */
static uint64_t weight_of(int cost)
{
	uint64_t weight = (uint64_t)1 << 48;
	for (int i = 0; i < cost && weight > 1; i++)
		weight = weight / 65536 * 58643 + weight % 65536 * 58643 / 65536; /* 65536 × exp(-1/9) */
	return weight ? weight : 1;
}

static void add_candidate(clause_solver *c, int i, int j, int k)
{
	const literal *x = &c->lits[i], *y = j < 0 ? NULL : &c->lits[j], *z = k < 0 ? NULL : &c->lits[k];
	if (c->ncands >= MAX_CANDIDATES)
		return;
	uint64_t rejects[c->wf];
	int n = 0;
	for (int w = 0; w < c->wf; w++) {
		uint64_t held = x->holds[c->wp + w] | (y ? y->holds[c->wp + w] : 0)
		    | (z ? z->holds[c->wp + w] : 0);
		rejects[w] = ~held & c->open[w];
		n += __builtin_popcountll(rejects[w]);
	}
	if (n == 0)
		return;
	candidate *o = &c->cands[c->ncands++];
	*o = (candidate){.lit = {i, j, k}, .nrejects = n, .cost = x->cost + (y ? y->cost + 5 : 0) + (z ? z->cost + 5 : 0)};
	o->weight = weight_of(o->cost);
	o->rejects = arena_alloc(c->s->scratch, sizeof rejects + 8);
	memcpy(o->rejects, rejects, sizeof rejects);
}

typedef struct cheap {
	int index, cost;
} cheap;

static int by_cost(const void *a, const void *b)
{
	const cheap *x = a, *y = b;
	return x->cost != y->cost ? (x->cost < y->cost ? -1 : 1) : x->index - y->index;
}

/* The literals worth pairing: neither always true nor dear; equalities that few records meet last. */
static int pick_paired(const clause_solver *c, int *to)
{
	cheap *list = ARENA_ARRAY(c->s->scratch, cheap, c->nlits + 1);
	int n = 0;
	for (int i = 0; i < c->nlits; i++)
		if (c->lits[i].passes < c->npass && c->lits[i].cost <= 44)
			list[n++] = (cheap){i, c->lits[i].cost};
	qsort(list, (size_t)n, sizeof *list, by_cost);
	n = n < MAX_PAIRED ? n : MAX_PAIRED;
	for (int k = 0; k < n; k++)
		to[k] = list[k].index;
	return n;
}

static void build_pairs(clause_solver *c, const int *paired, int n)
{
	for (int a = 0; a < n; a++)
		for (int b = a + 1; b < n; b++)
			if (covers_pass(c, c->lits[paired[a]].holds, c->lits[paired[b]].holds, NULL))
				add_candidate(c, paired[a], paired[b], -1);
}

/* The paired literals over some symbols only: what a third literal may be. Kept for each set of symbols. */
enum { SETS = 4096 };

typedef struct within {
	uint64_t syms;
	int *list, n; /* indices into paired, rising; list NULL: the slot is free */
} within;

static const within *literals_within(clause_solver *c, within *sets, const int *paired, int n, uint64_t syms)
{
	uint32_t at = (uint32_t)(syms * 0x9e3779b97f4a7c15u >> 40) % SETS;
	within *w = &sets[at];
	if (w->list && w->syms == syms)
		return w;
	if (!w->list) /* a slot that is taken by another set is filled anew */
		w->list = ARENA_ARRAY(c->s->scratch, int, n + 1);
	w->syms = syms;
	w->n = 0;
	for (int k = 0; k < n; k++)
		if ((c->lits[paired[k]].syms & ~syms) == 0)
			w->list[w->n++] = k;
	return w;
}

static void build_triples(clause_solver *c, const int *paired, int n)
{
	within *sets = ARENA_ARRAY(c->s->scratch, within, SETS);
	long budget = TRIPLES / (c->wp + 1);
	for (int a = 0; a < n; a++)
		for (int b = a + 1; b < n && budget > 0; b++) {
			const literal *x = &c->lits[paired[a]], *y = &c->lits[paired[b]];
			uint64_t syms = x->syms | y->syms;
			if (__builtin_popcountll(syms) > 3 || x->cost + y->cost > 50 || covers_pass(c, x->holds, y->holds, NULL))
				continue;
			const within *third = literals_within(c, sets, paired, n, syms);
			for (int k = 0; k < third->n && budget > 0; k++) {
				int d = third->list[k];
				const literal *z = &c->lits[paired[d]];
				if (d <= b)
					continue;
				budget--;
				if (covers_pass(c, x->holds, y->holds, z->holds) && !covers_pass(c, x->holds, z->holds, NULL)
				    && !covers_pass(c, y->holds, z->holds, NULL))
					add_candidate(c, paired[a], paired[b], paired[d]);
			}
		}
}

/* ---- the choice */

static const expr *clause_expr(const clause_solver *c, const candidate *k)
{
	const expr *e = c->lits[k->lit[0]].e;
	for (int i = 1; i < 3 && k->lit[i] >= 0; i++)
		e = expr_make(c->s->pool, OP_OR, e, c->lits[k->lit[i]].e);
	return e;
}

static uint64_t score(const clause_solver *c, const candidate *k)
{
	int n = 0;
	for (int w = 0; w < c->wf; w++)
		n += __builtin_popcountll(k->rejects[w] & c->open[w]);
	return n ? (uint64_t)n * k->weight : 0;
}

static int best_candidate(const clause_solver *c)
{
	int best = -1;
	uint64_t most = 0;
	for (int i = 0; i < c->ncands; i++) {
		uint64_t v = score(c, &c->cands[i]);
		if (v > most
		    || (v == most && v > 0
			&& expr_compare(clause_expr(c, &c->cands[i]), clause_expr(c, &c->cands[best])) < 0)) {
			most = v;
			best = i;
		}
	}
	return best;
}

/* Drops chosen clauses, weakest first, while the rest still rejects everything that all rejected. */
static int prune(const clause_solver *c, int *chosen, int n)
{
	for (;;) {
		int drop = -1;
		uint64_t weakest = UINT64_MAX;
		for (int i = 0; i < n; i++) {
			bool needed = false;
			for (int w = 0; !needed && w < c->wf; w++) {
				uint64_t others = 0;
				for (int j = 0; j < n; j++)
					others |= j == i ? 0 : c->cands[chosen[j]].rejects[w];
				needed = (c->cands[chosen[i]].rejects[w] & ~others) != 0;
			}
			uint64_t value = (uint64_t)c->cands[chosen[i]].nrejects * c->cands[chosen[i]].weight;
			if (!needed && value < weakest) {
				weakest = value;
				drop = i;
			}
		}
		if (drop < 0)
			return n;
		log_expr(c->s, "  superfluous: ", clause_expr(c, &c->cands[chosen[drop]]), "  (the others reject all)");
		chosen[drop] = chosen[--n];
	}
}

static int choose(clause_solver *c, int *chosen)
{
	uint64_t *all = arena_alloc(c->s->scratch, sizeof *all * (size_t)c->wf);
	int n = 0;
	memcpy(all, c->open, sizeof *all * (size_t)c->wf);
	while (n < MAX_CHOSEN && popcount(c->open, c->wf) > 0) {
		int k = best_candidate(c);
		if (k < 0)
			break;
		chosen[n++] = k;
		log_expr(c->s, "  clause: ", clause_expr(c, &c->cands[k]), "  (rejects %d, cost %d)",
		    c->cands[k].nrejects, c->cands[k].cost);
		for (int w = 0; w < c->wf; w++)
			c->open[w] &= ~c->cands[k].rejects[w];
	}
	int left = popcount(c->open, c->wf);
	memcpy(c->open, all, sizeof *all * (size_t)c->wf);
	return left ? -1 - n : prune(c, chosen, n);
}

/* ---- lifting: the same clause at other positions */

static bool passes_agree(const clause_solver *c, const expr *e)
{
	for (int r = 0; r < c->npass; r++)
		if (!expr_holds(e, row_of(c, r)))
			return false;
	return true;
}

/* The symbol at another position of the same list or tensor; -1: there is none. */
static int shifted(const operator *op, int i, int by)
{
	const role *r = &op->roles[i];
	if (r->kind == ROLE_INT || (r->kind == ROLE_ITEM && r->outer_len == 0 && r->len == 1))
		return i;
	int to = i + by;
	if (r->pos + by < 0 || r->pos + by >= r->len || to < 0 || to >= op->nsym)
		return -1;
	const role *q = &op->roles[to];
	return q->kind == r->kind && q->arg == r->arg && q->tensor == r->tensor && q->list == r->list ? to : -1;
}

static const expr *shift(clause_solver *c, const expr *e, int by)
{
	const operator *op = c->s->op;
	bool *used = ARENA_ARRAY(c->s->scratch, bool, op->nsym + 1);
	int *map = ARENA_ARRAY(c->s->scratch, int, op->nsym + 1);
	expr_mark_syms(e, used);
	for (int i = 0; i < op->nsym; i++) {
		map[i] = used[i] ? shifted(op, i, by) : i;
		if (map[i] < 0)
			return NULL;
	}
	const expr *to = expr_copy(c->s->pool, e, map);
	return to == e ? NULL : to;
}

/* Whether the clause speaks of a list item or of the rule's outputs: those lift with little risk. */
static bool about_lists(const operator *op, const expr *e)
{
	if (e->op == OP_SYM)
		return op->roles[e->value].kind == ROLE_ITEM;
	return (e->a && about_lists(op, e->a)) || (e->b && about_lists(op, e->b))
	    || (e->c && about_lists(op, e->c));
}

static void lift(clause_solver *c, rule *r, int from)
{
	int n = r->nclauses;
	for (int k = from; k < n; k++)
		for (int by = -7; by <= 7; by++) {
			if (r->nclauses >= MAX_CLAUSES || by == 0)
				continue;
			if (!about_lists(c->s->op, r->clauses[k]) && c->npass < 12)
				continue;
			const expr *e = shift(c, r->clauses[k], by);
			bool known = !e;
			for (int j = 0; !known && j < r->nclauses; j++)
				known = r->clauses[j] == e;
			if (known || !passes_agree(c, e))
				continue;
			log_expr(c->s, "  lifted: ", e, "  (from clause %d)", k + 1);
			r->clauses[r->nclauses++] = e;
		}
}

/* `a and b` as a clause is two clauses. */
static void split_conjunctions(rule *r)
{
	for (int k = 0; k < r->nclauses; k++)
		while (r->clauses[k]->op == OP_AND && r->nclauses < MAX_CLAUSES) {
			r->clauses[r->nclauses++] = r->clauses[k]->b;
			r->clauses[k] = r->clauses[k]->a;
		}
}

/* ---- the whole */

/* Failing records that the clauses so far, dimensions below 0 or the outputs' domain reject are not open. */
static void open_failures(clause_solver *c)
{
	const operator *op = c->s->op;
	for (int f = 0; f < c->nfail; f++)
		if (rule_accepts(op, c->s->rule, row_of(c, c->npass + f), NULL))
			c->open[f / 64] |= (uint64_t)1 << f % 64;
}

static void start(clause_solver *c, solver *s)
{
	*c = (clause_solver){.s = s, .npass = s->op->npass, .nfail = s->op->nfail};
	c->wp = (c->npass + 63) / 64;
	c->wf = (c->nfail + 63) / 64;
	c->open = ARENA_ARRAY(s->scratch, uint64_t, c->wf + 1);
	c->last = ARENA_ARRAY(s->scratch, uint64_t, c->wp + 1);
	for (int r = 0; r < c->npass; r++)
		c->last[r / 64] |= (uint64_t)1 << r % 64;
}

static int attempt(clause_solver *c, int effort, int *chosen)
{
	c->nlits = c->ncands = 0;
	memset(c->slots, -1, sizeof *c->slots << 16);
	build_literals(c, effort);
	for (int i = 0; i < c->nlits; i++)
		if (c->lits[i].passes == c->npass)
			add_candidate(c, i, -1, -1);
	int paired[MAX_PAIRED], n = pick_paired(c, paired);
	build_pairs(c, paired, n);
	build_triples(c, paired, n);
	return choose(c, chosen);
}

/* Description length of a set of clauses: its literals, and the failing records that only a dear clause
 * explains. 0 when the set is as plain as can be (a few single comparisons of symbols). */
static int set_length(const clause_solver *c, const int *chosen, int n)
{
	int length = 0, plain = 1;
	for (int k = 0; k < n; k++) {
		const candidate *o = &c->cands[chosen[k]];
		length += o->cost + 10 + (o->nrejects < 3 ? 12 : 0);
		plain = plain && o->lit[1] < 0 && o->cost <= 24;
	}
	return plain ? 0 : length;
}

/* Whether the set looks fitted rather than found: many clauses for few failures, or a dear one that hardly
 * any record asks for by itself. */
static bool looks_fitted(const clause_solver *c, const int *chosen, int n)
{
	int length = 0;
	for (int k = 0; k < n; k++) {
		const candidate *o = &c->cands[chosen[k]];
		int alone = 0;
		for (int w = 0; w < c->wf; w++) {
			uint64_t others = 0;
			for (int j = 0; j < n; j++)
				others |= j == k ? 0 : c->cands[chosen[j]].rejects[w];
			alone += __builtin_popcountll(o->rejects[w] & ~others);
		}
		if (o->cost > 36 && alone < 4)
			return true;
		length += o->cost;
	}
	return n >= 8 || length > 60 + 3 * c->nfail;
}

static bool search(solver *s, const expr *const *base, int nbase)
{
	clause_solver c;
	rule *r = s->rule;
	start(&c, s);
	r->clauses = ARENA_ARRAY(s->scratch, const expr *, MAX_CLAUSES + nbase + 1);
	r->nclauses = nbase;
	for (int k = 0; k < nbase; k++)
		r->clauses[k] = base[k];
	open_failures(&c);
	if (popcount(c.open, c.wf) == 0)
		return true;
	c.lits = arena_alloc(s->scratch, sizeof *c.lits * MAX_LITERALS);
	c.cands = arena_alloc(s->scratch, sizeof *c.cands * MAX_CANDIDATES);
	c.slots = arena_alloc(s->scratch, sizeof *c.slots << 16);
	build_terms(&c);
	int shortest = INT_MAX;
	for (int effort = 0; effort < 3 && shortest > 0; effort++) {
		int chosen[MAX_CLAUSES];
		arena_mark mark = arena_save(s->scratch);
		log_expr(s, "", NULL, "clauses, %d failing records, effort %d", popcount(c.open, c.wf), effort);
		int n = attempt(&c, effort, chosen), length = n < 0 ? INT_MAX : set_length(&c, chosen, n);
		if (length < shortest) {
			shortest = length;
			r->thin = looks_fitted(&c, chosen, n);
			r->nclauses = nbase + n;
			for (int k = 0; k < n; k++)
				r->clauses[nbase + k] = clause_expr(&c, &c.cands[chosen[k]]);
		}
		arena_release(s->scratch, mark);
	}
	if (shortest == INT_MAX) {
		r->why = "no clauses within the budget reject every failing record and accept every passing one";
		return false;
	}
	split_conjunctions(r);
	lift(&c, r, nbase);
	return true;
}

bool clause_search(solver *s, const expr *const *base, int nbase)
{
	double from = thread_seconds();
	bool ok = search(s, base, nbase);
	s->stages[STAGE_CLAUSES].seconds += thread_seconds() - from;
	return ok;
}

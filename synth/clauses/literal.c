#include "literal.h"

#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "halfspace.h"
#include "costs.h"
#include "templates.h"
#include "problem.h"
#include "relations.h"
#include "stages.h"
#include "fallback_patterns.h"
#include "window_counts.h"

enum { MAX_EQUATIONS = 12, MAX_OPERATIONS = 48, MAX_CHARGED_OPERATIONS = 12, SLOTS = 1 << 16 };

int literal_count_bits(const uint64_t *w, int words)
{
	return column_common_bits(w, w, words);
}

void literal_start(literals *c, solver *s)
{
	*c = (literals){.s = s, .npass = s->op->npass, .nfail = s->op->nfail};
	c->wp = (c->npass + 63) / 64;
	c->wf = (c->nfail + 63) / 64;
	c->last = ARENA_ARRAY(s->scratch, uint64_t, c->wp + 1);
	for (int r = 0; r < c->npass; r++)
		c->last[r / 64] |= (uint64_t)1 << r % 64;
	c->lits = arena_alloc(s->scratch, sizeof *c->lits * MAX_LITERALS);
	c->slots = arena_alloc(s->scratch, sizeof *c->slots * SLOTS);
}

/* ---- terms */

static void add_term(literals *c, const expr *e, int cost, int pos)
{
	solver *s = c->s;
	int rows = c->npass + c->nfail;
	if (c->nterms >= MAX_TERMS)
		return;
	term *t = &c->terms[c->nterms];
	*t = (term){.e = e, .cost = cost, .pos = pos, .role = e->op == OP_SYM ? &c->s->op->roles[e->value] : NULL};
	t->col = arena_alloc(s->scratch, sizeof *t->col * (size_t)rows);
	bool *used = ARENA_ARRAY(s->scratch, bool, s->op->nsym + 1);
	expr_mark_syms(e, used);
	for (int i = 0; i < s->op->nsym && i < 64; i++)
		t->syms |= (uint64_t)used[i] << i;
	for (int r = 0; r < rows; r++) {
		wide v, most = ((wide)1 << 62) - 1;
		bool ok = expr_eval(e, record_symbols(c->s->op, r), &v);
		if (ok && e->op == OP_SYM) /* symbols of a call always have a value, however large: clamp them */
			v = v > most ? most : v < -most ? -most : v;
		t->col[r] = ok && v <= most && v >= -most ? (int64_t)v : NOVAL;
	}
	for (int k = 0; k < c->nterms; k++)
		if (memcmp(c->terms[k].col, t->col, sizeof *t->col * (size_t)rows) == 0)
			return;
	c->nterms++;
}

/* Counts, for each symbol, the failing records that differ from a passing one in that symbol alone. */
static void mark_critical(const literals *c, int *critical)
{
	const operator *op = c->s->op;
	for (int f = 0; f < c->nfail && f < 400; f++) {
		const int64_t *x = record_symbols(c->s->op, c->npass + f);
		for (int p = 0; p < c->npass && p < 400; p++) {
			const int64_t *y = record_symbols(c->s->op, p);
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

static void add_symbol_terms(literals *c, const int *critical)
{
	const operator *op = c->s->op;
	for (int pass = 0; pass < 2; pass++) /* critical ones first, in case there are too many */
		for (int i = 0; i < op->nsym && c->nterms < MAX_TERMS - 12; i++)
			if ((critical[i] > 0) == (pass == 0))
				add_term(c, expr_sym(c->s->pool, i), critical[i] ? COST_CRITICAL : COST_UNCRITICAL, op->roles[i].pos);
}

/* Whether symbols i and i + 1 belong to the same tensor, or to the same list of integers. */
static bool are_neighbours(const operator *op, int i)
{
	const role *a = &op->roles[i], *b = &op->roles[i + 1];
	return i + 1 < op->nsym && a->kind == b->kind && a->kind != ROLE_INT && a->arg == b->arg
	    && a->tensor == b->tensor && a->list == b->list;
}

/* The number of elements of each tensor, the product and the sum of each list. */
static void add_fold_terms(literals *c)
{
	const operator *op = c->s->op;
	expr_pool *pool = c->s->pool;
	for (int from = 0, to; from < op->nsym; from = to + 1) {
		const expr *product = expr_sym(pool, from), *sum = product;
		for (to = from; are_neighbours(op, to); to++) {
			product = expr_make(pool, OP_MUL, product, expr_sym(pool, to + 1));
			sum = expr_make(pool, OP_ADD, sum, expr_sym(pool, to + 1));
		}
		if (to == from || to - from > 24)
			continue;
		if (to - from < 8)
			add_term(c, product, COST_PRODUCT, -1);
		if (op->roles[from].kind == ROLE_ITEM)
			add_term(c, sum, COST_PRODUCT, -1);
	}
}

/* Products of each output that is computed: a view must have as many elements as its input. */
static void add_output_products(literals *c)
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
			add_term(c, product, COST_PRODUCT, -1);
	}
}

/* For two lists of equal length: Σ (a_i - 1)·b_i, the largest offset that strides b reach in shape a. */
static void add_offset_terms(literals *c)
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
				sum = expr_join(pool, OP_ADD, sum, part);
			}
			add_term(c, sum, COST_STRIDES, -1);
			for (int i = 0; i < op->nsym; i++)
				if (op->roles[i].kind == ROLE_INT)
					add_term(c, expr_make(pool, OP_ADD, sum, expr_sym(pool, i)), COST_STRIDES_OFFSET, -1);
		}
}

/* Halves and squares of critical integers: a spectrum has n // 2 + 1 bins, pixel shuffle needs r * r channels. */
static void add_halves_and_squares(literals *c, const int *critical)
{
	const operator *op = c->s->op;
	expr_pool *pool = c->s->pool;
	for (int i = 0; i < op->nsym; i++) {
		const expr *x = expr_sym(pool, i);
		if (!critical[i] || op->roles[i].kind != ROLE_INT)
			continue;
		add_term(c, expr_make(pool, OP_DIV, x, expr_const(pool, 2)), COST_TERM_HALF, -1);
		add_term(c, expr_make(pool, OP_MUL, x, x), COST_TERM_SQUARE, -1);
	}
}

/* The factors of an output that is a product: each is a size of its own. */
static void add_factors(literals *c, const expr *e)
{
	if (e->op == OP_MUL) {
		add_factors(c, e->a);
		add_factors(c, e->b);
	} else if (e->size > 0 && !expr_is_bool(e)) {
		add_term(c, e, COST_FACTOR, -1);
	}
}

void literal_add_terms(literals *c)
{
	solver *s = c->s;
	int *critical = ARENA_ARRAY(s->scratch, int, s->op->nsym + 1);
	mark_critical(c, critical);
	add_symbol_terms(c, critical);
	for (int d = 0; d < s->op->nodim; d++)
		if (s->rule->out[d]->size > 0)
			add_term(c, s->rule->out[d], COST_OUTPUT, s->op->out_pos[d]);
	add_fold_terms(c);
	add_output_products(c);
	add_offset_terms(c);
	for (int d = 0; d < s->op->nodim; d++)
		add_factors(c, s->rule->out[d]);
	add_halves_and_squares(c, critical);
}

/* ---- literals */

static uint64_t hash_words(const uint64_t *w, int n)
{
	uint64_t h = 0;
	for (int i = 0; i < n; i++)
		h = (h ^ w[i]) * 0x9e3779b97f4a7c15u + (h >> 29);
	return h;
}

/* Evaluates x op y on all rows, or x op constant if y is NULL. */
static void compare_columns(enum op op, const int64_t *x, const int64_t *y, int64_t constant, uint64_t *bits, int rows)
{
	if (y)
		column_compare(op, x, y, bits, rows);
	else
		column_compare_const(op, x, constant, bits, rows);
}

/* Adds the literal x op y. Of literals with equal bit sets the cheapest is kept. */
static void add_literal(literals *c, enum op op, const expr *xe, const int64_t *x, const expr *ye,
    const int64_t *y, int64_t constant, int cost, uint64_t syms)
{
	int words = c->wp + c->wf;
	uint64_t bits[words];
	if (c->nlits >= MAX_LITERALS)
		return;
	c->s->work++;
	c->s->stages[STAGE_CLAUSES].tried++;
	compare_columns(op, x, y, constant, bits, c->npass);
	int passes = literal_count_bits(bits, c->wp);
	if (passes == 0)
		return;
	compare_columns(op, x + c->npass, y ? y + c->npass : NULL, constant, bits + c->wp, c->nfail);
	if (literal_count_bits(bits + c->wp, c->wf) == c->nfail)
		return;
	uint64_t h = hash_words(bits, words);
	uint32_t mask = SLOTS - 1, at = (uint32_t)(h >> 20) & mask;
	for (; c->slots[at] >= 0; at = (at + 1) & mask) {
		literal *o = &c->lits[c->slots[at]];
		if (o->hash == h && memcmp(o->holds, bits, sizeof bits) == 0) {
			if (cost < o->cost)
				*o = (literal){.op = op, .x = xe, .y = ye, .constant = constant, .syms = syms, .hash = h, .cost = cost,
				    .passes = passes, .holds = o->holds};
			return;
		}
	}
	literal *l = &c->lits[c->nlits];
	*l = (literal){.op = op, .x = xe, .y = ye, .constant = constant, .syms = syms, .hash = h, .cost = cost, .passes = passes,
	    .holds = arena_alloc(c->s->scratch, sizeof bits)};
	memcpy(l->holds, bits, sizeof bits);
	c->slots[at] = c->nlits++;
}

const expr *literal_expr(const literals *c, int k)
{
	literal *l = &c->lits[k];
	if (!l->e)
		l->e = expr_make(c->s->pool, l->op, l->x, l->y ? l->y : expr_const(c->s->pool, l->constant));
	return l->e;
}

static void with_constants(literals *c, const expr *e, const int64_t *col, int cost, uint64_t syms)
{
	static const struct {
		enum op op;
		int64_t value;
		int cost;
	} LIST[] = {
#define X(NAME, value, price) {OP_##NAME, value, price},
	    CONSTANT_LITERALS(X)
#undef X
	};
	for (size_t k = 0; k < sizeof LIST / sizeof *LIST; k++)
		add_literal(c, LIST[k].op, e, col, NULL, NULL, LIST[k].value, cost + LIST[k].cost, syms);
}

/* Bounds at the extremes of the passing records. They fit by construction, so their cost is high. */
static void with_extremes(literals *c, const term *t)
{
	int64_t low = INT64_MAX, high = NOVAL;
	for (int r = 0; r < c->npass; r++) {
		if (t->col[r] == NOVAL)
			return;
		low = t->col[r] < low ? t->col[r] : low;
		high = t->col[r] > high ? t->col[r] : high;
	}
	int far = (low < -8 || low > 8) ? COST_BOUND_FAR : 0;
	add_literal(c, OP_GE, t->e, t->col, NULL, NULL, low, t->cost + COST_BOUND + far, t->syms);
	far = (high < -8 || high > 8) ? COST_BOUND_FAR : 0;
	add_literal(c, OP_LE, t->e, t->col, NULL, NULL, high, t->cost + COST_BOUND + far, t->syms);
	if (low == high)
		add_literal(c, OP_EQ, t->e, t->col, NULL, NULL, low, t->cost + COST_BOUND_EQUAL + far, t->syms);
}

/* Whether an item is one of the two pad values of a dimension. Pads list the last dimension first. */
static bool is_one_of_pair(const role *item, const role *dimension)
{
	return item && dimension && item->kind == ROLE_ITEM && !item->outer_len && item->len > 2 && item->len % 2 == 0
	    && dimension->kind == ROLE_DIM && item->pos / 2 == dimension->len - 1 - dimension->pos;
}

static int misalignment(const term *a, const term *b)
{
	if (a->pos < 0 || b->pos < 0 || a->pos == b->pos)
		return 0;
	return is_one_of_pair(a->role, b->role) || is_one_of_pair(b->role, a->role) ? 0 : COST_MISALIGNED;
}

static void compare_terms(literals *c, const term *a, const term *b)
{
	int cost = a->cost + b->cost + misalignment(a, b);
	uint64_t syms = a->syms | b->syms;
	add_literal(c, OP_EQ, a->e, a->col, b->e, b->col, 0, cost + OPS[OP_EQ].clause, syms);
	add_literal(c, OP_NE, a->e, a->col, b->e, b->col, 0, cost + OPS[OP_NE].clause, syms);
	add_literal(c, OP_LE, a->e, a->col, b->e, b->col, 0, cost + OPS[OP_LE].clause, syms);
	add_literal(c, OP_LT, a->e, a->col, b->e, b->col, 0, cost + OPS[OP_LT].clause, syms);
	add_literal(c, OP_LE, b->e, b->col, a->e, a->col, 0, cost + OPS[OP_LE].clause, syms);
	add_literal(c, OP_LT, b->e, b->col, a->e, a->col, 0, cost + OPS[OP_LT].clause, syms);
}

/* The order in which operations are combined, lowest cost first. */
static const enum op COMBINATIONS[] = {OP_ADD, OP_SUB, OP_MUL, OP_MOD, OP_DIV, OP_MAX, OP_MIN};
_Static_assert(sizeof COMBINATIONS / sizeof *COMBINATIONS == ARITH_COUNT, "literal.c: an operation is not tried");

/* Literals over x op y: against constants, or against every third term if `third` is set. */
static void combine_terms(literals *c, int most, bool third)
{
	int rows = c->npass + c->nfail;
	int64_t *col = arena_alloc(c->s->scratch, sizeof *col * (size_t)rows);
	for (int k = 0; k < ARITH_COUNT + DERIVED_COUNT; k++)
		for (int i = 0; i < most; i++)
			for (int j = 0; j < most; j++) {
				enum op op = k < ARITH_COUNT ? COMBINATIONS[k] : (enum op)(FIRST_DERIVED + k - ARITH_COUNT);
				const term *a = &c->terms[i], *b = &c->terms[j];
				if (i == j || (OPS[op].commutes && j < i) || c->nlits >= MAX_LITERALS)
					continue;
				const expr *e = expr_make(c->s->pool, op, a->e, b->e);
				int cost = a->cost + b->cost + OPS[op].clause + misalignment(a, b);
				column_apply(op, a->col, b->col, col, rows);
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
					static const enum op WITH[] = {OP_EQ, OP_LE, OP_LT, OP_GE};
					for (int w = 0; w < 4; w++)
						add_literal(c, WITH[w], e, col, t->e, t->col, 0, total + OPS[WITH[w]].clause, syms);
				}
			}
}

/* Compares 2·x with y, as in padding <= kernel / 2. */
static void double_terms(literals *c, int most)
{
	int rows = c->npass + c->nfail;
	int64_t *col = arena_alloc(c->s->scratch, sizeof *col * (size_t)rows);
	for (int i = 0; i < most; i++) {
		const term *a = &c->terms[i];
		const expr *e = expr_make(c->s->pool, OP_MUL, expr_const(c->s->pool, 2), a->e);
		column_apply_const(OP_MUL, a->col, 2, col, rows);
		for (int j = 0; j < most; j++) {
			const term *b = &c->terms[j];
			int cost = a->cost + b->cost + COST_DOUBLED + misalignment(a, b);
			if (i == j)
				continue;
			add_literal(c, OP_LE, e, col, b->e, b->col, 0, cost, a->syms | b->syms);
			add_literal(c, OP_LT, e, col, b->e, b->col, 0, cost, a->syms | b->syms);
			add_literal(c, OP_EQ, e, col, b->e, b->col, 0, cost, a->syms | b->syms);
		}
	}
}

/* Number of passing records that refute e, counted up to one above the tolerated number. Most patterns are refuted by the
 * record that refuted the last one, so it is tried first. */
static int count_refuting(literals *c, const expr *e)
{
	int out = 0;
	if (!c->s->tolerated && !expr_holds(e, passing_record(c->s->op, c->refuting)))
		return 1;
	for (int r = 0; r < c->npass && out <= c->s->tolerated; r++)
		if (!expr_holds(e, passing_record(c->s->op, r))) {
			c->refuting = r;
			out++;
		}
	return out;
}

/* Adds a pattern as a literal with its own cost. A pattern that recurs in all frameworks is more likely than a shorter
 * expression that fits as well. It must hold on all passing records by itself, except for the tolerated number. */
static void add_pattern(void *user, const expr *e, int cost)
{
	literals *c = user;
	int words = c->wp + c->wf, rows = c->npass + c->nfail;
	c->s->work += 8;
	c->s->stages[STAGE_CLAUSES].tried++;
	int out = count_refuting(c, e);
	if (out > c->s->tolerated)
		return;
	uint64_t *bits = arena_alloc(c->s->scratch, sizeof *bits * (size_t)words);
	memcpy(bits, c->last, sizeof *bits * (size_t)c->wp);
	memset(bits + c->wp, 0, sizeof *bits * (size_t)c->wf);
	for (int r = 0; out && r < c->npass; r++)
		if (!expr_holds(e, record_symbols(c->s->op, r)))
			bits[r / 64] &= ~((uint64_t)1 << r % 64);
	for (int r = c->npass; r < rows; r++)
		if (expr_holds(e, record_symbols(c->s->op, r)))
			bits[c->wp + (r - c->npass) / 64] |= (uint64_t)1 << (r - c->npass) % 64;
	if (literal_count_bits(bits + c->wp, c->wf) < c->nfail && c->nlits < MAX_LITERALS)
		c->lits[c->nlits++] = (literal){.e = e, .holds = bits, .cost = cost, .passes = c->npass - out};
}

/* Equations for dimensions that are a function of the other symbols on the passing records: `s9 == (s1 - s4)//s13 + 1`. */
static void add_equations(literals *c)
{
	const operator *op = c->s->op;
	int *critical = ARENA_ARRAY(c->s->scratch, int, op->nsym + 1);
	mark_critical(c, critical);
	for (int i = 0, tried = 0; i < op->nsym && tried < MAX_EQUATIONS; i++) {
		if (!critical[i] || op->roles[i].kind != ROLE_DIM)
			continue;
		tried++;
		const expr *e = stages_explain(c->s, i);
		if (e && e->size > 1 && e->size < MAX_OPERATIONS)
			add_pattern(c, expr_make(c->s->pool, OP_EQ, expr_sym(c->s->pool, i), e),
			    COST_EQUATION + COST_EQUATION_OPERATION * (e->size < MAX_CHARGED_OPERATIONS ? e->size : MAX_CHARGED_OPERATIONS));
	}
}

/* Products of each output without dimensions of size 1, and products of its computed dimensions only. */
static void add_every_output_product(literals *c)
{
	const operator *op = c->s->op;
	const expr *const *out = c->s->rule->out;
	for (int from = 0, to; from < op->nodim; from = to) {
		const expr *product = NULL, *parts = NULL;
		for (to = from; to < op->nodim && op->out_tensor[to] == op->out_tensor[from]; to++) {
			if (out[to]->op != OP_CONST || out[to]->value != 1)
				product = expr_join(c->s->pool, OP_MUL, product, out[to]);
			if (out[to]->size > 0)
				parts = expr_join(c->s->pool, OP_MUL, parts, out[to]);
		}
		if (product && to - from < 10)
			add_term(c, product, COST_PRODUCT, -1);
		if (parts && to - from < 10)
			add_term(c, parts, COST_PRODUCT, -1);
	}
}

/* Restarts with the literals of single terms. With `stuck`, includes the fallback patterns. */
static void start_over(literals *c, const uint64_t *stuck)
{
	memset(c->slots, -1, sizeof *c->slots * SLOTS);
	c->nlits = c->npatterns;
	if (!stuck) {
		templates_generate(c->s, add_pattern, c);
		relations_generate(c->s, add_pattern, c);
		c->npatterns = c->nlits;
	} else {
		add_every_output_product(c);
		fallback_patterns(c->s, add_pattern, c);
		window_counts_generate(c->s, add_pattern, c);
		fallback_patterns_unless_empty(c->s, add_pattern, c);
		halfspace_generate(c->s, stuck, add_pattern, c);
	}
	for (int i = 0; i < c->nterms; i++)
		with_constants(c, c->terms[i].e, c->terms[i].col, c->terms[i].cost, c->terms[i].syms);
	for (int i = 0; i < c->nterms; i++)
		for (int j = i + 1; j < c->nterms; j++)
			compare_terms(c, &c->terms[i], &c->terms[j]);
	for (int i = 0; i < c->nterms; i++)
		with_extremes(c, &c->terms[i]);
}

void literal_build(literals *c, int effort, const uint64_t *stuck)
{
	enum { MAX_COMBINED = 28, MAX_COMBINED_BY_THREE = 14 };
	if (effort == 0 || effort == 3)
		start_over(c, effort == 3 ? stuck : NULL);
	if (effort == 1 || effort == 3) {
		int most = c->nterms < MAX_COMBINED ? c->nterms : MAX_COMBINED;
		add_equations(c);
		double_terms(c, most);
		combine_terms(c, most, false);
	}
	if (effort == 2 || effort == 4)
		combine_terms(c, c->nterms < MAX_COMBINED_BY_THREE ? c->nterms : MAX_COMBINED_BY_THREE, true);
}

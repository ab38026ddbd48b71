/* Bottom-up enumeration over columns.
 *
 * Level k has one expression for each distinct column that k operations reach. Combining levels i and j gives level i
 * + j + 1. A column that is already present is dropped (observational equivalence), so a level is far smaller than
 * its set of expressions. The target is looked up in the levels, and also backwards: t - A, A - t, t + A and t ÷ A
 * are looked up for every A, which doubles the depth for + - ×. A quotient rounded up is found as 0 - (a - b) ÷ c. As
 * in NeuRI (rarity), no symbol occurs twice.
 */
#include "enumerate.h"

#include "column.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TERMS = MAX_LEAVES + (ARITH_COUNT + DERIVED_COUNT) * MAX_LEAVES * MAX_LEAVES, SLOTS = 1 << 14 };
_Static_assert(SLOTS > MAX_TERMS, "enumerate.c: a table without an empty slot");

typedef struct term {
	const int64_t *col;
	int64_t first; /* first entry of the column; decides most comparisons */
	uint64_t hash;
	uint64_t syms; /* leaves used, as bits, so that none is used twice */
	uint32_t covers;
	int32_t a, b; /* the combined terms; a is -1 for leaf b */
	int16_t cost;
	uint8_t op;
} term;

typedef struct table {
	problem *p;
	term *terms;
	int n;
	int32_t *slots;	   /* open addressing by column hash */
	uint64_t *weights; /* of rows, for the hash */
	bool negates; /* the negated target is also an answer */
} table;

static uint64_t hash_column(const table *t, const int64_t *col)
{
	return column_digest(col, t->weights, t->p->rows);
}

static int find(const table *t, uint64_t hash, const int64_t *col)
{
	for (uint32_t at = (uint32_t)hash % SLOTS;; at = (at + 1) % SLOTS) {
		int i = t->slots[at];
		if (i < 0)
			return -1;
		if (t->terms[i].hash == hash
		    && memcmp(t->terms[i].col, col, sizeof *col * (size_t)t->p->rows) == 0)
			return i;
	}
}

/* Whether a op b equals the first entry of the target (or of its negation): rejects most candidates before a column
 * is computed. */
static bool first_entry_matches(const table *t, enum op op, int64_t a, int64_t b)
{
	int64_t wanted = t->p->target[0];
	wide v = 0;
	bool ok = a != NOVAL && b != NOVAL;
	if (op_is_derived((int)op))
		return ok;
	switch (op) {
#define X(NAME, name, ...)                                                                         \
	case OP_##NAME:                                                                            \
		ok = ok && checked_##name(a, b, &v);                                               \
		break;
		ARITH_OPS(X)
#undef X
	LEAF_OPS(OP_CASE)
	CHOICE_OPS(OP_CASE)
	COMPARE_OPS(OP_CASE)
	CONNECTIVE_OPS(OP_CASE)
		ok = false;
	}
	return ok && (v == wanted || (t->negates && v == -(wide)wanted));
}

static const expr *build(const table *t, int i)
{
	const term *m = &t->terms[i];
	if (m->a < 0)
		return t->p->leaves[m->b].e;
	return expr_make(t->p->pool, (enum op)m->op, build(t, m->a), build(t, m->b));
}

static void insert(table *t, term m)
{
	int64_t *col = arena_alloc(t->p->scratch, sizeof *col * (size_t)t->p->rows);
	memcpy(col, m.col, sizeof *col * (size_t)t->p->rows);
	m.col = col;
	m.first = col[0];
	uint32_t at = (uint32_t)m.hash % SLOTS;
	while (t->slots[at] >= 0)
		at = (at + 1) % SLOTS;
	assert(t->n < MAX_TERMS);
	t->slots[at] = t->n;
	t->terms[t->n++] = m;
}

static bool is_target(const table *t, const int64_t *col)
{
	return memcmp(col, t->p->target, sizeof *col * (size_t)t->p->rows) == 0;
}

static bool is_negated(const table *t, const int64_t *col)
{
	int r = 0;
	while (r < t->p->rows && col[r] != NOVAL && -(wide)col[r] == t->p->target[r])
		r++;
	return r == t->p->rows;
}

static bool covers_all(const problem *p, const term *a, const term *b)
{
	return ((a->covers | b->covers) & p->relevant) == p->relevant;
}

/* Combines two terms. Offers an answer if the result is the target; else adds it to the table if `keep` and its
 * column is new. */
static void combine(table *t, enum op op, int i, int j, bool keep, answer *best)
{
	const term *a = &t->terms[i], *b = &t->terms[j];
	problem *p = t->p;
	if ((a->syms & b->syms) || !(a->syms | b->syms))
		return;
	++*p->work;
	++*p->tried;
	if (!keep && (!covers_all(p, a, b) || !first_entry_matches(t, op, a->first, b->first)))
		return;
	int64_t col[ROWS];
	*p->work += COLUMN_WORK;
	if (!column_apply(op, a->col, b->col, col, p->rows)) /* no row has a value */
		return;
	int cost = a->cost + b->cost + OPS[op].search;
	bool target = is_target(t, col), negated = !target && t->negates && is_negated(t, col);
	if (negated)
		cost += OPS[OP_SUB].search;
	if ((target || negated) && covers_all(p, a, b) && (!best->e || cost <= best->cost)) {
		const expr *e = expr_make(p->pool, op, build(t, i), build(t, j));
		answer_offer(best, negated ? expr_make(p->pool, OP_SUB, expr_const(p->pool, 0), e) : e, cost);
	}
	if (target || !keep)
		return;
	uint64_t h = hash_column(t, col);
	if (find(t, h, col) >= 0)
		return;
	insert(t, (term){.col = col, .hash = h, .syms = a->syms | b->syms,
		      .covers = a->covers | b->covers, .a = i, .b = j, .cost = (int16_t)cost,
		      .op = (uint8_t)op});
}

static void combine_range(table *t, int a0, int a1, int b0, int b1, bool keep, answer *best)
{
	static const enum op OPERATIONS[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MIN, OP_MAX, OP_MOD};
	_Static_assert(sizeof OPERATIONS / sizeof *OPERATIONS == ARITH_COUNT, "enumerate.c: an operation is not tried");
	for (int o = 0; o < ARITH_COUNT + DERIVED_COUNT; o++) {
		enum op op = o < ARITH_COUNT ? OPERATIONS[o] : (enum op)(FIRST_DERIVED + o - ARITH_COUNT);
		bool commutes = OPS[op].commutes;
		for (int i = a0; i < a1; i++)
			for (int j = b0; j < b1; j++) {
				if (!(commutes && a0 == b0 && j < i))
					combine(t, op, i, j, keep, best);
				if (!commutes && a0 != b0)
					combine(t, op, j, i, keep, best);
				if (*t->p->work > t->p->budget)
					return;
			}
	}
}

/* Looks for t = A op B with both sides in the table: computes B from t and A. */
static void look_backwards(table *t, answer *best)
{
	problem *p = t->p;
	int64_t col[ROWS];
	for (int i = 0; i < t->n && *p->work <= p->budget; i++) {
		const term *a = &t->terms[i];
		for (int way = 0; way < 4; way++) {
			static const enum op OP[] = {OP_ADD, OP_SUB, OP_SUB, OP_MUL};
			bool ok = true;
			*p->work += COLUMN_WORK;
			++*p->tried;
			for (int r = 0; ok && r < p->rows; r++) {
				int64_t v = a->col[r], g = p->target[r];
				ok = v != NOVAL && (way != 3 || (v != 0 && g % v == 0));
				if (ok) /* A + B = t, A - B = t, B - A = t, A × B = t */
					col[r] = way == 0 ? g - v : way == 1 ? v - g : way == 2 ? g + v : g / v;
			}
			if (!ok)
				continue;
			int j = find(t, hash_column(t, col), col);
			if (j < 0 || (t->terms[j].syms & a->syms) || !covers_all(p, a, &t->terms[j]))
				continue;
			int cost = a->cost + t->terms[j].cost + OPS[OP[way]].search;
			if (best->e && cost > best->cost)
				continue;
			const expr *x = build(t, i), *y = build(t, j);
			answer_offer(best, way == 2 ? expr_make(p->pool, OP_SUB, y, x)
						    : expr_make(p->pool, OP[way], x, y), cost);
		}
	}
}

static void table_init(table *t, problem *p)
{
	*t = (table){.p = p};
	t->terms = arena_alloc(p->scratch, sizeof *t->terms * MAX_TERMS);
	t->slots = arena_alloc(p->scratch, sizeof *t->slots * SLOTS);
	memset(t->slots, -1, sizeof *t->slots * SLOTS);
	t->weights = arena_alloc(p->scratch, sizeof *t->weights * (size_t)p->rows);
	column_weights(t->weights, p->rows);
}

static void add_leaves(table *t, answer *best)
{
	problem *p = t->p;
	for (int i = 0; i < p->nleaves; i++) {
		const leaf *l = &p->leaves[i];
		uint64_t h = hash_column(t, l->col);
		if (is_target(t, l->col) && (l->covers & p->relevant) == p->relevant)
			answer_offer(best, l->e, l->cost);
		if (find(t, h, l->col) >= 0)
			continue;
		insert(t, (term){.col = l->col, .hash = h, .covers = l->covers,
			      .syms = l->e->op == OP_CONST ? 0 : (uint64_t)1 << i, .a = -1, .b = i,
			      .cost = (int16_t)l->cost});
	}
}

answer enumerate_search(problem *p, int max_ops)
{
	arena_mark mark = arena_save(p->scratch);
	answer best = {0};
	table t;
	table_init(&t, p);
	add_leaves(&t, &best);
	int leaves = t.n;
	if (!best.e && max_ops >= 1)
		combine_range(&t, 0, leaves, 0, leaves, true, &best);
	if (!best.e && max_ops >= 3) /* (A op B) op (C op D) */
		look_backwards(&t, &best);
	t.negates = max_ops >= 3;
	if (!best.e && max_ops >= 2)
		combine_range(&t, leaves, t.n, 0, leaves, false, &best);
	t.negates = false;
	if (!best.e && max_ops >= 3)
		combine_range(&t, leaves, t.n, leaves, t.n, false, &best);
	arena_release(p->scratch, mark);
	return best;
}

#include "neuri.h"

#include <stdlib.h>
#include <string.h>

#include "bank.h"
#include "need.h"

enum { MAX_KEPT = 120, MAX_INEQUALITY_OPS = 1 };

static const long NEURI_BUDGET = 400000000; /* evaluations, instead of the paper's 1000 s */

typedef struct hole_expr {
	const expr *e; /* over s0 … s<holes-1>, the holes */
	int holes, ops;
} hole_expr;

struct neuri_bank {
	expr_pool *pool;
	hole_expr *entries;
	size_t n;
};

neuri_bank *neuri_bank_new(int holes, int ops, int threads, prover *prover)
{
	neuri_bank *b = need(calloc(1, sizeof *b), sizeof *b);
	bank_options o = {.holes = holes, .ops = ops, .threads = threads, .prover = prover};
	bank *source = bank_new(&o);
	b->pool = expr_pool_new();
	b->n = bank_size(source);
	b->entries = need(calloc(b->n + 1, sizeof *b->entries), b->n * sizeof *b->entries);
	for (size_t i = 0; i < b->n; i++) {
		bank_entry at = bank_at(source, i);
		b->entries[i] = (hole_expr){bank_expr(source, i, b->pool, NULL), at.holes, at.ops};
	}
	bank_free(source);
	return b;
}

void neuri_bank_free(neuri_bank *b)
{
	if (!b)
		return;
	expr_pool_free(b->pool);
	free(b->entries);
	free(b);
}

/* ---- hole extension: all ascending choices of one symbol per hole */

static bool next_choice(int *pick, int holes, int nsym)
{
	for (int i = holes - 1; i >= 0; i--) {
		if (pick[i] >= nsym - (holes - i))
			continue;
		pick[i]++;
		for (int j = i + 1; j < holes; j++)
			pick[j] = pick[j - 1] + 1;
		return true;
	}
	return false;
}

/* The value of an entry on a record, with its holes filled by the chosen symbols; false: no value. */
static bool value_at(const hole_expr *h, const int *pick, const int64_t *row, wide *v)
{
	int64_t filled[BANK_MAX_HOLES + 1];
	for (int i = 0; i < h->holes; i++)
		filled[i] = row[pick[i]];
	return expr_eval(h->e, filled, v);
}

enum want { IS_TARGET, IS_ZERO, IS_POSITIVE };

static bool holds_on_all(solver *s, const hole_expr *h, const int *pick, enum want want, int d)
{
	const operator *op = s->op;
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = passing_record(op, k);
		wide v;
		s->work++;
		if (!value_at(h, pick, row, &v))
			return false;
		if (want == IS_TARGET ? v != row[op->nsym + d] : want == IS_ZERO ? v != 0 : v <= 0)
			return false;
	}
	return true;
}

/* The first expression, fewest operations first, that matches every record (Formula 3). */
static const expr *first_match(solver *s, const neuri_bank *b, int d)
{
	for (size_t i = 0; i < b->n && s->work < NEURI_BUDGET; i++) {
		const hole_expr *h = &b->entries[i];
		int pick[BANK_MAX_HOLES] = {0, 1, 2, 3, 4, 5};
		if (h->holes > s->op->nsym)
			continue;
		do
			if (holds_on_all(s, h, pick, IS_TARGET, d))
				return expr_copy(s->pool, h->e, pick);
		while (next_choice(pick, h->holes, s->op->nsym));
	}
	return NULL;
}

/* ---- Algorithm 1; Algorithm 2 is applied to each new predicate: one that the kept ones imply is dropped, which
 * gives the same conjunction */

static void keep_clause(solver *s, enum op comparison, const hole_expr *h, const int *pick)
{
	rule *r = s->rule;
	const operator *op = s->op;
	const expr *e = expr_copy(s->pool, h->e, pick);
	const expr *c = expr_make(s->pool, comparison, e, expr_const(s->pool, 0));
	bool *domain = ARENA_ARRAY(s->scratch, bool, op->nsym + 1);
	for (int i = 0; i < op->nsym; i++)
		domain[i] = op->roles[i].kind == ROLE_DIM;
	if (r->nclauses == MAX_KEPT)
		return;
	if (prove_implied(s->prover, r->clauses, r->nclauses, c, domain, op->nsym) == PROVED)
		r->proof = PROOF_PROVED; /* implied clauses are dropped, and nothing else is simplified */
	else
		r->clauses[r->nclauses++] = c;
}

static void infer_constraints(solver *s, const neuri_bank *b)
{
	for (size_t i = 0; i < b->n && s->work < NEURI_BUDGET; i++) {
		const hole_expr *h = &b->entries[i];
		int pick[BANK_MAX_HOLES] = {0, 1, 2, 3, 4, 5};
		if (h->holes > s->op->nsym || h->holes == 0)
			continue;
		do {
			arena_mark mark = arena_save(s->scratch);
			if (holds_on_all(s, h, pick, IS_ZERO, 0))
				keep_clause(s, OP_EQ, h, pick);
			else if (h->ops <= MAX_INEQUALITY_OPS && holds_on_all(s, h, pick, IS_POSITIVE, 0))
				keep_clause(s, OP_GT, h, pick);
			arena_release(s->scratch, mark);
		} while (next_choice(pick, h->holes, s->op->nsym));
	}
}

bool neuri_search(solver *s)
{
	const operator *op = s->op;
	const neuri_bank *b = s->options->bank;
	rule *r = s->rule;
	r->layer = "neuri";
	for (int d = 0; d < op->nodim; d++) {
		r->out[d] = first_match(s, b, d);
		if (!r->out[d]) {
			r->why = s->work < NEURI_BUDGET ? "no expression of the bank gives every recorded output"
							: "the budget for one operator was spent";
			return false;
		}
	}
	r->clauses = ARENA_ARRAY(s->scratch, const expr *, MAX_KEPT + 1);
	if (op->nfail > 0) /* without counterexamples there are no constraints (section 3.1) */
		infer_constraints(s, b);
	for (int k = 0; k < op->nfail; k++)
		if (rule_accepts(op, r, op->fail + (size_t)k * op->nsym, NULL)) {
			r->why = "a failing record satisfies every inferred constraint";
			return false;
		}
	return true;
}

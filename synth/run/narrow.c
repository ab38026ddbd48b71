#include "narrow.h"

#include <string.h>

#include "need.h"

enum { LEAST = 8 }; /* passing records */

static bool has_empty(const operator *op, const int64_t *row)
{
	for (int i = 0; i < op->nsym; i++)
		if (op->roles[i].kind == ROLE_DIM && row[i] == 0)
			return true;
	return false;
}

/* Copies those of n rows that are not out. */
static int64_t *copy_rows(const int64_t *rows, const bool *out, int n, int width, int *kept, arena *memory)
{
	int64_t *to = NEED_ARRAY(memory, int64_t, (size_t)n * width + 1);
	*kept = 0;
	for (int k = 0; k < n; k++)
		if (!out[k])
			memcpy(to + (size_t)(*kept)++ * width, rows + (size_t)k * width, sizeof *to * (size_t)width);
	return to;
}

/* Leaves passing records out. */
static void leave_out(const operator *op, const bool *out, operator *to, arena *memory)
{
	*to = *op;
	to->pass = copy_rows(op->pass, out, op->npass, op->nsym + op->nodim, &to->npass, memory);
	to->empty = op->npass - to->npass;
	to->hash = operator_hash(to);
}

bool narrow_operator(const operator *op, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, op->npass + op->nfail + 1);
	for (int k = 0; k < op->npass; k++)
		out[k] = has_empty(op, passing_record(op, k));
	leave_out(op, out, to, memory);
	for (int k = 0; k < op->nfail; k++)
		out[k] = has_empty(op, record_symbols(op, op->npass + k));
	to->fail = copy_rows(op->fail, out, op->nfail, op->nsym, &to->nfail, memory);
	to->hash = operator_hash(to);
	return to->npass >= LEAST && to->npass + to->nfail < op->npass + op->nfail;
}

/* How many failing records each clause refuses, and how many it refuses alone. */
static void count_refused(const operator *op, const rule *r, int *refused, int *alone)
{
	for (int k = 0; k < op->nfail; k++) {
		const int64_t *x = record_symbols(op, op->npass + k);
		rule_view v = rule_look(op, r, x);
		if (v.only >= 0)
			alone[v.only]++;
		for (int c = 0; c < r->nclauses; c++)
			refused[c] += !expr_holds(r->clauses[c], x);
	}
}

bool narrow_looks_fitted(const operator *op, const rule *r)
{
	enum { FEW = 2, SHARE = 8, WEAK = 3 };
	int *refused = need(calloc((size_t)r->nclauses + 1, sizeof *refused), sizeof *refused);
	int *alone = need(calloc((size_t)r->nclauses + 1, sizeof *alone), sizeof *alone);
	int weak = 0;
	count_refused(op, r, refused, alone);
	for (int c = 0; c < r->nclauses; c++)
		weak += alone[c] <= FEW && refused[c] * SHARE < op->nfail;
	free(refused);
	free(alone);
	return op->nfail == 0 || weak * WEAK > r->nclauses;
}

rule narrow_rule(rule_store store, const operator *op, const rule *r)
{
	rule to = rule_copy(store, r);
	const expr **clauses = NEED_ARRAY(store.memory, const expr *, to.nclauses + op->nsym + 1);
	if (to.nclauses)
		memcpy(clauses, to.clauses, sizeof *clauses * (size_t)to.nclauses);
	for (int i = 0; i < op->nsym; i++)
		if (op->roles[i].kind == ROLE_DIM)
			clauses[to.nclauses++] = expr_make(store.pool, OP_GT, expr_sym(store.pool, i), expr_const(store.pool, 0));
	to.clauses = clauses;
	return to;
}

bool narrow_leaves_open(const operator *op, const expr *e)
{
	return op->empty && e->op == OP_GT && e->a->op == OP_SYM && op->roles[e->a->value].kind == ROLE_DIM && e->b->op == OP_CONST
	    && e->b->value == 0;
}

bool narrow_take_back(const operator *whole, const rule *r, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, whole->npass + 1), right = true;
	for (int k = 0; k < whole->npass; k++) {
		const int64_t *row = passing_record(whole, k);
		out[k] = !rule_accepts(whole, r, row, row + whole->nsym);
		right &= !out[k] || !rule_accepts(whole, r, row, NULL);
	}
	leave_out(whole, out, to, memory);
	return right;
}

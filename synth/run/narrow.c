#include "narrow.h"

#include <stdlib.h>
#include <string.h>

#include "need.h"

/* Passing records that are left; the whole is so many times as much at most; outliers are so small a part of it at most. */
enum { LEAST = 8, PART = 4, OUTLYING = 5 };

static bool gives_empty(const operator *op, const int64_t *row)
{
	for (int i = 0; i < op->nodim; i++)
		if (row[op->nsym + i] == 0)
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

/* Leaves passing records out: outliers, or those of empty tensors. */
static void leave_out(const operator *op, const bool *out, bool outliers, operator *to, arena *memory)
{
	*to = *op;
	to->empty_outputs = false;
	for (int k = 0; k < op->npass && !outliers; k++)
		to->empty_outputs |= out[k] && !record_is_of_empty(op, passing_record(op, k));
	to->pass = copy_rows(op->pass, out, op->npass, op->nsym + op->nodim, &to->npass, memory);
	*(outliers ? &to->outside : &to->empty) = op->npass - to->npass;
	to->hash = operator_hash(to);
}

bool narrow_operator(const operator *op, enum narrow how, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, op->npass + op->nfail + 1);
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = passing_record(op, k);
		out[k] = record_is_of_empty(op, row) || (how == NARROW_OUTPUTS && gives_empty(op, row));
	}
	leave_out(op, out, false, to, memory);
	for (int k = 0; k < op->nfail; k++)
		out[k] = record_is_of_empty(op, record_symbols(op, op->npass + k));
	to->fail = copy_rows(op->fail, out, op->nfail, op->nsym, &to->nfail, memory);
	to->hash = operator_hash(to);
	return to->npass >= LEAST && to->npass * PART >= op->npass && to->npass + to->nfail < op->npass + op->nfail
	    && to->empty_outputs == (how == NARROW_OUTPUTS);
}

bool narrow_outliers(const operator *op, const rule *r, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, op->npass + 1);
	for (int k = 0; k < op->npass; k++)
		out[k] = !rule_accepts(op, r, passing_record(op, k), NULL);
	leave_out(op, out, true, to, memory);
	return to->outside && to->npass >= LEAST && to->outside <= narrow_most_outliers(op);
}

int narrow_most_outliers(const operator *op)
{
	return op->npass / OUTLYING;
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

static bool is_dim(const operator *op, const expr *e)
{
	return e->op == OP_SYM && op->roles[e->value].kind == ROLE_DIM;
}

/* e > 0, unless the rule says so. */
static void want_elements(rule_store store, rule *r, const expr **clauses, const expr *e)
{
	const expr *clause = expr_make(store.pool, OP_GT, e, expr_const(store.pool, 0));
	for (int c = 0; c < r->nclauses; c++)
		if (clauses[c] == clause)
			return;
	clauses[r->nclauses++] = clause;
}

rule narrow_rule(rule_store store, const operator *op, const rule *r)
{
	rule to = rule_copy(store, r);
	const expr **clauses = NEED_ARRAY(store.memory, const expr *, to.nclauses + op->nsym + op->nodim + 1);
	if (to.nclauses)
		memcpy(clauses, to.clauses, sizeof *clauses * (size_t)to.nclauses);
	for (int i = 0; i < op->nsym; i++)
		if (op->roles[i].kind == ROLE_DIM)
			want_elements(store, &to, clauses, expr_sym(store.pool, i));
	for (int i = 0; op->empty_outputs && i < op->nodim; i++)
		if (to.out[i]->op != OP_CONST && !is_dim(op, to.out[i]))
			want_elements(store, &to, clauses, to.out[i]);
	to.clauses = clauses;
	return to;
}

static bool comes_out(const rule *r, const expr *e)
{
	for (int i = 0; i < r->nodim; i++)
		if (r->out[i] == e)
			return true;
	return false;
}

bool narrow_leaves_open(const operator *op, const rule *r, const expr *e)
{
	return op->empty && e->op == OP_GT && e->b->op == OP_CONST && e->b->value == 0
	    && (is_dim(op, e->a) || (op->empty_outputs && comes_out(r, e->a)));
}

/* A number is not negative, or not 0: the likeliest of clauses, of which two refused calls are proof enough. */
static bool is_sign(const expr *e)
{
	return (e->op == OP_GT || e->op == OP_GE) && e->a->op == OP_SYM && e->b->op == OP_CONST && e->b->value == 0;
}

bool narrow_looks_fitted(const operator *op, const rule *r)
{
	enum { FEW = 2, SHARE = 8, WEAK = 3 };
	int *refused = need(calloc((size_t)r->nclauses + 1, sizeof *refused), sizeof *refused);
	int *alone = need(calloc((size_t)r->nclauses + 1, sizeof *alone), sizeof *alone);
	int weak = 0, told = 0;
	count_refused(op, r, refused, alone);
	for (int c = 0; c < r->nclauses; c++)
		if (!is_sign(r->clauses[c]) && !narrow_leaves_open(op, r, r->clauses[c])) {
			told++;
			weak += alone[c] <= FEW && refused[c] * SHARE < op->nfail;
		}
	free(refused);
	free(alone);
	return op->nfail == 0 || weak * WEAK > told;
}

bool narrow_take_back(const operator *whole, const rule *r, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, whole->npass + 1), right = true, outliers = to->outside > 0;
	for (int k = 0; k < whole->npass; k++) {
		const int64_t *row = passing_record(whole, k);
		out[k] = !rule_accepts(whole, r, row, row + whole->nsym);
		right &= !out[k] || !rule_accepts(whole, r, row, NULL);
	}
	leave_out(whole, out, outliers, to, memory);
	return right;
}

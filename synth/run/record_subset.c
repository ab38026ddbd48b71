#include "record_subset.h"

#include <stdlib.h>
#include <string.h>

#include "need.h"
#include "prices.h"

/* Passing records that are left; the whole is so many times as much at most; outliers are so small a part of it at most. */
enum { LEAST = 8, PART = 4, CORE = 3, OUTLYING = 5 };

static bool gives_empty(const operator *op, const int64_t *row)
{
	for (int i = 0; i < op->nodim; i++)
		if (row[op->nsym + i] == 0)
			return true;
	return false;
}

/* Copies those of n rows that are out, or those that are not. */
static int64_t *copy_rows(const int64_t *rows, const bool *out, bool which, int n, int width, int *copied, arena *memory)
{
	int64_t *to = NEED_ARRAY(memory, int64_t, (size_t)n * width + 1);
	*copied = 0;
	for (int k = 0; k < n; k++)
		if (out[k] == which)
			memcpy(to + (size_t)(*copied)++ * width, rows + (size_t)k * width, sizeof *to * (size_t)width);
	return to;
}

/* Leaves passing records out: outliers, or those of empty tensors. */
static void leave_out(const operator *op, const bool *out, bool outliers, operator *to, arena *memory)
{
	*to = *op;
	to->empty_outputs = false;
	for (int k = 0; k < op->npass && !outliers; k++)
		to->empty_outputs |= out[k] && !record_is_of_empty(op, passing_record(op, k));
	to->pass = copy_rows(op->pass, out, false, op->npass, op->nsym + op->nodim, &to->npass, memory);
	if (outliers)
		to->apart = copy_rows(op->pass, out, true, op->npass, op->nsym + op->nodim, &to->outside, memory);
	else
		to->empty = op->npass - to->npass;
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
	to->fail = copy_rows(op->fail, out, false, op->nfail, op->nsym, &to->nfail, memory);
	to->hash = operator_hash(to);
	return to->npass >= LEAST && to->npass * PART >= op->npass && to->npass + to->nfail < op->npass + op->nfail
	    && to->empty_outputs == (how == NARROW_OUTPUTS);
}

bool narrow_outliers(const operator *op, const rule *r, bool aside, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, op->npass + 1);
	int outliers = 0;
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = passing_record(op, k);
		out[k] = !rule_accepts(op, r, row, NULL);
		outliers += out[k] && !(aside && record_is_of_empty(op, row));
	}
	leave_out(op, out, true, to, memory);
	return to->outside && to->npass >= LEAST && to->npass * CORE >= op->npass && outliers <= narrow_most_outliers(op);
}

int narrow_most_outliers(const operator *op)
{
	return op->npass / OUTLYING;
}

/* A line: a is k times b, k from 1 to STEEPEST. */
enum { STEEPEST = 8, DIFFERENT = 2, LEAST_EQUAL = 24 };

typedef struct line {
	int a, b, on; /* symbols; records of those left that lie on it */
	int64_t k;
} line;

/* How many times b a is; 0: no whole number of times, or b is 0. */
static int64_t times(const int64_t *row, int a, int b)
{
	return row[b] > 0 && row[a] % row[b] == 0 ? row[a] / row[b] : 0;
}

static bool lies_on(const int64_t *row, const line *l)
{
	return row[l->b] ? times(row, l->a, l->b) == l->k : row[l->a] == 0;
}

/* The k of most of the records left; on == 0: they do not say that a is a multiple of b, since b hardly varies. */
static line line_of(const operator *op, const bool *out, int a, int b)
{
	int on[STEEPEST + 1] = {0}, different = 0, both = 0;
	int64_t seen[DIFFERENT];
	line l = {.a = a, .b = b, .k = 1};
	for (int r = 0; r < op->npass; r++) {
		const int64_t *row = passing_record(op, r), k = times(row, a, b);
		if (!out[r] && k >= 1 && k <= STEEPEST)
			on[k]++;
		both += !out[r] && row[a] == 0 && row[b] == 0;
	}
	for (int k = 2; k <= STEEPEST; k++)
		l.k = on[k] > on[l.k] ? k : l.k;
	for (int r = 0; r < op->npass && different < DIFFERENT; r++) {
		const int64_t *row = passing_record(op, r);
		int i = 0;
		while (i < different && seen[i] != row[b])
			i++;
		if (!out[r] && row[b] && lies_on(row, &l) && i == different)
			seen[different++] = row[b];
	}
	l.on = different == DIFFERENT ? on[l.k] + both : 0;
	return l;
}

/* Whether all that lie beside it broadcast: a clause says that, and they belong to the core. */
static bool is_broadcast(const operator *op, const bool *out, const line *l)
{
	for (int r = 0; r < op->npass && l->k == 1; r++) {
		const int64_t *row = passing_record(op, r);
		if (!out[r] && row[l->a] != row[l->b] && row[l->a] != 1 && row[l->b] != 1)
			return false;
	}
	return l->k == 1;
}

/* The line on which most of the records left lie, but not all; `equal`: broadcasting is beside it. */
static line best_line(const operator *op, const bool *out, int left, int most, bool equal)
{
	line best = {0};
	for (int a = 0; a < op->nsym; a++)
		for (int b = 0; b < op->nsym; b++) {
			if (a == b || op->roles[a].kind != ROLE_DIM || op->roles[b].kind != ROLE_DIM)
				continue;
			line l = line_of(op, out, a, b);
			if (l.on > best.on && l.on < left && l.on * 100 >= left * most && (equal || !is_broadcast(op, out, &l)))
				best = l;
		}
	return best;
}

/* Leaves out what is not of the core; false where that is nothing, or less than 8 would be left, or than a third. */
static bool leave_core(const operator *op, const bool *out, operator *to, arena *memory)
{
	int left = 0;
	for (int r = 0; r < op->npass; r++)
		left += !out[r];
	if (left == op->npass || left < LEAST || left * CORE < op->npass)
		return false;
	leave_out(op, out, true, to, memory);
	return true;
}

/* Marks what lies beside the lines; how many do not. */
static int leave_lines(const operator *op, int most, bool equal, bool *out)
{
	int left = op->npass;
	memset(out, 0, sizeof *out * ((size_t)op->npass + 1));
	for (line l = best_line(op, out, left, most, equal); l.on; l = best_line(op, out, left, most, equal)) {
		for (int r = 0; r < op->npass; r++)
			out[r] |= !lies_on(passing_record(op, r), &l);
		left = l.on;
	}
	return left;
}

/* Has what stands apart refused: what a rule of the others accepts of it, it gives another output. */
static void refuse_apart(operator *op, arena *memory)
{
	int64_t *fail = NEED_ARRAY(memory, int64_t, (size_t)(op->nfail + op->outside) * op->nsym + 1);
	size_t row = sizeof *fail * (size_t)op->nsym;
	if (op->nfail)
		memcpy(fail, op->fail, row * (size_t)op->nfail);
	for (int k = 0; k < op->outside; k++)
		memcpy(fail + (size_t)op->nfail++ * op->nsym, apart_record(op, k), row);
	op->fail = fail;
	op->beside = op->outside;
	op->hash = operator_hash(op);
}

bool narrow_equal(const operator *op, int most, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, op->npass + 1);
	int left = leave_lines(op, most, true, out);
	if (left == op->npass || left < LEAST_EQUAL || op->npass - left > op->nfail)
		return false;
	leave_out(op, out, true, to, memory);
	refuse_apart(to, memory);
	return true;
}

bool narrow_core(const operator *op, int most, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, op->npass + 1);
	leave_lines(op, most, false, out);
	return leave_core(op, out, to, memory);
}

static bool has_negative(const operator *op, const int64_t *row)
{
	for (int i = 0; i < op->nsym; i++)
		if (op->roles[i].kind != ROLE_DIM && row[i] < 0)
			return true;
	return false;
}

bool narrow_signs(const operator *op, enum narrow_signs how, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, op->npass + 1), negative = false;
	for (int r = 0; r < op->npass; r++) {
		const int64_t *row = passing_record(op, r);
		out[r] = has_negative(op, row);
		negative |= out[r];
		out[r] |= how == SIGNS_AND_INPUTS && record_is_of_empty(op, row);
	}
	return negative && leave_core(op, out, to, memory);
}

bool narrow_inputs(const operator *op, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, op->npass + 1);
	for (int r = 0; r < op->npass; r++)
		out[r] = record_is_of_empty(op, passing_record(op, r));
	return leave_core(op, out, to, memory);
}

int narrow_room(const operator *op)
{
	int room = (CORE - 1) * op->npass - op->outside;
	return room > 0 ? room : 0;
}

/* How many failing records each clause refuses, and behind these how many it refuses alone; the caller frees it. */
static int *count_refused(const operator *op, const rule *r)
{
	size_t bytes = 2 * (size_t)r->nclauses * sizeof(int);
	int *refused = need(calloc(bytes + 1, 1), bytes), *alone = refused + r->nclauses;
	for (int k = 0; k < op->nfail; k++) {
		const int64_t *x = record_symbols(op, op->npass + k);
		rule_view v = rule_look(op, r, x);
		if (v.only >= 0)
			alone[v.only]++;
		for (int c = 0; c < r->nclauses; c++)
			refused[c] += !expr_holds(r->clauses[c], x);
	}
	return refused;
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

static bool leaves_empty(const operator *op, const rule *r, const expr *e)
{
	return op->empty && e->op == OP_GT && e->b->op == OP_CONST && e->b->value == 0
	    && (is_dim(op, e->a) || (op->empty_outputs && comes_out(r, e->a)));
}

bool narrow_leaves_open(const operator *op, const rule *r, int clause)
{
	for (int k = 0; k < op->outside; k++)
		if (rule_look(op, r, apart_record(op, k)).only == clause)
			return true;
	return leaves_empty(op, r, r->clauses[clause]);
}

/* A number is not negative, or not 0: the likeliest of clauses, of which two refused calls are proof enough. */
static bool is_sign(const expr *e)
{
	return (e->op == OP_GT || e->op == OP_GE) && e->a->op == OP_SYM && e->b->op == OP_CONST && e->b->value == 0;
}

bool narrow_weigh(const operator *op, const rule *r, bool shared, narrow_weight *w)
{
	enum { FEW = 2, SHARE = 8 };
	if (op->nfail == 0)
		return false;
	int *refused = count_refused(op, r), *alone = refused + r->nclauses;
	int share = shared && r->nclauses > SHARE ? r->nclauses : SHARE;
	for (int c = 0; c < r->nclauses; c++)
		if (!is_sign(r->clauses[c]) && !leaves_empty(op, r, r->clauses[c])) {
			w->told++;
			w->weak += alone[c] <= FEW && refused[c] * share < op->nfail;
		}
	free(refused);
	return true;
}

bool narrow_is_weak(narrow_weight w)
{
	enum { WEAK = 3 };
	return w.weak * WEAK > w.told;
}

bool narrow_looks_fitted(const operator *op, const rule *r, bool shared)
{
	narrow_weight w = {0};
	return !narrow_weigh(op, r, shared, &w) || narrow_is_weak(w);
}

bool narrow_has_fitted(const operator *op, const rule *r)
{
	int *refused = count_refused(op, r), *alone = refused + r->nclauses;
	bool any = false;
	for (int c = 0; c < r->nclauses; c++)
		any |= r->clauses[c]->op == OP_OR && alone[c] < UNFITTED_ALONE;
	free(refused);
	return any;
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

#include "record_subset.h"

#include <stdlib.h>
#include <string.h>

#include "need.h"
#include "costs.h"

/* Limits of subsets: at least MIN_LEFT passing records; at least 1/MIN_PART of all (empty tensors) or 1/MIN_INLIERS
 * (inliers); outliers at most 1/MAX_OUTLIERS. */
enum { MIN_LEFT = 8, MIN_PART = 4, MIN_INLIERS = 3, MAX_OUTLIERS = 5 };

static bool has_empty_output(const operator *op, const int64_t *row)
{
	for (int i = 0; i < op->nodim; i++)
		if (row[op->nsym + i] == 0)
			return true;
	return false;
}

/* Copies the rows k with out[k] == which; *copied is their number. */
static int64_t *copy_rows(const int64_t *rows, const bool *out, bool which, int n, int width, int *copied, arena *memory)
{
	int64_t *to = NEED_ARRAY(memory, int64_t, (size_t)n * width + 1);
	*copied = 0;
	for (int k = 0; k < n; k++)
		if (out[k] == which)
			memcpy(to + (size_t)(*copied)++ * width, rows + (size_t)k * width, sizeof *to * (size_t)width);
	return to;
}

/* Excludes the passing records marked in `out`: as outliers, or as records of empty tensors. */
static void exclude(const operator *op, const bool *out, bool outliers, operator *to, arena *memory)
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

bool subset_without_empty(const operator *op, enum subset_tensors how, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, op->npass + op->nfail + 1);
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = passing_record(op, k);
		out[k] = record_is_of_empty(op, row) || (how == SUBSET_OUTPUTS && has_empty_output(op, row));
	}
	exclude(op, out, false, to, memory);
	for (int k = 0; k < op->nfail; k++)
		out[k] = record_is_of_empty(op, record_symbols(op, op->npass + k));
	to->fail = copy_rows(op->fail, out, false, op->nfail, op->nsym, &to->nfail, memory);
	to->hash = operator_hash(to);
	return to->npass >= MIN_LEFT && to->npass * MIN_PART >= op->npass && to->npass + to->nfail < op->npass + op->nfail
	    && to->empty_outputs == (how == SUBSET_OUTPUTS);
}

bool subset_without_rejected(const operator *op, const rule *r, bool aside, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, op->npass + 1);
	int outliers = 0;
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = passing_record(op, k);
		out[k] = !rule_accepts(op, r, row, NULL);
		outliers += out[k] && !(aside && record_is_of_empty(op, row));
	}
	exclude(op, out, true, to, memory);
	return to->outside && to->npass >= MIN_LEFT && to->npass * MIN_INLIERS >= op->npass && outliers <= subset_max_outliers(op);
}

int subset_max_outliers(const operator *op)
{
	return op->npass / MAX_OUTLIERS;
}

/* A line is an equation a == k*b of two dimensions, with k from 1 to MAX_FACTOR. Its records must have at least
 * MIN_DIFFERENT values of b. */
enum { MAX_FACTOR = 8, MIN_DIFFERENT = 2, MIN_EQUAL = 24 };

typedef struct line {
	int a, b, on; /* a, b: symbols; on: number of remaining records on the line */
	int64_t k;
} line;

/* a / b if that is a positive integer, otherwise 0. */
static int64_t times(const int64_t *row, int a, int b)
{
	return row[b] > 0 && row[a] % row[b] == 0 ? row[a] / row[b] : 0;
}

static bool lies_on(const int64_t *row, const line *l)
{
	return row[l->b] ? times(row, l->a, l->b) == l->k : row[l->a] == 0;
}

/* The factor k that most remaining records have. on == 0 if b hardly varies, so that the records do not show that a
 * is a multiple of b. */
static line line_of(const operator *op, const bool *out, int a, int b)
{
	int on[MAX_FACTOR + 1] = {0}, different = 0, both = 0;
	int64_t seen[MIN_DIFFERENT];
	line l = {.a = a, .b = b, .k = 1};
	for (int r = 0; r < op->npass; r++) {
		const int64_t *row = passing_record(op, r), k = times(row, a, b);
		if (!out[r] && k >= 1 && k <= MAX_FACTOR)
			on[k]++;
		both += !out[r] && row[a] == 0 && row[b] == 0;
	}
	for (int k = 2; k <= MAX_FACTOR; k++)
		l.k = on[k] > on[l.k] ? k : l.k;
	for (int r = 0; r < op->npass && different < MIN_DIFFERENT; r++) {
		const int64_t *row = passing_record(op, r);
		int i = 0;
		while (i < different && seen[i] != row[b])
			i++;
		if (!out[r] && row[b] && lies_on(row, &l) && i == different)
			seen[different++] = row[b];
	}
	l.on = different == MIN_DIFFERENT ? on[l.k] + both : 0;
	return l;
}

/* Whether all records off the line broadcast. A clause describes them, so they are no outliers. */
static bool is_broadcast(const operator *op, const bool *out, const line *l)
{
	for (int r = 0; r < op->npass && l->k == 1; r++) {
		const int64_t *row = passing_record(op, r);
		if (!out[r] && row[l->a] != row[l->b] && row[l->a] != 1 && row[l->b] != 1)
			return false;
	}
	return l->k == 1;
}

/* The line with most of the remaining records, but not all and at least `most` percent; on == 0: none. equal: also
 * lines whose other records broadcast. */
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

/* Excludes the marked records as outliers. False if none is marked or too few are left. */
static bool exclude_others(const operator *op, const bool *out, operator *to, arena *memory)
{
	int left = 0;
	for (int r = 0; r < op->npass; r++)
		left += !out[r];
	if (left == op->npass || left < MIN_LEFT || left * MIN_INLIERS < op->npass)
		return false;
	exclude(op, out, true, to, memory);
	return true;
}

/* Marks the records off the best lines, one line after the other. Returns how many are on all of them. */
static int exclude_off_lines(const operator *op, int most, bool equal, bool *out)
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

/* Adds the outliers to the failing records, so that a rule of the inliers must reject them: it would give them wrong
 * outputs. */
static void reject_outliers(operator *op, arena *memory)
{
	int64_t *fail = NEED_ARRAY(memory, int64_t, (size_t)(op->nfail + op->outside) * op->nsym + 1);
	size_t row = sizeof *fail * (size_t)op->nsym;
	if (op->nfail)
		memcpy(fail, op->fail, row * (size_t)op->nfail);
	for (int k = 0; k < op->outside; k++)
		memcpy(fail + (size_t)op->nfail++ * op->nsym, outlier_record(op, k), row);
	op->fail = fail;
	op->beside = op->outside;
	op->hash = operator_hash(op);
}

bool subset_equal_inliers(const operator *op, int most, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, op->npass + 1);
	int left = exclude_off_lines(op, most, true, out);
	if (left == op->npass || left < MIN_EQUAL || op->npass - left > op->nfail)
		return false;
	exclude(op, out, true, to, memory);
	reject_outliers(to, memory);
	return true;
}

bool subset_inliers(const operator *op, int most, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, op->npass + 1);
	exclude_off_lines(op, most, false, out);
	return exclude_others(op, out, to, memory);
}

static bool has_negative(const operator *op, const int64_t *row)
{
	for (int i = 0; i < op->nsym; i++)
		if (op->roles[i].kind != ROLE_DIM && row[i] < 0)
			return true;
	return false;
}

bool subset_without_negative(const operator *op, enum subset_sign how, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, op->npass + 1), negative = false;
	for (int r = 0; r < op->npass; r++) {
		const int64_t *row = passing_record(op, r);
		out[r] = has_negative(op, row);
		negative |= out[r];
		out[r] |= how == SUBSET_SIGNS_AND_INPUTS && record_is_of_empty(op, row);
	}
	return negative && exclude_others(op, out, to, memory);
}

bool subset_without_empty_inputs(const operator *op, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, op->npass + 1);
	for (int r = 0; r < op->npass; r++)
		out[r] = record_is_of_empty(op, passing_record(op, r));
	return exclude_others(op, out, to, memory);
}

int subset_spare_outliers(const operator *op)
{
	int room = (MIN_INLIERS - 1) * op->npass - op->outside;
	return room > 0 ? room : 0;
}

static int *count_rejected(const operator *op, const rule *r)
{
	size_t bytes = 2 * (size_t)r->nclauses * sizeof(int);
	int *rejected = need(calloc(bytes + 1, 1), bytes), *alone = rejected + r->nclauses;
	for (int k = 0; k < op->nfail; k++) {
		const int64_t *x = record_symbols(op, op->npass + k);
		rule_view v = rule_look(op, r, x);
		if (v.only >= 0)
			alone[v.only]++;
		for (int c = 0; c < r->nclauses; c++)
			rejected[c] += !expr_holds(r->clauses[c], x);
	}
	return rejected;
}

static bool is_dim(const operator *op, const expr *e)
{
	return e->op == OP_SYM && op->roles[e->value].kind == ROLE_DIM;
}

/* Adds the clause e > 0, unless the rule has it. */
static void require_positive(rule_store store, rule *r, const expr **clauses, const expr *e)
{
	const expr *clause = expr_make(store.pool, OP_GT, e, expr_const(store.pool, 0));
	for (int c = 0; c < r->nclauses; c++)
		if (clauses[c] == clause)
			return;
	clauses[r->nclauses++] = clause;
}

rule subset_rule(rule_store store, const operator *op, const rule *r)
{
	rule to = rule_copy(store, r);
	const expr **clauses = NEED_ARRAY(store.memory, const expr *, to.nclauses + op->nsym + op->nodim + 1);
	if (to.nclauses)
		memcpy(clauses, to.clauses, sizeof *clauses * (size_t)to.nclauses);
	for (int i = 0; i < op->nsym; i++)
		if (op->roles[i].kind == ROLE_DIM)
			require_positive(store, &to, clauses, expr_sym(store.pool, i));
	for (int i = 0; op->empty_outputs && i < op->nodim; i++)
		if (to.out[i]->op != OP_CONST && !is_dim(op, to.out[i]))
			require_positive(store, &to, clauses, to.out[i]);
	to.clauses = clauses;
	return to;
}

static bool is_output(const rule *r, const expr *e)
{
	for (int i = 0; i < r->nodim; i++)
		if (r->out[i] == e)
			return true;
	return false;
}

static bool excludes_empty(const operator *op, const rule *r, const expr *e)
{
	return op->empty && e->op == OP_GT && e->b->op == OP_CONST && e->b->value == 0
	    && (is_dim(op, e->a) || (op->empty_outputs && is_output(r, e->a)));
}

bool subset_leaves_open(const operator *op, const rule *r, int clause)
{
	for (int k = 0; k < op->outside; k++)
		if (rule_look(op, r, outlier_record(op, k)).only == clause)
			return true;
	return excludes_empty(op, r, r->clauses[clause]);
}

/* Whether the clause is s >= 0 or s > 0. Such clauses are so common that two rejected calls are enough support. */
static bool is_sign(const expr *e)
{
	return (e->op == OP_GT || e->op == OP_GE) && e->a->op == OP_SYM && e->b->op == OP_CONST && e->b->value == 0;
}

bool subset_count_support(const operator *op, const rule *r, bool shared, clause_support *w)
{
	enum { FEW = 2, SHARE = 8 };
	if (op->nfail == 0)
		return false;
	int *rejected = count_rejected(op, r), *alone = rejected + r->nclauses;
	int share = shared && r->nclauses > SHARE ? r->nclauses : SHARE;
	for (int c = 0; c < r->nclauses; c++)
		if (!is_sign(r->clauses[c]) && !excludes_empty(op, r, r->clauses[c])) {
			w->clauses++;
			w->weak += alone[c] <= FEW && rejected[c] * share < op->nfail;
		}
	free(rejected);
	return true;
}

bool subset_has_low_support(clause_support w)
{
	enum { WEAK = 3 };
	return w.weak * WEAK > w.clauses;
}

bool subset_is_overfitted(const operator *op, const rule *r, bool shared)
{
	clause_support w = {0};
	return !subset_count_support(op, r, shared, &w) || subset_has_low_support(w);
}

bool subset_has_overfitted_or(const operator *op, const rule *r)
{
	int *rejected = count_rejected(op, r), *alone = rejected + r->nclauses;
	bool any = false;
	for (int c = 0; c < r->nclauses; c++)
		any |= r->clauses[c]->op == OP_OR && alone[c] < UNFITTED_ALONE;
	free(rejected);
	return any;
}

bool subset_readmit(const operator *whole, const rule *r, operator *to, arena *memory)
{
	bool *out = NEED_ARRAY(memory, bool, whole->npass + 1), right = true, outliers = to->outside > 0;
	for (int k = 0; k < whole->npass; k++) {
		const int64_t *row = passing_record(whole, k);
		out[k] = !rule_accepts(whole, r, row, row + whole->nsym);
		right &= !out[k] || !rule_accepts(whole, r, row, NULL);
	}
	exclude(whole, out, outliers, to, memory);
	return right;
}

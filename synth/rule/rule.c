#include "rule.h"

#include <assert.h>
#include <string.h>

#include "need.h"

/* ---- evaluation */

static bool has_value(const expr *e, const int64_t *x, wide *v)
{
	return expr_eval(e, x, v) && *v >= 0 && *v <= INT64_MAX;
}

static bool has_negative_dimension(const operator *op, const int64_t *x)
{
	for (int i = 0; i < op->nsym; i++)
		if (op->roles[i].kind == ROLE_DIM && x[i] < 0)
			return true;
	return false;
}

/* Counts failing clauses up to `max_failing`; computes outputs if fewer fail. With `expected`, an output with a
 * different value counts as one without a value. */
static rule_view evaluate(const operator *op, const rule *r, const int64_t *x, int max_failing, const int64_t *expected)
{
	rule_view v = {.only = -1, .outside = -1};
	if (has_negative_dimension(op, x))
		v.failing = max_failing;
	for (int k = 0; k < r->nclauses && v.failing < max_failing; k++)
		if (!expr_holds(r->clauses[k], x)) {
			v.failing++;
			v.only = k;
		}
	if (v.failing == max_failing) {
		v.only = -1;
		return v;
	}
	for (int d = 0; d < r->nodim && v.outside < 0; d++) {
		wide w;
		if (!has_value(r->out[d], x, &w) || (expected && w != expected[d]))
			v.outside = d;
	}
	v.accepts = !v.failing && v.outside < 0;
	return v;
}

bool rule_clauses_hold(const rule *r, const int64_t *x)
{
	for (int k = 0; k < r->nclauses; k++)
		if (!expr_holds(r->clauses[k], x))
			return false;
	return true;
}

bool rule_propagate(const rule *r, const int64_t *x, int64_t *out)
{
	for (int d = 0; d < r->nodim; d++) {
		wide v;
		if (!has_value(r->out[d], x, &v))
			return false;
		out[d] = (int64_t)v;
	}
	return true;
}

bool rule_accepts(const operator *op, const rule *r, const int64_t *x, const int64_t *expected)
{
	return evaluate(op, r, x, 1, expected).accepts;
}

rule_view rule_look(const operator *op, const rule *r, const int64_t *x)
{
	return evaluate(op, r, x, 2, NULL);
}

bool rule_agrees(const operator *op, const rule *r)
{
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = passing_record(op, k);
		if (!rule_accepts(op, r, row, row + op->nsym))
			return false;
	}
	for (int k = 0; k < op->nfail; k++)
		if (rule_accepts(op, r, op->fail + (size_t)k * op->nsym, NULL))
			return false;
	return true;
}

void rule_count(const operator *op, rule *r)
{
	r->passed = r->failed = 0;
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = passing_record(op, k);
		r->passed += rule_accepts(op, r, row, row + op->nsym);
	}
	for (int k = 0; k < op->nfail; k++)
		r->failed += !rule_accepts(op, r, op->fail + (size_t)k * op->nsym, NULL);
}

/* ---- rules as values */

rule_store rule_store_new(void)
{
	return (rule_store){expr_pool_new(), arena_new()};
}

void rule_store_free(rule_store *s)
{
	expr_pool_free(s->pool);
	arena_free(s->memory);
	*s = (rule_store){0};
}

static const expr **copy_all(rule_store to, const expr *const *list, int n)
{
	const expr **copies = NEED_ARRAY(to.memory, const expr *, n);
	for (int i = 0; i < n; i++)
		copies[i] = list[i] ? expr_copy(to.pool, list[i], NULL) : NULL;
	return copies;
}

static const char *copy_text(rule_store to, const char *text)
{
	return text ? need(arena_strdup(to.memory, text), strlen(text)) : NULL;
}

void rule_note(rule *r, arena *memory, const expr *now, const expr *was)
{
	int k = 0;
	while (k < r->nnotes && r->notes[k].now != now)
		k++;
	if (!was) {
		if (k < r->nnotes)
			r->notes[k] = r->notes[--r->nnotes];
		return;
	}
	if (k == r->room) {
		r->room = r->room ? 2 * r->room : 8;
		simplified *more = NEED_ARRAY(memory, simplified, r->room);
		if (k)
			memcpy(more, r->notes, sizeof *more * (size_t)k);
		r->notes = more;
	}
	r->notes[k] = (simplified){now, was};
	r->nnotes += k == r->nnotes;
}

void rule_forget_clauses(rule *r)
{
	int n = 0;
	for (int k = 0; k < r->nnotes; k++)
		if (!expr_is_bool(r->notes[k].now))
			r->notes[n++] = r->notes[k];
	r->nnotes = n;
}

static const rule_default *copy_defaults(rule_store to, const rule_default *list, int n)
{
	rule_default *copy = NEED_ARRAY(to.memory, rule_default, n);
	for (int k = 0; k < n; k++)
		copy[k] = (rule_default){copy_text(to, list[k].argument), copy_text(to, list[k].instead)};
	return copy;
}

rule rule_copy(rule_store to, const rule *r)
{
	rule copy = *r;
	copy.out = r->out ? copy_all(to, r->out, r->nodim) : NULL;
	copy.clauses = copy_all(to, r->clauses, r->nclauses);
	copy.notes = NEED_ARRAY(to.memory, simplified, r->nnotes);
	copy.room = r->nnotes;
	for (int k = 0; k < r->nnotes; k++)
		copy.notes[k] = (simplified){expr_copy(to.pool, r->notes[k].now, NULL), expr_copy(to.pool, r->notes[k].was, NULL)};
	copy.why = copy_text(to, r->why);
	copy.layer = copy_text(to, r->layer);
	copy.family = copy_text(to, r->family);
	copy.defaults = copy_defaults(to, r->defaults, r->ndefaults);
	return copy;
}

static bool equal_all(const expr *const *a, int n, const expr *const *b, int m)
{
	bool equal = n == m;
	for (int i = 0; equal && i < n; i++)
		equal = a[i]->hash == b[i]->hash && expr_compare(a[i], b[i]) == 0;
	return equal;
}

bool rule_equal(const rule *a, const rule *b)
{
	return equal_all(a->out, a->nodim, b->out, b->nodim) && equal_all(a->clauses, a->nclauses, b->clauses, b->nclauses);
}

int rule_clause(const rule *r, const expr *e)
{
	for (int k = 0; k < r->nclauses; k++)
		if (r->clauses[k] == e)
			return k;
	return -1;
}

void rule_drop_clause(rule *r, int k)
{
	assert(0 <= k && k < r->nclauses);
	memmove(r->clauses + k, r->clauses + k + 1, sizeof *r->clauses * (size_t)(r->nclauses - k - 1));
	r->nclauses--;
}

bool rule_is_nonnegative(const operator *op, const expr *e)
{
	if (e->op == OP_SYM)
		return e->value < op->nsym && op->roles[e->value].kind == ROLE_DIM;
	if (e->op == OP_CONST)
		return e->value >= 0;
	if (e->op == OP_ADD || e->op == OP_MUL || e->op == OP_MIN || e->op == OP_MAX)
		return rule_is_nonnegative(op, e->a) && rule_is_nonnegative(op, e->b);
	return false;
}

/* The expression that a lower bound of at most `max_bound` bounds, if that is never negative; NULL if e is not such a
 * bound. */
static const expr *bounded(const operator *op, const expr *e, int64_t max_bound)
{
	bool reversed = e->op == OP_LE || e->op == OP_LT;
	if (!reversed && e->op != OP_GE && e->op != OP_GT)
		return NULL;
	const expr *high = reversed ? e->b : e->a, *low = reversed ? e->a : e->b;
	bool is_lower_bound = low->op == OP_CONST && low->value + (e->op == OP_LT || e->op == OP_GT) <= max_bound;
	return is_lower_bound && rule_is_nonnegative(op, high) ? high : NULL;
}

/* Whether a states that a factor is positive and b that a product with this factor is 0, as alternatives. */
static bool are_complementary(const operator *op, const expr *a, const expr *b)
{
	if (a->op == OP_OR)
		return are_complementary(op, a->a, b) || are_complementary(op, a->b, b);
	if (b->op == OP_OR)
		return are_complementary(op, a, b->a) || are_complementary(op, a, b->b);
	const expr *factor = bounded(op, a, 1);
	return factor && expr_is_zero_test(b) && expr_is_factor(factor, b->a);
}

bool rule_clause_is_trivial(const operator *op, const expr *clause)
{
	if (expr_is_tautology(clause) || bounded(op, clause, 0))
		return true;
	if (clause->op != OP_OR)
		return false;
	return rule_clause_is_trivial(op, clause->a) || rule_clause_is_trivial(op, clause->b) || are_complementary(op, clause->a, clause->b)
	    || are_complementary(op, clause->b, clause->a);
}

int rule_length(const rule *r)
{
	int length = 0;
	for (int d = 0; d < r->nodim; d++)
		length += 2 + r->out[d]->size;
	for (int k = 0; k < r->nclauses; k++)
		length += 3 + r->clauses[k]->size;
	return length;
}

void rule_print(buf *to, const rule *r)
{
	for (int d = 0; d < r->nodim; d++) {
		expr_print(to, r->out[d]);
		buf_puts(to, "; ");
	}
	buf_putc(to, '|');
	for (int k = 0; k < r->nclauses; k++) {
		buf_putc(to, ' ');
		expr_print(to, r->clauses[k]);
		buf_putc(to, ';');
	}
}

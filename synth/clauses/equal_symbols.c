#include "equal_symbols.h"

#include <string.h>

#include "need.h"

enum { FEW = 16, VALUES = 4 }; /* passing records, and values that a symbol has in them, at least */

typedef struct ties {
	const solver *s;
	const rule *r;
	int *group;	    /* nsym: the least symbol that it is known to be equal to */
	const bool **alone; /* nsym: a refused call differs from a passing one in it alone; *alone NULL: not looked for */
	arena *memory;	    /* of these */
} ties;

/* ---- what is known to be equal */

static int root(const ties *t, int i)
{
	while (t->group[i] != i)
		i = t->group[i];
	return i;
}

static void join(ties *t, int i, int j)
{
	int a = root(t, i), b = root(t, j);
	t->group[a > b ? a : b] = a > b ? b : a;
}

static void join_equations(ties *t, const expr *e)
{
	if (e->op == OP_AND) {
		join_equations(t, e->a);
		join_equations(t, e->b);
	} else if (e->op == OP_EQ && e->a->op == OP_SYM && e->b->op == OP_SYM) {
		join(t, e->a->value, e->b->value);
	}
}

/* ---- what the records say */

static bool always_equal(const solver *s, int i, int j)
{
	return memcmp(s->cols[i], s->cols[j], sizeof *s->cols[i] * (size_t)s->op->npass) == 0;
}

/* The only symbol in which two records differ; -1: there are more, or none. */
static int only_difference(const operator *op, const int64_t *x, const int64_t *y)
{
	int at = -1;
	for (int i = 0; i < op->nsym; i++) {
		if (x[i] == y[i])
			continue;
		if (at >= 0)
			return -1;
		at = i;
	}
	return at;
}

static void find_alone(ties *t)
{
	const operator *op = t->s->op;
	bool *alone = NEED_ARRAY(t->memory, bool, op->nsym);
	for (int f = 0; f < op->nfail; f++)
		for (int p = 0; p < op->npass; p++) {
			int at = only_difference(op, record_symbols(op, op->npass + f), passing_record(op, p));
			if (at >= 0)
				alone[at] = true;
		}
	*t->alone = alone;
}

/* ---- what relates two symbols otherwise */

static bool mentions(const ties *t, const expr *e, int group)
{
	if (e->op == OP_SYM)
		return root(t, (int)e->value) == group;
	return (e->a && mentions(t, e->a, group)) || (e->b && mentions(t, e->b, group)) || (e->c && mentions(t, e->c, group));
}

/* Whether an equation in a clause is about both: of channels == group * groups all records may have one group. */
static bool equates(const ties *t, const expr *e, int a, int b)
{
	if (e->op == OP_AND || e->op == OP_OR)
		return equates(t, e->a, a, b) || equates(t, e->b, a, b);
	return e->op == OP_EQ && mentions(t, e, a) && mentions(t, e, b);
}

static bool related(const ties *t, int i, int j)
{
	for (int k = 0; k < t->r->nclauses; k++)
		if (equates(t, t->r->clauses[k], root(t, i), root(t, j)))
			return true;
	return false;
}

static bool is_tied(ties *t, int i, int j)
{
	const solver *s = t->s;
	if (root(t, i) == root(t, j) || !always_equal(s, i, j) || values_of(s->op, i, -1, VALUES) < VALUES || related(t, i, j))
		return false;
	if (!*t->alone)
		find_alone(t);
	return (*t->alone)[i] && (*t->alone)[j];
}

/* ---- outputs of what broadcasts */

/* Whether e is x == 1. */
static bool is_one(const expr *e, const expr *x)
{
	return e->op == OP_EQ && e->a == x && e->b->op == OP_CONST && e->b->value == 1;
}

/* The dimension with which x broadcasts by a clause, x == y or x == 1 or y == 1, from either side; NULL: it is no such one. */
static const expr *broadcast_with(const operator *op, const expr *clause, const expr *x)
{
	if (clause->op != OP_OR || clause->a->op != OP_OR)
		return NULL;
	const expr *equal = clause->a->a, *one = clause->a->b, *other = clause->b;
	if (equal->op != OP_EQ || equal->a->op != OP_SYM || equal->b->op != OP_SYM || (equal->a != x && equal->b != x))
		return NULL;
	const expr *y = equal->a == x ? equal->b : equal->a;
	bool both = (is_one(one, x) && is_one(other, y)) || (is_one(one, y) && is_one(other, x));
	return both && y != x && op->roles[y->value].kind == ROLE_DIM ? y : NULL;
}

/* Whether a clause that says nothing of x and y rejects a refused call. */
static bool is_explained(const operator *op, const rule *r, const expr *x, const expr *y, const int64_t *call)
{
	bool used[op->nsym + 1];
	for (int k = 0; k < r->nclauses; k++) {
		memset(used, 0, sizeof used);
		expr_mark_syms(r->clauses[k], used);
		if (!used[x->value] && !used[y->value] && !expr_holds(r->clauses[k], call))
			return true;
	}
	return false;
}

/* Whether a refused call has x at 1 and y not, and nothing besides them explains it: then that they broadcast was asked, and
 * refused, by whatever clause. */
static bool is_refused(const operator *op, const rule *r, const expr *x, const expr *y)
{
	for (int f = 0; f < op->nfail; f++) {
		const int64_t *call = record_symbols(op, op->npass + f);
		if (call[x->value] == 1 && call[y->value] != 1 && !is_explained(op, r, x, y, call))
			return true;
	}
	return false;
}

void ties_broadcast(solver *s)
{
	rule *r = s->rule;
	for (int d = 0; d < r->nodim && !r->why; d++)
		for (int k = 0; k < r->nclauses && r->out[d]->op == OP_SYM; k++) {
			const expr *x = r->out[d], *y = broadcast_with(s->op, r->clauses[k], x);
			if (!y || is_refused(s->op, r, x, y))
				continue;
			const expr *e = expr_broadcast(s->pool, x, y);
			if (!output_holds(s->op, d, e))
				continue;
			log_expr(s, "  broadcast: ", e, "  (output %d, by clause %d)", d, k + 1);
			r->out[d] = e;
		}
}

/* ---- the whole */

int ties_left(const solver *s, const rule *r, const bool **alone, tie *list, arena *memory)
{
	const operator *op = s->op;
	if (r->why || op->npass < FEW || !op->nfail)
		return 0;
	int group[op->nsym + 1], n = 0;
	ties t = {.s = s, .r = r, .group = group, .alone = alone, .memory = memory};
	for (int i = 0; i < op->nsym; i++)
		group[i] = i;
	for (int k = 0; k < r->nclauses; k++)
		join_equations(&t, r->clauses[k]);
	for (int i = 0; i < op->nsym; i++)
		for (int j = i + 1; j < op->nsym; j++) {
			if (!is_tied(&t, i, j))
				continue;
			list[n++] = (tie){i, j};
			join(&t, i, j);
		}
	return n;
}

const expr *tie_equation(const solver *s, tie x)
{
	return expr_make(s->pool, OP_EQ, expr_sym(s->pool, x.a), expr_sym(s->pool, x.b));
}

/* A bound by another number than 0, or what something must not be: seldom what an operator asks for. */
static bool is_doubtful(const expr *e)
{
	return e->op == OP_NE || (op_is_bound(e->op) && e->b->op == OP_CONST && e->b->value != 0);
}

static bool is_needed(const operator *op, const rule *r, int k)
{
	for (int f = 0; f < op->nfail; f++) {
		rule_view v = rule_look(op, r, record_symbols(op, op->npass + f));
		if (v.failing == 1 && v.only == k && v.outside < 0)
			return true;
	}
	return false;
}

/* Drops what was chosen for lack of the ties, and rejects no failing record by itself beside them. */
static void drop_needless(solver *s)
{
	for (int k = s->rule->nclauses - 1; k >= 0; k--)
		if (is_doubtful(s->rule->clauses[k]) && !is_needed(s->op, s->rule, k)) {
			log_expr(s, "  superfluous: ", s->rule->clauses[k], "  (beside the ties)");
			rule_drop_clause(s->rule, k);
		}
}

void ties_add(solver *s, arena *memory)
{
	rule *r = s->rule;
	const bool *alone = NULL;
	tie *list = NEED_ARRAY(memory, tie, s->op->nsym);
	int n = ties_left(s, r, &alone, list, memory);
	if (!n)
		return;
	const expr **all = NEED_ARRAY(memory, const expr *, r->nclauses + n);
	memcpy(all, r->clauses, sizeof *all * (size_t)r->nclauses);
	r->clauses = all;
	for (int k = 0; k < n; k++) {
		const expr *e = tie_equation(s, list[k]);
		log_expr(s, "  tied: ", e, "  (in all passing records)");
		all[r->nclauses++] = e;
	}
	drop_needless(s);
}

#include "equal_symbols.h"

#include <string.h>

#include "need.h"

enum { MIN_PASSING = 16, MIN_VALUES = 4 }; /* minimum number of passing records, and of values that a symbol has in them */

typedef struct equality_classes {
	const solver *s;
	const rule *r;
	int *group;	    /* nsym: union-find parent, the smallest symbol of the class at the root */
	const bool **alone; /* nsym: whether a rejected call differs from a passing one in this symbol alone; *alone NULL: not
	                     * computed yet */
	arena *memory;	    /* owns *alone */
} equality_classes;

/* ---- equality classes */

static int root(const equality_classes *t, int i)
{
	while (t->group[i] != i)
		i = t->group[i];
	return i;
}

static void join(equality_classes *t, int i, int j)
{
	int a = root(t, i), b = root(t, j);
	t->group[a > b ? a : b] = a > b ? b : a;
}

static void join_equations(equality_classes *t, const expr *e)
{
	if (e->op == OP_AND) {
		join_equations(t, e->a);
		join_equations(t, e->b);
	} else if (e->op == OP_EQ && e->a->op == OP_SYM && e->b->op == OP_SYM) {
		join(t, e->a->value, e->b->value);
	}
}

/* ---- evidence in the records */

static bool always_equal(const solver *s, int i, int j)
{
	return memcmp(s->cols[i], s->cols[j], sizeof *s->cols[i] * (size_t)s->op->npass) == 0;
}

/* The only symbol in which two records differ; -1 if there are several or none. */
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

static void find_alone(equality_classes *t)
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

/* ---- other equations between two symbols */

static bool mentions(const equality_classes *t, const expr *e, int group)
{
	if (e->op == OP_SYM)
		return root(t, (int)e->value) == group;
	return (e->a && mentions(t, e->a, group)) || (e->b && mentions(t, e->b, group)) || (e->c && mentions(t, e->c, group));
}

/* Whether an equation in a clause mentions both classes: for channels == group * groups, all records may have one group. */
static bool equates(const equality_classes *t, const expr *e, int a, int b)
{
	if (e->op == OP_AND || e->op == OP_OR)
		return equates(t, e->a, a, b) || equates(t, e->b, a, b);
	return e->op == OP_EQ && mentions(t, e, a) && mentions(t, e, b);
}

static bool related(const equality_classes *t, int i, int j)
{
	for (int k = 0; k < t->r->nclauses; k++)
		if (equates(t, t->r->clauses[k], root(t, i), root(t, j)))
			return true;
	return false;
}

static bool is_missing(equality_classes *t, int i, int j)
{
	const solver *s = t->s;
	if (root(t, i) == root(t, j) || !always_equal(s, i, j) || solver_values(s->op, i, -1, MIN_VALUES) < MIN_VALUES || related(t, i, j))
		return false;
	if (!*t->alone)
		find_alone(t);
	return (*t->alone)[i] && (*t->alone)[j];
}

/* ---- outputs that broadcast */

/* Whether e is x == 1. */
static bool is_one(const expr *e, const expr *x)
{
	return e->op == OP_EQ && e->a == x && e->b->op == OP_CONST && e->b->value == 1;
}

/* The dimension with which x broadcasts by the clause `x == y or x == 1 or y == 1`, in any order; NULL if the clause has
 * another form. */
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

/* Whether a clause that mentions neither x nor y rejects the call. */
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

/* Whether some rejected call has x = 1 and y != 1, and no other clause explains it: then the records contradict broadcasting. */
static bool contradicts_broadcast(const operator *op, const rule *r, const expr *x, const expr *y)
{
	for (int f = 0; f < op->nfail; f++) {
		const int64_t *call = record_symbols(op, op->npass + f);
		if (call[x->value] == 1 && call[y->value] != 1 && !is_explained(op, r, x, y, call))
			return true;
	}
	return false;
}

void equal_symbols_broadcast(solver *s)
{
	rule *r = s->rule;
	for (int d = 0; d < r->nodim && !r->why; d++)
		for (int k = 0; k < r->nclauses && r->out[d]->op == OP_SYM; k++) {
			const expr *x = r->out[d], *y = broadcast_with(s->op, r->clauses[k], x);
			if (!y || contradicts_broadcast(s->op, r, x, y))
				continue;
			const expr *e = expr_broadcast(s->pool, x, y);
			if (!solver_output_holds(s->op, d, e))
				continue;
			solver_log(s, "  broadcast: ", e, "  (output %d, by clause %d)", d, k + 1);
			r->out[d] = e;
		}
}

/* ---- public functions */

int equal_symbols_missing(const solver *s, const rule *r, const bool **alone, equality *list, arena *memory)
{
	const operator *op = s->op;
	if (r->why || op->npass < MIN_PASSING || !op->nfail)
		return 0;
	int group[op->nsym + 1], n = 0;
	equality_classes t = {.s = s, .r = r, .group = group, .alone = alone, .memory = memory};
	for (int i = 0; i < op->nsym; i++)
		group[i] = i;
	for (int k = 0; k < r->nclauses; k++)
		join_equations(&t, r->clauses[k]);
	for (int i = 0; i < op->nsym; i++)
		for (int j = i + 1; j < op->nsym; j++) {
			if (!is_missing(&t, i, j))
				continue;
			list[n++] = (equality){i, j};
			join(&t, i, j);
		}
	return n;
}

const expr *equal_symbols_equation(const solver *s, equality x)
{
	return expr_make(s->pool, OP_EQ, expr_sym(s->pool, x.a), expr_sym(s->pool, x.b));
}

/* A disequality, or a bound by a constant other than 0: rarely what an operator requires. */
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

/* Drops doubtful clauses that reject no failing record by themselves beside the equations. */
static void drop_needless(solver *s)
{
	for (int k = s->rule->nclauses - 1; k >= 0; k--)
		if (is_doubtful(s->rule->clauses[k]) && !is_needed(s->op, s->rule, k)) {
			solver_log(s, "  superfluous: ", s->rule->clauses[k], "  (beside the equations)");
			rule_drop_clause(s->rule, k);
		}
}

void equal_symbols_add(solver *s, arena *memory)
{
	rule *r = s->rule;
	const bool *alone = NULL;
	equality *list = NEED_ARRAY(memory, equality, s->op->nsym);
	int n = equal_symbols_missing(s, r, &alone, list, memory);
	if (!n)
		return;
	const expr **all = NEED_ARRAY(memory, const expr *, r->nclauses + n);
	memcpy(all, r->clauses, sizeof *all * (size_t)r->nclauses);
	r->clauses = all;
	for (int k = 0; k < n; k++) {
		const expr *e = equal_symbols_equation(s, list[k]);
		solver_log(s, "  equal: ", e, "  (in all passing records)");
		all[r->nclauses++] = e;
	}
	drop_needless(s);
}

#include "ties.h"

#include <string.h>

#include "need.h"

enum { FEW = 16, VALUES = 4 }; /* passing records, and values that a symbol has in them, at least */

typedef struct ties {
	const operator *op;
	int *group;	/* nsym: the least symbol that it is known to be equal to */
	bool *alone;	/* nsym: a refused call differs from a passing one in it alone; once they are found */
	bool found;
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
	const operator *op = t->op;
	for (int f = 0; f < op->nfail; f++)
		for (int p = 0; p < op->npass; p++) {
			int at = only_difference(op, record_symbols(op, op->npass + f), passing_record(op, p));
			if (at >= 0)
				t->alone[at] = true;
		}
	t->found = true;
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

static bool related(const ties *t, const rule *r, int i, int j)
{
	for (int k = 0; k < r->nclauses; k++)
		if (equates(t, r->clauses[k], root(t, i), root(t, j)))
			return true;
	return false;
}

static bool is_tied(ties *t, const solver *s, int i, int j)
{
	if (root(t, i) == root(t, j) || !always_equal(s, i, j) || values_of(s->op, i, -1, VALUES) < VALUES
	    || related(t, s->rule, i, j))
		return false;
	if (!t->found)
		find_alone(t);
	return t->alone[i] && t->alone[j];
}

/* ---- the whole */

void ties_add(solver *s, arena *memory)
{
	const operator *op = s->op;
	rule *r = s->rule;
	if (r->why || op->npass < FEW || !op->nfail)
		return;
	ties t = {.op = op, .group = NEED_ARRAY(memory, int, op->nsym), .alone = NEED_ARRAY(memory, bool, op->nsym)};
	const expr **all = NEED_ARRAY(memory, const expr *, r->nclauses + op->nsym);
	memset(t.alone, 0, sizeof *t.alone * (size_t)op->nsym);
	for (int i = 0; i < op->nsym; i++)
		t.group[i] = i;
	for (int k = 0; k < r->nclauses; k++)
		join_equations(&t, all[k] = r->clauses[k]);
	r->clauses = all;
	for (int i = 0; i < op->nsym; i++)
		for (int j = i + 1; j < op->nsym; j++) {
			if (!is_tied(&t, s, i, j))
				continue;
			const expr *e = expr_make(s->pool, OP_EQ, expr_sym(s->pool, i), expr_sym(s->pool, j));
			log_expr(s, "  tied: ", e, "  (in all passing records)");
			all[r->nclauses++] = e;
			join(&t, i, j);
		}
}

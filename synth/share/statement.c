#include "statement.h"

#include <string.h>

#include "condition.h"
#include "family_clauses.h"

static bool same_places(const form *a, const form *b)
{
	if (a->e != b->e || a->n != b->n)
		return false;
	for (int k = 0; k < a->n; k++)
		if (a->places[k].kind != b->places[k].kind)
			return false;
	return true;
}

/* The index of a form's statement, which is added when it is new; -1: there are too many. */
static int find(statements *s, const form *f, bool folds)
{
	int k = 0;
	while (k < s->n && !form_equal(&s->list[k].f, f))
		k++;
	if (k == MAX_STATEMENTS)
		return -1;
	if (k == s->n)
		s->list[s->n++] = (statement){.f = *f, .folds = folds, .cost = clause_length(f->e)};
	return k;
}

/* Where one operator has which statement. */
typedef struct positions {
	uint32_t left[MAX_STATEMENTS], right[MAX_STATEMENTS];
} positions;

static void add(statements *s, positions *here, const form *f, bool folds)
{
	int k = find(s, f, folds);
	if (k < 0)
		return;
	here->left[k] |= position_bit(f->anchor.left);
	here->right[k] |= position_bit(f->anchor.right);
}

static void add_span(statement *s, span x)
{
	for (int k = 0; k < s->nspans; k++)
		if (s->spans[k].positions == x.positions && s->spans[k].from_left == x.from_left)
			return;
	if (s->nspans < MAX_SPANS)
		s->spans[s->nspans++] = x;
}

void statements_add(statements *s, expr_pool *pool, const operator *op, const rule *r)
{
	positions here = {.left = {0}};
	for (int k = 0; k < r->nclauses; k++) {
		form plain, folded;
		bool is = form_of(&plain, pool, op, r->clauses[k], r->out, NULL, false);
		if (is)
			add(s, &here, &plain, false);
		if (form_of(&folded, pool, op, r->clauses[k], r->out, NULL, true) && !(is && same_places(&plain, &folded)))
			add(s, &here, &folded, true);
	}
	for (int k = 0; k < s->n; k++) {
		if (!here.left[k])
			continue;
		if (__builtin_popcount(here.left[k]) >= form_anchors(&s->list[k].f, op))
			add_span(&s->list[k], (span){EVERYWHERE, false});
		add_span(&s->list[k], (span){here.right[k], false});
		add_span(&s->list[k], (span){here.left[k], true});
	}
}

/* ---- in a call form */

static bool stands_at(span x, int left, int right)
{
	int at = x.from_left ? left : right;
	return x.positions == EVERYWHERE || (at < 32 && x.positions >> at & 1);
}

static bool is_leaf(const expr *e)
{
	return e->op == OP_SYM || e->op == OP_CONST;
}

/* Whether a clause holds whatever its symbols are: where two places are one symbol, `a > 0 or b != 1` is said of all. Only
 * comparisons of symbols and numbers are looked at: what is computed may have no value. */
static bool is_always(const expr *e)
{
	if (e->op != OP_OR)
		return false;
	if (is_always(e->a) || is_always(e->b))
		return true;
	for (const expr *a = e->a;; a = a->b) {
		const expr *one = a->op == OP_OR ? a->a : a;
		bool plain = one->a && is_leaf(one->a) && is_leaf(one->b) && e->b->a && is_leaf(e->b->a) && is_leaf(e->b->b);
		if (plain && condition_related(COVERS, one, e->b))
			return true;
		if (a->op != OP_OR)
			return false;
	}
}

static void add_part(parts *p, const expr *e, const expr *was)
{
	p->there = true;
	if (expr_max_sym(e) < 0) {
		p->holds &= expr_holds(e, NULL);
		return;
	}
	if (expr_says_nothing(e) || is_always(e))
		return;
	for (int k = 0; k < p->n; k++)
		if (p->list[k] == e)
			return;
	if (p->n == MAX_PARTS) {
		p->holds = false; /* not what people would write */
		return;
	}
	p->list[p->n] = e;
	p->was[p->n++] = was;
}

void statement_read(parts *to, const statement *s, reading how, expr_pool *pool, const operator *op, const expr *const *out)
{
	int anchors = form_anchors(&s->f, op);
	way w = {.dims = how.dims, .values = how.values, .substitute = how.substitute};
	*to = (parts){.holds = true};
	for (int at = 0; at < anchors && to->holds; at++) {
		int missing;
		const expr *was;
		if (!stands_at(s->spans[how.span], at, anchors - 1 - at))
			continue;
		const expr *e = form_apply(&s->f, pool, op, out, at, anchors - 1 - at, w, &missing, &was);
		to->missing = missing > to->missing ? missing : to->missing;
		if (e)
			add_part(to, e, was);
	}
}

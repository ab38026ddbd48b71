#include "generalize_positions.h"

#include <string.h>

#include "need.h"
#include "set_cover.h"

enum {
	MAX_SHIFT = 7,	 /* maximum shift of a whole clause */
	MIN_PASSING = 12,	 /* minimum number of passing records: with fewer, only clauses about lists are shifted */
	MAX_POSITIONS = 40 /* items of one argument */
};

static bool has_clause(const rule *r, const expr *e)
{
	return rule_clause(r, e) >= 0;
}

static bool is_item(const operator *op, int i)
{
	return op->roles[i].kind == ROLE_ITEM && !op->roles[i].end;
}

/* ---- a clause at another position */

/* The symbol `by` positions further in the same list or tensor, or -1. */
static int shifted(const operator *op, int i, int by)
{
	const role *r = &op->roles[i];
	if (r->kind == ROLE_INT || (r->kind == ROLE_ITEM && r->outer_len == 0 && r->len == 1))
		return i;
	int to = i + by;
	if (r->pos + by < 0 || r->pos + by >= r->len || to < 0 || to >= op->nsym)
		return -1;
	const role *q = &op->roles[to];
	return q->kind == r->kind && q->arg == r->arg && q->tensor == r->tensor && q->list == r->list ? to : -1;
}

/* Marks the symbols of an expression. `used` has room for all symbols of the operator. */
static void find_used(const operator *op, const expr *e, bool *used)
{
	memset(used, 0, sizeof *used * (size_t)op->nsym);
	expr_mark_syms(e, used);
}

/* The only argument whose items occur in e; -1 if there is none or more than one. */
static int items_of(const operator *op, const expr *e)
{
	bool used[op->nsym + 1];
	int arg = -1;
	find_used(op, e, used);
	for (int i = 0; i < op->nsym; i++) {
		if (!used[i] || !is_item(op, i))
			continue;
		if (arg >= 0 && arg != op->roles[i].arg)
			return -1;
		arg = op->roles[i].arg;
	}
	return arg;
}

/* How a clause is shifted. LISTS: the items of one argument, from one inner list to the next. ITEMS: the items of one
 * argument, as if nested lists were flat. PAIRS: two items, to any other two. WHOLE: all dimensions and items together. */
enum how { LISTS, ITEMS, PAIRS, WHOLE };

typedef struct move {
	enum how how;
	int arg; /* -1: no argument to shift */
} move;

static move move_of(const solver *s, const expr *e, enum how how)
{
	return (move){how, how == WHOLE ? 0 : items_of(s->op, e)};
}

/* The symbol after a shift by `by` positions; -1 if it is out of range. */
static int moved_symbol(const operator *op, move m, int i, int by)
{
	const role *r = &op->roles[i];
	if (m.how == WHOLE)
		return shifted(op, i, by);
	if (!is_item(op, i) || r->arg != m.arg)
		return i;
	int to = i + by * (r->outer_len && m.how == LISTS ? r->len : 1);
	return to >= 0 && to < op->nsym && is_item(op, to) && op->roles[to].arg == m.arg ? to : -1;
}

/* e shifted by `by` positions; NULL if a symbol goes out of range or nothing changes. */
static const expr *moved(const solver *s, const expr *e, move m, int by)
{
	const operator *op = s->op;
	bool used[op->nsym + 1];
	int map[op->nsym + 1];
	if (by == 0)
		return e;
	find_used(op, e, used);
	for (int i = 0; i < op->nsym; i++) {
		map[i] = used[i] ? moved_symbol(op, m, i, by) : i;
		if (map[i] < 0)
			return NULL;
	}
	const expr *to = expr_copy(s->pool, e, map);
	return to == e ? NULL : to;
}

/* A clause at each of its positions. */
typedef struct positions {
	const expr *at[MAX_POSITIONS];
	int n, present, stronger; /* number of positions at which the rule has the clause, or a stronger one */
	move m;
} positions;

/* Whether each alternative of e that is missing in a compares something with 0: constraints on empty tensors are weaker. */
static bool is_or_empty(const expr *a, const expr *e)
{
	if (e->op == OP_OR)
		return is_or_empty(a, e->a) && is_or_empty(a, e->b);
	return expr_is_zero_test(e) || cover_narrows(e, a);
}

/* Index of a clause of the rule that is stronger than e, or -1. */
static int find_stronger(const rule *r, const expr *e)
{
	for (int k = 0; k < r->nclauses; k++)
		if (r->clauses[k] != e && cover_narrows(r->clauses[k], e))
			return k;
	return -1;
}

static void add_position(const rule *r, positions *p, const expr *e)
{
	bool present = has_clause(r, e);
	if (p->n == MAX_POSITIONS)
		return;
	p->at[p->n++] = e;
	p->present += present;
	p->stronger += !present && find_stronger(r, e) >= 0;
}

/* Adds each pair of items of the argument, in order, if e has two items. */
static void find_pairs(const solver *s, const expr *e, int arg, positions *p)
{
	const operator *op = s->op;
	const argument *a = &op->arguments[arg];
	bool used[op->nsym + 1];
	int map[op->nsym + 1], items[2], n = 0;
	find_used(op, e, used);
	for (int i = 0; i < op->nsym; i++) {
		map[i] = i;
		if (used[i] && is_item(op, i) && n++ < 2)
			items[n - 1] = i;
	}
	for (int i = a->first; n == 2 && i < a->first + a->count; i++)
		for (int j = i + 1; j < a->first + a->count; j++)
			if (is_item(op, i) && is_item(op, j)) {
				map[items[0]] = i;
				map[items[1]] = j;
				add_position(s->rule, p, expr_copy(s->pool, e, map));
			}
}

/* Returns false if the clause has only one position. */
static bool find_positions(const solver *s, const expr *e, enum how how, positions *p)
{
	move m = move_of(s, e, how);
	int first = 0;
	*p = (positions){.m = m};
	if (how == PAIRS && m.arg >= 0)
		find_pairs(s, e, m.arg, p);
	if (how == PAIRS)
		return p->n > 1;
	while (first > -MAX_POSITIONS && moved(s, e, m, first - 1))
		first--;
	const expr *x;
	for (int by = first; p->n < MAX_POSITIONS && (x = moved(s, e, m, by)); by++)
		add_position(s->rule, p, x);
	return p->n > 1;
}

/* Whether the clause may replace the stronger clauses: they only lack the case of an empty tensor, or, for WHOLE, are
 * disjunctions such as broadcasting. */
static bool may_replace(const rule *r, const positions *p)
{
	for (int i = 0; i < p->n; i++) {
		int k = has_clause(r, p->at[i]) ? -1 : find_stronger(r, p->at[i]);
		if (k >= 0 && !(p->m.how == WHOLE ? r->clauses[k]->op == OP_OR : is_or_empty(r->clauses[k], p->at[i])))
			return false;
	}
	return true;
}

/* Whether the rule has the clause at enough positions: at least two, and half of all for LISTS, two thirds for PAIRS,
 * otherwise all, counting stronger clauses. */
static bool has_support(const positions *p)
{
	int support = p->present + p->stronger;
	if (p->present < 2)
		return false;
	return p->m.how == LISTS ? 2 * support >= p->n : p->m.how == PAIRS ? 3 * support >= 2 * p->n : support == p->n;
}

/* Whether the clause has enough support and no passing record refutes it at any position. */
static bool is_for_all(const solver *s, const positions *p)
{
	if (!has_support(p) || p->present == p->n || !may_replace(s->rule, p))
		return false;
	for (int k = 0; k < p->n; k++)
		if (!has_clause(s->rule, p->at[k]) && !solver_clause_holds(s->op, p->at[k]))
			return false;
	return true;
}

/* Adds the clause at each position. It replaces stronger clauses. */
static void add_everywhere(const positions *p, rule *r)
{
	for (int i = 0; i < p->n; i++) {
		bool present = has_clause(r, p->at[i]);
		for (int k; (k = find_stronger(r, p->at[i])) >= 0; present = true)
			if (present)
				rule_drop_clause(r, k);
			else
				r->clauses[k] = p->at[i];
		if (!present)
			r->clauses[r->nclauses++] = p->at[i];
	}
}

static bool rejects_all_of(const solver *s, const rule *now, const rule *before)
{
	const operator *op = s->op;
	for (int f = 0; f < op->nfail; f++) {
		const int64_t *call = record_symbols(op, op->npass + f);
		if (rule_accepts(op, now, call, NULL) && !rule_accepts(op, before, call, NULL))
			return false;
	}
	return true;
}

/* Whether the other clauses reject all records that clause k rejects. */
static bool is_superfluous(const solver *s, int k)
{
	rule *r = s->rule, without = *r;
	const expr *list[r->nclauses + 1];
	without.clauses = list;
	memcpy(list, r->clauses, sizeof *list * (size_t)r->nclauses);
	rule_drop_clause(&without, k);
	return rejects_all_of(s, &without, r);
}

/* Whether a and b differ only in symbols that are not list items. */
static bool differ_in_dims(const operator *op, const expr *a, const expr *b)
{
	if (!a || !b)
		return a == b;
	if (a->op != b->op || (a->op != OP_SYM && a->value != b->value))
		return false;
	if (a->op == OP_SYM)
		return a == b || (!is_item(op, (int)a->value) && !is_item(op, (int)b->value));
	return differ_in_dims(op, a->a, b->a) && differ_in_dims(op, a->b, b->b) && differ_in_dims(op, a->c, b->c);
}

/* Whether e is present at one position only, and is like the clause that is present at all positions. */
static bool is_isolated(const solver *s, const positions *p, const expr *e)
{
	positions q;
	bool like = false;
	for (int i = 0; i < p->n && !like; i++)
		like = e != p->at[i] && differ_in_dims(s->op, e, p->at[i]);
	return like && find_positions(s, e, p->m.how, &q) && q.present == 1;
}

/* Drops clauses that reject no record by themselves and stand beside a clause over all items. */
static void drop_isolated(solver *s, const positions *p)
{
	for (int k = s->rule->nclauses - 1; k >= 0; k--) {
		const expr *e = s->rule->clauses[k];
		if (!is_isolated(s, p, e) || !is_superfluous(s, k))
			continue;
		solver_log(s, "  superfluous: ", e, "  (at one of %d positions)", p->n);
		rule_drop_clause(s->rule, k);
	}
}

/* Generalizes clause k. Returns whether the rule changed. */
static bool generalize_clause(solver *s, int k, enum how how, int most)
{
	rule *r = s->rule, generalized = *r;
	const expr *list[most];
	positions p;
	if (!find_positions(s, r->clauses[k], how, &p) || !is_for_all(s, &p) || r->nclauses + p.n > most)
		return false;
	generalized.clauses = list;
	memcpy(list, r->clauses, sizeof *list * (size_t)r->nclauses);
	add_everywhere(&p, &generalized);
	if (!rejects_all_of(s, &generalized, r))
		return false;
	solver_log(s, "  generalized: ", r->clauses[k], "  (from %d to all of %d positions)", p.present, p.n);
	memcpy(r->clauses, list, sizeof *list * (size_t)generalized.nclauses);
	r->nclauses = generalized.nclauses;
	return true;
}

/* Generalizes over items. If a clause holds at all positions, clauses like it at a single position are usually overfitted and
 * are dropped. Returns whether the rule changed. */
static bool generalize_items(solver *s, int most)
{
	enum { MANY = 3 };
	bool changed = false;
	for (enum how how = LISTS; how <= WHOLE; how++)
		for (int k = 0; k < s->rule->nclauses; k++)
			if (generalize_clause(s, k, how, most)) {
				changed = true;
				k = -1;
			}
	for (int k = 0; k < s->rule->nclauses; k++) {
		positions p;
		if (find_positions(s, s->rule->clauses[k], LISTS, &p) && p.present == p.n && p.n >= MANY)
			drop_isolated(s, &p);
	}
	return changed;
}

/* ---- shifts of a whole clause */

/* Whether the clause is about a list item: such clauses shift with little risk. */
static bool about_lists(const operator *op, const expr *e)
{
	if (e->op == OP_SYM)
		return op->roles[e->value].kind == ROLE_ITEM;
	return (e->a && about_lists(op, e->a)) || (e->b && about_lists(op, e->b)) || (e->c && about_lists(op, e->c));
}

/* Whether the clause is about an output. Clause search already offers those for each output, and another output dimension may
 * have a different expression. */
static bool about_outputs(const operator *op, const rule *r, const expr *e)
{
	for (int d = 0; d < op->nodim; d++)
		if (r->out[d] == e && e->size > 0)
			return true;
	return (e->a && about_outputs(op, r, e->a)) || (e->b && about_outputs(op, r, e->b))
	    || (e->c && about_outputs(op, r, e->c));
}

static bool is_of_items(const operator *op, const expr *e)
{
	bool used[op->nsym + 1];
	find_used(op, e, used);
	for (int i = 0; i < op->nsym; i++)
		if (used[i] && !is_item(op, i))
			return false;
	return true;
}

/* Whether the rule has e, which is not about items alone, at two positions of a list with everything else unchanged. Then
 * items are not paired with dimensions. */
static bool items_move_alone(const solver *s, const expr *e)
{
	move m = move_of(s, e, ITEMS);
	for (int by = -1; by <= 1 && !is_of_items(s->op, e); by += 2) {
		const expr *x = moved(s, e, m, by);
		if (x && has_clause(s->rule, x))
			return true;
	}
	return false;
}

static void shift_clauses(solver *s, int from, int most)
{
	rule *r = s->rule;
	int n = r->nclauses;
	for (int k = from; k < n; k++)
		for (int by = -MAX_SHIFT; by <= MAX_SHIFT; by++) {
			const expr *was = r->clauses[k];
			if (r->nclauses >= most || by == 0 || about_outputs(s->op, r, was))
				continue;
			if (!about_lists(s->op, was) && s->op->npass < MIN_PASSING)
				continue;
			const expr *e = moved(s, was, move_of(s, was, WHOLE), by);
			if (!e || has_clause(r, e) || rule_clause_is_trivial(s->op, e) || !solver_clause_holds(s->op, e) || items_move_alone(s, was))
				continue;
			solver_log(s, "  generalized: ", e, "  (from clause %d)", k + 1);
			r->clauses[r->nclauses++] = e;
		}
}

/* Whether the rule has a clause at all positions, for some way of shifting. */
static bool is_everywhere(const solver *s, const expr *e)
{
	positions p;
	for (enum how how = LISTS; how < WHOLE; how++)
		if (find_positions(s, e, how, &p) && p.present == p.n)
			return true;
	return false;
}

/* Index of the longest clause from `from` on that the others make superfluous and that is not present at all positions; -1 if
 * there is none. */
static int find_superfluous(const solver *s, int from)
{
	const expr *const *clauses = s->rule->clauses;
	int longest = -1;
	for (int k = from; k < s->rule->nclauses; k++)
		if ((longest < 0 || clauses[k]->size > clauses[longest]->size) && !is_everywhere(s, clauses[k]) && is_superfluous(s, k))
			longest = k;
	return longest;
}

void generalize_positions(solver *s, int from, int most)
{
	rule *r = s->rule;
	bool changed = generalize_items(s, most);
	for (int k; changed && (k = find_superfluous(s, from)) >= 0;) {
		solver_log(s, "  superfluous: ", r->clauses[k], "  (a generalized clause rejects it too)");
		rule_drop_clause(r, k);
	}
	shift_clauses(s, from, most);
}

void generalize_positions_last(solver *s, arena *memory)
{
	rule *r = s->rule;
	if (r->why)
		return;
	int most = 2 * r->nclauses + MAX_POSITIONS;
	const expr **list = NEED_ARRAY(memory, const expr *, most);
	memcpy(list, r->clauses, sizeof *list * (size_t)r->nclauses);
	r->clauses = list;
	generalize_items(s, most);
}

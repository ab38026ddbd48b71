#include "generalize_positions.h"

#include <string.h>

#include "need.h"
#include "set_cover.h"

enum {
	MOST_BY = 7,	 /* places that a clause moves as a whole */
	FEW = 12,	 /* passing records: with fewer only what is about lists moves */
	MOST_PLACES = 40 /* of one argument's items */
};

static bool has_clause(const rule *r, const expr *e)
{
	return rule_clause(r, e) >= 0;
}

static bool is_item(const operator *op, int i)
{
	return op->roles[i].kind == ROLE_ITEM && !op->roles[i].end;
}

/* ---- a clause at another place */

/* The symbol at another position of the same list or tensor; -1: there is none. */
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

/* Which symbols an expression has: `used` has room for all of the operator's. */
static void find_used(const operator *op, const expr *e, bool *used)
{
	memset(used, 0, sizeof *used * (size_t)op->nsym);
	expr_mark_syms(e, used);
}

/* The argument whose items e is about, and no other's; -1: there is none, or more than one. */
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

/* What moves: an argument's items, of lists within lists from one list to the next, or from item to item as if they were one list;
 * two items, to any other two; or all dimensions and items together. */
enum how { LISTS, ITEMS, PAIRS, WHOLE };

typedef struct move {
	enum how how;
	int arg; /* -1: there is nothing to move */
} move;

static move move_of(const solver *s, const expr *e, enum how how)
{
	return (move){how, how == WHOLE ? 0 : items_of(s->op, e)};
}

/* Where a symbol is `by` places on; -1: beyond. */
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

/* e with what moves `by` places on; NULL: some of it would be beyond, or nothing moves. */
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

/* A clause at each of its places. */
typedef struct places {
	const expr *at[MOST_PLACES];
	int n, there, narrower; /* that the rule has, and that it has said more narrowly */
	move m;
} places;

/* Whether what e has beside a is that something is 0: where a tensor is empty, nothing is looked at. */
static bool is_or_empty(const expr *a, const expr *e)
{
	if (e->op == OP_OR)
		return is_or_empty(a, e->a) && is_or_empty(a, e->b);
	return expr_is_nought(e) || cover_narrows(e, a);
}

/* Of the rule's clauses one that says e more narrowly; -1: there is none. */
static int narrower(const rule *r, const expr *e)
{
	for (int k = 0; k < r->nclauses; k++)
		if (r->clauses[k] != e && cover_narrows(r->clauses[k], e))
			return k;
	return -1;
}

static void add_place(const rule *r, places *p, const expr *e)
{
	bool there = has_clause(r, e);
	if (p->n == MOST_PLACES)
		return;
	p->at[p->n++] = e;
	p->there += there;
	p->narrower += !there && narrower(r, e) >= 0;
}

/* Of two items, to any two of the argument's, in their order. */
static void find_pairs(const solver *s, const expr *e, int arg, places *p)
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
				add_place(s->rule, p, expr_copy(s->pool, e, map));
			}
}

/* False: it has one place. */
static bool find_places(const solver *s, const expr *e, enum how how, places *p)
{
	move m = move_of(s, e, how);
	int first = 0;
	*p = (places){.m = m};
	if (how == PAIRS && m.arg >= 0)
		find_pairs(s, e, m.arg, p);
	if (how == PAIRS)
		return p->n > 1;
	while (first > -MOST_PLACES && moved(s, e, m, first - 1))
		first--;
	const expr *x;
	for (int by = first; p->n < MOST_PLACES && (x = moved(s, e, m, by)); by++)
		add_place(s->rule, p, x);
	return p->n > 1;
}

/* Whether it may stand in the place of what says it more narrowly: that lacks what is empty, or has alternatives itself, as all that
 * broadcasts has. */
static bool is_wider(const rule *r, const places *p)
{
	for (int i = 0; i < p->n; i++) {
		int k = has_clause(r, p->at[i]) ? -1 : narrower(r, p->at[i]);
		if (k >= 0 && !(p->m.how == WHOLE ? r->clauses[k]->op == OP_OR : is_or_empty(r->clauses[k], p->at[i])))
			return false;
	}
	return true;
}

/* Whether enough places have it, two at least, or say it more narrowly: half of all; two thirds of all pairs; else all. */
static bool is_said(const places *p)
{
	int said = p->there + p->narrower;
	if (p->there < 2)
		return false;
	return p->m.how == LISTS ? 2 * said >= p->n : p->m.how == PAIRS ? 3 * said >= 2 * p->n : said == p->n;
}

/* And no passing record refutes it anywhere. */
static bool is_for_all(const solver *s, const places *p)
{
	if (!is_said(p) || p->there == p->n || !is_wider(s->rule, p))
		return false;
	for (int k = 0; k < p->n; k++)
		if (!has_clause(s->rule, p->at[k]) && !clause_holds(s->op, p->at[k]))
			return false;
	return true;
}

/* The rule with the clause at each place, in the place of what says it more narrowly. */
static void say_everywhere(const places *p, rule *r)
{
	for (int i = 0; i < p->n; i++) {
		bool there = has_clause(r, p->at[i]);
		for (int k; (k = narrower(r, p->at[i])) >= 0; there = true)
			if (there)
				rule_drop_clause(r, k);
			else
				r->clauses[k] = p->at[i];
		if (!there)
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

/* Whether the others reject all that the k-th clause does. */
static bool is_superfluous(const solver *s, int k)
{
	rule *r = s->rule, without = *r;
	const expr *list[r->nclauses + 1];
	without.clauses = list;
	memcpy(list, r->clauses, sizeof *list * (size_t)r->nclauses);
	rule_drop_clause(&without, k);
	return rejects_all_of(s, &without, r);
}

/* Whether a and b are the same but for dimensions and numbers that are no items. */
static bool are_alike(const operator *op, const expr *a, const expr *b)
{
	if (!a || !b)
		return a == b;
	if (a->op != b->op || (a->op != OP_SYM && a->value != b->value))
		return false;
	if (a->op == OP_SYM)
		return a == b || (!is_item(op, (int)a->value) && !is_item(op, (int)b->value));
	return are_alike(op, a->a, b->a) && are_alike(op, a->b, b->b) && are_alike(op, a->c, b->c);
}

/* Whether e is said at one place only, and like what is said at all of them. */
static bool is_odd(const solver *s, const places *p, const expr *e)
{
	places q;
	bool like = false;
	for (int i = 0; i < p->n && !like; i++)
		like = e != p->at[i] && are_alike(s->op, e, p->at[i]);
	return like && find_places(s, e, p->m.how, &q) && q.there == 1;
}

/* What explains no refused call by itself, and stands beside what is said of all items. */
static void drop_odd(solver *s, const places *p)
{
	for (int k = s->rule->nclauses - 1; k >= 0; k--) {
		const expr *e = s->rule->clauses[k];
		if (!is_odd(s, p, e) || !is_superfluous(s, k))
			continue;
		log_expr(s, "  superfluous: ", e, "  (at one of %d places)", p->n);
		rule_drop_clause(s->rule, k);
	}
}

/* The k-th clause; whether that changed the rule. */
static bool lift_clause(solver *s, int k, enum how how, int most)
{
	rule *r = s->rule, wide = *r;
	const expr *list[most];
	places p;
	if (!find_places(s, r->clauses[k], how, &p) || !is_for_all(s, &p) || r->nclauses + p.n > most)
		return false;
	wide.clauses = list;
	memcpy(list, r->clauses, sizeof *list * (size_t)r->nclauses);
	say_everywhere(&p, &wide);
	if (!rejects_all_of(s, &wide, r))
		return false;
	log_expr(s, "  lifted: ", r->clauses[k], "  (from %d to all of %d places)", p.there, p.n);
	memcpy(r->clauses, list, sizeof *list * (size_t)wide.nclauses);
	r->nclauses = wide.nclauses;
	return true;
}

/* What is said of some items is said of all; and where a passing record showed at one place what is too narrow, it seldom is right
 * at the places beside it. False: nothing was. */
static bool lift_items(solver *s, int most)
{
	enum { MANY = 3 };
	bool lifted = false;
	for (enum how how = LISTS; how <= WHOLE; how++)
		for (int k = 0; k < s->rule->nclauses; k++)
			if (lift_clause(s, k, how, most)) {
				lifted = true;
				k = -1;
			}
	for (int k = 0; k < s->rule->nclauses; k++) {
		places p;
		if (find_places(s, s->rule->clauses[k], LISTS, &p) && p.there == p.n && p.n >= MANY)
			drop_odd(s, &p);
	}
	return lifted;
}

/* ---- as a whole */

/* Whether the clause speaks of a list item or of the rule's outputs: those lift with little risk. */
static bool about_lists(const operator *op, const expr *e)
{
	if (e->op == OP_SYM)
		return op->roles[e->value].kind == ROLE_ITEM;
	return (e->a && about_lists(op, e->a)) || (e->b && about_lists(op, e->b)) || (e->c && about_lists(op, e->c));
}

/* A clause about an output is offered for each of them already, and another dimension's output may be another
 * expression. */
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

/* Whether the rule has e, which is not of items only, at two places of a list, with all else as it is: then items are not paired
 * with dimensions. */
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

static void lift_whole(solver *s, int from, int most)
{
	rule *r = s->rule;
	int n = r->nclauses;
	for (int k = from; k < n; k++)
		for (int by = -MOST_BY; by <= MOST_BY; by++) {
			const expr *was = r->clauses[k];
			if (r->nclauses >= most || by == 0 || about_outputs(s->op, r, was))
				continue;
			if (!about_lists(s->op, was) && s->op->npass < FEW)
				continue;
			const expr *e = moved(s, was, move_of(s, was, WHOLE), by);
			if (!e || has_clause(r, e) || rule_says_nothing(s->op, e) || !clause_holds(s->op, e) || items_move_alone(s, was))
				continue;
			log_expr(s, "  lifted: ", e, "  (from clause %d)", k + 1);
			r->clauses[r->nclauses++] = e;
		}
}

/* Whether a clause is said at all places of a kind. */
static bool is_everywhere(const solver *s, const expr *e)
{
	places p;
	for (enum how how = LISTS; how < WHOLE; how++)
		if (find_places(s, e, how, &p) && p.there == p.n)
			return true;
	return false;
}

/* Of clauses from the from-th on that are not said everywhere, the longest, that the others make superfluous; -1: none is. */
static int find_superfluous(const solver *s, int from)
{
	const expr *const *clauses = s->rule->clauses;
	int longest = -1;
	for (int k = from; k < s->rule->nclauses; k++)
		if ((longest < 0 || clauses[k]->size > clauses[longest]->size) && !is_everywhere(s, clauses[k]) && is_superfluous(s, k))
			longest = k;
	return longest;
}

void lift(solver *s, int from, int most)
{
	rule *r = s->rule;
	bool lifted = lift_items(s, most);
	for (int k; lifted && (k = find_superfluous(s, from)) >= 0;) {
		log_expr(s, "  superfluous: ", r->clauses[k], "  (what was lifted rejects it too)");
		rule_drop_clause(r, k);
	}
	lift_whole(s, from, most);
}

void lift_last(solver *s, arena *memory)
{
	rule *r = s->rule;
	if (r->why)
		return;
	int most = 2 * r->nclauses + MOST_PLACES;
	const expr **list = NEED_ARRAY(memory, const expr *, most);
	memcpy(list, r->clauses, sizeof *list * (size_t)r->nclauses);
	r->clauses = list;
	lift_items(s, most);
}

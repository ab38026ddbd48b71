#include "fit_clauses.h"

#include <string.h>

#include "memo.h"
#include "need.h"

enum { MAX_CANDIDATES = 3000, MAX_CLAUSES = 64, POSITIONS = 64, MAX_CHOSEN = 200, MAX_ALONE = 6, MAX_LAST = 3, MAX_HEAD = 2, MAX_TAIL = 2 };

/* How the rule of a signature relates to an expression: the index of an equal clause, IMPLIED or NOT_IN_RULE. */
enum { IMPLIED = -1, NOT_IN_RULE = -2 };

typedef struct finder {
	const api_calls *f;
	memo *covered; /* cache per signature */
	api_clause *list;
	int n, room;
} finder;

/* ---- candidates */

/* Cached, because candidates share instances. */
static int find_in_rule(const finder *w, int form, const expr *e)
{
	bool known;
	int *covered = memo_of(w->covered, form, e, &known);
	const api_call *x = &w->f->forms[form];
	if (!known)
		*covered = template_clause(w->f, x, e);
	if (!known && *covered < 0)
		*covered = template_is_implied(w->f, x, e) ? IMPLIED : NOT_IN_RULE;
	return *covered;
}

/* Computes the instance of a candidate in a signature. */
static void instantiate(const finder *w, api_clause *c, int form)
{
	const api_call *x = &w->f->forms[form];
	int at[POSITIONS], n = index_range_positions(&c->where, w->f, x, 0, at, POSITIONS);
	c->holds[form] = n < POSITIONS;
	for (int k = 0; k < n && c->holds[form]; k++) {
		bool absent[MAX_REFERENCES] = {false}, asks = false;
		const expr *e = template_instance(&c->t, w->f, x, at[k], absent);
		for (int r = 0; r < c->t.n; r++) {
			c->asks[r] |= absent[r];
			asks |= absent[r];
		}
		c->holds[form] = e || asks;
		if (!e)
			continue;
		int covered = find_in_rule(w, form, e);
		if (covered >= 0)
			c->covers[form] |= (uint64_t)1 << covered;
		else
			c->holds[form] = covered == IMPLIED;
	}
}

static void add(finder *w, const template *t, index_range where)
{
	if (w->n == MAX_CANDIDATES)
		return;
	for (int k = 0; k < w->n; k++)
		if (index_range_same(&w->list[k].where, &where) && template_same(&w->list[k].t, t))
			return;
	api_clause c = {.t = *t, .where = where};
	c.covers = NEED_ARRAY(w->f->scratch, uint64_t, w->f->n);
	c.holds = NEED_ARRAY(w->f->scratch, bool, w->f->n);
	for (int i = 0; i < w->f->n; i++)
		instantiate(w, &c, i);
	if (w->n == w->room) {
		w->room = w->room ? 2 * w->room : 32;
		api_clause *list = NEED_ARRAY(w->f->scratch, api_clause, w->room);
		w->list = w->n ? memcpy(list, w->list, (size_t)w->n * sizeof *list) : list;
	}
	w->list[w->n++] = c;
}

static bool moves(const template *t)
{
	for (int k = 0; k < t->n; k++)
		if (t->refs[k].base == AT_INDEX)
			return true;
	return false;
}

/* Whether the values of a constant show that it is a position. A constant 0 or 1 that is equal in all signatures may be a
 * flag (transA = 1), so it counts only for more than two dimensions. */
static bool may_be_position(const api_calls *f, list_name name, int n)
{
	if (n > 2)
		return true;
	int64_t first = -1;
	for (int i = 0; i < f->n; i++) {
		call_list x = call_list_of(f, &f->forms[i], name);
		for (int k = 0; k < x.n; k++) {
			if (x.e[k]->op != OP_CONST)
				continue;
			int64_t value = x.e[k]->value;
			if ((value != 0 && value != 1) || (first >= 0 && value != first))
				return true;
			first = value;
		}
	}
	return false;
}

/* Whether an argument is constant in every signature. Strides are symbols in some signatures, so they are no axis where they
 * are 1. */
static bool is_constant(const api_calls *f, list_name name)
{
	for (int i = 0; i < f->n; i++) {
		call_list x = call_list_of(f, &f->forms[i], name);
		for (int k = 0; k < x.n; k++)
			if (x.e[k]->op != OP_CONST)
				return false;
	}
	return true;
}

static bool is_axis(const api_calls *f, const api_call *form, list_name name, int n)
{
	return call_list_of(f, form, name).n > 0 && is_constant(f, name) && may_be_position(f, name, n);
}

/* Adds a template with an index for all index ranges. */
static void add_ranges(finder *w, const template *t, const api_call *form, const list_place *p, int way)
{
	bool right = way == WAY_RIGHT;
	index_range x = {.way = right ? RANGE_RIGHT : RANGE_LEFT, .over = p->list};
	add(w, t, x);
	for (int k = 0; k < w->f->nnames; k++) {
		x.but = (list_name){w->f->names[k], -1, LIST_ITEMS};
		if (is_axis(w->f, form, x.but, p->n))
			add(w, t, x);
	}
	x.but = (list_name){.argument = NULL};
	for (x.head = 1; x.head <= MAX_HEAD; x.head++)
		add(w, t, x);
	x.head = 0;
	for (x.tail = 1; x.tail <= MAX_TAIL && right; x.tail++)
		add(w, t, x);
	x.tail = 0;
	x.over = x.but;
	for (x.only = 1; x.only <= MAX_LAST; x.only++)
		add(w, t, x);
}

/* Whether e consists of dimensions at fixed positions and single integers only. */
static bool has_no_index(const api_call *form, const expr *e)
{
	if (e->op == OP_SYM) {
		const list_place *p = &form->places[e->value];
		return p->list.kind != LIST_ITEMS || p->n == 1;
	}
	return !e->a || (has_no_index(form, e->a) && has_no_index(form, e->b) && (!e->c || has_no_index(form, e->c)));
}

static bool has_dims(const template *t)
{
	for (int k = 0; k < t->n; k++)
		if (list_is_dims(t->refs[k].list.kind))
			return true;
	return false;
}

static void add_clause(finder *w, const api_call *form, const expr *e, template_way way)
{
	template t;
	list_place p = {.at = 0, .n = 1};
	bool found = (way.outs && template_output(form, e, &p)) || template_anchor(form, e, &p);
	if (!template_of(&t, w->f, form, e, (anchor){p.at, p.n - 1 - p.at}, way))
		return;
	if (way.dims >= WAY_NUMBER_RIGHT && way.items < WAY_NUMBER_RIGHT && has_dims(&t) && has_no_index(form, e))
		return;
	if (!found || !moves(&t))
		add(w, &t, (index_range){.way = RANGE_NONE});
	else
		add_ranges(w, &t, form, &p, way.dims < WAY_NUMBER_RIGHT ? way.dims : way.items);
}

/* Adds templates that find the anchor by a constant axis argument. */
static void add_axes(finder *w, const api_call *form, const expr *e)
{
	list_place p;
	if (!template_anchor(form, e, &p) || p.list.kind != LIST_DIMS)
		return;
	for (int k = 0; k < w->f->nnames; k++) {
		template_way way = {.at_axis = true, .axis = {w->f->names[k], -1, LIST_ITEMS}};
		call_list x = call_list_of(w->f, form, way.axis);
		if (x.n != 1 || !is_axis(w->f, form, way.axis, p.n) || (x.e[0]->value != p.at && x.e[0]->value != p.at - p.n))
			continue;
		add_clause(w, form, e, way);
		way.items = WAY_NUMBER_LEFT;
		add_clause(w, form, e, way);
		way.folds = true;
		add_clause(w, form, e, way);
	}
}

static void add_ways_of(finder *w, const api_call *form, const expr *e, bool outs)
{
	for (int folds = 0; folds < 2; folds++)
		for (int dims = 0; dims < WAYS_EACH; dims++)
			for (int items = 0; items < WAYS_EACH; items++) {
				template_way way = {.dims = (uint8_t)dims, .items = (uint8_t)items, .folds = folds, .outs = outs};
				bool crossed = dims < WAY_NUMBER_RIGHT && items < WAY_NUMBER_RIGHT && dims != items;
				if (!crossed)
					add_clause(w, form, e, way);
			}
}

static void add_ways(finder *w, const api_call *form, const expr *e)
{
	list_place p;
	if (template_output(form, e, &p))
		add_ways_of(w, form, e, true);
	add_ways_of(w, form, e, false);
	add_axes(w, form, e);
}

/* Whether a candidate that is valid in all signatures covers a clause. */
static bool is_covered(const finder *w, int form, int clause)
{
	for (int k = 0; k < w->n; k++)
		if (w->list[k].covers[form] >> clause & 1) {
			bool holds = true;
			for (int i = 0; i < w->f->n && holds; i++)
				holds = w->list[k].holds[i];
			if (holds)
				return true;
		}
	return false;
}

/* Signatures with most symbols first: they determine a template best. */
static int *in_order(const api_calls *f)
{
	int *order = NEED_ARRAY(f->scratch, int, f->n);
	for (int i = 0; i < f->n; i++) {
		int k = i;
		for (; k > 0 && f->forms[order[k - 1]].of.call->nsym < f->forms[i].of.call->nsym; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	return order;
}

/* ---- set cover */

static int newly(const finder *w, const api_clause *c, const uint64_t *covered, const bool *in)
{
	int n = 0;
	for (int i = 0; i < w->f->n; i++)
		if (in[i])
			n += __builtin_popcountll(c->covers[i] & ~covered[i]);
	return n;
}

static bool holds_in_all(const finder *w, const api_clause *c, const bool *in)
{
	for (int i = 0; i < w->f->n; i++)
		if (in[i] && !c->holds[i])
			return false;
	return true;
}

/* Prefers few optional references, then few constant positions, then a range over all positions. */
static int plainness(const api_clause *c)
{
	int n = c->where.head ? 3 : c->where.only ? 2 : 0;
	for (int k = 0; k < c->t.n; k++)
		n += 8 * c->asks[k] + (c->t.refs[k].base == AT_NUMBER);
	return -n;
}

/* Whether a candidate covers clauses of one signature only, is long and needs a presence test. That signature is better off
 * alone. */
static bool is_better_alone(const finder *w, const api_clause *c, const bool *in)
{
	int forms = 0, covers = 0;
	bool asks = false;
	for (int i = 0; i < w->f->n; i++) {
		forms += in[i];
		covers += in[i] && c->covers[i];
	}
	for (int k = 0; k < c->t.n; k++)
		asks |= c->asks[k];
	return asks && forms > 1 && covers == 1 && c->t.e->size > MAX_ALONE;
}

static int best_of(const finder *w, const uint64_t *covered, const bool *in)
{
	int best = -1, most = 0;
	for (int k = 0; k < w->n; k++) {
		bool fits = holds_in_all(w, &w->list[k], in) && !is_better_alone(w, &w->list[k], in);
		int n = fits ? newly(w, &w->list[k], covered, in) : 0;
		if (n > most || (n && n == most && plainness(&w->list[k]) > plainness(&w->list[best]))) {
			best = k;
			most = n;
		}
	}
	return best;
}

/* The candidate with the best score: clauses covered minus a penalty for each signature in which it is invalid, which then
 * stops being a member. -1: none. */
static int best_excluding(const finder *w, const uint64_t *covered, const bool *in)
{
	int best = -1, most = 0;
	for (int k = 0; k < w->n; k++) {
		const api_clause *c = &w->list[k];
		int dropped = 0, n = 0;
		for (int i = 0; i < w->f->n; i++) {
			dropped += in[i] && !c->holds[i];
			n += in[i] && c->holds[i] ? __builtin_popcountll(c->covers[i] & ~covered[i]) : 0;
		}
		int score = n - 4 * dropped;
		if (n > dropped && !is_better_alone(w, c, in) && (best < 0 || score > most)) {
			best = k;
			most = score;
		}
	}
	return best;
}

static void insert(api_clauses *to, const api_clause *c)
{
	int k = to->n++;
	for (; k > 0 && to->list[k - 1].t.e->size > c->t.e->size; k--)
		to->list[k] = to->list[k - 1];
	to->list[k] = *c;
}

static uint64_t all_of(const api_call *form)
{
	int n = form->of.rule->nclauses;
	return n < 64 ? ((uint64_t)1 << n) - 1 : 0;
}

static bool covers_same(const finder *w, const api_clause *a, const api_clause *b, const bool *in)
{
	for (int i = 0; i < w->f->n; i++)
		if (in[i] && (!b->holds[i] || a->covers[i] != b->covers[i]))
			return false;
	for (int k = 0; k < b->t.n; k++)
		if (b->asks[k])
			return false;
	return true;
}

/* Uses the index range of a later clause for an earlier one where the result is the same, so that one loop covers both. */
static void align(const finder *w, api_clauses *to, int at, const bool *in)
{
	api_clause *c = &to->list[at];
	for (int k = to->n - 1; k > at && c->where.way != RANGE_NONE; k--)
		for (int j = 0; j < w->n; j++) {
			const api_clause *other = &w->list[j];
			if (index_range_same(&other->where, &to->list[k].where) && template_same(&other->t, &c->t) && covers_same(w, c, other, in)) {
				*c = *other;
				return;
			}
		}
}

/* Whether the other clauses cover all that clause k covers in the signatures marked in `in`. */
static bool is_superfluous(const finder *w, const api_clauses *all, int k, const bool *in)
{
	for (int i = 0; i < w->f->n; i++) {
		uint64_t others = 0;
		for (int j = 0; j < all->n && in[i]; j++)
			others |= j == k ? 0 : all->list[j].covers[i];
		if (in[i] && all->list[k].covers[i] & ~others)
			return false;
	}
	return true;
}

/* Drops clauses that later choices made superfluous, the least plain first. */
static void drop_superfluous(const finder *w, api_clauses *all, const bool *in)
{
	for (;;) {
		int worst = -1;
		for (int k = 0; k < all->n; k++)
			if (is_superfluous(w, all, k, in) && (worst < 0 || plainness(&all->list[k]) < plainness(&all->list[worst])))
				worst = k;
		if (worst < 0)
			return;
		memmove(&all->list[worst], &all->list[worst + 1], sizeof *all->list * (size_t)(all->n - worst - 1));
		all->n--;
	}
}

static bool covers_something(const finder *w, const api_clause *c, const bool *members)
{
	for (int i = 0; i < w->f->n; i++)
		if (members[i] && c->covers[i])
			return true;
	return false;
}

static void keep_members(const finder *w, api_clauses *to, const uint64_t *covered, const bool *in)
{
	to->nmembers = 0;
	for (int i = 0; i < w->f->n; i++) {
		to->members[i] = in[i] && covered[i] == all_of(&w->f->forms[i]);
		to->nmembers += to->members[i];
	}
}

/* Drops clauses that cover nothing in any member, and recomputes which references are optional. */
static void keep_clauses(const finder *w, api_clauses *to)
{
	int n = to->n;
	to->n = 0;
	for (int k = 0; k < n; k++) {
		api_clause *c = &to->list[k];
		if (!covers_something(w, c, to->members))
			continue;
		memset(c->asks, 0, sizeof c->asks);
		for (int i = 0; i < w->f->n; i++)
			if (to->members[i])
				instantiate(w, c, i);
		to->list[to->n++] = *c;
	}
}

/* Greedy set cover. With `drops`, candidates may exclude signatures. */
static api_clauses choose(const finder *w, const bool *among, bool drops)
{
	const api_calls *f = w->f;
	api_clauses to = {.members = NEED_ARRAY(f->scratch, bool, f->n), .list = NEED_ARRAY(f->scratch, api_clause, MAX_CHOSEN)};
	uint64_t *covered = NEED_ARRAY(f->scratch, uint64_t, f->n);
	bool *in = NEED_ARRAY(f->scratch, bool, f->n);
	memcpy(in, among, (size_t)f->n * sizeof *in);
	while (to.n < MAX_CHOSEN) {
		int best = best_of(w, covered, in);
		if (best < 0 && drops)
			best = best_excluding(w, covered, in);
		if (best < 0)
			break;
		for (int i = 0; i < f->n; i++) {
			covered[i] |= w->list[best].covers[i];
			in[i] &= w->list[best].holds[i];
		}
		insert(&to, &w->list[best]);
	}
	drop_superfluous(w, &to, in);
	for (int k = 0; k < to.n; k++)
		align(w, &to, k, in);
	keep_members(w, &to, covered, in);
	keep_clauses(w, &to);
	return to;
}

static void kept(const api_calls *f, api_clauses *c)
{
	api_clause *list = NEED_ARRAY(f->memory, api_clause, c->n);
	bool *members = NEED_ARRAY(f->memory, bool, f->n);
	c->list = memcpy(list, c->list, (size_t)c->n * sizeof *list);
	c->members = memcpy(members, c->members, (size_t)f->n * sizeof *members);
}

api_clauses fit_clauses(const api_calls *f, const bool *among)
{
	finder w = {.f = f, .covered = memo_new()};
	bool *in = NEED_ARRAY(f->scratch, bool, f->n);
	const int *order = in_order(f);
	for (int i = 0; i < f->n; i++)
		in[i] = among[i] && f->forms[i].of.rule->nclauses < MAX_CLAUSES;
	for (int i = 0; i < f->n; i++)
		for (int k = 0; in[order[i]] && k < f->forms[order[i]].of.rule->nclauses; k++)
			if (!is_covered(&w, order[i], k))
				add_ways(&w, &f->forms[order[i]], f->forms[order[i]].of.rule->clauses[k]);
	api_clauses to = choose(&w, in, false);
	if (to.nmembers < f->n) {
		api_clauses other = choose(&w, in, true);
		to = other.nmembers > to.nmembers ? other : to;
	}
	kept(f, &to);
	memo_free(w.covered);
	return to;
}

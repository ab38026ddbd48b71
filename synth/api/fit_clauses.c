#include "fit_clauses.h"

#include <string.h>

#include "memo.h"
#include "need.h"

enum { MAX_CANDIDATES = 3000, MAX_CLAUSES = 64, POSITIONS = 64, MAX_CHOSEN = 200, MOST_ALONE = 6, MOST_LAST = 3, MOST_HEAD = 2, MOST_TAIL = 2 };

/* What a form's rule says of an expression: the number of a clause that it is, or one of these. */
enum { IMPLIED = -1, UNSAID = -2 };

typedef struct finder {
	const api_calls *f;
	memo *said; /* by form */
	api_clause *list;
	int n, room;
} finder;

/* ---- candidates */

/* Candidates ask the same of a form again and again. */
static int what_says(const finder *w, int form, const expr *e)
{
	bool known;
	int *said = memo_of(w->said, form, e, &known);
	const api_call *x = &w->f->forms[form];
	if (!known)
		*said = template_clause(w->f, x, e);
	if (!known && *said < 0)
		*said = template_is_implied(w->f, x, e) ? IMPLIED : UNSAID;
	return *said;
}

/* What a candidate says of a form. */
static void look(const finder *w, api_clause *c, int form)
{
	const api_call *x = &w->f->forms[form];
	int at[POSITIONS], n = range_positions(&c->where, w->f, x, 0, at, POSITIONS);
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
		int said = what_says(w, form, e);
		if (said >= 0)
			c->says[form] |= (uint64_t)1 << said;
		else
			c->holds[form] = said == IMPLIED;
	}
}

static void add(finder *w, const template *t, index_range where)
{
	if (w->n == MAX_CANDIDATES)
		return;
	for (int k = 0; k < w->n; k++)
		if (range_same(&w->list[k].where, &where) && template_same(&w->list[k].t, t))
			return;
	api_clause c = {.t = *t, .where = where};
	c.says = NEED_ARRAY(w->f->scratch, uint64_t, w->f->n);
	c.holds = NEED_ARRAY(w->f->scratch, bool, w->f->n);
	for (int i = 0; i < w->f->n; i++)
		look(w, &c, i);
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

/* Whether a constant tells by its values that it may be a position in a shape of n dimensions: a 0 or 1 that is the same in
 * all call forms may as well be a switch (transA = 1), and which it is shows where there are more than two dimensions. */
static bool tells_positions(const api_calls *f, list_name name, int n)
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

/* Whether an argument is given in numbers wherever it is: what some call forms have as symbols (strides) is no axis in one where 1
 * stands for it. */
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
	return call_list_of(f, form, name).n > 0 && is_constant(f, name) && tells_positions(f, name, n);
}

/* All walks in which a template that moves may be said. */
static void add_walks(finder *w, const template *t, const api_call *form, const list_place *p, int way)
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
	for (x.head = 1; x.head <= MOST_HEAD; x.head++)
		add(w, t, x);
	x.head = 0;
	for (x.tail = 1; x.tail <= MOST_TAIL && right; x.tail++)
		add(w, t, x);
	x.tail = 0;
	x.over = x.but;
	for (x.only = 1; x.only <= MOST_LAST; x.only++)
		add(w, t, x);
}

/* Whether it is dimensions at fixed positions beside numbers by themselves: these stand still. */
static bool stands_still(const api_call *form, const expr *e)
{
	if (e->op == OP_SYM) {
		const list_place *p = &form->places[e->value];
		return p->list.kind != LIST_ITEMS || p->n == 1;
	}
	return !e->a || (stands_still(form, e->a) && stands_still(form, e->b) && (!e->c || stands_still(form, e->c)));
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
	if (way.dims >= WAY_NUMBER_RIGHT && way.items < WAY_NUMBER_RIGHT && has_dims(&t) && stands_still(form, e))
		return;
	if (!found || !moves(&t))
		add(w, &t, (index_range){.way = RANGE_NONE});
	else
		add_walks(w, &t, form, &p, way.dims < WAY_NUMBER_RIGHT ? way.dims : way.items);
}

/* With what stands where a constant says found by that. */
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

/* Whether a candidate that holds in all forms says a clause. */
static bool is_said(const finder *w, int form, int clause)
{
	for (int k = 0; k < w->n; k++)
		if (w->list[k].says[form] >> clause & 1) {
			bool holds = true;
			for (int i = 0; i < w->f->n && holds; i++)
				holds = w->list[k].holds[i];
			if (holds)
				return true;
		}
	return false;
}

/* The forms of most symbols first: they show most. */
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

/* ---- which of them */

static int newly(const finder *w, const api_clause *c, const uint64_t *said, const bool *in)
{
	int n = 0;
	for (int i = 0; i < w->f->n; i++)
		if (in[i])
			n += __builtin_popcountll(c->says[i] & ~said[i]);
	return n;
}

static bool holds_in_all(const finder *w, const api_clause *c, const bool *in)
{
	for (int i = 0; i < w->f->n; i++)
		if (in[i] && !c->holds[i])
			return false;
	return true;
}

/* Few references that may be missing, then few that are numbered, then the index_range over all. */
static int plainness(const api_clause *c)
{
	int n = c->where.head ? 3 : c->where.only ? 2 : 0;
	for (int k = 0; k < c->t.n; k++)
		n += 8 * c->asks[k] + (c->t.refs[k].base == AT_NUMBER);
	return -n;
}

/* Whether a candidate is one form's alone, long, and has to ask whether it is there: that form is better by itself. */
static bool is_of_one(const finder *w, const api_clause *c, const bool *in)
{
	int forms = 0, says = 0;
	bool asks = false;
	for (int i = 0; i < w->f->n; i++) {
		forms += in[i];
		says += in[i] && c->says[i];
	}
	for (int k = 0; k < c->t.n; k++)
		asks |= c->asks[k];
	return asks && forms > 1 && says == 1 && c->t.e->size > MOST_ALONE;
}

static int best_of(const finder *w, const uint64_t *said, const bool *in)
{
	int best = -1, most = 0;
	for (int k = 0; k < w->n; k++) {
		bool fits = holds_in_all(w, &w->list[k], in) && !is_of_one(w, &w->list[k], in);
		int n = fits ? newly(w, &w->list[k], said, in) : 0;
		if (n > most || (n && n == most && plainness(&w->list[k]) > plainness(&w->list[best]))) {
			best = k;
			most = n;
		}
	}
	return best;
}

/* The candidate that says most that is new for each form that it is wrong of: these are no members then. -1: there is none. */
static int best_that_drops(const finder *w, const uint64_t *said, const bool *in)
{
	int best = -1, most = 0;
	for (int k = 0; k < w->n; k++) {
		const api_clause *c = &w->list[k];
		int dropped = 0, n = 0;
		for (int i = 0; i < w->f->n; i++) {
			dropped += in[i] && !c->holds[i];
			n += in[i] && c->holds[i] ? __builtin_popcountll(c->says[i] & ~said[i]) : 0;
		}
		int score = n - 4 * dropped;
		if (n > dropped && !is_of_one(w, c, in) && (best < 0 || score > most)) {
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

static bool says_the_same(const finder *w, const api_clause *a, const api_clause *b, const bool *in)
{
	for (int i = 0; i < w->f->n; i++)
		if (in[i] && (!b->holds[i] || a->says[i] != b->says[i]))
			return false;
	for (int k = 0; k < b->t.n; k++)
		if (b->asks[k])
			return false;
	return true;
}

/* A clause that may as well be said of the positions of a longer one: that is one loop. */
static void align(const finder *w, api_clauses *to, int at, const bool *in)
{
	api_clause *c = &to->list[at];
	for (int k = to->n - 1; k > at && c->where.way != RANGE_NONE; k--)
		for (int j = 0; j < w->n; j++) {
			const api_clause *other = &w->list[j];
			if (range_same(&other->where, &to->list[k].where) && template_same(&other->t, &c->t) && says_the_same(w, c, other, in)) {
				*c = *other;
				return;
			}
		}
}

/* Whether the other clauses say all that one does of the signatures that are in. */
static bool is_spare(const finder *w, const api_clauses *all, int k, const bool *in)
{
	for (int i = 0; i < w->f->n; i++) {
		uint64_t others = 0;
		for (int j = 0; j < all->n && in[i]; j++)
			others |= j == k ? 0 : all->list[j].says[i];
		if (in[i] && all->list[k].says[i] & ~others)
			return false;
	}
	return true;
}

/* Drops clauses that others made superfluous after they were chosen, the least plain first. */
static void drop_spare(const finder *w, api_clauses *all, const bool *in)
{
	for (;;) {
		int worst = -1;
		for (int k = 0; k < all->n; k++)
			if (is_spare(w, all, k, in) && (worst < 0 || plainness(&all->list[k]) < plainness(&all->list[worst])))
				worst = k;
		if (worst < 0)
			return;
		memmove(&all->list[worst], &all->list[worst + 1], sizeof *all->list * (size_t)(all->n - worst - 1));
		all->n--;
	}
}

static bool says_something(const finder *w, const api_clause *c, const bool *members)
{
	for (int i = 0; i < w->f->n; i++)
		if (members[i] && c->says[i])
			return true;
	return false;
}

static void keep_members(const finder *w, api_clauses *to, const uint64_t *said, const bool *in)
{
	to->nmembers = 0;
	for (int i = 0; i < w->f->n; i++) {
		to->members[i] = in[i] && said[i] == all_of(&w->f->forms[i]);
		to->nmembers += to->members[i];
	}
}

/* Clauses that no member has leave, and what references may be missing is seen anew. */
static void keep_clauses(const finder *w, api_clauses *to)
{
	int n = to->n;
	to->n = 0;
	for (int k = 0; k < n; k++) {
		api_clause *c = &to->list[k];
		if (!says_something(w, c, to->members))
			continue;
		memset(c->asks, 0, sizeof c->asks);
		for (int i = 0; i < w->f->n; i++)
			if (to->members[i])
				look(w, c, i);
		to->list[to->n++] = *c;
	}
}

/* What may be said of all that are in, as much as there is; `drops`: of some others then are none. */
static api_clauses choose(const finder *w, const bool *among, bool drops)
{
	const api_calls *f = w->f;
	api_clauses to = {.members = NEED_ARRAY(f->scratch, bool, f->n), .list = NEED_ARRAY(f->scratch, api_clause, MAX_CHOSEN)};
	uint64_t *said = NEED_ARRAY(f->scratch, uint64_t, f->n);
	bool *in = NEED_ARRAY(f->scratch, bool, f->n);
	memcpy(in, among, (size_t)f->n * sizeof *in);
	while (to.n < MAX_CHOSEN) {
		int best = best_of(w, said, in);
		if (best < 0 && drops)
			best = best_that_drops(w, said, in);
		if (best < 0)
			break;
		for (int i = 0; i < f->n; i++) {
			said[i] |= w->list[best].says[i];
			in[i] &= w->list[best].holds[i];
		}
		insert(&to, &w->list[best]);
	}
	drop_spare(w, &to, in);
	for (int k = 0; k < to.n; k++)
		align(w, &to, k, in);
	keep_members(w, &to, said, in);
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
	finder w = {.f = f, .said = memo_new()};
	bool *in = NEED_ARRAY(f->scratch, bool, f->n);
	const int *order = in_order(f);
	for (int i = 0; i < f->n; i++)
		in[i] = among[i] && f->forms[i].of.rule->nclauses < MAX_CLAUSES;
	for (int i = 0; i < f->n; i++)
		for (int k = 0; in[order[i]] && k < f->forms[order[i]].of.rule->nclauses; k++)
			if (!is_said(&w, order[i], k))
				add_ways(&w, &f->forms[order[i]], f->forms[order[i]].of.rule->clauses[k]);
	api_clauses to = choose(&w, in, false);
	if (to.nmembers < f->n) {
		api_clauses other = choose(&w, in, true);
		to = other.nmembers > to.nmembers ? other : to;
	}
	kept(f, &to);
	memo_free(w.said);
	return to;
}

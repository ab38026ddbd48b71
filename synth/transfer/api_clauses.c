#include "api_clauses.h"

#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "generalize_positions.h"
#include "literal.h"
#include "need.h"
#include "costs.h"
#include "equal_symbols.h"
#include "set_cover.h"

enum { MAX_TEMPLATES = 160, MAX_TAKEN = 40, MAX_OF_ONE = 24, MAX_PARTS = 16, MAX_BASE = 120, MAX_SEEDS = 12, MAX_ROUNDS = 2, MANY_TEMPLATES = 10 };

/* A template with an alignment, over all signatures. */
typedef struct choice {
	int template, align, cost;
	int agree, refuted;
	long out, of; /* passing records that refute it, if tolerated; of how many */
} choice;

/* The instance of a choice in one operator: a conjunction. */
typedef struct instance {
	const expr *parts[MAX_PARTS];
	uint64_t *rejects; /* failing records */
	int n, out; /* parts; maximum number of passing records that refute a part */
	uint8_t substitute; /* of the alignment with which it was found */
	bool there, holds;
} instance;

typedef struct pooled {
	api_solver *f;
	expr_template *templates;
	int ntemplates;
	choice *choices;
	int nchoices;
	instance **instances; /* per operator and choice */
	uint64_t **open;      /* per operator: failing records not rejected yet */
	bool *solved;	      /* operators with outputs */
} pooled;

/* ---- description length */

int api_clauses_length(const expr *e)
{
	if (e->op == OP_CONST)
		return cost_is_plain_number(e->value)	       ? COST_NUMBER
		       : e->value >= -8 && e->value <= 8 ? COST_NUMBER_SMALL
							 : COST_NUMBER_LARGE;
	if (e->op == OP_SYM)
		return COST_SYMBOL;
	return OPS[e->op].pool + api_clauses_length(e->a) + api_clauses_length(e->b) + (e->c ? api_clauses_length(e->c) : 0);
}

/* ---- instances */

static void collect_templates(pooled *p)
{
	api_solver *f = p->f;
	p->templates = ARENA_ARRAY(f->scratch, expr_template, MAX_TEMPLATES);
	for (int i = 0; i < f->n; i++)
		for (int k = 0; p->solved[i] && k < f->rules[i].nclauses; k++)
			for (int folds = 0; folds < 2; folds++) {
				expr_template g;
				int j = 0;
				if (!expr_template_of(&g, f->pool, f->solvers[i].op, f->rules[i].clauses[k], f->rules[i].out, NULL, folds))
					continue;
				while (j < p->ntemplates && !expr_template_equal(&p->templates[j], &g))
					j++;
				if (j == p->ntemplates && j < MAX_TEMPLATES)
					p->templates[p->ntemplates++] = g;
			}
}

/* Cached evaluations of the clauses of one operator. */
typedef struct weighed {
	const expr *e;
	uint64_t *rejects; /* NULL: refuted by more passing records than are tolerated */
	int out;	   /* passing records that refute it */
} weighed;

typedef struct memory {
	weighed *list;
	int n, room;
} memory;

static bool is_other_than_0(const expr *e)
{
	return e->op == OP_CONST && e->value != 0;
}

/* Whether e contains a bound by a constant other than 0. With a few exceptions, some bound always fits the records. */
static bool has_bound(const expr *e)
{
	if (!e || e->op == OP_SYM)
		return false;
	if (e->op == OP_CONST)
		return !cost_is_plain_number(e->value);
	return (op_is_bound(e->op) && (is_other_than_0(e->a) || is_other_than_0(e->b))) || has_bound(e->a) || has_bound(e->b) || has_bound(e->c);
}

static const weighed *weigh(pooled *p, int i, memory *m, const expr *e)
{
	const operator *op = p->f->solvers[i].op;
	for (int k = 0; k < m->n; k++)
		if (m->list[k].e == e)
			return &m->list[k];
	if (m->n == m->room) {
		weighed *more = ARENA_ARRAY(p->f->scratch, weighed, m->room ? 2 * m->room : 64);
		if (m->n)
			memcpy(more, m->list, sizeof *more * (size_t)m->n);
		m->room = m->room ? 2 * m->room : 64;
		m->list = more;
	}
	weighed *w = &m->list[m->n++];
	*w = (weighed){.e = e};
	w->out = solver_clause_rejections(op, e, p->f->solvers[i].tolerated);
	if (w->out > p->f->solvers[i].tolerated || (w->out && has_bound(e)))
		return w;
	w->rejects = ARENA_ARRAY(p->f->scratch, uint64_t, op->nfail / 64 + 1);
	solver_mark_rejected(e, op->fail, op->nfail, op->nsym, w->rejects);
	return w;
}

static bool rejects_any(const uint64_t *w, int nfail)
{
	for (int k = 0; k <= nfail / 64; k++)
		if (w[k])
			return true;
	return false;
}

/* Instantiates a template at every pivot with one substitute for missing arguments. Returns false if it has no instance. */
static bool instantiate_with(pooled *p, int i, const expr_template *g, alignment w, memory *m, instance *to, int *missing)
{
	const operator *op = p->f->solvers[i].op;
	int pivots = expr_template_walked(g, op);
	*to = (instance){.holds = true, .substitute = w.substitute};
	*missing = 0;
	for (int at = 0; at < pivots && to->n < MAX_PARTS; at++) {
		int gone;
		const expr *was, *e = expr_template_apply(g, p->f->pool, op, p->f->rules[i].out, at, pivots - 1 - at, w, &gone, &was);
		*missing = gone > *missing ? gone : *missing;
		bool known = !e;
		for (int k = 0; !known && k < to->n; k++)
			known = to->parts[k] == e;
		if (known)
			continue;
		to->there = true;
		if (rule_clause_is_trivial(op, e))
			continue;
		const weighed *x = weigh(p, i, m, e);
		if (!x->rejects) {
			to->holds = false;
			return true;
		}
		to->parts[to->n++] = e;
		to->out = x->out > to->out ? x->out : to->out;
		if (!to->rejects)
			to->rejects = ARENA_ARRAY(p->f->scratch, uint64_t, op->nfail / 64 + 1);
		for (int k = 0; k <= op->nfail / 64; k++)
			to->rejects[k] |= x->rejects[k];
	}
	return to->there;
}

/* Instantiates with the first substitute for missing arguments that the passing records agree with and that rejects a record. */
static instance instantiate(pooled *p, int i, const expr_template *g, alignment w, memory *m)
{
	instance best = {.there = false};
	int most = 1, missing = 0;
	for (int sub = 0; sub < most; sub++) {
		instance x;
		w.substitute = (uint8_t)sub;
		bool there = instantiate_with(p, i, g, w, m, &x, &missing);
		most = missing == 0 ? 1 : SUBSTITUTES;
		if (!there || (missing && (!x.holds || !x.n || !rejects_any(x.rejects, p->f->solvers[i].op->nfail))))
			continue;
		return x;
	}
	return best;
}

static void build_choices(pooled *p)
{
	api_solver *f = p->f;
	p->choices = ARENA_ARRAY(f->scratch, choice, p->ntemplates * WAYS + 1);
	for (int k = 0; k < p->ntemplates; k++) {
		const expr_template *g = &p->templates[k];
		int length = api_clauses_length(g->e);
		for (int dims = 0; dims < (g->positional[0] ? ALIGNS : 1); dims++)
			for (int values = 0; values < (g->positional[1] ? VALUE_ALIGNS : 1); values++) {
				/* `for each position` is more likely for lists than for dimensions, and counting from the
				 * left more likely than from the right */
				bool every = (g->positional[0] && dims < AT_LEFT) || (g->positional[1] && alignment_moves_items(values));
				int cost = length + (every && !g->positional[1] ? COST_EVERY_DIMENSION : 0)
				    + (!every && g->positional[1] ? COST_ONE_ITEM : 0)
				    + COST_FROM_LEFT * (dims % 2 + values % 2) + (values >= PAIRS ? COST_PAIRED : 0) + (dims == NAMED ? COST_NAMED : 0);
				p->choices[p->nchoices++] = (choice){.template = k, .align = alignment_number((alignment){.dims = (uint8_t)dims, .values = (uint8_t)values}), .cost = cost};
			}
	}
	p->instances = ARENA_ARRAY(f->scratch, instance *, f->n);
	for (int i = 0; i < f->n; i++) {
		memory m = {0};
		p->instances[i] = ARENA_ARRAY(f->scratch, instance, p->nchoices + 1);
		for (int c = 0; p->solved[i] && c < p->nchoices; c++) {
			choice *o = &p->choices[c];
			alignment w = alignment_at(o->align);
			instance x = instantiate(p, i, &p->templates[o->template], w, &m);
			p->instances[i][c] = x;
			o->agree += x.there && x.holds;
			o->refuted += x.there && !x.holds;
			o->out += x.there && x.holds ? x.out : 0;
			o->of += x.there && x.holds ? f->solvers[i].op->npass : 0;
		}
	}
	for (int c = 0; c < p->nchoices; c++)
		if (p->choices[c].out)
			p->choices[c].cost += COST_OUTLIERS + (int)(COST_OUTLIERS_ALL * p->choices[c].out / p->choices[c].of);
}

/* ---- set cover */

static int newly(const pooled *p, int i, int c)
{
	const instance *x = &p->instances[i][c];
	int n = 0;
	if (!p->solved[i] || !x->there || !x->holds || !x->rejects)
		return 0;
	for (int w = 0; w <= p->f->solvers[i].op->nfail / 64; w++)
		n += __builtin_popcountll(x->rejects[w] & p->open[i][w]);
	return n;
}

/* The records of one operator count for at most MAX_OF_ONE. */
static uint64_t score(const pooled *p, int c)
{
	const choice *o = &p->choices[c];
	uint64_t n = 0, all = (uint64_t)o->agree + (uint64_t)o->refuted;
	for (int i = 0; i < p->f->n; i++) {
		int k = newly(p, i, c);
		n += (uint64_t)(k < MAX_OF_ONE ? k : MAX_OF_ONE);
	}
	n *= cover_weight(o->cost);
	for (int i = 0; i < 2 && o->refuted; i++) /* a clause that some signature refutes is rarely correct */
		n = n / all * (uint64_t)o->agree;
	return n;
}

static int best_choice(const pooled *p)
{
	int best = -1;
	uint64_t most = 0;
	for (int c = 0; c < p->nchoices; c++) {
		uint64_t v = score(p, c);
		if (v > most
		    || (v == most && v > 0
			&& expr_compare(p->templates[p->choices[c].template].e, p->templates[p->choices[best].template].e) < 0)) {
			most = v;
			best = c;
		}
	}
	return best;
}

typedef struct taken {
	int choice;
	uint64_t value;
} taken;

/* Whether operator i has failing records that only list[k], of all chosen, rejects. */
static bool is_needed(const pooled *p, const taken *list, int n, int k, int i)
{
	const instance *x = &p->instances[i][list[k].choice];
	if (!p->solved[i] || !x->there || !x->holds || !x->rejects)
		return false;
	for (int w = 0; w <= p->f->solvers[i].op->nfail / 64; w++) {
		uint64_t left = x->rejects[w] & p->open[i][w];
		for (int j = 0; j < n && left; j++) {
			const instance *y = &p->instances[i][list[j].choice];
			left &= j != k && y->there && y->holds && y->rejects ? ~y->rejects[w] : ~(uint64_t)0;
		}
		if (left)
			return true;
	}
	return false;
}

static bool is_superfluous(const pooled *p, const taken *list, int n, int k)
{
	for (int i = 0; i < p->f->n; i++)
		if (is_needed(p, list, n, k, i))
			return false;
	return true;
}

/* Drops superfluous choices, weakest first. */
static int prune(const pooled *p, taken *list, int n)
{
	for (;;) {
		int drop = -1;
		for (int k = 0; k < n; k++)
			if ((drop < 0 || list[k].value < list[drop].value) && is_superfluous(p, list, n, k))
				drop = k;
		if (drop < 0)
			return n;
		memmove(list + drop, list + drop + 1, sizeof *list * (size_t)(n - drop - 1));
		n--;
	}
}

static void open_failures(pooled *p, int i)
{
	const operator *op = p->f->solvers[i].op;
	rule bare = {.out = p->f->rules[i].out, .nodim = op->nodim};
	memset(p->open[i], 0, sizeof **p->open * (size_t)(op->nfail / 64 + 1));
	for (int k = 0; p->solved[i] && k < op->nfail; k++)
		if (rule_accepts(op, &bare, op->fail + (size_t)k * op->nsym, NULL))
			p->open[i][k / 64] |= (uint64_t)1 << k % 64;
}

static void close_rejected(pooled *p, int i, const instance *x)
{
	for (int w = 0; x->holds && x->rejects && w <= p->f->solvers[i].op->nfail / 64; w++)
		p->open[i][w] &= ~x->rejects[w];
}

static void open_all(pooled *p)
{
	for (int i = 0; i < p->f->n; i++)
		open_failures(p, i);
}

/* The failing records of all operators that a choice rejects, concatenated. */
static const uint64_t *rejected_by(const pooled *p, int c, int words)
{
	uint64_t *all = ARENA_ARRAY(p->f->scratch, uint64_t, words), *to = all;
	for (int i = 0; i < p->f->n; i++) {
		const instance *x = &p->instances[i][c];
		bool rejects = p->solved[i] && x->there && x->holds && x->rejects;
		for (int w = 0; w <= p->f->solvers[i].op->nfail / 64; w++)
			*to++ = rejects ? x->rejects[w] & p->open[i][w] : 0;
	}
	return all;
}

/* Whether each part of b has a stronger part in a. */
static bool narrows_instance(const instance *a, const instance *b)
{
	for (int k = 0; k < b->n; k++) {
		bool narrower = false;
		for (int j = 0; j < a->n && !narrower; j++)
			narrower = cover_narrows(a->parts[j], b->parts[k]);
		if (!narrower)
			return false;
	}
	return true;
}

/* Stronger in all signatures that have clause k, and refuted in none. */
static enum replacement replacement_of(const void *user, int i, int k)
{
	const pooled *p = user;
	bool any = false;
	for (int o = 0; o < p->f->n; o++) {
		const instance *b = &p->instances[o][k];
		if (!p->solved[o] || !b->there || !b->holds || !b->n)
			continue;
		any = true;
		if (!narrows_instance(&p->instances[o][i], b))
			return REPLACE_NO;
	}
	return any && !p->choices[i].refuted ? REPLACE_STRONGER : REPLACE_NO;
}

/* Replaces several choices by one where that is shorter. */
static int shorten(const pooled *p, taken *list, int n)
{
	arena *scratch = p->f->scratch;
	cover all = {.n = p->nchoices, .replacement_of = replacement_of, .user = p};
	if (n < 2)
		return n;
	for (int i = 0; i < p->f->n; i++)
		all.words += p->f->solvers[i].op->nfail / 64 + 1;
	const uint64_t **rejects = ARENA_ARRAY(scratch, const uint64_t *, p->nchoices);
	int *costs = ARENA_ARRAY(scratch, int, p->nchoices), chosen[MAX_TAKEN];
	for (int c = 0; c < p->nchoices; c++) {
		rejects[c] = rejected_by(p, c, all.words);
		costs[c] = p->choices[c].cost;
	}
	all.rejects = rejects;
	all.costs = costs;
	for (int k = 0; k < n; k++)
		chosen[k] = list[k].choice;
	n = cover_shorten(&all, chosen, n, scratch);
	for (int k = 0; k < n; k++)
		list[k] = (taken){.choice = chosen[k], .value = score(p, chosen[k])};
	return n;
}

static int choose(pooled *p, taken *list)
{
	int n = 0;
	open_all(p);
	for (int c; n < MAX_TAKEN && (c = best_choice(p)) >= 0; n++) {
		list[n] = (taken){.choice = c};
		for (int i = 0; i < p->f->n; i++)
			close_rejected(p, i, &p->instances[i][c]);
	}
	open_all(p);
	for (int k = 0; k < n; k++)
		list[k].value = score(p, list[k].choice);
	return shorten(p, list, prune(p, list, n));
}

/* Whether two operators are similar: equal constants, apart from integers that may name a dimension, and equal ranks for a
 * clause about a fixed dimension. */
static bool are_similar(const operator *a, const operator *b, bool ranks)
{
	return strcmp(a->constants, b->constants) == 0 && (!ranks || strcmp(a->ranks, b->ranks) == 0);
}

/* Whether operator i should take list[k] although its own records do not require it: similar operators or several kinds of
 * operators need it, and hardly any refutes it. */
static bool has_support_elsewhere(const pooled *p, const taken *list, int k, const bool *const *needs, int i)
{
	int refuted = 0, like_need = 0, like_refuted = 0, kinds = 0;
	const api_solver *f = p->f;
	const choice *o = &p->choices[list[k].choice];
	bool fixed = p->templates[o->template].positional[0] && (alignment_at(o->align).dims == AT_LEFT || alignment_at(o->align).dims == AT_RIGHT);
	for (int j = 0; j < f->n; j++) {
		const instance *x = &p->instances[j][list[k].choice];
		bool like = are_similar(f->solvers[i].op, f->solvers[j].op, fixed), no = p->solved[j] && x->there && !x->holds;
		refuted += no;
		like_refuted += like && no;
		if (!needs[k][j])
			continue;
		like_need += like;
		bool first = true;
		for (int m = 0; m < j && first; m++)
			first = !(needs[k][m] && are_similar(f->solvers[m].op, f->solvers[j].op, fixed));
		kinds += first;
	}
	return (like_need >= 2 && like_refuted * 20 <= like_need) || (!fixed && kinds >= 3 && refuted == 0);
}

/* ---- each operator */

static void add_parts(const instance *x, const expr **base, int *count)
{
	for (int j = 0; j < x->n && *count < MAX_BASE; j++) {
		int same = 0;
		while (same < *count && base[same] != x->parts[j])
			same++;
		if (same == *count)
			base[(*count)++] = x->parts[j];
	}
}

/* Records the parts of a choice before simplification. */
static void note_simplified(const pooled *p, int i, int c)
{
	const api_solver *f = p->f;
	const choice *o = &p->choices[c];
	const expr_template *g = &p->templates[o->template];
	alignment w = alignment_at(o->align);
	w.substitute = p->instances[i][c].substitute;
	int missing, pivots = expr_template_walked(g, f->solvers[i].op);
	for (int at = 0; at < pivots; at++) {
		const expr *was,
		    *e = expr_template_apply(g, f->pool, f->solvers[i].op, f->rules[i].out, at, pivots - 1 - at, w, &missing, &was);
		if (e)
			rule_note(&f->rules[i], f->memory, e, was);
	}
}

/* Collects the clauses of operator i: first those that several operators need and hardly any refutes, then those that it
 * needs itself. `used` counts templates. */
static int base_of(pooled *p, int i, const taken *list, int n, const bool *const *needs, const expr **base, int *used)
{
	int count = 0;
	*used = 0;
	open_failures(p, i);
	for (int pass = 0; pass < 2; pass++)
		for (int k = 0; k < n; k++) {
			const instance *x = &p->instances[i][list[k].choice];
			const choice *o = &p->choices[list[k].choice];
			if (!x->there || !x->holds || (pass && (o->refuted * 4 > o->agree || !newly(p, i, list[k].choice)))
			    || (!pass && !has_support_elsewhere(p, list, k, needs, i)))
				continue;
			close_rejected(p, i, x);
			add_parts(x, base, &count);
			note_simplified(p, i, list[k].choice);
			++*used;
		}
	return count;
}

/* Input and result of an operator's last search: most rounds repeat it. */
typedef struct searched {
	const expr **base;
	int nbase;
	bool done;
	rule found; /* clauses, why and low support */
} searched;

static bool is_repeated(const searched *last, const expr *const *base, int nbase)
{
	return last->done && last->nbase == nbase
	    && (nbase == 0 || memcmp(last->base, base, sizeof *base * (size_t)nbase) == 0);
}

/* Searches clauses for operator i with `base` given. The result is in f->memory. An operator with a log is searched again. */
static void search_clauses(api_solver *f, int i, const expr *const *base, int nbase, searched *last)
{
	rule *r = &f->rules[i];
	if (!is_repeated(last, base, nbase) || f->solvers[i].log) {
		r->why = NULL;
		r->thin = false;
		choose_clauses_kept(&f->solvers[i], base, nbase, f->memory);
		*last = (searched){.base = NEED_ARRAY(f->memory, const expr *, nbase), .nbase = nbase, .done = true, .found = *r};
		if (nbase)
			memcpy(last->base, base, sizeof *base * (size_t)nbase);
	}
	r->why = last->found.why;
	r->thin = last->found.thin;
	r->clauses = last->found.clauses;
	r->nclauses = last->found.nclauses;
}

/* One round: pools the known clauses; each operator takes its part and searches for the rest. */
static void run_round(api_solver *f, const bool *solved, searched *last)
{
	arena_mark mark = arena_save(f->scratch);
	pooled p = {.f = f, .solved = (bool *)solved};
	taken list[MAX_TAKEN];
	collect_templates(&p);
	build_choices(&p);
	p.open = ARENA_ARRAY(f->scratch, uint64_t *, f->n);
	for (int i = 0; i < f->n; i++)
		p.open[i] = ARENA_ARRAY(f->scratch, uint64_t, f->solvers[i].op->nfail / 64 + 1);
	int n = choose(&p, list);
	const bool *needs[MAX_TAKEN];
	for (int k = 0; k < n; k++) {
		bool *by = ARENA_ARRAY(f->scratch, bool, f->n);
		for (int i = 0; i < f->n; i++)
			by[i] = is_needed(&p, list, n, k, i);
		needs[k] = by;
	}
	for (int i = 0; i < f->n; i++) {
		const expr *base[MAX_BASE];
		if (!solved[i])
			continue;
		rule_forget_clauses(&f->rules[i]);
		int used, count = base_of(&p, i, list, n, needs, base, &used);
		for (int k = 0; k < count; k++)
			solver_log(&f->solvers[i], "API: ", base[k], "%s", "  (clause)");
		search_clauses(f, i, base, count, &last[i]);
		f->rules[i].thin |= used >= MANY_TEMPLATES && used > f->solvers[i].op->nsym; /* overfitted */
	}
	arena_release(f->scratch, mark);
}

/* Searches the MAX_SEEDS operators with most failing records on their own. */
static void search_seeds(api_solver *f, const bool *solved, searched *last)
{
	bool *done = ARENA_ARRAY(f->memory, bool, f->n);
	for (int k = 0; k < MAX_SEEDS; k++) {
		int most = -1;
		for (int i = 0; i < f->n; i++)
			if (solved[i] && !done[i] && (most < 0 || f->solvers[i].op->nfail > f->solvers[most].op->nfail))
				most = i;
		if (most < 0)
			return;
		done[most] = true;
		search_clauses(f, most, NULL, 0, &last[most]);
	}
}

void api_clauses_find(api_solver *f)
{
	bool *solved = ARENA_ARRAY(f->memory, bool, f->n);
	searched *last = NEED_ARRAY(f->memory, searched, f->n);
	int n = 0;
	for (int i = 0; i < f->n; i++)
		n += solved[i] = !f->rules[i].why;
	search_seeds(f, solved, last);
	for (int round = 0; round < MAX_ROUNDS && n > 1; round++)
		run_round(f, solved, last);
	for (int i = 0; i < f->n; i++) {
		if (f->solvers[i].tolerated)
			continue;
		generalize_positions_last(&f->solvers[i], f->memory);
		equal_symbols_add(&f->solvers[i], f->memory);
		equal_symbols_broadcast(&f->solvers[i]);
		solver_finish(&f->solvers[i]);
	}
}

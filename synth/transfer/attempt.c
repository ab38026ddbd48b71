#include "attempt.h"

#include <string.h>

#include "axes.h"
#include "choose.h"
#include "api_clauses.h"
#include "need.h"
#include "costs.h"
#include "set_cover.h"
#include "simplify.h"
#include "equal_symbols.h"
#include "anti_unify.h"

enum { KEPT_INSTANTIATIONS = 3 /* and the one with most support */, MAX_OF_ONE = 24, MAX_INSTEADS = 128, MAX_RANK = AXES_RANK };

static const operator *op_of(const api_solver *f, int i)
{
	return f->solvers[i].op;
}

/* ---- outputs */

/* An output of the representative as templates, without and with folds. */
typedef struct lines {
	expr_template f[2];
	bool has[2];
	int left, right, tensor;
	int of, dim; /* the output dimension that it comes from */
} lines;

static lines lines_of(const api_solver *f, int representative, int d)
{
	const operator *op = op_of(f, representative);
	template_index at = expr_template_output(op, d);
	lines l = {.left = at.left, .right = at.right, .tensor = at.item, .of = representative, .dim = d};
	for (int folds = 0; folds < 2; folds++)
		l.has[folds] = expr_template_of(&l.f[folds], f->pool, op, f->rules[representative].out[d], NULL, &at, folds);
	return l;
}

/* The lines of n signatures. */
static lines *lines_of_all(const api_solver *f, const int *of, int n, int *nlines)
{
	int most = 0;
	*nlines = 0;
	for (int k = 0; k < n; k++)
		most += op_of(f, of[k])->nodim;
	lines *all = NEED_ARRAY(f->scratch, lines, most);
	for (int k = 0; k < n; k++)
		for (int d = 0; d < op_of(f, of[k])->nodim; d++)
			all[(*nlines)++] = lines_of(f, of[k], d);
	return all;
}

/* An output dimension's expression; its form before simplification, or NULL; the template that it comes from, and the
 * substitute for missing arguments. */
typedef struct found {
	const expr *e, *was;
	const expr_template *from;
	int substitute;
} found;

/* Tries a template in all alignments at output dimension d. The first expression that fits goes to *best. Returns true if one
 * equals `own`, directly or after simplification. */
static bool try_output(const api_solver *f, int i, int d, const expr_template *g, const expr *own, found *best)
{
	const operator *op = op_of(f, i);
	int left = op->out_pos[d], right = op->out_rank[d] - 1 - left;
	expr_template_tries t = {.most = MAX_MISSING};
	while (expr_template_try(&t, g, f->pool, op, left, right)) {
		if (t.e && t.e == own)
			return (*best = (found){t.e, NULL, g, t.w.substitute}), true;
		if (!t.e || (best->e && !own) || !solver_output_holds(op, d, t.e))
			continue;
		if (own && simplify_equal(f->pool, op, t.e, own))
			return (*best = (found){own, t.was ? t.was : t.e, g, t.w.substitute}), true;
		if (!best->e)
			*best = (found){t.e, t.was, g, t.w.substitute};
	}
	return false;
}

/* Whether a line is for the tensor of an output dimension. If outputs are counted from the last one, outputs that the
 * representative lacks correspond to its first. */
static bool is_of(const api_solver *f, const lines *l, const operator *op, int d)
{
	int t = op->out_tensor[d], first = op_of(f, l->of)->nout - 1;
	return l->tensor == (op->from_end && first > 0 && t > first ? first : t);
}

static int distance(const lines *l, int left, int right)
{
	return l->right == right ? 0 : l->left == left ? 1 : 2;
}

/* Output dimension d of operator i by the representative's lines, nearest first; its own expression if a line gives it. */
static found output_at(const api_solver *f, const lines *all, int n, int i, int d)
{
	const operator *op = op_of(f, i);
	found best = {NULL, NULL, NULL, 0};
	const expr *own = f->rules[i].why ? NULL : f->rules[i].out[d];
	for (int far = 0; far < 3; far++)
		for (int k = 0; k < n; k++) {
			int left = op->out_pos[d], right = op->out_rank[d] - 1 - left;
			if (distance(&all[k], left, right) != far || !is_of(f, &all[k], op, d))
				continue;
			for (int folds = 1; folds >= 0; folds--)
				if (all[k].has[folds] && try_output(f, i, d, &all[k].f[folds], own, &best))
					return best;
		}
	return best;
}

/* Whether an output dimension is a copy further left than the representative's tensor has dimensions: a batch dimension. */
static bool is_batch(const api_solver *f, const operator *representative, int i, int d)
{
	const operator *op = op_of(f, i);
	int t = op->out_tensor[d], right = op->out_rank[d] - 1 - op->out_pos[d];
	int rank = representative->call->outputs[t < representative->nout ? t : representative->nout - 1].rank;
	return !f->rules[i].why && f->rules[i].out[d]->op == OP_SYM && rank > 0 && right >= rank;
}

void attempt_add_instead(attempt *a, int i, const char *argument, const char *instead)
{
	api_solver *f = a->f;
	if (!a->insteads)
		a->insteads = NEED_ARRAY(f->scratch, instead_of, MAX_INSTEADS);
	for (int k = 0; k < a->ninsteads; k++) {
		instead_of *x = &a->insteads[k];
		if (x->op != i || strcmp(x->argument, argument) != 0)
			continue;
		x->instead = x->instead && strcmp(x->instead, instead) == 0 ? x->instead : NULL;
		return;
	}
	if (a->ninsteads < MAX_INSTEADS)
		a->insteads[a->ninsteads++] = (instead_of){i, argument, need(arena_strdup(f->scratch, instead), 1)};
}

/* Records what an output dimension uses in place of missing arguments. */
static void note_instead(attempt *a, int i, const found *x)
{
	for (int k = 0; x->from && k < x->from->n; k++) {
		int number = 0;
		const char *argument = x->from->indices[k].arg;
		const char *name = argument ? expr_template_instead(x->from, op_of(a->f, i), x->substitute, argument, &number) : NULL;
		if (name)
			attempt_add_instead(a, i, argument, *name ? name : number ? "1" : "0");
	}
}

/* Takes over the members' outputs and their forms before simplification. */
static void take_outputs(attempt *a, const bool *among)
{
	api_solver *f = a->f;
	for (int i = 0; i < f->n; i++) {
		const rule *r = &f->rules[i];
		if (!among[i])
			continue;
		a->in[i] = true;
		a->out[i] = r->out;
		a->was[i] = NEED_ARRAY(f->scratch, const expr *, r->nodim);
		for (int d = 0; d < r->nodim; d++)
			for (int k = 0; k < r->nnotes; k++)
				a->was[i][d] = r->notes[k].now == r->out[d] ? r->notes[k].was : a->was[i][d];
	}
}

/* Whether all outputs have the same dimensions, except the last one from which they are counted. */
static bool all_but_last_same(const operator *op, const expr *const *out)
{
	const expr *first[MAX_RANK] = {0};
	for (int d = 0; d < op->nodim; d++) {
		int t = op->out_tensor[d], k = op->out_pos[d];
		if (t == 1 && k < MAX_RANK)
			first[k] = out[d];
	}
	for (int d = 0; d < op->nodim; d++) {
		int t = op->out_tensor[d], k = op->out_pos[d];
		if (t > 0 && (op->out_rank[d] != op->call->outputs[1].rank || k >= MAX_RANK || out[d] != first[k]))
			return false;
	}
	return true;
}

/* Finds the members: signatures with the representative's outputs. */
static void find_outputs(attempt *a, const bool *among)
{
	api_solver *f = a->f;
	const operator *representative = op_of(f, a->representative);
	int nlines;
	const lines *all = lines_of_all(f, &a->representative, 1, &nlines);
	for (int i = 0; i < f->n; i++) {
		const operator *op = op_of(f, i);
		if (!among[i] || op->npass == 0 || (op->nout > representative->nout && !(op->from_end && representative->nout > 1)))
			continue;
		a->out[i] = NEED_ARRAY(f->scratch, const expr *, op->nodim);
		a->was[i] = NEED_ARRAY(f->scratch, const expr *, op->nodim);
		a->in[i] = true;
		for (int d = 0; d < op->nodim && a->in[i]; d++) {
			bool batch = is_batch(f, representative, i, d), own = i == a->representative || batch;
			a->batches += batch;
			found x = own ? (found){f->rules[i].out[d], NULL, NULL, 0} : output_at(f, all, nlines, i, d);
			a->out[i][d] = x.e;
			a->was[i][d] = x.was;
			note_instead(a, i, &x);
			a->in[i] = x.e != NULL;
		}
		if (op->nout > representative->nout && a->in[i])
			a->in[i] = all_but_last_same(op, a->out[i]) && all_but_last_same(representative, f->rules[a->representative].out);
	}
}

/* ---- instantiation */

/* Whether a clause holds on all passing records of an operator. Cached, because clauses and attempts share instances. */
static bool holds(const attempt *a, int i, const expr *clause)
{
	bool known;
	int *is = memo_of(a->judged, i, clause, &known);
	if (!known)
		*is = solver_clause_holds(op_of(a->f, i), clause);
	return *is;
}

static instance instance_of(const attempt *a, int i, const quantified_clause *s, instantiation how, parts *p)
{
	const operator *op = op_of(a->f, i);
	if (how.where && !guard_holds(how.where, op)) {
		p->n = p->missing = 0;
		p->there = false;
		p->holds = true;
		return (instance){.holds = true};
	}
	quantified_clause_instantiate(p, s, how, &(instance_site){a->f->pool, op, a->out[i], a->f->instances, a->outputs[i], i});
	instance x = {.there = p->there, .holds = p->holds};
	for (int k = 0; k < p->n && x.holds; k++)
		x.holds = holds(a, i, p->list[k]);
	return x;
}

static void find_rejected(const attempt *a, int i, const parts *p, instance *x)
{
	const operator *op = op_of(a->f, i);
	if (!x->there || !x->holds || !p->n)
		return;
	x->rejects = NEED_ARRAY(a->f->scratch, uint64_t, op->nfail / 64 + 1);
	for (int k = 0; k < p->n; k++)
		solver_mark_rejected(p->list[k], op->fail, op->nfail, op->nsym, x->rejects);
}

/* The index of a clause in the operator's own rule; -1: none. */
static int own_clause(const rule *r, const expr *e)
{
	return r->why ? -1 : rule_clause(r, e);
}

static void find_own(const attempt *a, int i, const parts *p, instance *x)
{
	const rule *r = &a->f->rules[i];
	x->agreed = x->there && x->holds && p->n;
	if (!x->agreed || r->why)
		return;
	x->own = NEED_ARRAY(a->f->scratch, bool, r->nclauses);
	for (int k = 0; k < p->n; k++) {
		int own = own_clause(r, p->list[k]);
		x->agreed &= own >= 0;
		if (own >= 0)
			x->own[own] = true;
	}
}

/* Support of an instantiation: members whose accepted calls agree with it, members that refute it, own clauses that it
 * covers. */
typedef struct standing {
	instantiation how;
	int agree, refuted, own;
} standing;

static bool has_more_support(const standing *a, const standing *b)
{
	if (a->refuted != b->refuted)
		return a->refuted < b->refuted;
	if (a->agree != b->agree)
		return a->agree > b->agree;
	if (a->own != b->own)
		return a->own > b->own;
	return a->how.cost < b->how.cost;
}

static standing support_of(const attempt *a, const quantified_clause *s, instantiation how, int *missing)
{
	standing x = {.how = how};
	for (int i = 0; i < a->f->n; i++) {
		parts p;
		if (!a->in[i])
			continue;
		instance at = instance_of(a, i, s, how, &p);
		*missing = p.missing > *missing ? p.missing : *missing;
		x.agree += at.there && at.holds && p.n;
		x.refuted += at.there && !at.holds;
		for (int k = 0; k < p.n && at.holds; k++)
			x.own += own_clause(&a->f->rules[i], p.list[k]) >= 0;
	}
	return x;
}

static void keep_best(standing *best, int *n, standing x)
{
	int k = *n < KEPT_INSTANTIATIONS ? (*n)++ : KEPT_INSTANTIATIONS;
	for (; k > 0 && has_more_support(&x, &best[k - 1]); k--)
		if (k < KEPT_INSTANTIATIONS)
			best[k] = best[k - 1];
	if (k < KEPT_INSTANTIATIONS)
		best[k] = x;
}

/* Restricts a clause that some members refute to the members that have it in their rules, if a guard distinguishes both. */
static bool guard_reading(const attempt *a, const quantified_clause *s, instantiation *how)
{
	const api_solver *f = a->f;
	const operator **ops = NEED_ARRAY(f->scratch, const operator *, f->n);
	bool *in = NEED_ARRAY(f->scratch, bool, f->n), *out = NEED_ARRAY(f->scratch, bool, f->n);
	for (int i = 0; i < f->n; i++) {
		parts p;
		ops[i] = op_of(f, i);
		if (!a->in[i])
			continue;
		instance at = instance_of(a, i, s, *how, &p);
		out[i] = at.there && !at.holds;
		for (int k = 0; k < p.n && at.holds; k++)
			in[i] |= own_clause(&f->rules[i], p.list[k]) >= 0;
	}
	guard *g = NEED_ARRAY(f->memory, guard, 1);
	if (!guard_find(g, ops, f->n, in, out))
		return false;
	how->where = g;
	how->cost += g->cost;
	return true;
}

static void add_choice(attempt *a, instantiation how)
{
	choice *c = &a->choices[a->nchoices++];
	*c = (choice){how, NEED_ARRAY(a->f->scratch, instance, a->f->n)};
	for (int i = 0; i < a->f->n; i++) {
		parts p;
		if (!a->in[i])
			continue;
		c->at[i] = instance_of(a, i, &a->statements.list[how.statement], how, &p);
		find_rejected(a, i, &p, &c->at[i]);
		find_own(a, i, &p, &c->at[i]);
	}
}

static bool same_reading(const instantiation *a, const instantiation *b)
{
	return a->span == b->span && a->dims == b->dims && a->values == b->values && a->substitute == b->substitute;
}

/* Whether to restrict instantiation a rather than b, which as many members have in their rules. */
static bool is_guarded_better(const quantified_clause *s, const standing *a, const standing *b)
{
	bool halved = quantified_clause_is_halved(s, a->how.dims, a->how.values);
	return halved != quantified_clause_is_halved(s, b->how.dims, b->how.values) ? !halved : has_more_support(a, b);
}

/* Adds the instantiations of a clause that most members agree with. */
static void add_instantiations(attempt *a, int k)
{
	quantified_clause *s = &a->statements.list[k];
	s->number = clause_instances_number(a->f->instances, &s->f);
	standing best[KEPT_INSTANTIATIONS + 1], widest = {.agree = 0}, refuted = {.agree = 0};
	int n = 0;
	for (int span = 0; span < s->nranges; span++)
		for (int dims = 0; dims < (s->f.positional[0] ? ALIGNS : 1); dims++)
			for (int values = 0; values < (s->f.positional[1] ? VALUE_ALIGNS : 1); values++) {
				int missing = 0;
				for (int sub = 0; sub < (!quantified_clause_aligns(dims, values) ? 0 : missing ? SUBSTITUTES : 1); sub++) {
					instantiation how = {k, quantified_clause_cost(s, span, dims, values), (uint8_t)span, (uint8_t)dims, (uint8_t)values, (uint8_t)sub, NULL};
					standing x = support_of(a, s, how, &missing);
					if (x.agree)
						keep_best(best, &n, x);
					if (x.refuted && (x.own > refuted.own || (x.own == refuted.own && x.own && is_guarded_better(s, &x, &refuted))))
						refuted = x;
					if (x.agree > widest.agree || (x.agree == widest.agree && x.agree && has_more_support(&x, &widest)))
						widest = x;
				}
			}
	bool kept = widest.agree == 0;
	for (int j = 0; j < n && !kept; j++)
		kept = same_reading(&best[j].how, &widest.how);
	if (!kept)
		best[n++] = widest;
	for (int j = 0; j < n; j++)
		add_choice(a, best[j].how);
	if (a->joins && refuted.own && guard_reading(a, s, &refuted.how))
		add_choice(a, refuted.how);
}

static void find_choices(attempt *a)
{
	api_solver *f = a->f;
	a->statements.list = NEED_ARRAY(f->scratch, quantified_clause, MAX_QUANTIFIED);
	for (int i = 0; i < f->n; i++)
		if (a->in[i] && !f->rules[i].why && (!a->alone || i == a->representative))
			quantified_clauses_add(&a->statements, f->pool, op_of(f, i), &f->rules[i], !a->joins);
	a->choices = NEED_ARRAY(f->scratch, choice, a->statements.n * (KEPT_INSTANTIATIONS + 2));
	for (int k = 0; k < a->statements.n; k++)
		add_instantiations(a, k);
}

/* ---- set cover */

static int newly(const attempt *a, const choice *c, int i)
{
	int n = 0;
	for (int w = 0; a->in[i] && c->at[i].rejects && w <= op_of(a->f, i)->nfail / 64; w++)
		n += __builtin_popcountll(c->at[i].rejects[w] & a->open[i][w]);
	return n;
}

/* Number of rejected calls explained, weighted by description length; those of one operator count for at most MAX_OF_ONE. A
 * clause that accepted calls of members refute is rarely correct: these members would have to leave. */
static uint64_t score(const attempt *a, const choice *c)
{
	uint64_t n = 0, agree = 0, refuted = 0;
	for (int i = 0; i < a->f->n; i++) {
		if (!a->in[i])
			continue;
		int k = newly(a, c, i);
		n += (uint64_t)(k < MAX_OF_ONE ? k : MAX_OF_ONE);
		agree += c->at[i].there && c->at[i].holds;
		refuted += c->at[i].there && !c->at[i].holds;
	}
	if (!n || refuted > agree || (a->joins && refuted) || (c->at[a->representative].there && !c->at[a->representative].holds))
		return 0;
	n *= cover_weight(c->how.cost);
	for (int k = 0; k < 3 && refuted; k++)
		n = n / (agree + refuted) * agree;
	return n;
}

static int best_choice(const attempt *a)
{
	int best = -1;
	uint64_t most = 0;
	for (int c = 0; c < a->nchoices; c++) {
		uint64_t v = score(a, &a->choices[c]);
		if (v > most) {
			most = v;
			best = c;
		}
	}
	return best;
}

static void open_failures(attempt *a)
{
	for (int i = 0; i < a->f->n; i++) {
		const operator *op = op_of(a->f, i);
		if (!a->in[i])
			continue;
		rule bare = {.out = a->out[i], .nodim = op->nodim};
		a->open[i] = NEED_ARRAY(a->f->scratch, uint64_t, op->nfail / 64 + 1);
		for (int k = 0; k < op->nfail; k++)
			if (rule_accepts(op, &bare, op->fail + (size_t)k * op->nsym, NULL))
				a->open[i][k / 64] |= (uint64_t)1 << k % 64;
	}
}

static void take(attempt *a, int chosen)
{
	const choice *c = &a->choices[chosen];
	a->chosen[a->nchosen++] = chosen;
	for (int i = 0; i < a->f->n; i++) {
		if (!a->in[i])
			continue;
		a->in[i] = !c->at[i].there || c->at[i].holds;
		for (int w = 0; a->in[i] && c->at[i].rejects && w <= op_of(a->f, i)->nfail / 64; w++)
			a->open[i][w] &= ~c->at[i].rejects[w];
	}
}

/* The w-th word of operator i's rejected calls that only the k-th chosen clause explains. */
static uint64_t explained_alone(const attempt *a, int k, int i, int w)
{
	const uint64_t *mine = a->in[i] ? a->choices[a->chosen[k]].at[i].rejects : NULL;
	uint64_t left = mine ? mine[w] & a->open[i][w] : 0;
	for (int j = 0; j < a->nchosen && left; j++) {
		const uint64_t *others = a->choices[a->chosen[j]].at[i].rejects;
		left &= j != k && others ? ~others[w] : ~(uint64_t)0;
	}
	return left;
}

static bool is_needed(const attempt *a, int k)
{
	for (int i = 0; i < a->f->n; i++)
		for (int w = 0; a->in[i] && w <= op_of(a->f, i)->nfail / 64; w++)
			if (explained_alone(a, k, i, w))
				return true;
	return false;
}

/* The number of own clauses, not covered yet, that a choice covers, if several members agree on it and none disagrees. Such a
 * clause stays even if no record of this API requires it, since siblings did (siblings.h). Otherwise 0. */
static int agreed_clauses(const attempt *a, const choice *c, bool *const *coverage)
{
	int n = 0, members = 0;
	for (int i = 0; i < a->f->n; i++) {
		const instance *x = &c->at[i];
		if (!a->in[i] || !x->there)
			continue;
		if (!x->agreed || !x->own)
			return 0;
		members++;
		for (int k = 0; k < a->f->rules[i].nclauses; k++)
			n += x->own[k] && !coverage[i][k];
	}
	return members > 1 ? n : 0;
}

static void take_agreed(attempt *a)
{
	api_solver *f = a->f;
	bool **coverage = NEED_ARRAY(f->scratch, bool *, f->n);
	for (int i = 0; i < f->n; i++)
		coverage[i] = NEED_ARRAY(f->scratch, bool, f->rules[i].nclauses);
	while (a->nchosen < MAX_CHOSEN) {
		int best = -1;
		uint64_t most = 0;
		for (int c = 0; c < a->nchoices; c++) {
			uint64_t v = (uint64_t)agreed_clauses(a, &a->choices[c], coverage) * cover_weight(a->choices[c].how.cost);
			if (v > most) {
				most = v;
				best = c;
			}
		}
		if (best < 0)
			break;
		for (int i = 0; i < f->n; i++)
			for (int k = 0; a->in[i] && a->choices[best].at[i].own && k < f->rules[i].nclauses; k++)
				coverage[i][k] |= a->choices[best].at[i].own[k];
		take(a, best);
	}
	a->agreed = a->nchosen;
}

static void drop(attempt *a, int k)
{
	memmove(a->chosen + k, a->chosen + k + 1, sizeof *a->chosen * (size_t)(a->nchosen - k - 1));
	a->nchosen--;
	a->agreed -= k < a->agreed;
}

/* Drops superfluous choices, the last chosen first. */
static void prune(attempt *a)
{
	open_failures(a);
	for (int k = a->nchosen - 1; k >= a->agreed; k--)
		if (!is_needed(a, k))
			drop(a, k);
}

/* Whether no accepted call of a member refutes a choice. */
static bool holds_everywhere(const attempt *a, const choice *c)
{
	for (int i = 0; i < a->f->n; i++)
		if (a->in[i] && c->at[i].there && !c->at[i].holds)
			return false;
	return true;
}

/* Drops choices that the last one makes superfluous. Returns their number; *cost is their total cost. */
static int drop_needless(attempt *a, const bool *needed, int *cost)
{
	int n = 0;
	*cost = 0;
	for (int k = a->nchosen - 2; k >= 0; k--) {
		if (!needed[k] || is_needed(a, k))
			continue;
		*cost += a->choices[a->chosen[k]].how.cost;
		drop(a, k);
		n++;
	}
	return n;
}

/* Replaces several restricted clauses by one for all members that explains as much. */
static bool unite_one(attempt *a, const bool *needed)
{
	const attempt before = *a;
	for (int c = 0; c < a->nchoices && before.nchosen < MAX_CHOSEN; c++) {
		int cost;
		if (a->choices[c].how.where || !holds_everywhere(a, &a->choices[c]))
			continue;
		a->chosen[a->nchosen++] = c;
		if (drop_needless(a, needed, &cost) > 1 && cost > a->choices[c].how.cost)
			return true;
		*a = before;
	}
	return false;
}

static void unite(attempt *a)
{
	bool needed[MAX_CHOSEN];
	do
		for (int k = 0; k < a->nchosen; k++)
			needed[k] = is_needed(a, k);
	while (unite_one(a, needed));
}

/* ---- rules of the members */

/* The clauses of a member from all chosen clauses but the k-th. */
static int other_clauses(const attempt *a, int k, int i, const expr **list)
{
	int n = 0;
	for (int j = 0; j < a->nchosen; j++) {
		parts p;
		const choice *c = &a->choices[a->chosen[j]];
		if (j == k)
			continue;
		instance_of(a, i, &a->statements.list[c->how.statement], c->how, &p);
		for (int x = 0; x < p.n; x++)
			list[n++] = p.list[x];
	}
	return n;
}

/* Whether equations in the list connect two expressions. */
static bool leads_to(const expr *const *list, int n, const expr *from, const expr *to)
{
	const expr *met[MAX_CHOSEN + 1] = {from};
	int nmet = 1;
	for (int at = 0; at < nmet; at++)
		for (int k = 0; k < n && nmet <= MAX_CHOSEN; k++) {
			const expr *e = list[k], *next = e->op != OP_EQ ? NULL : e->a == met[at] ? e->b : e->b == met[at] ? e->a : NULL;
			bool known = false;
			for (int m = 0; m < nmet && next; m++)
				known |= met[m] == next;
			if (next == to)
				return true;
			if (next && !known)
				met[nmet++] = next;
		}
	return false;
}

/* Whether other chosen clauses imply the k-th one in a member, literally or by transitivity of equations. */
static bool is_repeated_in(const attempt *a, int k, int i)
{
	parts p;
	const choice *c = &a->choices[a->chosen[k]];
	instance_of(a, i, &a->statements.list[c->how.statement], c->how, &p);
	if (!p.there)
		return true;
	const expr *list[MAX_CHOSEN * MAX_PARTS];
	int n = other_clauses(a, k, i, list), coverage = 0;
	for (int x = 0; x < p.n; x++) {
		const expr *e = p.list[x];
		bool repeated = e->op == OP_EQ && leads_to(list, n, e->a, e->b);
		for (int j = 0; j < n && !repeated; j++)
			repeated = list[j] == e;
		coverage += repeated;
	}
	return coverage == p.n;
}

/* Index of the most expensive chosen clause that the others imply; -1 if there is none. */
static int find_repeated(const attempt *a)
{
	int costliest = -1;
	for (int k = 0; k < a->nchosen; k++) {
		bool repeated = costliest < 0 || a->choices[a->chosen[k]].how.cost > a->choices[a->chosen[costliest]].how.cost;
		for (int i = 0; i < a->f->n && repeated; i++)
			repeated = !a->in[i] || is_repeated_in(a, k, i);
		costliest = repeated ? k : costliest;
	}
	return costliest;
}

/* Duplicates would mislead readers. */
static void drop_repeated(attempt *a)
{
	for (int k; (k = find_repeated(a)) >= 0;)
		drop(a, k);
}

static void add_clauses(attempt *a, int i, const choice *c, rule *r)
{
	parts p;
	instance_of(a, i, &a->statements.list[c->how.statement], c->how, &p);
	for (int k = 0; p.there && k < p.n; k++) {
		if (rule_clause(r, p.list[k]) >= 0)
			continue;
		r->clauses[r->nclauses++] = p.list[k];
		rule_note(r, a->f->memory, p.list[k], p.was[k]);
	}
}

static rule rule_of(attempt *a, int i)
{
	api_solver *f = a->f;
	const operator *op = op_of(f, i);
	rule r = f->rules[i];
	r.why = NULL;
	r.out = NEED_ARRAY(f->memory, const expr *, op->nodim);
	memcpy(r.out, a->out[i], sizeof *r.out * (size_t)op->nodim);
	r.nodim = op->nodim;
	r.clauses = NEED_ARRAY(f->memory, const expr *, MAX_CHOSEN * MAX_PARTS);
	r.nclauses = 0;
	r.notes = NULL;
	r.nnotes = r.room = 0;
	for (int d = 0; d < op->nodim; d++)
		rule_note(&r, f->memory, r.out[d], a->was[i][d]);
	for (int k = 0; k < a->nchosen; k++)
		add_clauses(a, i, &a->choices[a->chosen[k]], &r);
	return r;
}

static bool is_better(int size, int batches, const attempt *other)
{
	return size > other->size || (size == other->size && batches < other->batches);
}

bool attempt_beats(const attempt *a, const attempt *other)
{
	return is_better(a->size, a->batches, other);
}

/* Whether the attempt can still beat its rival. Members only leave, and find_outputs counts all batches. */
static bool may_win(const attempt *a, const bool *in)
{
	int n = 0;
	for (int i = 0; i < a->f->n; i++)
		n += in[i];
	return !a->rival || is_better(n, a->batches, a->rival);
}

static void choose_clauses_of(attempt *a)
{
	find_choices(a);
	open_failures(a);
	take_agreed(a);
	for (int c; a->nchosen < MAX_CHOSEN && may_win(a, a->in) && (c = best_choice(a)) >= 0;)
		take(a, c);
	if (!may_win(a, a->in))
		return;
	prune(a);
	if (a->joins)
		unite(a);
	drop_repeated(a);
}

static void find_rules(attempt *a)
{
	api_solver *f = a->f;
	for (int i = 0; i < f->n; i++) {
		if (!a->in[i])
			continue;
		a->rules[i] = rule_of(a, i);
		a->in[i] = rule_agrees(op_of(f, i), &a->rules[i]);
		a->size += a->in[i];
	}
	if (!a->in[a->representative])
		a->size = 0;
}

void attempt_make(attempt *a, const bool *among)
{
	api_solver *f = a->f;
	if (!may_win(a, among))
		return;
	a->in = NEED_ARRAY(f->scratch, bool, f->n);
	a->out = NEED_ARRAY(f->scratch, const expr **, f->n);
	a->was = NEED_ARRAY(f->scratch, const expr **, f->n);
	a->open = NEED_ARRAY(f->scratch, uint64_t *, f->n);
	a->outputs = NEED_ARRAY(f->scratch, uint64_t, f->n);
	a->rules = NEED_ARRAY(f->scratch, rule, f->n);
	if (a->joins)
		take_outputs(a, among);
	else
		find_outputs(a, among);
	if (!may_win(a, a->in))
		return;
	for (int i = 0; i < f->n; i++)
		a->outputs[i] = a->in[i] ? clause_instances_outputs(op_of(f, i), a->out[i]) : 0;
	choose_clauses_of(a);
	if (may_win(a, a->in))
		find_rules(a);
}

/* ---- implied equalities */

/* The equalities of a member's records that a rule does not imply; returns their number. */
static int missing_equalities(const attempt *a, int i, const rule *r, equality *list)
{
	return equal_symbols_missing(&a->f->solvers[i], r, &a->f->alone[i], list, a->f->memory);
}

/* Makes room for the instantiations of more clauses. */
static void add_room(attempt *a, int statements)
{
	choice *all = NEED_ARRAY(a->f->scratch, choice, a->nchoices + statements * (KEPT_INSTANTIATIONS + 2));
	memcpy(all, a->choices, sizeof *all * (size_t)a->nchoices);
	a->choices = all;
}

/* Adds missing equalities of members as quantified clauses. Returns whether there are any. */
static bool add_missing_equalities(attempt *a)
{
	api_solver *f = a->f;
	int before = a->statements.n;
	bool any = false;
	for (int i = 0; i < f->n; i++) {
		int nsym = op_of(f, i)->nsym, n;
		equality *list = NEED_ARRAY(f->scratch, equality, nsym);
		if (!a->in[i] || !(n = missing_equalities(a, i, &a->rules[i], list)))
			continue;
		rule bare = {.out = a->out[i], .nodim = op_of(f, i)->nodim, .clauses = NEED_ARRAY(f->scratch, const expr *, n)};
		for (; bare.nclauses < n; bare.nclauses++)
			bare.clauses[bare.nclauses] = equal_symbols_equation(&f->solvers[i], list[bare.nclauses]);
		quantified_clauses_add(&a->statements, f->pool, op_of(f, i), &bare, false);
		any = true;
	}
	if (!any)
		return false;
	add_room(a, a->statements.n - before);
	for (int k = before; k < a->statements.n; k++)
		add_instantiations(a, k);
	return true;
}

/* Number of missing equalities in a member that a choice provides. */
static int newly_equal(attempt *a, const choice *c, int i)
{
	const rule *r = &a->rules[i];
	parts p;
	instance_of(a, i, &a->statements.list[c->how.statement], c->how, &p);
	rule more = {.nodim = r->nodim, .clauses = NEED_ARRAY(a->f->scratch, const expr *, r->nclauses + p.n)};
	for (int k = 0; k < r->nclauses; k++)
		more.clauses[more.nclauses++] = r->clauses[k];
	for (int k = 0; k < p.n; k++)
		if (p.list[k]->op == OP_EQ)
			more.clauses[more.nclauses++] = p.list[k];
	if (more.nclauses == r->nclauses)
		return 0;
	equality *list = NEED_ARRAY(a->f->scratch, equality, op_of(a->f, i)->nsym);
	return missing_equalities(a, i, r, list) - missing_equalities(a, i, &more, list);
}

/* Equalities provided, weighted by description length; 0 if accepted calls of some member refute the choice. */
static uint64_t equality_score(attempt *a, const choice *c)
{
	uint64_t n = 0;
	for (int i = 0; i < a->f->n; i++) {
		if (a->in[i] && c->at[i].there && !c->at[i].holds)
			return 0;
		int tied = a->in[i] && c->at[i].there ? newly_equal(a, c, i) : 0;
		n += tied > 0 ? (uint64_t)tied : 0;
	}
	return n * cover_weight(c->how.cost);
}

void attempt_add_equalities(attempt *a)
{
	api_solver *f = a->f;
	if (!add_missing_equalities(a))
		return;
	while (a->nchosen < MAX_CHOSEN) {
		uint64_t most = 0;
		int best = -1;
		for (int c = 0; c < a->nchoices; c++) {
			uint64_t v = equality_score(a, &a->choices[c]);
			if (v > most) {
				most = v;
				best = c;
			}
		}
		if (best < 0)
			break;
		a->chosen[a->nchosen++] = best;
		for (int i = 0; i < f->n; i++)
			if (a->in[i])
				a->rules[i] = rule_of(a, i);
	}
	drop_repeated(a);
}

/* ---- comparison of outputs */

/* How a line gives an output dimension. After anti-unification, also how the joint template gives the line's own dimension. */
typedef struct coverage {
	found how, line;
	int more; /* cost of the generalization */
} coverage;

/* Whether the line and the dimension's template have a common generalization that gives both. */
static bool is_covered_by_generalization(const attempt *a, const lines *line, int folds, int i, int d, coverage *to)
{
	const operator *op = op_of(a->f, i);
	template_index at = expr_template_output(op, d);
	expr_template mine, *both = NEED_ARRAY(a->f->scratch, expr_template, 1);
	const expr *own = a->f->rules[i].out[d], *other = a->f->rules[line->of].out[line->dim];
	to->how = to->line = (found){NULL, NULL, NULL, 0};
	if (!expr_template_of(&mine, a->f->pool, op, own, NULL, &at, folds) || !anti_unify(both, a->f->pool, &line->f[folds], &mine)
	    || !try_output(a->f, i, d, both, own, &to->how) || !try_output(a->f, line->of, line->dim, both, other, &to->line))
		return false;
	int more = api_clauses_length(both->e) - api_clauses_length(line->f[folds].e);
	to->more = more > 0 ? more : 0;
	return true;
}

/* Whether a line at the same position gives an output dimension, and how. */
static bool is_covered(const attempt *a, const lines *all, int n, int i, int d, coverage *to)
{
	const operator *op = op_of(a->f, i);
	int left = op->out_pos[d], right = op->out_rank[d] - 1 - left;
	for (int wider = 0; wider < 2; wider++)
		for (int k = 0; k < n; k++) {
			*to = (coverage){.more = 0};
			bool there = is_of(a->f, &all[k], op, d) && distance(&all[k], left, right) < 2;
			for (int folds = 0; folds < 2 && there; folds++)
				if (all[k].has[folds] && (wider ? is_covered_by_generalization(a, &all[k], folds, i, d, to)
								: try_output(a->f, i, d, &all[k].f[folds], a->f->rules[i].out[d], &to->how)))
					return true;
		}
	return false;
}

/* Whether an output dimension has the same template as an earlier one. */
static bool is_repeated(const lines *mine, int d)
{
	for (int e = 0; e < d; e++)
		if (mine[e].tensor == mine[d].tensor && mine[e].has[0] && mine[d].has[0] && expr_template_equal(&mine[e].f[0], &mine[d].f[0]))
			return true;
	return false;
}

int attempt_outputs_cost(api_solver *f, int i)
{
	int n, cost = 0;
	const lines *all = lines_of_all(f, &i, 1, &n);
	for (int d = 0; d < n; d++) {
		bool repeated = false;
		for (int e = 0; e < d; e++)
			repeated |= all[e].has[0] && all[d].has[0] && expr_template_equal(&all[e].f[0], &all[d].f[0]);
		cost += repeated ? 0 : api_clauses_length(f->rules[i].out[d]);
	}
	return cost;
}

bool attempt_covers(const attempt *a, const int *representatives, int n, int i, int *cost)
{
	int nlines, own;
	const lines *all = lines_of_all(a->f, representatives, n, &nlines), *mine = lines_of_all(a->f, &i, 1, &own);
	bool says = true;
	coverage how;
	*cost = 0;
	for (int d = 0; d < own; d++) {
		if (is_repeated(mine, d))
			continue;
		bool is = is_covered(a, all, nlines, i, d, &how);
		*cost += is ? how.more : api_clauses_length(a->f->rules[i].out[d]);
		says &= is;
	}
	return says;
}

void attempt_note_shared(attempt *a, int representative, int i)
{
	int nlines;
	const lines *all = lines_of_all(a->f, &representative, 1, &nlines);
	coverage to;
	for (int d = 0; d < op_of(a->f, i)->nodim; d++) {
		if (!is_covered(a, all, nlines, i, d, &to))
			continue;
		note_instead(a, i, &to.how);
		note_instead(a, representative, &to.line);
		if (to.how.was)
			rule_note(&a->rules[i], a->f->memory, a->rules[i].out[d], to.how.was);
	}
}

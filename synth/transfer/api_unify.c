#include "api_unify.h"

#include <string.h>

#include "api_clauses.h"
#include "api_defaults.h"
#include "memo.h"
#include "need.h"
#include "costs.h"
#include "equality_classes.h"

enum { MAX_REPRESENTATIVES = 10 };

static const operator *op_of(const api_solver *f, int i)
{
	return f->solvers[i].op;
}

/* The summary of an attempt. */
static api_summary *summary_of(const attempt *a)
{
	const api_solver *f = a->f;
	api_summary *s = NEED_ARRAY(f->memory, api_summary, 1);
	s->insteads = NEED_ARRAY(f->memory, instead_of, a->ninsteads);
	for (int k = 0; k < a->ninsteads; k++) {
		const instead_of *x = &a->insteads[k];
		if (a->in[x->op] && x->instead)
			s->insteads[s->ninsteads++] = (instead_of){x->op, x->argument, need(arena_strdup(f->memory, x->instead), 1)};
	}
	for (int k = 0; k < a->nchosen; k++) {
		const instantiation *how = &a->choices[a->chosen[k]].how;
		s->cost += how->cost;
		s->guarded |= how->where != NULL;
	}
	return s;
}

static api_summary *summary_alone(const api_solver *f, int i)
{
	api_summary *s = NEED_ARRAY(f->memory, api_summary, 1);
	for (int k = 0; k < f->rules[i].nclauses; k++)
		s->cost += api_clauses_length(f->rules[i].clauses[k]);
	return s;
}

/* ---- representatives */

static bool is_richer(const operator *a, const operator *b)
{
	if (a->nsym != b->nsym)
		return a->nsym > b->nsym;
	return a->nout != b->nout ? a->nout > b->nout : a->nfail > b->nfail;
}

/* Writes the candidates for representatives: most symbols first, then most outputs, then most rejected calls. Returns their
 * number. */
static int find_representatives(const api_solver *f, const api_membership *to, int *representatives)
{
	int n = 0;
	for (int i = 0; i < f->n; i++) {
		if (to[i].representative >= 0 || f->rules[i].why)
			continue;
		int k = n < MAX_REPRESENTATIVES ? n++ : MAX_REPRESENTATIVES;
		for (; k > 0 && is_richer(op_of(f, i), op_of(f, representatives[k - 1])); k--)
			if (k < MAX_REPRESENTATIVES)
				representatives[k] = representatives[k - 1];
		if (k < MAX_REPRESENTATIVES)
			representatives[k] = i;
	}
	return n;
}

/* True if at least three instances, and at least half, have enough support. */
static bool has_support(const attempt *a)
{
	int solid = 0;
	for (int i = 0; i < a->f->n; i++)
		solid += a->in[i] && !a->f->rules[i].why && !a->f->rules[i].thin;
	return a->size >= 3 && 2 * solid >= a->size;
}

static bool same_rule(const rule *a, const rule *b)
{
	bool same = !b->why && a->nclauses == b->nclauses;
	for (int d = 0; same && d < a->nodim; d++)
		same = a->out[d] == b->out[d];
	for (int k = 0; same && k < a->nclauses; k++)
		same = rule_clause(b, a->clauses[k]) >= 0;
	return same;
}

static void adopt(const attempt *a, api_membership *to)
{
	api_solver *f = a->f;
	bool solid = has_support(a);
	for (int i = 0; i < f->n; i++) {
		if (!a->in[i])
			continue;
		to[i] = (api_membership){a->representative, same_rule(&a->rules[i], &f->rules[i]), a->representative, NULL};
		if (!to[i].same) {
			f->rules[i] = a->rules[i];
			rule_count(op_of(f, i), &f->rules[i]);
		}
		f->rules[i].thin &= !solid;
		f->rules[i].family = op_of(f, a->representative)->name;
	}
	to[a->representative].summary = summary_of(a);
}

static void keep_own_rule(api_solver *f, int i, api_membership *to)
{
	to[i] = (api_membership){i, true, i, summary_alone(f, i)};
	f->rules[i].family = op_of(f, i)->name;
}

/* ---- joining rules */

/* Marks the members of two rules and returns their number. */
static int members_of(const api_solver *f, const api_membership *to, int first, int second, bool *in)
{
	int n = 0;
	for (int i = 0; i < f->n; i++)
		n += in[i] = to[i].representative == first || to[i].representative == second;
	return n;
}

/* Writes the operators that represent the parts of a rule and returns their number. */
static int leads_of(const api_solver *f, const api_membership *to, int representative, int *leads)
{
	int n = 0;
	for (int i = 0; i < f->n; i++)
		if (to[i].representative == representative && to[i].part == i)
			leads[n++] = i;
	return n;
}

/* The cost of the guards that distinguish the parts; -1 if no guard does. part: per member. */
static int cost_of_parts(const api_solver *f, const int *part, const bool *members)
{
	const operator **ops = NEED_ARRAY(f->scratch, const operator *, f->n);
	bool *in = NEED_ARRAY(f->scratch, bool, f->n), *out = NEED_ARRAY(f->scratch, bool, f->n);
	int cost = 0;
	for (int i = 0; i < f->n; i++)
		ops[i] = op_of(f, i);
	for (int p = 0; p < f->n; p++) {
		guard g;
		int others = 0;
		for (int i = 0; i < f->n; i++) {
			in[i] = members[i] && part[i] == p;
			out[i] = members[i] && part[i] != p;
			others += out[i];
		}
		if (!members[p] || part[p] != p || !others)
			continue;
		if (!guard_find(&g, ops, f->n, in, out) || g.n > 1) /* a line has at most one condition */
			return -1;
		cost += g.cost;
	}
	return cost;
}

api_length api_unify_length(api_solver *f, const api_membership *to)
{
	api_length n = {0};
	arena_mark mark = arena_save(f->scratch);
	int *part = NEED_ARRAY(f->scratch, int, f->n), *leads = NEED_ARRAY(f->scratch, int, f->n);
	bool *in = NEED_ARRAY(f->scratch, bool, f->n);
	for (int i = 0; i < f->n; i++)
		part[i] = to[i].part;
	for (int i = 0; i < f->n; i++) {
		if (!to[i].summary)
			continue;
		const int parts = leads_of(f, to, i, leads);
		for (int k = 0; k < parts; k++)
			n.cost += attempt_outputs_cost(f, leads[k]);
		members_of(f, to, i, i, in);
		const int guards = cost_of_parts(f, part, in);
		n.cost += to[i].summary->cost + COST_RULE + (guards > 0 ? guards : 0);
		n.conditional |= n.rules++ > 0 || parts > 1 || to[i].summary->guarded;
	}
	arena_release(f->scratch, mark);
	return n;
}

static void move_part(const api_solver *f, int *part, int from, int to)
{
	for (int i = 0; i < f->n; i++)
		part[i] = part[i] == from ? to : part[i];
}

/* Whether call `less` is call `more` without some arguments. */
static bool leaves_out(const call *less, const call *more)
{
	int n = 0;
	for (int k = 0; k < more->nargs; k++)
		n += !call_is_none(&more->args[k].value);
	for (int k = 0; k < less->nargs; k++) {
		const call_value *v = &less->args[k].value, *w = call_named(more, less->args[k].name);
		if (call_is_none(v))
			continue;
		if (!w || w->kind != v->kind || (v->kind == CALL_CONST && strcmp(v->text, w->text) != 0))
			return false;
		n--;
	}
	return n > 0;
}

/* Whether signature `less` is a special case of `more`: fewer arguments, or fewer outputs if these are counted from the last
 * one. */
static bool is_case(const operator *less, const operator *more)
{
	return leaves_out(less->call, more->call) || (more->from_end && less->nout < more->nout);
}

/* Of the parts that n operators represent, the one whose lines give all outputs of another signature at the lowest cost; -1
 * if none does. */
static int covers_all(const attempt *a, const int *leads, int n, int other)
{
	int best = -1, least = 0;
	for (int k = 0; k < n; k++) {
		int cost;
		if (attempt_covers(a, &leads[k], 1, other, &cost) && (best < 0 || cost < least)) {
			best = leads[k];
			least = cost;
		}
	}
	return best;
}

/* The parts of a joint rule. Parts are merged if the lines of one give all outputs of the other, and the other has the same
 * outputs or is a special case. */
static int *find_parts(const attempt *a, const api_membership *to, int first, int second, bool shares)
{
	const api_solver *f = a->f;
	int *part = NEED_ARRAY(f->scratch, int, f->n), *leads = NEED_ARRAY(f->scratch, int, f->n);
	int n = leads_of(f, to, first, leads), base = shares ? covers_all(a, leads, n, second) : -1;
	int into = base >= 0 ? base : shares ? to[first].part : second;
	for (int i = 0; i < f->n; i++)
		part[i] = to[i].part;
	if (shares)
		move_part(f, part, second, into);
	for (int k = 0; k < n; k++)
		if (leads[k] != into && is_case(op_of(f, leads[k]), op_of(f, into)) && covers_all(a, &into, 1, leads[k]) >= 0)
			move_part(f, part, leads[k], into);
	return part;
}

static void take_substitutes(attempt *a, const api_summary *s)
{
	for (int k = 0; k < s->ninsteads; k++)
		attempt_add_instead(a, s->insteads[k].op, s->insteads[k].argument, s->insteads[k].instead);
}

/* Moves the members of the second rule to the first, as in the attempt. part: per member. */
static void join(attempt *a, api_membership *to, int first, int second, const int *part)
{
	api_solver *f = a->f;
	take_substitutes(a, to[first].summary);
	take_substitutes(a, to[second].summary);
	for (int i = 0; i < f->n; i++) {
		if (!a->in[i])
			continue;
		if (to[i].part != part[i])
			attempt_note_shared(a, part[i], i);
		to[i].part = part[i];
		to[i].representative = first;
		if (!same_rule(&a->rules[i], &f->rules[i])) {
			f->rules[i] = a->rules[i];
			rule_count(op_of(f, i), &f->rules[i]);
			to[i].same = false;
		}
		f->rules[i].family = op_of(f, first)->name;
	}
	to[second].summary = NULL;
	to[first].summary = summary_of(a);
}

/* Joins two rules if the result is shorter than both. Returns whether it did. */
static bool try_join(api_solver *f, api_membership *to, memo *judged, int first, int second)
{
	bool *members = NEED_ARRAY(f->scratch, bool, f->n);
	int n = members_of(f, to, first, second, members), cost = 0;
	attempt a = {.f = f, .representative = first, .joins = true, .judged = judged};
	int *leads = NEED_ARRAY(f->scratch, int, f->n);
	int own, uncovered_cost;
	attempt_covers(&a, NULL, 0, second, &own);
	int before = to[first].summary->cost + to[second].summary->cost + own + COST_RULE;
	bool shares = attempt_covers(&a, leads, leads_of(f, to, first, leads), second, &uncovered_cost) && leads_of(f, to, second, leads) == 1;
	const int *part = find_parts(&a, to, first, second, shares);
	int guards = shares ? 0 : cost_of_parts(f, part, members);
	if (guards < 0 || uncovered_cost + guards >= before)
		return false;
	attempt_make(&a, members);
	if (a.size == n)
		attempt_add_equalities(&a);
	for (int k = 0; k < a.nchosen; k++)
		cost += a.choices[a.chosen[k]].how.cost;
	if (a.size != n || cost + uncovered_cost + guards >= before)
		return false;
	join(&a, to, first, second, part);
	return true;
}

static int count_members(const api_solver *f, const api_membership *to, int representative)
{
	int n = 0;
	for (int i = 0; i < f->n; i++)
		n += to[i].representative == representative;
	return n;
}

/* The representatives, those with most members first. */
static int list_representatives(const api_solver *f, const api_membership *to, int *list)
{
	int n = 0;
	for (int i = 0; i < f->n; i++) {
		if (to[i].representative != i)
			continue;
		int k = n++;
		for (; k > 0 && count_members(f, to, list[k - 1]) < count_members(f, to, i); k--)
			list[k] = list[k - 1];
		list[k] = i;
	}
	return n;
}

static void join_rules(api_solver *f, api_membership *to, memo *judged)
{
	int *list = NEED_ARRAY(f->memory, int, f->n), n = list_representatives(f, to, list);
	for (int first = 0; first < n; first++)
		for (int second = first + 1; second < n; second++) {
			arena_mark mark = arena_save(f->scratch);
			if (to[list[first]].representative == list[first] && to[list[second]].representative == list[second])
				try_join(f, to, judged, list[first], list[second]);
			arena_release(f->scratch, mark);
		}
}

/* ---- outputs in terms of arguments that all signatures have */

/* Whether some signature lacks an argument. */
static bool is_optional(const api_solver *f, const char *argument)
{
	for (int i = 0; i < f->n; i++)
		if (call_is_none(call_named(op_of(f, i)->call, argument)))
			return true;
	return false;
}

/* Whether e mentions a dimension of a tensor that some signature lacks: there is no substitute for it. */
static bool has_optional(const api_solver *f, const operator *op, const expr *e)
{
	if (e->op == OP_SYM)
		return op->roles[e->value].kind == ROLE_DIM && is_optional(f, op->arguments[op->roles[e->value].arg].name);
	return e->a && (has_optional(f, op, e->a) || has_optional(f, op, e->b) || (e->c && has_optional(f, op, e->c)));
}

/* An expression that a clause equates with a dimension, over arguments that all signatures have; NULL: none. */
static const expr *equated_with(const api_solver *f, int i, const expr *dim)
{
	const rule *r = &f->rules[i];
	for (int k = 0; k < r->nclauses; k++) {
		const expr *e = r->clauses[k], *is = e->op != OP_EQ ? NULL : e->a == dim ? e->b : e->b == dim ? e->a : NULL;
		if (is && !has_optional(f, op_of(f, i), is))
			return is;
	}
	return NULL;
}

/* Rewrites output dimensions of optional tensors by clauses: the output channels of a convolution are those of its weight,
 * not of its bias. */
static void rewrite_optional(api_solver *f, int i)
{
	rule *r = &f->rules[i];
	for (int d = 0; !r->why && d < r->nodim; d++) {
		const expr *is = r->out[d]->op == OP_SYM && has_optional(f, op_of(f, i), r->out[d]) ? equated_with(f, i, r->out[d]) : NULL;
		if (is && solver_output_holds(op_of(f, i), d, is))
			r->out[d] = is;
	}
}

void api_unify(api_solver *f, api_membership *to)
{
	int representatives[MAX_REPRESENTATIVES], n;
	memo *judged = memo_new();
	bool cached = f->instances;
	if (!cached)
		f->instances = clause_instances_new(f->n);
	bool *among = NEED_ARRAY(f->memory, bool, f->n);
	for (int i = 0; i < f->n; i++) {
		to[i] = (api_membership){.representative = -1};
		rewrite_optional(f, i);
		if (!f->rules[i].why)
			equality_classes_rewrite((rule_store){f->pool, f->memory}, op_of(f, i), &f->rules[i]);
	}
	while ((n = find_representatives(f, to, representatives)) > 0) {
		arena_mark mark = arena_save(f->scratch);
		attempt best = {.size = 0};
		for (int i = 0; i < f->n; i++)
			among[i] = to[i].representative < 0;
		for (int k = 0; k < n; k++) {
			for (int alone = 1; alone >= 0; alone--) {
				attempt a = {.f = f, .representative = representatives[k], .alone = alone, .judged = judged, .rival = &best};
				attempt_make(&a, among);
				if (attempt_beats(&a, &best))
					best = a;
			}
		}
		if (best.size > 1) {
			attempt_add_equalities(&best);
			adopt(&best, to);
		} else {
			keep_own_rule(f, representatives[0], to);
		}
		arena_release(f->scratch, mark);
	}
	join_rules(f, to, judged);
	for (int i = 0; i < f->n; i++) {
		const api_summary *s = to[i].summary;
		for (int k = 0; k < f->n && s; k++)
			among[k] = to[k].representative == i;
		if (s)
			api_defaults_find(f, i, among, s->insteads, s->ninsteads, &f->rules[i]);
	}
	memo_free(judged);
	if (!cached) {
		clause_instances_free(f->instances);
		f->instances = NULL;
	}
}

#include "api_guards.h"

#include <string.h>

#include "instance.h"
#include "need.h"

/* The signatures of the API as operators, for guard.h. */
static operator *operators_of(arena *memory, const api_signature *all, int n, const operator ***list)
{
	operator *ops = NEED_ARRAY(memory, operator, n);
	*list = NEED_ARRAY(memory, const operator *, n);
	for (int i = 0; i < n; i++) {
		ops[i] = (operator){.name = all[i].name, .call = all[i].call, .nout = all[i].call->nout};
		(*list)[i] = &ops[i];
	}
	return ops;
}

/* Marks the members of a case among all signatures of the API and returns their number. */
static int mark(bool *in, const api_rule *r, const bool *members, const api_signature *all, int n)
{
	int count = 0;
	memset(in, 0, sizeof *in * (size_t)n);
	for (int i = 0; i < r->calls.n; i++)
		for (int j = 0; j < n && members[i]; j++)
			if (all[j].call == r->calls.forms[i].of.call) {
				in[j] = true;
				count++;
			}
	return count;
}

typedef struct guard_search {
	const operator **ops;
	const api_signature *all;
	int n;
	bool *in, *out;
	bool *before; /* signatures of earlier cases that have a guard */
	bool *open;   /* signatures whose case is not decided yet */
} guard_search;

/* Marks the signatures that a guard must exclude and returns their number. With `earlier` false, guarded earlier cases need
 * not be excluded. */
static int mark_others(guard_search *w, bool earlier)
{
	int count = 0;
	for (int i = 0; i < w->n; i++) {
		w->out[i] = !w->in[i] && !w->open[i] && (earlier || !w->before[i]);
		count += w->out[i];
	}
	return count;
}

/* Finds the guard of a case: it distinguishes its members from all others, or else from all but those of earlier cases. */
static void find_guard(guard_search *w, const api_rule *r, const bool *members, api_guard *to)
{
	int count = mark(w->in, r, members, w->all, w->n);
	*to = (api_guard){.kind = FOR_GUARDED};
	if (!count)
		to->kind = FOR_SIGNATURES;
	else if (!mark_others(w, true))
		to->kind = FOR_ALL;
	else if (!guard_find(&to->g, w->ops, w->n, w->in, w->out))
		to->kind = !mark_others(w, false) ? FOR_ALL : guard_find(&to->g, w->ops, w->n, w->in, w->out) ? FOR_GUARDED : FOR_SIGNATURES;
	for (int i = 0; i < w->n && to->kind != FOR_SIGNATURES; i++)
		w->before[i] |= w->in[i];
}

static void guard_accept(guard_search *w, api_rule *const *rules, int nrules)
{
	for (int k = 0; k < nrules; k++)
		for (int j = 0; j < rules[k]->naccept; j++)
			find_guard(w, rules[k], rules[k]->accept[j].members, &rules[k]->accept_guards[j]);
}

static void guard_shapes(guard_search *w, api_rule *const *rules, int nrules)
{
	for (int k = 0; k < nrules; k++)
		for (int j = 0; j < rules[k]->nshapes; j++)
			find_guard(w, rules[k], rules[k]->shapes[j].members, &rules[k]->shape_guards[j]);
}

/* ---- signatures whose outputs are all scalars: many whole shapes fit them */

static bool is_scalar(const api_rule *r, int form)
{
	return r->calls.forms[form].of.call->nodim == 0;
}

/* Adds a scalar signature to the case whose guard holds. */
static void join_scalars(const guard_search *w, api_rule *const *rules, int nrules, int k, int form)
{
	api_rule *r = rules[k];
	const operator *op = NULL;
	for (int j = 0; j < w->n; j++)
		op = w->all[j].call == r->calls.forms[form].of.call ? w->ops[j] : op;
	for (int i = 0; i < nrules; i++)
		for (int j = 0; j < rules[i]->nshapes; j++) {
			const api_guard *g = &rules[i]->shape_guards[j];
			if (g->kind == FOR_SIGNATURES || (g->kind == FOR_GUARDED && !guard_holds(&g->g, op)))
				continue;
			if (i == k && api_shapes_are_rule(r, &r->shapes[j], form)) {
				r->shapes[j].members[form] = true;
				r->shapes[j].nmembers++;
			}
			return;
		}
}

/* Puts the remaining scalar signatures into cases of their own. These come first, because no guard excludes scalars. */
static void add_scalars(api_rule *r)
{
	const api_calls *f = &r->calls;
	for (int i = 0; i < f->n && r->nshapes < API_CASES; i++) {
		const call *c = f->forms[i].of.call;
		if (!is_scalar(r, i) || api_rule_shape_case(r, i) >= 0)
			continue;
		api_shapes s = {.tensors = NEED_ARRAY(f->memory, tensor_shape, c->nout), .ntensors = (unsigned)c->nout,
		    .members = NEED_ARRAY(f->memory, bool, f->n)};
		for (int t = 0; t < c->nout; t++)
			s.tensors[t].rank.known = true;
		for (int j = i; j < f->n; j++) {
			s.members[j] = is_scalar(r, j) && f->forms[j].of.call->nout == c->nout && api_rule_shape_case(r, j) < 0;
			s.nmembers += s.members[j];
		}
		memmove(&r->shapes[1], &r->shapes[0], sizeof *r->shapes * (size_t)r->nshapes);
		r->shapes[0] = s;
		r->nshapes++;
	}
}

void api_guards_find(api_rule *const *rules, int nrules, const api_signature *all, int n)
{
	arena *a = arena_new();
	guard_search w = {.all = all, .n = n, .in = NEED_ARRAY(a, bool, n), .out = NEED_ARRAY(a, bool, n), .before = NEED_ARRAY(a, bool, n),
	    .open = NEED_ARRAY(a, bool, n)};
	operators_of(a, all, n, &w.ops);
	guard_accept(&w, rules, nrules);
	w.before = NEED_ARRAY(a, bool, n);
	for (int i = 0; i < n; i++)
		w.open[i] = all[i].call->nodim == 0;
	guard_shapes(&w, rules, nrules);
	for (int k = 0; k < nrules; k++)
		for (int i = 0; i < rules[k]->calls.n; i++)
			if (is_scalar(rules[k], i))
				join_scalars(&w, rules, nrules, k, i);
	for (int k = 0; k < nrules; k++)
		add_scalars(rules[k]);
	w.before = NEED_ARRAY(a, bool, n);
	w.open = NEED_ARRAY(a, bool, n);
	guard_shapes(&w, rules, nrules);
	arena_free(a);
}

#include "api_rule.h"

#include <string.h>

#include "need.h"

int api_rule_accept_case(const api_rule *r, int form)
{
	for (int k = 0; k < r->naccept; k++)
		if (r->accept[k].members[form])
			return k;
	return -1;
}

int api_rule_shape_case(const api_rule *r, int form)
{
	for (int k = 0; k < r->nshapes; k++)
		if (r->shapes[k].members[form])
			return k;
	return -1;
}

/* ---- fitting */

/* The signatures that no case is of yet, among those that have clauses or outputs; the first accept case may be of all. */
static bool *left_over(const api_rule *r, bool shape)
{
	const api_calls *f = &r->calls;
	bool *left = NEED_ARRAY(f->scratch, bool, f->n);
	for (int i = 0; i < f->n; i++) {
		const api_signature *s = &f->forms[i].of;
		bool any = shape ? s->call->nodim > 0 : s->rule->nclauses > 0 || !r->naccept;
		left[i] = any && (shape ? api_rule_shape_case(r, i) : api_rule_accept_case(r, i)) < 0;
	}
	return left;
}

static void fit_accept(api_rule *r)
{
	while (r->naccept < API_CASES) {
		api_clauses all = fit_clauses(&r->calls, left_over(r, false));
		if (!all.nmembers)
			return;
		r->accept[r->naccept++] = all;
	}
}

static void fit_outputs(api_rule *r)
{
	while (r->nshapes < API_CASES) {
		api_shapes s = fit_shapes(&r->calls, left_over(r, true));
		if (!s.nmembers)
			return;
		r->shapes[r->nshapes++] = s;
	}
}

/* An argument that some signatures omit may have the default 1, or 0, if more signatures follow the first case then. */
static void find_defaults(api_rule *r)
{
	api_calls *f = &r->calls;
	int at = 0;
	if (!api_calls_lacking(f, &at))
		return;
	arena_mark mark = arena_save(f->memory);
	const bool *all = left_over(r, false);
	api_clauses now = fit_clauses(f, all);
	int most = now.nmembers;
	at = 0;
	for (const char *name; most < f->n && (name = api_calls_lacking(f, &at));) {
		bool found = false;
		for (int number = 1; number >= 0 && !found; number--) {
			api_calls_default(f, name, number);
			now = fit_clauses(f, all);
			found = now.nmembers > most;
			if (found)
				most = now.nmembers;
			else
				api_calls_forget(f, name);
		}
	}
	arena_release(f->memory, mark);
}

/* Signatures without a clause that the first case is not of. */
static void add_unconditional(api_rule *r)
{
	api_clauses none = {.members = NEED_ARRAY(r->calls.memory, bool, r->calls.n)};
	for (int i = 0; i < r->calls.n; i++) {
		none.members[i] = r->calls.forms[i].of.rule->nclauses == 0 && api_rule_accept_case(r, i) < 0;
		none.nmembers += none.members[i];
	}
	if (none.nmembers && r->naccept < API_CASES)
		r->accept[r->naccept++] = none;
}

/* The same for signatures whose outputs are all scalars. */
static void add_scalars(api_rule *r)
{
	const api_calls *f = &r->calls;
	for (int i = 0; i < f->n && r->nshapes < API_CASES; i++) {
		const call *c = f->forms[i].of.call;
		if (c->nodim || api_rule_shape_case(r, i) >= 0)
			continue;
		api_shapes s = {.tensors = NEED_ARRAY(f->memory, tensor_shape, c->nout), .ntensors = (unsigned)c->nout,
		    .members = NEED_ARRAY(f->memory, bool, f->n)};
		for (int j = i; j < f->n; j++) {
			const call *other = f->forms[j].of.call;
			s.members[j] = other->nodim == 0 && other->nout == c->nout && api_rule_shape_case(r, j) < 0;
			s.nmembers += s.members[j];
		}
		r->shapes[r->nshapes++] = s;
	}
}

api_rule *api_rule_fit(arena *memory, arena *scratch, expr_pool *pool, const api_signature *list, int n, const api_default *defaults,
    int ndefaults)
{
	api_rule *r = NEED_ARRAY(memory, api_rule, 1);
	r->calls = api_calls_of(memory, scratch, pool, list, n);
	for (int k = 0; k < ndefaults; k++)
		api_calls_add_default(&r->calls, defaults[k].argument, defaults[k].instead);
	api_calls_place(&r->calls);
	find_defaults(r);
	fit_accept(r);
	add_unconditional(r);
	fit_outputs(r);
	add_scalars(r);
	for (int k = 0; k < r->nshapes; k++)
		fit_ranks(&r->calls, &r->shapes[k]);
	api_calls_found(&r->calls);
	return r;
}

/* ---- guards */

/* The signatures of the API as guard.h looks at them. */
static operator *stubs_of(arena *memory, const api_signature *all, int n, const operator ***list)
{
	operator *ops = NEED_ARRAY(memory, operator, n);
	*list = NEED_ARRAY(memory, const operator *, n);
	for (int i = 0; i < n; i++) {
		ops[i] = (operator){.name = all[i].name, .call = all[i].call, .nout = all[i].call->nout};
		(*list)[i] = &ops[i];
	}
	return ops;
}

/* Marks the members of a case among all signatures of the API; how many. */
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

typedef struct guarding {
	const operator **ops;
	const api_signature *all;
	int n;
	bool *in, *out, *before; /* before: signatures of earlier cases that have a guard */
} guarding;

/* The guard of a case: it tells its members from all others, or else from all others but those of earlier cases. */
static void find_guard(guarding *w, const api_rule *r, const bool *members, api_guard *to)
{
	int count = mark(w->in, r, members, w->all, w->n), others = 0;
	for (int i = 0; i < w->n; i++) {
		w->out[i] = !w->in[i] && !w->before[i];
		others += w->out[i];
	}
	*to = (api_guard){.kind = FOR_GUARDED};
	if (count == w->n)
		to->kind = FOR_ALL;
	else if (!guard_find(&to->g, w->ops, w->n, w->in, NULL) && (others == 0 || !guard_find(&to->g, w->ops, w->n, w->in, w->out)))
		to->kind = others ? FOR_SIGNATURES : FOR_ALL;
	for (int i = 0; i < w->n && to->kind != FOR_SIGNATURES; i++)
		w->before[i] |= w->in[i];
}

void api_rule_guard(api_rule *const *rules, int nrules, const api_signature *all, int n)
{
	arena *a = arena_new();
	guarding w = {.all = all, .n = n, .in = NEED_ARRAY(a, bool, n), .out = NEED_ARRAY(a, bool, n)};
	stubs_of(a, all, n, &w.ops);
	for (int shape = 0; shape < 2; shape++) {
		w.before = NEED_ARRAY(a, bool, n);
		for (int k = 0; k < nrules; k++) {
			api_rule *r = rules[k];
			for (int j = 0; j < (shape ? r->nshapes : r->naccept); j++)
				if (shape)
					find_guard(&w, r, r->shapes[j].members, &r->shape_guards[j]);
				else
					find_guard(&w, r, r->accept[j].members, &r->accept_guards[j]);
		}
	}
	arena_free(a);
}

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

/* The signatures without a case that have clauses (or outputs). The first accept case also admits signatures without clauses. */
static bool *unassigned(const api_rule *r, bool shape)
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
		api_clauses all = fit_clauses(&r->calls, unassigned(r, false));
		if (!all.nmembers)
			return;
		r->accept[r->naccept++] = all;
	}
}

static void fit_outputs(api_rule *r)
{
	while (r->nshapes < API_CASES) {
		api_shapes s = fit_shapes(&r->calls, unassigned(r, true));
		if (!s.nmembers)
			return;
		r->shapes[r->nshapes++] = s;
	}
}

/* The number of signatures in the first cases of clauses and of outputs. */
typedef struct first_cases {
	int accept, shape;
} first_cases;

static first_cases count_first(const api_rule *r)
{
	return (first_cases){fit_clauses(&r->calls, unassigned(r, false)).nmembers, fit_shapes(&r->calls, unassigned(r, true)).nmembers};
}

/* Whether case a has members that b lacks, and lacks none. */
static bool has_more(first_cases a, first_cases b)
{
	return a.accept >= b.accept && a.shape >= b.shape && a.accept + a.shape > b.accept + b.shape;
}

/* Tries the default 0, -1 or 1 for each argument that some signature omits. Keeps the one with most members of the first cases. */
static void find_defaults(api_rule *r)
{
	static const int64_t NUMBERS[] = {0, -1, 1};
	api_calls *f = &r->calls;
	int at = 0;
	if (!api_calls_lacking(f, &at))
		return;
	arena_mark mark = arena_save(f->memory);
	first_cases most = count_first(r);
	at = 0;
	for (const char *name; most.accept + most.shape < 2 * f->n && (name = api_calls_lacking(f, &at));) {
		int best = -1;
		for (int k = 0; k < (int)(sizeof NUMBERS / sizeof *NUMBERS); k++) {
			api_calls_default(f, name, NUMBERS[k]);
			const first_cases now = count_first(r);
			api_calls_forget(f, name);
			if (has_more(now, most)) {
				most = now;
				best = k;
			}
		}
		if (best >= 0)
			api_calls_default(f, name, NUMBERS[best]);
	}
	arena_release(f->memory, mark);
}

/* Adds a case for signatures without clauses that are not in the first case. */
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

api_rule *api_rule_fit(arena *memory, arena *scratch, expr_pool *pool, const api_signature *list, int n, const rule_default *defaults,
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
	for (int k = 0; k < r->nshapes; k++)
		fit_ranks(&r->calls, &r->shapes[k]);
	api_calls_found(&r->calls);
	return r;
}

#include "api_defaults.h"

#include <string.h>

#include "need.h"

typedef struct finder {
	const api_solver *f;
	const bool *in;
	const instead_of *list;
	int n;
} finder;

static const char *instead_in(const finder *w, int i, const char *argument)
{
	for (int k = 0; k < w->n; k++)
		if (w->list[k].op == i && strcmp(w->list[k].argument, argument) == 0)
			return w->list[k].instead;
	return NULL;
}

static bool is_empty(const call_value *v)
{
	return v->kind == CALL_LIST && v->count == 0;
}

/* The default of an argument; NULL: none, or no signature has the argument. */
static const char *default_of_argument(const finder *w, const char *name)
{
	const char *found = NULL;
	bool given = false;
	for (int i = 0; i < w->f->n; i++) {
		if (!w->in[i])
			continue;
		const call_value *v = call_named(w->f->solvers[i].op->call, name);
		const bool omitted = call_is_none(v);
		const char *instead = omitted || is_empty(v) ? instead_in(w, i, name) : v->assumed ? v->text : NULL;
		given |= !omitted && !v->assumed;
		if (!instead && !omitted)
			continue;
		if (!instead || (found && strcmp(found, instead) != 0))
			return NULL;
		found = instead;
	}
	return given ? found : NULL;
}

static void add_defaults(const finder *w, int i, rule_default *list, int *n)
{
	const call *c = w->f->solvers[i].op->call;
	for (int a = 0; a < c->nargs; a++) {
		const char *name = c->args[a].name, *instead = default_of_argument(w, name);
		for (int k = 0; k < *n && instead; k++)
			if (strcmp(list[k].argument, name) == 0)
				instead = NULL;
		if (instead)
			list[(*n)++] = (rule_default){name, instead};
	}
}

void api_defaults_find(const api_solver *f, int representative, const bool *in, const instead_of *list, int n, rule *to)
{
	const finder w = {f, in, list, n};
	int room = 0;
	for (int i = 0; i < f->n; i++)
		room += in[i] ? f->solvers[i].op->call->nargs : 0;
	rule_default *defaults = NEED_ARRAY(f->memory, rule_default, room);
	to->ndefaults = 0;
	add_defaults(&w, representative, defaults, &to->ndefaults);
	for (int i = 0; i < f->n; i++)
		if (in[i])
			add_defaults(&w, i, defaults, &to->ndefaults);
	to->defaults = defaults;
}

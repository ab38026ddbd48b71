#include "function_owners.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "api_rule_read.h"
#include "instance.h"
#include "name.h"
#include "need.h"

/* ---- names of functions */

/* Whether a name is reserved for the functions of a signature, so that no API may use it. */
static bool is_reserved(const char *name, const char *framework)
{
	static const char *const KINDS[] = {"valid_", "propagate_", "sample_"};
	name += strlen(framework) + 1;
	for (int k = 0; k < 3; k++)
		if (strncmp(name, KINDS[k], strlen(KINDS[k])) == 0)
			return true;
	return false;
}

/* "torch_nn_functional_linear" */
static char *plain_name(arena *a, const char *framework, const char *api)
{
	size_t n = strlen(framework);
	if (strncmp(api, framework, n) == 0 && api[n] == '.')
		api += n + 1;
	char *name = need(arena_printf(a, "%s_%s", framework, api), n);
	for (char *c = name; *c; c++)
		*c = isalnum((unsigned char)*c) ? *c : '_';
	return name;
}

typedef struct api_name {
	const char *name;
	const plan_api *api;
	bool taken; /* by another, or it could be */
} api_name;

static int by_name(const void *a, const void *b)
{
	const api_name *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : strcmp(x->api->name, y->api->name);
}

static int by_api(const void *a, const void *b)
{
	const plan_api *x = ((const api_name *)a)->api, *y = ((const api_name *)b)->api;
	return x < y ? -1 : x > y;
}

/* Whether one name is the other's function of shapes. */
static bool is_longer(const char *name, const char *by)
{
	size_t n = strlen(name);
	return strncmp(name, by, n) == 0 && strcmp(by + n, "_shape") == 0;
}

/* A name for each API, in their order. Names that are one another's, or could be, get a hash of the API. */
static api_name *name_apis(const rule_set *rules, const plan *p)
{
	size_t n = p->napis;
	api_name *list = NEED_ARRAY(rules->memory, api_name, n);
	for (size_t i = 0; i < n; i++)
		list[i] = (api_name){plain_name(rules->memory, p->framework, p->apis[i].name), &p->apis[i], false};
	qsort(list, n, sizeof *list, by_name);
	for (size_t i = 0; i < n; i++) {
		list[i].taken |= is_reserved(list[i].name, p->framework);
		for (size_t k = i + 1; k < n && strncmp(list[i].name, list[k].name, strlen(list[i].name)) == 0; k++)
			list[k].taken |= strcmp(list[i].name, list[k].name) == 0 || is_longer(list[i].name, list[k].name);
	}
	for (size_t i = 0; i < n; i++) {
		const char *full = list[i].api->name;
		if (list[i].taken)
			list[i].name = need(arena_printf(rules->memory, "%s_x%08x", list[i].name, (unsigned)name_hash(full, strlen(full))), 1);
	}
	qsort(list, n, sizeof *list, by_api);
	return list;
}

/* ---- rules */

static bool is_representative(const rule_op *op)
{
	return op->rule.family && strcmp(op->rule.family, op->name) == 0;
}

/* Reads the API rule of a representative. False and d if it is not well-formed, or a signature of it is no instance. */
static bool read_rule(const rule_set *rules, const plan_api *api, const rule_op *op, diag *d)
{
	api_signature *list = NEED_ARRAY(rules->memory, api_signature, api->nrows);
	int n = 0;
	for (size_t i = 0; i < api->nrows; i++) {
		const rule_op *other = api->rows[i]->op;
		if (other->rule.out && other->rule.family && strcmp(other->rule.family, op->name) == 0)
			list[n++] = (api_signature){other->name, other->call, &other->rule};
	}
	api_rule *r = api_rule_read(rules->memory, rules->exprs, op->api_rule, list, n, rules->path, op->line, d);
	for (int k = 0; r && k < n; k++)
		if (!api_rule_is_instance(r, k))
			return diag_at(d, rules->path, op->line, "key \"api_rule\": the rule of \"%.80s\" is no instance", list[k].name);
	for (size_t i = 0; i < api->nrows; i++)
		for (int k = 0; k < n; k++)
			if (api->rows[i]->op->call == list[k].call)
				api->rows[i]->rule = r;
	return r != NULL;
}

/* The functions of an API, of all its rules. */
static bool find_functions(const rule_set *rules, plan_api *api, const char *name, diag *d)
{
	const api_rule **list = NEED_ARRAY(rules->memory, const api_rule *, api->nrows);
	int n = 0;
	for (size_t k = 0; k < api->nrows; k++) {
		const rule_op *op = api->rows[k]->op;
		if (!is_representative(op) || !op->api_rule)
			continue;
		if (!read_rule(rules, api, op, d))
			return false;
		list[n++] = api->rows[k]->rule;
	}
	api->functions = api_functions_of(rules, list, n, name);
	return true;
}

/* ---- owners */

/* The functions that the rows of an API could own: two of a row, NULL where it could not. */
typedef struct candidates {
	const plan *p;
	plan_function **list;
} candidates;

static plan_function **candidates_of(const candidates *c, const plan_row *row)
{
	return &c->list[2 * (row - c->p->rows)];
}

/* Functions without a condition or an output have no owner: there is only one such function. */
static candidates find_candidates(const rule_set *rules, const plan *p)
{
	candidates c = {p, NEED_ARRAY(rules->memory, plan_function *, 2 * p->nrows)};
	for (size_t i = 0; i < p->napis; i++)
		for (size_t k = 0; k < p->apis[i].nrows; k++) {
			const plan_row *row = p->apis[i].rows[k];
			plan_function *of[] = {row->valid, row->propagate};
			for (int shape = 0; shape < 2; shape++)
				if (of[shape] && of[shape]->text[0] && api_functions_have(p->apis[i].functions, row->op, shape))
					candidates_of(&c, row)[shape] = of[shape];
		}
	return c;
}

/* Keeps the candidates with the fewest symbols, so that no line reads a symbol that a signature lacks. */
static void keep_fewest_symbols(candidates *c)
{
	for (size_t i = 0; i < 2 * c->p->nrows; i++) {
		plan_function *f = c->list[i];
		const plan_row *row = &c->p->rows[i / 2];
		if (f && (!f->owner || row->op->nsym < f->owner->op->nsym))
			f->owner = row;
	}
	for (size_t i = 0; i < 2 * c->p->nrows; i++)
		if (c->list[i] && c->p->rows[i / 2].op->nsym > c->list[i]->owner->op->nsym)
			c->list[i] = NULL;
	for (size_t i = 0; i < c->p->nfunctions; i++)
		c->p->functions[i].owner = NULL;
}

/* How many functions without an owner the API has. */
static size_t count_unowned(const candidates *c, const plan_api *api)
{
	size_t n = 0;
	for (size_t k = 0; k < api->nrows; k++)
		for (int shape = 0; shape < 2; shape++) {
			const plan_function *f = candidates_of(c, api->rows[k])[shape];
			n += f && !f->owner;
		}
	return n;
}

/* Makes an API the owner of all its functions that have none. */
static void own_all(const candidates *c, const plan_api *api)
{
	for (size_t k = 0; k < api->nrows; k++)
		for (int shape = 0; shape < 2; shape++) {
			plan_function *f = candidates_of(c, api->rows[k])[shape];
			if (f && !f->owner)
				f->owner = api->rows[k];
		}
}

/* A greedy cover: the API with the most functions owns them, then the one with the most of the rest, and so on. */
static void find_owners(const rule_set *rules, const plan *p)
{
	candidates c = find_candidates(rules, p);
	keep_fewest_symbols(&c);
	for (;;) {
		const plan_api *best = NULL;
		size_t most = 0;
		for (size_t i = 0; i < p->napis; i++) {
			const size_t n = count_unowned(&c, &p->apis[i]);
			if (n > most) {
				best = &p->apis[i];
				most = n;
			}
		}
		if (!best)
			return;
		own_all(&c, best);
	}
}

static bool find_all_functions(const rule_set *rules, plan *p, diag *d)
{
	const api_name *names = name_apis(rules, p);
	for (size_t i = 0; i < p->napis; i++)
		if (!find_functions(rules, &p->apis[i], names[i].name, d))
			return false;
	return true;
}

bool function_owners_find(const rule_set *rules, plan *plans, size_t nplans, diag *d)
{
	for (size_t i = 0; i < nplans; i++) {
		if (!find_all_functions(rules, &plans[i], d))
			return false;
		find_owners(rules, &plans[i]);
	}
	return true;
}

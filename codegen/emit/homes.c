#include "homes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "api_rule_read.h"
#include "family_code.h"
#include "instance.h"
#include "name.h"
#include "need.h"

/* ---- names of families */

/* Whether a name is reserved for the functions of a signature, so that no API rule may use it. */
static bool is_reserved(const char *name, const char *framework)
{
	static const char *const KINDS[] = {"valid_", "propagate_", "sample_"};
	name += strlen(framework) + 1;
	for (int k = 0; k < 3; k++)
		if (strncmp(name, KINDS[k], strlen(KINDS[k])) == 0)
			return true;
	return false;
}

/* "torch_nn_functional_linear", and with the leader's number where it is not the API's first family. */
static char *plain_name(arena *a, const char *framework, const rule_op *leader, bool first)
{
	const char *api = leader->api, *dash = strrchr(leader->name, '-');
	size_t n = strlen(framework);
	if (strncmp(api, framework, n) == 0 && api[n] == '.')
		api += n + 1;
	char *name = need(arena_printf(a, first || !dash ? "%s_%s" : "%s_%s_%s", framework, api, dash ? dash + 1 : ""), n);
	for (char *c = name; *c; c++)
		*c = isalnum((unsigned char)*c) ? *c : '_';
	return name;
}

typedef struct taken {
	const char *name;
	const rule_op *leader;
	bool twice;
} taken;

static int by_name(const void *a, const void *b)
{
	const taken *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : strcmp(x->leader->name, y->leader->name);
}

/* ---- */

static bool leads(const rule_op *op)
{
	return op->rule.family && strcmp(op->rule.family, op->name) == 0;
}

/* Whether one name is the other and what a family's functions have behind it. */
static bool is_longer(const char *name, const char *by)
{
	size_t n = strlen(name);
	return strncmp(name, by, n) == 0 && strncmp(by + n, "_shape", 6) == 0;
}

/* Names that are one another's, or could be, get a hash of their API. */
static taken *name_families(const rule_set *rules, const plan *p, size_t *n)
{
	taken *list = NEED_ARRAY(rules->memory, taken, p->nrows);
	*n = 0;
	for (size_t i = 0; i < p->napis; i++) {
		bool first = true;
		for (size_t k = 0; k < p->apis[i].nrows; k++) {
			const rule_op *op = p->apis[i].rows[k]->op;
			if (!leads(op))
				continue;
			list[(*n)++] = (taken){plain_name(rules->memory, p->framework, op, first), op, false};
			first = false;
		}
	}
	qsort(list, *n, sizeof *list, by_name);
	for (size_t i = 0; i < *n; i++) {
		list[i].twice |= is_reserved(list[i].name, p->framework);
		for (size_t k = i + 1; k < *n && strncmp(list[i].name, list[k].name, strlen(list[i].name)) == 0; k++)
			list[k].twice |= strcmp(list[i].name, list[k].name) == 0 || is_longer(list[i].name, list[k].name);
	}
	for (size_t i = 0; i < *n; i++) {
		const char *full = list[i].leader->name;
		if (list[i].twice)
			list[i].name = need(arena_printf(rules->memory, "%s_x%08x", list[i].name, (unsigned)name_hash(full, strlen(full))), 1);
	}
	return list;
}

static const char *name_of(const taken *list, size_t n, const rule_op *leader)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].leader == leader)
			return list[i].name;
	return "";
}

/* Reads the API rule that `leader` represents. False and d if it is not well-formed, or a signature of it is no instance. */
static bool read_rule(const rule_set *rules, const plan_api *api, const rule_op *leader, const char *name, diag *d)
{
	api_signature *list = NEED_ARRAY(rules->memory, api_signature, api->nrows);
	int n = 0;
	for (size_t i = 0; i < api->nrows; i++) {
		const rule_op *op = api->rows[i]->op;
		if (op->rule.out && op->rule.family && strcmp(op->rule.family, leader->name) == 0)
			list[n++] = (api_signature){op->name, op->call, &op->rule};
	}
	api_rule *r = api_rule_read(rules->memory, rules->exprs, leader->api_rule, list, n, rules->path, leader->line, d);
	for (int k = 0; r && k < n; k++)
		if (!api_rule_is_instance(r, k))
			return diag_at(d, rules->path, leader->line, "key \"api_rule\": the rule of \"%.80s\" is no instance", list[k].name);
	const family_code *c = r ? family_code_of(rules, r, name) : NULL;
	for (size_t i = 0; i < api->nrows; i++)
		for (int k = 0; k < n; k++)
			if (api->rows[i]->op->call == list[k].call)
				api->rows[i]->family = c;
	return r != NULL;
}

/* Functions that say nothing stay where they are: all of them are one. */
static void settle(const plan_row *row, plan_function *f, bool is)
{
	if (is && !f->home && f->text[0])
		f->home = row;
}

static bool find_homes(const rule_set *rules, plan *p, diag *d)
{
	size_t n;
	const taken *names = name_families(rules, p, &n);
	for (size_t i = 0; i < p->napis; i++) {
		const plan_api *api = &p->apis[i];
		for (size_t k = 0; k < api->nrows; k++) {
			const rule_op *op = api->rows[k]->op;
			if (leads(op) && op->api_rule && !read_rule(rules, api, op, name_of(names, n, op), d))
				return false;
		}
		for (size_t k = 0; k < api->nrows; k++) {
			const plan_row *row = api->rows[k];
			if (!row->family)
				continue;
			settle(row, row->valid, family_code_accepts(row->family, row->op));
			settle(row, row->propagate, family_code_shapes(row->family, row->op));
		}
	}
	return true;
}

bool homes_find_all(const rule_set *rules, plan *plans, size_t nplans, diag *d)
{
	for (size_t i = 0; i < nplans; i++)
		if (!find_homes(rules, &plans[i], d))
			return false;
	return true;
}

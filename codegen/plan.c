#include "plan.h"

#include <string.h>

#include "name.h"
#include "need.h"

/* ---- functions */

/* One operator's wish for a function; equal wishes become one. */
typedef struct wish {
	const char *text;
	plan_row *row;
	bool propagates;
} wish;

static const char *texts(arena *a, const expr *const *e, unsigned n)
{
	buf text = {0};
	for (unsigned i = 0; i < n; i++) {
		expr_print(&text, e[i]);
		buf_putc(&text, '\n');
	}
	const char *kept = keep(a, &text);
	buf_free(&text);
	return kept;
}

static int by_text(const void *a, const void *b)
{
	const wish *x = a, *y = b;
	if (x->propagates != y->propagates)
		return x->propagates ? 1 : -1;
	int order = strcmp(x->text, y->text);
	if (order == 0)
		order = strcmp(x->row->op->api, y->row->op->api);
	return order ? order : strcmp(x->row->op->name, y->row->op->name);
}

static int by_function_name(const void *a, const void *b)
{
	const plan_function *x = a, *y = b;
	return strcmp(x->name, y->name);
}

/* Functions without clauses or outputs say so; they are shared even when one API uses them. */
static void name_function(arena *a, const char *framework, plan_function *f)
{
	const char *what = f->propagates ? "propagate" : "valid";
	f->hash = name_hash(f->text, strlen(f->text));
	if (f->text[0] == '\0') {
		f->name = need(arena_printf(a, "%s_%s_%s", framework, what,
				   f->propagates ? "scalars" : "always"),
		    64);
		f->shard = '0';
		return;
	}
	f->name = need(
	    arena_printf(a, "%s_%s_%016llx", framework, what, (unsigned long long)f->hash), 64);
	if (f->napis > 1)
		f->shard = "0123456789abcdef"[f->hash >> 60];
}

/* The wishes of rows that have a rule, equal ones side by side. */
static wish *collect_wishes(const rule_set *rules, plan *p, size_t *count)
{
	wish *wishes = NEED_ARRAY(rules->memory, wish, p->nrows * 2);
	*count = 0;
	for (size_t i = 0; i < p->nrows; i++) {
		plan_row *row = &p->rows[i];
		const rule_op *op = row->op;
		if (!op->out)
			continue;
		wishes[(*count)++] =
		    (wish){texts(rules->memory, op->valid, op->nvalid), row, false};
		wishes[(*count)++] = (wish){texts(rules->memory, op->out, op->nodim), row, true};
	}
	qsort(wishes, *count, sizeof *wishes, by_text);
	return wishes;
}

static bool same_function(const wish *a, const wish *b)
{
	return a->propagates == b->propagates && strcmp(a->text, b->text) == 0;
}

static bool plan_functions(const rule_set *rules, plan *p, diag *d)
{
	size_t count;
	const wish *w = collect_wishes(rules, p, &count);
	p->functions = NEED_ARRAY(rules->memory, plan_function, count);
	for (size_t i = 0, from = 0; i < count; i++) {
		bool new = i == 0 || !same_function(&w[i], &w[i - 1]);
		if (new) {
			from = i;
			p->functions[p->nfunctions++] = (plan_function){
			    .text = w[i].text, .op = w[i].row->op, .propagates = w[i].propagates};
		}
		plan_function *f = &p->functions[p->nfunctions - 1];
		bool new_api = i == from || strcmp(w[i].row->op->api, w[i - 1].row->op->api) != 0;
		f->napis += new_api;
		f->nops++;
		if (new_api && f->napis == 2)
			f->second = w[i].row->op->api;
	}
	for (size_t i = 0; i < p->nfunctions; i++)
		name_function(rules->memory, p->framework, &p->functions[i]);
	qsort(p->functions, p->nfunctions, sizeof *p->functions, by_function_name);
	for (size_t i = 1; i < p->nfunctions; i++)
		if (strcmp(p->functions[i].name, p->functions[i - 1].name) == 0)
			return diag_set(
			    d, "two functions hash to the name %s", p->functions[i].name);
	return true;
}

static const plan_function *find_function(
    arena *a, const plan *p, const expr *const *e, unsigned n, bool propagates)
{
	arena_mark mark = arena_save(a);
	plan_function key = {.text = texts(a, e, n), .propagates = propagates};
	name_function(a, p->framework, &key);
	const plan_function *f =
	    bsearch(&key, p->functions, p->nfunctions, sizeof key, by_function_name);
	arena_release(a, mark);
	return f;
}

static void connect_rows(const rule_set *rules, plan *p)
{
	for (size_t i = 0; i < p->nrows; i++) {
		plan_row *row = &p->rows[i];
		const rule_op *op = row->op;
		if (!op->out)
			continue;
		row->valid = find_function(rules->memory, p, op->valid, op->nvalid, false);
		row->propagate = find_function(rules->memory, p, op->out, op->nodim, true);
	}
}

/* ---- APIs */

static int by_api(const void *a, const void *b)
{
	const plan_row *x = *(plan_row *const *)a, *y = *(plan_row *const *)b;
	int order = strcmp(x->op->api, y->op->api);
	return order ? order : strcmp(x->op->name, y->op->name);
}

/* Of file names that differ in case only, all but the first get a hash. */
static void name_api(arena *a, const plan *p, plan_api *api)
{
	api->file = name_file(a, p->framework, api->name);
	for (const plan_api *other = p->apis; other < api; other++)
		if (name_equal_folded(other->file, api->file)) {
			api->file = name_file_hashed(a, p->framework, api->name);
			return;
		}
}

static void plan_apis(const rule_set *rules, plan *p)
{
	plan_row **order = NEED_ARRAY(rules->memory, plan_row *, p->nrows);
	p->apis = NEED_ARRAY(rules->memory, plan_api, p->nrows);
	for (size_t i = 0; i < p->nrows; i++)
		order[i] = &p->rows[i];
	qsort(order, p->nrows, sizeof *order, by_api);
	for (size_t i = 0; i < p->nrows; i++) {
		if (i == 0 || strcmp(order[i]->op->api, order[i - 1]->op->api) != 0) {
			plan_api *api = &p->apis[p->napis++];
			*api = (plan_api){.name = order[i]->op->api, .rows = order + i};
			name_api(rules->memory, p, api);
		}
		p->apis[p->napis - 1].nrows++;
	}
}

/* ---- rules */

static int by_id(const void *a, const void *b)
{
	const rule_op *x = *(const rule_op *const *)a, *y = *(const rule_op *const *)b;
	int order = strcmp(x->id, y->id);
	return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

static bool same_rule(const rule_op *x, const rule_op *y)
{
	/* Equal expressions of one pool are one pointer. */
	return x->nsym == y->nsym && x->nodim == y->nodim && x->nvalid == y->nvalid
	       && memcmp(x->out, y->out, x->nodim * sizeof *x->out) == 0
	       && memcmp(x->valid, y->valid, x->nvalid * sizeof *x->valid) == 0;
}

/* An id names one rule. */
static bool check_ids(const rule_set *rules, diag *d)
{
	const rule_op **order = NEED_ARRAY(rules->memory, const rule_op *, rules->nops);
	size_t n = 0;
	for (size_t i = 0; i < rules->nops; i++)
		if (rules->ops[i].out)
			order[n++] = &rules->ops[i];
	qsort(order, n, sizeof *order, by_id);
	for (size_t i = 1; i < n; i++)
		if (strcmp(order[i]->id, order[i - 1]->id) == 0
		    && !same_rule(order[i], order[i - 1]))
			return diag_set(d,
			    "the id %s stands for two rules: of \"%.80s\" and of \"%.80s\"",
			    order[i]->id, order[i - 1]->name, order[i]->name);
	return true;
}

static bool plan_framework(const rule_set *rules, size_t from, size_t to, plan *p, diag *d)
{
	*p = (plan){.framework = rules->ops[from].framework, .version = "", .nrows = to - from};
	p->rows = NEED_ARRAY(rules->memory, plan_row, p->nrows);
	for (size_t i = from; i < to; i++) {
		p->rows[i - from].op = &rules->ops[i];
		if (p->version[0] == '\0')
			p->version = rules->ops[i].version;
	}
	if (!plan_functions(rules, p, d))
		return false;
	connect_rows(rules, p);
	plan_apis(rules, p);
	return true;
}

bool plan_make(const rule_set *rules, plan **plans, size_t *nplans, diag *d)
{
	*plans = NEED_ARRAY(rules->memory, plan, rules->nops);
	*nplans = 0;
	if (!check_ids(rules, d))
		return false;
	for (size_t from = 0, to; from < rules->nops; from = to) {
		const char *framework = rules->ops[from].framework;
		for (to = from;
		     to < rules->nops && strcmp(rules->ops[to].framework, framework) == 0;)
			to++;
		for (size_t i = 0; i < *nplans; i++)
			if (name_equal_folded((*plans)[i].framework, framework))
				return diag_set(d,
				    "frameworks \"%s\" and \"%s\" differ in case only",
				    (*plans)[i].framework, framework);
		if (!plan_framework(rules, from, to, &(*plans)[(*nplans)++], d))
			return false;
	}
	return true;
}

#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "api_groups.h"
#include "name.h"
#include "need.h"
#include "sampler_choose.h"
#include "sampler_program.h"
#include "sampler_trial.h"
#include "workers.h"

/* ---- functions */

/* One operator's wish for a function; equal wishes become one. */
typedef struct wish {
	const char *text, *group; /* as plan_function */
	plan_row *row;
	enum plan_kind kind;
} wish;

enum { DIGITS = 6 }; /* of a function's name at least */

static const char *const KINDS[] = {"valid", "propagate"};

const char *plan_kind_name(enum plan_kind kind)
{
	return KINDS[kind];
}

const char *plan_function_key(const plan_function *f)
{
	return strrchr(f->name, '_') + 1;
}

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
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	int order = strcmp(x->text, y->text);
	if (order == 0)
		order = strcmp(x->group, y->group);
	return order ? order : strcmp(x->row->op->name, y->row->op->name);
}

static int by_function(const void *a, const void *b)
{
	const plan_function *x = a, *y = b;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static uint64_t function_hash(const plan_function *f)
{
	uint64_t hash = name_hash(f->text, strlen(f->text));
	return hash ^ name_hash(f->group, strlen(f->group));
}

/* Functions without clauses or outputs are named so, and are shared even if one API uses them. */
static void name_function(arena *a, const char *framework, plan_function *f, unsigned digits)
{
	const char *what = KINDS[f->kind];
	if (f->text[0] == '\0') {
		f->name = need(arena_printf(a, "%s_%s_%s", framework, what,
				   f->kind == PLAN_PROPAGATE ? "scalars" : "always"),
		    64);
		f->shard = '0';
		return;
	}
	f->name = need(arena_printf(a, "%s_%s_%0*llx", framework, what, (int)digits,
			   (unsigned long long)f->hash >> (64 - 4 * digits)),
	    64);
}

/* The hash of a neighbour of the same kind. */
static const uint64_t *neighbour(const plan_function *f, const plan_function *g)
{
	return f->kind == g->kind ? &g->hash : NULL;
}

/* Names as short as tell the functions apart. */
static bool name_functions(arena *a, plan *p, diag *d)
{
	plan_function *f = p->functions;
	for (size_t i = 0; i < p->nfunctions; i++)
		f[i].hash = function_hash(&f[i]);
	qsort(f, p->nfunctions, sizeof *f, by_function);
	for (size_t i = 0; i < p->nfunctions; i++) {
		unsigned n = name_length(f[i].hash, i ? neighbour(&f[i], &f[i - 1]) : NULL,
		    i + 1 < p->nfunctions ? neighbour(&f[i], &f[i + 1]) : NULL, DIGITS);
		if (n > 16)
			return diag_set(d, "two functions hash to %016llx", (unsigned long long)f[i].hash);
		name_function(a, p->framework, &f[i], n);
	}
	return true;
}

/* ---- samplers */

/* A row with what its samplers depend on: its rule and which symbols are whose. */
typedef struct sampled {
	plan_row *row;
	const char *key, *sample, *back;
	const char *trial; /* of a direct sampler: the key, and what else the trials that confirm it depend on */
} sampled;

static int by_key(const void *a, const void *b)
{
	const sampled *x = a, *y = b;
	int order = strcmp(x->key, y->key);
	return order ? order : strcmp(x->row->op->name, y->row->op->name);
}

static int by_trial(const void *a, const void *b)
{
	const sampled *x = *(sampled *const *)a, *y = *(sampled *const *)b;
	return strcmp(x->trial, y->trial);
}

static const char *sampler_key(arena *a, const rule_op *op)
{
	buf text = {0};
	buf_puts(&text, op->id);
	for (unsigned i = 0; i < op->nvalues; i++)
		if (rs_is_tensor(op->values[i].kind))
			buf_printf(&text, " %u:%u:%u", op->values[i].kind, op->values[i].first,
			    op->values[i].count);
	for (unsigned i = 0; i < op->nout; i++)
		buf_printf(&text, " %u", op->outputs[i].rank);
	const char *key = keep(a, &text);
	buf_free(&text);
	return key;
}

/* Those whose key is the same are the one that is derived. */
typedef struct derivation {
	sampled *list;
	const size_t *firsts; /* of each key */
} derivation;

static char *text_of(const rule_set *own, const sampler *s)
{
	const char *program = sampler_program(own->memory, s);
	return program ? need(strdup(program), strlen(program)) : NULL;
}

/* In memory of its own: neither expressions nor arenas are for several threads. */
static bool derive(void *user, void *unused, int k)
{
	const derivation *d = user;
	sampled *to = &d->list[d->firsts[k]];
	rule_store store = rule_store_new();
	rule_set own = {.memory = store.memory, .exprs = store.pool};
	rule_op op = *to->row->op;
	(void)unused;
	op.rule = rule_copy(store, &op.rule);
	sampler_pair pair = sampler_choose(&own, &op);
	if (pair.kind != RS_SAMPLER_RECORD) {
		to->sample = text_of(&own, &pair.forward);
		to->back = pair.one ? to->sample : text_of(&own, &pair.back);
	}
	to->row->sampler = to->sample && to->back ? pair.kind : RS_SAMPLER_RECORD;
	rule_store_free(&store);
	return true;
}

static const char *trial_key(arena *a, const sampled *s)
{
	buf text = {0};
	buf_printf(&text, "%s, ", s->key);
	sampler_trial_box(&text, s->row->op);
	const char *key = keep(a, &text);
	buf_free(&text);
	return key;
}

/* Direct samplers, those side by side whose trials are the same. */
typedef struct confirmation {
	sampled **list;
	const size_t *firsts; /* of each trial; behind the last, the end */
} confirmation;

static bool confirm(void *user, void *unused, int k)
{
	const confirmation *c = user;
	const sampled *first = c->list[c->firsts[k]];
	(void)unused;
	if (!sampler_is_direct(first->row->op, first->sample, first->back))
		for (size_t i = c->firsts[k]; i < c->firsts[k + 1]; i++)
			c->list[i]->row->sampler = RS_SAMPLER_BOUNDED;
	return true;
}

/* What was direct for one operator may meet dead ends in the box of another one's records. */
static void confirm_direct(const rule_set *rules, sampled *list, size_t n, workers *w)
{
	confirmation c = {.list = NEED_ARRAY(rules->memory, sampled *, n)};
	size_t *firsts = NEED_ARRAY(rules->memory, size_t, n + 1), ndirect = 0;
	for (size_t i = 0; i < n; i++)
		if (list[i].row->sampler == RS_SAMPLER_DIRECT) {
			list[i].trial = trial_key(rules->memory, &list[i]);
			c.list[ndirect++] = &list[i];
		}
	qsort(c.list, ndirect, sizeof *c.list, by_trial);
	w->tasks = 0;
	for (size_t i = 0; i < ndirect; i++)
		if (i == 0 || by_trial(&c.list[i], &c.list[i - 1]) != 0)
			firsts[w->tasks++] = i;
	firsts[w->tasks] = ndirect;
	c.firsts = firsts;
	w->user = &c;
	w->task = confirm;
	workers_run(w);
}

/* Into memory that lives as long as the plan. */
static void keep_programs(arena *a, sampled *s)
{
	char *sample = (char *)s->sample, *back = (char *)s->back;
	s->sample = sample ? need(arena_strdup(a, sample), strlen(sample)) : NULL;
	s->back = back == sample ? s->sample : back ? need(arena_strdup(a, back), strlen(back)) : NULL;
	if (back != sample)
		free(back);
	free(sample);
}

static sampled *plan_samplers(const rule_set *rules, plan *p, int threads, size_t *count)
{
	sampled *list = NEED_ARRAY(rules->memory, sampled, p->nrows);
	size_t *firsts = NEED_ARRAY(rules->memory, size_t, p->nrows), nfirsts = 0;
	*count = 0;
	for (size_t i = 0; i < p->nrows; i++)
		if (p->rows[i].op->rule.out)
			list[(*count)++] = (sampled){.row = &p->rows[i],
			    .key = sampler_key(rules->memory, p->rows[i].op)};
	qsort(list, *count, sizeof *list, by_key);
	for (size_t i = 0; i < *count; i++)
		if (i == 0 || strcmp(list[i].key, list[i - 1].key) != 0)
			firsts[nfirsts++] = i;
	derivation d = {list, firsts};
	workers w = {.threads = threads, .tasks = (int)nfirsts, .user = &d, .task = derive};
	workers_run(&w);
	for (size_t i = 0, k = 0; i < *count; i++) {
		if (k < nfirsts && firsts[k] == i) {
			keep_programs(rules->memory, &list[i]);
			k++;
			continue;
		}
		list[i].sample = list[i - 1].sample;
		list[i].back = list[i - 1].back;
		list[i].row->sampler = list[i - 1].row->sampler;
	}
	confirm_direct(rules, list, *count, &w);
	return list;
}

/* ---- all functions */

/* Whether only APIs of one group share a function: it has a condition or an output. */
static bool is_grouped(const char *text)
{
	return *text != 0;
}

/* Finds the groups of the APIs, and gives them to the wishes and their rows. */
static void group_wishes(arena *a, wish *wishes, size_t count)
{
	api_group_entry *entries = NEED_ARRAY(a, api_group_entry, count);
	size_t n = 0;
	for (size_t i = 0; i < count; i++)
		if (is_grouped(wishes[i].text))
			entries[n++] = (api_group_entry){.api = wishes[i].row->op->api,
			    .hash = name_hash(wishes[i].text, strlen(wishes[i].text)) + wishes[i].kind};
	api_groups_find(a, entries, n);
	n = 0;
	for (size_t i = 0; i < count; i++)
		if (is_grouped(wishes[i].text))
			wishes[i].group = wishes[i].row->group = entries[n++].group;
}

/* The wishes of rows that have a rule, equal ones side by side. */
static wish *collect_wishes(
    const rule_set *rules, const sampled *samplers, size_t nsamplers, size_t *count)
{
	wish *wishes = NEED_ARRAY(rules->memory, wish, nsamplers * 2);
	*count = 0;
	for (size_t i = 0; i < nsamplers; i++) {
		plan_row *row = samplers[i].row;
		const rule_op *op = row->op;
		const char *clauses = texts(rules->memory, op->rule.clauses, op->rule.nclauses);
		wishes[(*count)++] = (wish){clauses, "", row, PLAN_VALID};
		wishes[(*count)++] =
		    (wish){texts(rules->memory, op->rule.out, op->nodim), "", row, PLAN_PROPAGATE};
	}
	group_wishes(rules->memory, wishes, *count);
	qsort(wishes, *count, sizeof *wishes, by_text);
	return wishes;
}

static bool same_function(const wish *a, const wish *b)
{
	return a->kind == b->kind && strcmp(a->text, b->text) == 0 && strcmp(a->group, b->group) == 0;
}

static bool plan_functions(
    const rule_set *rules, plan *p, const sampled *samplers, size_t nsamplers, diag *d)
{
	size_t count;
	const wish *w = collect_wishes(rules, samplers, nsamplers, &count);
	p->functions = NEED_ARRAY(rules->memory, plan_function, count);
	for (size_t i = 0; i < count; i++) {
		bool new = i == 0 || !same_function(&w[i], &w[i - 1]);
		if (new)
			p->functions[p->nfunctions++] = (plan_function){
			    .text = w[i].text, .group = w[i].group, .row = w[i].row, .kind = w[i].kind};
		plan_function *f = &p->functions[p->nfunctions - 1];
		if (w[i].row->op->nsym < f->row->op->nsym) /* so that it reads no more than any of them has */
			f->row = w[i].row;
	}
	return name_functions(rules->memory, p, d);
}

static plan_function *find_function(const plan *p, const plan_row *row, const char *text, enum plan_kind kind)
{
	plan_function key = {.text = text, .group = is_grouped(text) ? row->group : "", .kind = kind};
	key.hash = function_hash(&key);
	return bsearch(&key, p->functions, p->nfunctions, sizeof key, by_function);
}

static void connect_rows(
    const rule_set *rules, const plan *p, const sampled *samplers, size_t nsamplers)
{
	arena *a = rules->memory;
	for (size_t i = 0; i < nsamplers; i++) {
		plan_row *row = samplers[i].row;
		const rule_op *op = row->op;
		arena_mark mark = arena_save(a);
		const char *clauses = texts(a, op->rule.clauses, op->rule.nclauses);
		row->valid = find_function(p, row, clauses, PLAN_VALID);
		row->propagate = find_function(p, row, texts(a, op->rule.out, op->nodim), PLAN_PROPAGATE);
		if (row->sampler != RS_SAMPLER_RECORD) {
			row->sample = samplers[i].sample;
			row->back = samplers[i].back;
		}
		arena_release(a, mark);
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
		plan_api *api = &p->apis[p->napis - 1];
		order[i]->file = api->file;
		api->nrows++;
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
	return x->nsym == y->nsym && rule_equal(&x->rule, &y->rule);
}

/* An id names one rule. */
static bool check_ids(const rule_set *rules, diag *d)
{
	const rule_op **order = NEED_ARRAY(rules->memory, const rule_op *, rules->nops);
	size_t n = 0;
	for (size_t i = 0; i < rules->nops; i++)
		if (rules->ops[i].rule.out)
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

/* A row gives the end of a signature's name only. */
static bool check_names(const rule_set *rules, diag *d)
{
	for (size_t i = 0; i < rules->nops; i++) {
		const rule_op *op = &rules->ops[i];
		if (strncmp(op->name, op->api, strlen(op->api)) != 0)
			return diag_at(d, rules->path, op->line, "key \"op\": \"%.80s\" does not begin with the API \"%.80s\"", op->name, op->api);
	}
	return true;
}

static bool plan_framework(const rule_set *rules, size_t from, size_t to, int threads, plan *p, diag *d)
{
	*p = (plan){.framework = rules->ops[from].framework, .version = "", .nrows = to - from};
	p->rows = NEED_ARRAY(rules->memory, plan_row, p->nrows);
	for (size_t i = from; i < to; i++) {
		p->rows[i - from].op = &rules->ops[i];
		if (p->version[0] == '\0')
			p->version = rules->ops[i].version;
	}
	size_t nsamplers;
	const sampled *samplers = plan_samplers(rules, p, threads, &nsamplers);
	if (!plan_functions(rules, p, samplers, nsamplers, d))
		return false;
	connect_rows(rules, p, samplers, nsamplers);
	plan_apis(rules, p);
	return true;
}

bool plan_make(const rule_set *rules, int threads, plan **plans, size_t *nplans, diag *d)
{
	*plans = NEED_ARRAY(rules->memory, plan, rules->nops);
	*nplans = 0;
	if (!check_names(rules, d) || !check_ids(rules, d))
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
		if (!plan_framework(rules, from, to, threads, &(*plans)[(*nplans)++], d))
			return false;
	}
	return true;
}

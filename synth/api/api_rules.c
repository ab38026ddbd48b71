#include "api_rules.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api_guards.h"
#include "api_rule_put.h"
#include "instance.h"
#include "need.h"
#include "workers.h"

/* The operators of one API. */
typedef struct group {
	int from, n; /* range of the list */
} group;

typedef struct fitting {
	const records *records;
	const int *list;
	const rule *rules;
	group *groups;
	int ngroups;
	api_rules *to;
	pthread_mutex_t lock; /* guards *to */
} fitting;

/* State of fitting one API. */
typedef struct work {
	arena *memory, *scratch;
	rule_store store; /* expressions of its rules, in one pool */
	api_signature *all; /* The signatures that have a rule. */
	const char **represented; /* Per signature, the name of the representative of its API rule. */
	int *index;		  /* Per signature, the index of its operator. */
	int n;
	api_rule **fitted;
	int *of; /* Per rule, its representative. */
	int nfitted;
} work;

static void add_signatures(work *w, const fitting *f, const group *g)
{
	w->all = NEED_ARRAY(w->memory, api_signature, g->n);
	w->represented = NEED_ARRAY(w->memory, const char *, g->n);
	w->index = NEED_ARRAY(w->memory, int, g->n);
	w->fitted = NEED_ARRAY(w->memory, api_rule *, g->n);
	w->of = NEED_ARRAY(w->memory, int, g->n);
	for (int k = 0; k < g->n; k++) {
		int i = f->list[g->from + k];
		const operator *op = &f->records->ops[i];
		if (f->rules[i].why || !f->rules[i].out)
			continue;
		rule *r = NEED_ARRAY(w->memory, rule, 1);
		*r = rule_copy(w->store, &f->rules[i]);
		w->all[w->n] = (api_signature){op->name, op->call, r};
		w->represented[w->n] = r->family;
		w->index[w->n++] = i;
	}
}

/* Fits the rule that signature `representative` represents. */
static void fit_rule(work *w, const records *records, int representative)
{
	api_signature *members = NEED_ARRAY(w->memory, api_signature, w->n);
	const operator **ops = NEED_ARRAY(w->memory, const operator *, w->n);
	const rule *leader = w->all[representative].rule;
	int n = 0;
	for (int k = 0; k < w->n; k++)
		if (w->represented[k] && strcmp(w->represented[k], w->all[representative].name) == 0) {
			ops[n] = &records->ops[w->index[k]];
			members[n++] = w->all[k];
		}
	w->of[w->nfitted] = representative;
	w->fitted[w->nfitted] = api_rule_fit(w->memory, w->scratch, w->store.pool, members, n, leader->defaults, leader->ndefaults);
	api_rule_drop_non_instances(w->fitted[w->nfitted]);
	api_rule_count_evidence(w->fitted[w->nfitted++], ops);
}

/* Number of signatures that are instances in clauses and outputs. */
static int count_instances(const api_rule *r)
{
	int n = 0;
	for (int i = 0; i < r->calls.n; i++)
		n += api_rule_accept_case(r, i) >= 0 && api_rule_shape_case(r, i) >= 0 && api_rule_is_instance(r, i);
	return n;
}

static void hand_over(work *w, fitting *f)
{
	for (int k = 0; k < w->nfitted; k++) {
		buf text = {0};
		int instances = count_instances(w->fitted[k]);
		api_rule_put(&text, w->fitted[k]);
		pthread_mutex_lock(&f->lock);
		f->to->json[w->index[w->of[k]]] = keep(f->to->memory, &text);
		f->to->instances += instances;
		f->to->rules++;
		pthread_mutex_unlock(&f->lock);
		buf_free(&text);
	}
	pthread_mutex_lock(&f->lock);
	f->to->complete += w->n;
	pthread_mutex_unlock(&f->lock);
}

static bool fit_task(void *user, void *own, int k)
{
	fitting *f = user;
	work w = {.memory = arena_new(), .scratch = arena_new(), .store = rule_store_new()};
	(void)own;
	add_signatures(&w, f, &f->groups[k]);
	for (int i = 0; i < w.n; i++)
		if (w.represented[i] && strcmp(w.represented[i], w.all[i].name) == 0)
			fit_rule(&w, f->records, i);
	api_guards_find(w.fitted, w.nfitted, w.all, w.n);
	hand_over(&w, f);
	rule_store_free(&w.store);
	arena_free(w.scratch);
	arena_free(w.memory);
	return true;
}

api_rules api_rules_fit(const records *r, const int *list, int n, const rule *rules, int threads)
{
	api_rules to = {.memory = arena_new()};
	fitting f = {.records = r, .list = list, .rules = rules, .groups = NEED_ARRAY(to.memory, group, n), .to = &to};
	to.json = NEED_ARRAY(to.memory, const char *, r->n);
	for (int k = 0; k < n; k++) {
		if (k == 0 || strcmp(r->ops[list[k]].api, r->ops[list[k - 1]].api) != 0)
			f.groups[f.ngroups++] = (group){.from = k};
		f.groups[f.ngroups - 1].n++;
	}
	pthread_mutex_init(&f.lock, NULL);
	workers w = {.threads = threads, .tasks = f.ngroups, .user = &f, .task = fit_task};
	workers_run(&w);
	pthread_mutex_destroy(&f.lock);
	return to;
}

void api_rules_free(api_rules *a)
{
	arena_free(a->memory);
	*a = (api_rules){0};
}

#include "pipeline.h"

#include <fnmatch.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "clock.h"
#include "cache.h"
#include "choose.h"
#include "omitted_arguments.h"
#include "api_clauses.h"
#include "functions.h"
#include "implied.h"
#include "record_subset.h"
#include "subset_pass.h"
#include "need.h"
#include "quantified_clause.h"
#include "neuri.h"
#include "rule_json.h"
#include "siblings.h"
#include "equivalence.h"
#include "workers.h"

/* The signatures of one API: one task of a thread. */
typedef struct group {
	int from, n; /* from, n: range in the list */
	long records;
	bool wanted; /* solve it in later passes, too */
	bool logged; /* some signature has a log */
	bool mine;   /* solved by this shard */
} group;

typedef struct run {
	const pipeline_options *options;
	records *records;
	pipeline_result *to;
	group *groups; /* the largest first */
	int ngroups, total; /* total: signatures of this pass */
	cache *cache;
	enum pass pass;
	functions *library;    /* from the second pass on */
	uint64_t library_hash; /* part of the second pass's cache keys */
	pthread_mutex_t lock;  /* of to->stages and to->stores */
	atomic_int done, missing;
	double start;
} run;

/* The resources of a thread. */
typedef struct thread_state {
	prover *prover;
	rule_store store; /* owns the rules it finds */
} thread_state;

static const operator *member(const run *c, const group *g, int k)
{
	return &c->records->ops[c->to->list[g->from + k]];
}

static buf *log_of(const run *c, const group *g, int k)
{
	return c->options->logs ? c->options->logs[c->to->list[g->from + k]] : NULL;
}

/* ---- the cache: has either all results of an API or none */

/* A result depends on the records of the whole API, and after the first pass on `more`: see key_of_pass(). */
static uint64_t cache_key(const run *c, const group *g, int k, uint64_t more)
{
	uint64_t h = c->options->search.bank ? 1 : 0;
	if (!c->options->search.bank)
		for (int i = 0; i < g->n; i++)
			h = XXH3_64bits_withSeed(&member(c, g, i)->hash, sizeof h, h);
	return XXH3_64bits_withSeed(&member(c, g, k)->hash, sizeof h, h) ^ more;
}

static bool find_cached(const run *c, const group *g, uint64_t more, rule_store store, rule *to)
{
	for (int k = 0; k < g->n; k++)
		if (g->logged || !cache_find(c->cache, cache_key(c, g, k, more), member(c, g, k), store, &to[k]))
			return false;
	return true;
}

static void keep_all(const run *c, const group *g, uint64_t more, const rule *found)
{
	for (int k = 0; k < g->n; k++) {
		uint64_t key = cache_key(c, g, k, more);
		if (!cache_has(c->cache, key))
			cache_add(c->cache, key, member(c, g, k), &found[k]);
	}
}

/* ---- one API */

static void start(const run *c, const group *g, api_solver *f)
{
	size_t bytes = sizeof(operator *) * (size_t)g->n;
	const operator **ops = need(malloc(bytes), bytes);
	for (int k = 0; k < g->n; k++)
		ops[k] = member(c, g, k);
	api_solver_start(f, ops, g->n, &c->options->search);
	for (int k = 0; k < g->n; k++)
		f->solvers[k].log = log_of(c, g, k);
	free(ops);
}

/* Adds the API's statistics to the result and frees it. */
static void release_api(run *c, const group *g, api_solver *f, pipeline_cost *costs)
{
	for (int k = 0; k < g->n; k++)
		costs[k].work += f->solvers[k].work;
	pthread_mutex_lock(&c->lock);
	for (int k = 0; k < STAGE_COUNT; k++) {
		c->to->stages[k].tried += f->stages[k].tried;
		c->to->stages[k].seconds += f->stages[k].seconds;
	}
	pthread_mutex_unlock(&c->lock);
	api_solver_free(f);
}

/* Proves by Z3 that simplifications are equivalent, and drops implied clauses. */
static void prove(solver *s, prover *p)
{
	rule *r = s->rule;
	int before = r->nclauses;
	long queries, unknown, queries_before, unknown_before;
	equivalence_prove(s, p);
	prover_counts(p, &queries_before, &unknown_before);
	implied_drop(s->op, s->pool, p, r);
	prover_counts(p, &queries, &unknown);
	solver_log(s, "", NULL, "proof: Z3 removed %d of %d clauses as implied (%ld queries, %ld unknown)", before - r->nclauses,
	    before, queries - queries_before, unknown - unknown_before);
	rule_count(s->op, r);
}

/* Clauses that may reject a few passing records, for each signature; common: for all together. */
static void find_tolerant(api_solver *f, bool common)
{
	for (int k = 0; k < f->n; k++) {
		solver *s = &f->solvers[k];
		if (f->rules[k].why)
			continue;
		s->tolerated = subset_max_outliers(s->op);
		solver_log(s, "", NULL, "clauses that may reject %d passing records", s->tolerated);
		if (!common)
			choose_clauses_kept(s, NULL, 0, f->memory);
	}
	if (common)
		api_clauses_find(f);
}

static void find_clauses(api_solver *f, prover *p)
{
	api_clauses_find(f);
	prover_reset(p); /* so that Z3's results depend on this API alone */
	for (int k = 0; k < f->n; k++)
		if (!f->rules[k].why)
			prove(&f->solvers[k], p);
}

void pipeline_solve(api_solver *f, const functions *library, prover *p)
{
	api_solver_find_shapes(f);
	api_solver_improve(f, library);
	find_clauses(f, p);
}

/* ---- the passes */

/* The first pass: outputs. Keeps found outputs even if others of the signature are missing. */
static void find_outputs(run *c, const group *g, rule_store store, rule *to, pipeline_cost *costs)
{
	api_solver f;
	start(c, g, &f);
	api_solver_find_shapes(&f);
	for (int k = 0; k < g->n; k++)
		to[k] = rule_copy(store, &f.rules[k]);
	release_api(c, g, &f, costs);
}

/* Hashes rules as JSON, with everything that the cache stores: proof states may differ where expressions do not. For
 * API rules, also the argument names that pages print. */
static uint64_t hash_rules(const run *c, const group *g, const rule *rules, enum pass pass)
{
	buf text = {0};
	for (int k = 0; k < g->n; k++) {
		const operator *op = member(c, g, k);
		buf_printf(&text, "%s %s", op->name, op->args);
		rule_to_json(&text, &rules[k], op->nsym);
		buf_putc(&text, '\n');
	}
	uint64_t h = XXH3_64bits_withSeed(need_text(&text), text.length, pass);
	buf_free(&text);
	return h;
}

/* Copies a finished rule into the thread's store. An incomplete rule becomes its reason only. */
static rule copy_finished(rule_store store, const rule *r)
{
	rule bare = *r;
	if (r->why) {
		bare.out = NULL;
		bare.nclauses = 0;
		bare.passed = bare.failed = 0;
	}
	return rule_copy(store, &bare);
}

/* The second pass: outputs and clauses, given the shape functions of the first pass. True if the outputs did not
 * change and the cache had the rest. */
static bool find_rules(run *c, const group *g, const thread_state *h, const rule *outputs, rule *to, pipeline_cost *costs)
{
	api_solver f;
	start(c, g, &f);
	for (int k = 0; k < g->n; k++)
		f.rules[k] = rule_copy((rule_store){f.pool, f.memory}, &outputs[k]);
	api_solver_improve(&f, c->library);
	uint64_t hash = hash_rules(c, g, f.rules, PASS_RULES);
	bool cached = find_cached(c, g, hash, h->store, to);
	if (!cached) {
		find_clauses(&f, h->prover);
		for (int k = 0; k < g->n; k++)
			to[k] = copy_finished(h->store, &f.rules[k]);
		keep_all(c, g, hash, to);
	}
	release_api(c, g, &f, costs);
	return cached;
}

/* The same, with clauses that may reject a few passing records. */
static void find_outliers(run *c, const group *g, const thread_state *h, const rule *outputs, rule *to, pipeline_cost *costs)
{
	api_solver f;
	start(c, g, &f);
	for (int k = 0; k < g->n; k++)
		f.rules[k] = rule_copy((rule_store){f.pool, f.memory}, &outputs[k]);
	api_solver_improve(&f, c->library);
	find_tolerant(&f, c->pass == PASS_COMMON);
	for (int k = 0; k < g->n; k++)
		to[k] = copy_finished(h->store, &f.rules[k]);
	release_api(c, g, &f, costs);
}

/* The third pass: one API rule for signatures that agree with it. Its time is charged to no signature, since it is
 * no search. */
static void find_families(const run *c, const group *g, const thread_state *h, const rule *before, rule *to)
{
	api_solver f;
	api_membership *members = need(calloc((size_t)g->n + 1, sizeof *members), (size_t)g->n * sizeof *members);
	start(c, g, &f);
	for (int k = 0; k < g->n; k++)
		f.rules[k] = rule_copy((rule_store){f.pool, f.memory}, &before[k]);
	f.instances = clause_instances_new(g->n);
	omitted_arguments_solve(&f, members);
	clause_instances_free(f.instances);
	prover_reset(h->prover);
	for (int k = 0; k < g->n; k++) {
		if (members[k].representative >= 0)
			solver_log(&f.solvers[k], "", NULL, "family: follows the rule of %s%s", f.rules[k].family,
			    members[k].same ? ", which is its own" : "");
		if (members[k].representative >= 0 && !members[k].same)
			prove(&f.solvers[k], h->prover);
		to[k] = copy_finished(h->store, &f.rules[k]);
	}
	api_solver_free(&f);
	free(members);
}

/* NeuRI's algorithm, for each signature alone. */
static void apply_neuri(run *c, const group *g, const thread_state *h, rule *to, pipeline_cost *costs)
{
	for (int k = 0; k < g->n; k++) {
		group one = {.from = g->from + k, .n = 1};
		api_solver f;
		start(c, &one, &f);
		f.solvers->prover = h->prover;
		if (!f.rules->why)
			neuri_search(f.solvers);
		solver_finish(f.solvers);
		if (!f.rules->why)
			prove(f.solvers, h->prover);
		to[k] = copy_finished(h->store, f.rules);
		release_api(c, &one, &f, &costs[k]);
	}
}

/* Distributes an API's seconds over its signatures, in proportion to their work. */
static void share_seconds(const group *g, pipeline_cost *costs, double seconds)
{
	long work = 0;
	for (int k = 0; k < g->n; k++)
		work += costs[k].work;
	for (int k = 0; k < g->n; k++)
		costs[k].seconds = work ? seconds * (double)costs[k].work / (double)work : seconds / g->n;
}

/* Solves an API in the current pass. True if the cache made the search unnecessary. */
static bool solve(run *c, const group *g, const thread_state *h, const rule *before, rule *to, pipeline_cost *costs)
{
	if (c->options->search.bank)
		apply_neuri(c, g, h, to, costs);
	else if (c->pass == PASS_OUTPUTS)
		find_outputs(c, g, h->store, to, costs);
	else if (c->pass == PASS_RULES)
		return find_rules(c, g, h, before, to, costs);
	else if (c->pass == PASS_OUTLIERS || c->pass == PASS_COMMON)
		find_outliers(c, g, h, before, to, costs);
	else
		find_families(c, g, h, before, to);
	return false;
}

/* A hash of everything that results of the pass depend on, besides the records. */
static uint64_t key_of_pass(const run *c, const group *g, const rule *before)
{
	switch (c->pass) {
	case PASS_OUTPUTS: return 0;
	case PASS_RULES: return c->library_hash;
	case PASS_API_RULES: return hash_rules(c, g, before, PASS_API_RULES);
	case PASS_OUTLIERS:
	case PASS_COMMON: break;
	}
	return hash_rules(c, g, before, c->pass) ^ c->library_hash;
}

static void visit(run *c, const group *g, const thread_state *h)
{
	rule *found = need(calloc((size_t)g->n + 1, sizeof *found), (size_t)g->n * sizeof *found);
	rule *before = need(calloc((size_t)g->n + 1, sizeof *before), (size_t)g->n * sizeof *before);
	pipeline_cost *costs = need(calloc((size_t)g->n + 1, sizeof *costs), (size_t)g->n * sizeof *costs);
	double from = clock_thread_seconds();
	for (int k = 0; k < g->n; k++)
		before[k] = c->to->rules[c->to->list[g->from + k]];
	uint64_t more = key_of_pass(c, g, before);
	bool cached = find_cached(c, g, more, h->store, found);
	if (!cached && g->mine) {
		cached = solve(c, g, h, before, found, costs);
		keep_all(c, g, more, found);
		share_seconds(g, costs, clock_thread_seconds() - from);
	} else if (!cached) {
		atomic_fetch_add(&c->missing, g->n);
		memcpy(found, before, sizeof *found * (size_t)g->n);
	}
	for (int k = 0; k < g->n; k++) {
		int i = c->to->list[g->from + k];
		pipeline_cost *cost = &c->to->costs[i];
		c->to->rules[i] = found[k];
		cost->seconds += costs[k].seconds;
		cost->work += costs[k].work;
		cost->cached = cached && (c->pass == PASS_OUTPUTS || cost->cached);
	}
	free(costs);
	free(before);
	free(found);
}

/* ---- threads */

static const char *pass_name(enum pass pass)
{
	static const char *const NAMES[] = {[PASS_OUTPUTS] = "shapes", [PASS_RULES] = "rules", [PASS_API_RULES] = "API rules", [PASS_OUTLIERS] = "outliers",
	    [PASS_COMMON] = "common"};
	return NAMES[pass];
}

static void progress(const run *c, int done)
{
	double spent = clock_seconds() - c->start, rate = done / (spent > 0 ? spent : 1);
	fprintf(stderr, "\r%s %d/%d  %.0f signatures/s  %.0f s left   ", pass_name(c->pass), done, c->total, rate,
	    rate > 0 ? (c->total - done) / rate : 0);
	if (done == c->total)
		fputc('\n', stderr);
}

static void *begin(void *user)
{
	(void)user;
	thread_state *h = need(malloc(sizeof *h), sizeof *h);
	*h = (thread_state){prover_new(), rule_store_new()};
	return h;
}

static bool visit_task(void *user, void *own, int k)
{
	run *c = user;
	const group *g = &c->groups[k];
	if (c->pass != PASS_OUTPUTS && !g->wanted)
		return true;
	visit(c, g, own);
	int done = atomic_fetch_add(&c->done, g->n) + g->n;
	if (!c->options->quiet && isatty(2))
		progress(c, done);
	return true;
}

static void end(void *user, void *own)
{
	run *c = user;
	thread_state *h = own;
	prover_free(h->prover);
	pthread_mutex_lock(&c->lock);
	size_t bytes = sizeof h->store * ((size_t)c->to->nstores + 1);
	c->to->stores = need(realloc(c->to->stores, bytes), bytes);
	c->to->stores[c->to->nstores++] = h->store;
	pthread_mutex_unlock(&c->lock);
	free(h);
}

static void run_pass(run *c)
{
	workers w = {.threads = c->options->threads, .tasks = c->ngroups, .user = c, .begin = begin, .task = visit_task, .end = end};
	c->total = 0;
	for (int k = 0; k < c->ngroups; k++)
		c->total += c->pass == PASS_OUTPUTS || c->groups[k].wanted ? c->groups[k].n : 0;
	atomic_store(&c->done, 0);
	c->start = clock_seconds();
	workers_run(&w);
	c->to->pass = pass_name(c->pass);
	c->to->missing = atomic_load(&c->missing);
}

/* ---- all passes */

static int by_size(const void *a, const void *b)
{
	const group *x = a, *y = b;
	return x->records != y->records ? (x->records < y->records ? 1 : -1) : x->from - y->from;
}

/* A rough estimate of an API's cost: each record is visited for each pair of symbol and output. */
static uint64_t cost_of(const run *c, const group *g)
{
	uint64_t cost = 1;
	for (int k = 0; k < g->n; k++) {
		const operator *op = member(c, g, k);
		cost += (uint64_t)(op->npass + op->nfail) * (uint64_t)(op->nsym + 1) * (uint64_t)(op->nodim + 1);
	}
	return cost;
}

static void assign_shards(run *c)
{
	size_t n = (size_t)c->ngroups + 1;
	uint64_t *costs = need(calloc(n, sizeof *costs), n * sizeof *costs);
	bool *mine = need(calloc(n, sizeof *mine), n * sizeof *mine);
	for (int g = 0; g < c->ngroups; g++)
		costs[g] = cost_of(c, &c->groups[g]);
	shard_take(c->options->shard, costs, c->ngroups, mine);
	for (int g = 0; g < c->ngroups; g++)
		c->groups[g].mine = mine[g];
	free(mine);
	free(costs);
}

/* Signatures are sorted by name, so those of one API are neighbours. Large groups go first, so that threads finish
 * at about the same time. */
static void make_groups(run *c)
{
	const pipeline_result *to = c->to;
	c->groups = need(calloc((size_t)to->n + 1, sizeof *c->groups), (size_t)to->n * sizeof *c->groups);
	for (int k = 0; k < to->n; k++) {
		const operator *op = &c->records->ops[to->list[k]];
		if (k == 0 || strcmp(op->api, c->records->ops[to->list[k - 1]].api) != 0)
			c->groups[c->ngroups++] = (group){.from = k};
		group *g = &c->groups[c->ngroups - 1];
		g->n++;
		g->records += op->npass + op->nfail;
		g->logged |= c->options->logs && c->options->logs[to->list[k]];
	}
	qsort(c->groups, (size_t)c->ngroups, sizeof *c->groups, by_size);
	assign_shards(c);
}

/* Chooses the signatures to transfer rules to. Without logs: all. With logs: signatures that are compared with a
 * logged one, and the other signatures of its API. Marks their APIs as wanted. Returns the number in list. */
static int choose_wanted(run *c, int *list)
{
	size_t bytes = (size_t)c->records->n + 1;
	bool *logged = need(calloc(bytes, 1), bytes), *marked = need(calloc(bytes, 1), bytes);
	int n = 0;
	for (int g = 0; g < c->ngroups; g++)
		for (int k = 0; k < c->groups[g].n; k++)
			logged[c->to->list[c->groups[g].from + k]] = !c->options->logs || c->groups[g].logged;
	siblings_mark(c->records, logged, marked);
	for (int g = 0; g < c->ngroups; g++)
		for (int k = 0; k < c->groups[g].n; k++)
			c->groups[g].wanted |= marked[c->to->list[c->groups[g].from + k]];
	for (int k = 0; k < c->to->n; k++)
		if (marked[c->to->list[k]])
			list[n++] = c->to->list[k];
	free(marked);
	free(logged);
	return n;
}

/* Runs one pass over some signatures; user: the run. */
static void run_some(void *user, int *list, int n, enum pass pass)
{
	const run *c = user;
	pipeline_result part = *c->to;
	run some = {.options = c->options, .records = c->records, .to = &part, .cache = c->cache, .library = c->library,
	    .library_hash = c->library_hash, .pass = pass};
	part.list = list;
	part.n = n;
	pthread_mutex_init(&some.lock, NULL);
	make_groups(&some);
	for (int g = 0; g < some.ngroups; g++)
		some.groups[g].wanted = true;
	if (n)
		run_pass(&some);
	pthread_mutex_destroy(&some.lock);
	free(some.groups);
	part.list = c->to->list;
	part.n = c->to->n;
	*c->to = part;
}

static int by_index(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Solves wanted signatures on subsets of their records where needed (subset_pass.h). */
static void solve_without_records(run *c, const rule *outputs, const rule *own)
{
	int *wanted = need(calloc((size_t)c->to->n + 1, sizeof *wanted), (size_t)c->to->n * sizeof *wanted), n = 0;
	for (int g = 0; g < c->ngroups; g++)
		for (int k = 0; k < c->groups[g].n && c->groups[g].wanted; k++)
			wanted[n++] = c->to->list[c->groups[g].from + k];
	qsort(wanted, (size_t)n, sizeof *wanted, by_index);
	subset_task task = {.records = c->records, .rules = c->to->rules, .logs = c->options->logs, .wanted = wanted, .nwanted = n,
	    .outputs = outputs, .own = own, .over = run_some, .user = c, .store = *c->to->stores};
	subset_pass(&task);
	free(wanted);
}

/* The passes after all signatures have their own rules: transfer from siblings, API rules, record subsets. */
static void last_passes(run *c, const rule *outputs, const int *list, int n)
{
	pipeline_result *to = c->to;
	to->from_siblings = siblings_choose(c->records, list, n, to->rules, c->options->logs);
	size_t bytes = sizeof(rule) * ((size_t)c->records->n + 1);
	rule *own = need(malloc(bytes), bytes);
	memcpy(own, to->rules, bytes - sizeof *own);
	c->pass = PASS_API_RULES;
	run_pass(c);
	if (c->options->shard.count == 0)
		solve_without_records(c, outputs, own);
	free(own);
}

static void later_passes(run *c)
{
	pipeline_result *to = c->to;
	int *list = need(calloc((size_t)to->n + 1, sizeof *list), (size_t)to->n * sizeof *list);
	int n = choose_wanted(c, list);
	c->library = functions_mine(c->records, to->list, to->n, to->rules);
	c->library_hash = functions_hash(c->library) * 31;
	size_t bytes = sizeof(rule) * ((size_t)c->records->n + 1);
	rule *outputs = need(malloc(bytes), bytes);
	memcpy(outputs, to->rules, bytes - sizeof *outputs);
	c->pass = PASS_RULES;
	run_pass(c);
	if (to->missing == 0)
		last_passes(c, outputs, list, n);
	free(outputs);
	functions_free(c->library);
	free(list);
}

pipeline_result pipeline_run(records *r, const pipeline_options *o)
{
	size_t n = (size_t)r->n + 1;
	pipeline_result to = {.list = need(calloc(n, sizeof *to.list), n * sizeof *to.list),
	    .rules = need(calloc(n, sizeof *to.rules), n * sizeof *to.rules),
	    .costs = need(calloc(n, sizeof *to.costs), n * sizeof *to.costs)};
	for (int i = 0; i < r->n; i++)
		if (!o->glob || fnmatch(o->glob, r->ops[i].name, 0) == 0)
			to.list[to.n++] = i;
	run c = {.options = o, .records = r, .to = &to, .cache = cache_open(o->cache, o->shard)};
	double start = clock_seconds();
	pthread_mutex_init(&c.lock, NULL);
	make_groups(&c);
	run_pass(&c);
	if (!o->search.bank && to.missing == 0)
		later_passes(&c);
	to.wall = clock_seconds() - start;
	pthread_mutex_destroy(&c.lock);
	free(c.groups);
	cache_close(c.cache);
	return to;
}

void pipeline_free(pipeline_result *p)
{
	for (int i = 0; i < p->nstores; i++)
		rule_store_free(&p->stores[i]);
	free(p->stores);
	free(p->costs);
	free(p->rules);
	free(p->list);
	*p = (pipeline_result){0};
}

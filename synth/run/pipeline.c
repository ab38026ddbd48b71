#include "pipeline.h"

#include <fnmatch.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "buf.h"
#include "family.h"
#include "functions.h"
#include "neuri.h"
#include "prove.h"
#include "solver_sources.h"

/* The operators of one API: what a thread takes at a time. */
typedef struct group {
	int from, n; /* in todo */
	long records;
} group;

typedef struct crew {
	const crew_options *options;
	const records *records;
	const int *todo;
	int n;
	group *groups; /* the largest first */
	int ngroups;
	solved *results;
	cache *cache;
	functions *library; /* NULL: the first pass, over shapes */
	uint64_t library_hash; /* part of the second pass's cache keys */
	pthread_mutex_t lock;
	stage stages[STAGE_COUNT]; /* summed over threads */
	atomic_int next, done;
	double start;
} crew;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- one operator */

static char *text_of(const expr *e)
{
	buf b = {0};
	expr_print(&b, e);
	return b.text;
}

/* A rule as text. With `partial`, outputs that were found are kept when others were not: those are empty. */
static solved describe(const operator *op, const rule *r, bool partial)
{
	solved to = {.nodim = r->why && !partial ? 0 : op->nodim, .proof = r->proof,
	    .thin = r->thin, .layer = strdup(r->layer), .why = r->why ? strdup(r->why) : NULL, .work = r->work};
	to.out = calloc((size_t)to.nodim + 1, sizeof *to.out);
	to.valid = calloc((size_t)r->nclauses + 1, sizeof *to.valid);
	for (int d = 0; d < to.nodim; d++)
		to.out[d] = r->out[d] ? text_of(r->out[d]) : strdup("");
	for (int k = 0; !r->why && k < r->nclauses; k++)
		if (!expr_says_nothing(r->clauses[k])) /* a form of other operators, with constants in the places of symbols */
			to.valid[to.nvalid++] = text_of(r->clauses[k]);
	if (!r->why)
		rule_agreement(op, r, &to.passed, &to.failed);
	return to;
}

static const operator *member(const crew *c, const group *g, int k)
{
	return &c->records->ops[c->todo[g->from + k]];
}

/* An operator's results depend on its family's records and, in the second pass, on `more`: the shape functions, or
 * the outputs that were found with them. */
static uint64_t cache_key(const crew *c, const group *g, int k, uint64_t more)
{
	uint64_t h = c->options->search.bank ? 1 : 0;
	if (!c->options->search.bank)
		for (int i = 0; i < g->n; i++)
			h = XXH3_64bits_withSeed(&member(c, g, i)->hash, sizeof h, h);
	return XXH3_64bits_withSeed(&member(c, g, k)->hash, sizeof h, h) ^ more;
}

static bool find_cached(crew *c, const group *g, uint64_t more, solved *to)
{
	bool all = true;
	for (int k = 0; k < g->n && all; k++)
		all = cache_find(c->cache, cache_key(c, g, k, more), &to[k]);
	for (int k = 0; !all && k < g->n; k++)
		solved_free(&to[k]);
	return all;
}

static void keep(crew *c, const group *g, uint64_t more, solved *to, double seconds)
{
	long work = 0;
	for (int k = 0; k < g->n; k++)
		work += to[k].work;
	for (int k = 0; k < g->n; k++) {
		to[k].seconds = work ? seconds * (double)to[k].work / (double)work : seconds / g->n;
		cache_add(c->cache, cache_key(c, g, k, more), &to[k]);
	}
}

/* ---- one family */

static void start_family(crew *c, const group *g, family *f)
{
	const operator **ops = malloc(sizeof *ops * (size_t)g->n);
	for (int k = 0; k < g->n; k++)
		ops[k] = member(c, g, k);
	family_start(f, ops, g->n, &c->options->search);
	free(ops);
}

/* Adds a family's statistics and frees it. */
static void finish_family(crew *c, family *f)
{
	pthread_mutex_lock(&c->lock);
	for (int k = 0; k < STAGE_COUNT; k++) {
		c->stages[k].tried += f->stages[k].tried;
		c->stages[k].seconds += f->stages[k].seconds;
	}
	pthread_mutex_unlock(&c->lock);
	family_free(f);
}

static void find_shapes(crew *c, const group *g, solved *to)
{
	family f;
	start_family(c, g, &f);
	family_shapes(&f);
	for (int k = 0; k < g->n; k++) {
		f.rules[k].work = f.solvers[k].work;
		to[k] = describe(f.solvers[k].op, &f.rules[k], true);
	}
	finish_family(c, &f);
}

static uint64_t hash_outputs(const family *f)
{
	buf text = {0};
	for (int k = 0; k < f->n; k++) {
		buf_printf(&text, "%s %s\n", f->rules[k].layer ? f->rules[k].layer : "", f->rules[k].why ? f->rules[k].why : "");
		for (int d = 0; d < f->solvers[k].op->nodim; d++) {
			if (f->rules[k].out[d])
				expr_print(&text, f->rules[k].out[d]);
			buf_putc(&text, '\n');
		}
	}
	uint64_t h = XXH3_64bits_withSeed(text.text, text.length, 2);
	buf_free(&text);
	return h;
}

/* The second pass: with the shape functions that the first one found, and with clauses. */
static void find_rules(crew *c, const group *g, const solved *shapes, solved *to, prover *p)
{
	family f;
	start_family(c, g, &f);
	for (int k = 0; k < g->n; k++) {
		const operator *op = f.solvers[k].op;
		f.rules[k].why = shapes[k].why;
		f.rules[k].layer = shapes[k].layer;
		for (int d = 0; d < shapes[k].nodim; d++)
			f.rules[k].out[d] = !*shapes[k].out[d] ? NULL
							       : expr_parse(f.pool, shapes[k].out[d], op->nsym, op->path, op->line, NULL);
	}
	family_improve(&f, c->library);
	uint64_t outputs = hash_outputs(&f);
	if (!find_cached(c, g, outputs, to)) {
		family_clauses(&f);
		for (int k = 0; k < g->n; k++) {
			if (!f.rules[k].why)
				drop_implied(f.solvers[k].op, f.pool, p, &f.rules[k]);
			to[k] = describe(f.solvers[k].op, &f.rules[k], false);
		}
		keep(c, g, outputs, to, 0);
	}
	finish_family(c, &f);
}

static void apply_neuri(crew *c, const group *g, solved *to, prover *p)
{
	for (int k = 0; k < g->n; k++) {
		group one = {.from = g->from + k, .n = 1};
		family f;
		start_family(c, &one, &f);
		f.solvers->prover = p;
		if (!f.rules->why)
			neuri_search(f.solvers);
		solver_finish(f.solvers);
		if (!f.rules->why)
			drop_implied(f.solvers->op, f.pool, p, f.rules);
		to[k] = describe(f.solvers->op, f.rules, false);
		finish_family(c, &f);
	}
}

static void visit(crew *c, const group *g, prover *p)
{
	solved *to = calloc((size_t)g->n + 1, sizeof *to);
	double from = thread_seconds();
	solved *own = calloc((size_t)g->n + 1, sizeof *own);
	for (int k = 0; k < g->n; k++)
		own[k] = c->results[c->todo[g->from + k]];
	if (!find_cached(c, g, c->library_hash, to)) {
		if (c->options->search.bank)
			apply_neuri(c, g, to, p);
		else if (c->library)
			find_rules(c, g, own, to, p);
		else
			find_shapes(c, g, to);
		keep(c, g, c->library_hash, to, thread_seconds() - from);
	}
	for (int k = 0; k < g->n; k++) {
		to[k].seconds += own[k].seconds;
		to[k].work += own[k].work;
		to[k].cached = to[k].cached && (!c->library || own[k].cached);
		solved_free(&own[k]);
		c->results[c->todo[g->from + k]] = to[k];
	}
	free(own);
	free(to);
}

static void progress(const crew *c, int done)
{
	double spent = now() - c->start, rate = done / (spent > 0 ? spent : 1);
	fprintf(stderr, "\r%s %d/%d  %.0f operators/s  %.0f s left   ", c->library ? "rules" : "shapes", done, c->n, rate,
	    rate > 0 ? (c->n - done) / rate : 0);
	if (done == c->n)
		fputc('\n', stderr);
}

static void *work(void *argument)
{
	crew *c = argument;
	prover *p = prover_new();
	for (int k; (k = atomic_fetch_add(&c->next, 1)) < c->ngroups;) {
		visit(c, &c->groups[k], p);
		int done = atomic_fetch_add(&c->done, c->groups[k].n) + c->groups[k].n;
		if (!c->options->quiet && isatty(2))
			progress(c, done);
	}
	prover_free(p);
	return NULL;
}

static void run_crew(crew *c)
{
	int n = c->options->threads;
	pthread_t *threads = calloc((size_t)n, sizeof *threads);
	c->start = now();
	for (int i = 1; i < n; i++)
		if (pthread_create(&threads[i], NULL, work, c) != 0)
			threads[i] = 0;
	work(c);
	for (int i = 1; i < n; i++)
		if (threads[i])
			pthread_join(threads[i], NULL);
	free(threads);
}

/* What a solved rule depends on besides its records: the solver's sources and compiler (the Makefile hashes them), and Z3.
 * Another solver never trusts this one's cache; a change of what only reads rules, as codegen/, costs nothing. */
static uint64_t solver_version(void)
{
	buf text = {0};
	buf_printf(&text, "%s %s", SOLVER_SOURCES, prover_version());
	uint64_t h = XXH3_64bits(text.text, text.length);
	buf_free(&text);
	return h;
}

static int by_size(const void *a, const void *b)
{
	const group *x = a, *y = b;
	return x->records != y->records ? (x->records < y->records ? 1 : -1) : x->from - y->from;
}

/* Operators are in the order of names, so those of one API are neighbours. The largest groups go first, so
 * that no thread is left with one at the end. */
static void make_groups(crew *c)
{
	c->groups = calloc((size_t)c->n + 1, sizeof *c->groups);
	for (int k = 0; k < c->n; k++) {
		const operator *op = &c->records->ops[c->todo[k]];
		if (k == 0 || strcmp(op->api, c->records->ops[c->todo[k - 1]].api) != 0)
			c->groups[c->ngroups++] = (group){.from = k};
		group *g = &c->groups[c->ngroups - 1];
		g->n++;
		g->records += op->npass + op->nfail;
	}
	qsort(c->groups, (size_t)c->ngroups, sizeof *c->groups, by_size);
}

crew_result crew_solve(const records *r, const crew_options *o)
{
	crew_result to = {.todo = calloc((size_t)r->n + 1, sizeof *to.todo),
	    .results = calloc((size_t)r->n + 1, sizeof *to.results)};
	for (int i = 0; i < r->n; i++)
		if (!o->glob || fnmatch(o->glob, r->ops[i].name, 0) == 0)
			to.todo[to.n++] = i;
	crew c = {.options = o, .records = r, .todo = to.todo, .n = to.n, .results = to.results,
	    .cache = cache_open(o->cache, o->cache ? solver_version() : 0)};
	double start = now();
	pthread_mutex_init(&c.lock, NULL);
	make_groups(&c);
	run_crew(&c);
	if (!o->search.bank) {
		c.library = functions_mine(r, to.todo, to.n, to.results);
		c.library_hash = functions_hash(c.library) * 31;
		atomic_store(&c.next, 0);
		atomic_store(&c.done, 0);
		run_crew(&c);
		functions_free(c.library);
		to.from_siblings = siblings_choose(r, &to);
	}
	to.wall = now() - start;
	memcpy(to.stages, c.stages, sizeof to.stages);
	pthread_mutex_destroy(&c.lock);
	free(c.groups);
	cache_close(c.cache);
	return to;
}

void crew_free(crew_result *c, const records *r)
{
	for (int i = 0; i < r->n; i++)
		solved_free(&c->results[i]);
	free(c->results);
	free(c->todo);
	*c = (crew_result){0};
}

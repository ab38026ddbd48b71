#include "crew.h"

#include <fnmatch.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/file.h"
#include "functions.h"

typedef struct crew {
	const crew_options *options;
	const records *records;
	const int *todo;
	int n;
	solved *results;
	cache *cache;
	functions *library; /* NULL: the first pass */
	uint64_t library_hash; /* part of the second pass's cache keys */
	atomic_int next, done;
	double start;
} crew;

static double seconds(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- one operator */

static char *text_of(const expr *e)
{
	buf b = {0};
	expr_print(&b, e);
	return b.text;
}

static solved describe(const operator *op, const rule *r)
{
	solved to = {.nodim = r->why ? 0 : op->nodim, .nvalid = r->why ? 0 : r->nclauses, .proof = r->proof,
	    .thin = r->thin, .layer = strdup(r->layer), .why = r->why ? strdup(r->why) : NULL, .work = r->work};
	to.out = calloc((size_t)to.nodim + 1, sizeof *to.out);
	to.valid = calloc((size_t)to.nvalid + 1, sizeof *to.valid);
	for (int d = 0; d < to.nodim; d++)
		to.out[d] = text_of(r->out[d]);
	for (int k = 0; k < to.nvalid; k++)
		to.valid[k] = text_of(r->clauses[k]);
	if (!r->why)
		rule_agreement(op, r, &to.passed, &to.failed);
	return to;
}

static uint64_t cache_key(const operator *op, const options *o)
{
	return op->hash ^ (o->bank ? 0x9e3779b97f4a7c15u : 0);
}

static void solve_one(crew *c, int index, prover *p)
{
	const operator *op = &c->records->ops[index];
	solved *to = &c->results[index];
	uint64_t key = cache_key(op, &c->options->search);
	if (cache_find(c->cache, key, to))
		return;
	double from = seconds(CLOCK_THREAD_CPUTIME_ID);
	arena *scratch = arena_new();
	expr_pool *pool = expr_pool_new();
	rule r;
	solve_operator(op, pool, scratch, p, &c->options->search, &r, NULL);
	if (!r.why)
		drop_implied(op, pool, p, &r);
	*to = describe(op, &r);
	to->seconds = seconds(CLOCK_THREAD_CPUTIME_ID) - from;
	cache_add(c->cache, key, to);
	expr_pool_free(pool);
	arena_free(scratch);
}

/* The second pass over one operator: with the shape functions that the first pass found. */
static void improve_one(crew *c, int index, prover *p)
{
	const operator *op = &c->records->ops[index];
	solved *own = &c->results[index], better = {0};
	if ((own->why && strncmp(own->why, "no expression", 13) != 0) || op->npass == 0)
		return;
	uint64_t key = cache_key(op, &c->options->search) ^ c->library_hash;
	double from = seconds(CLOCK_THREAD_CPUTIME_ID);
	arena *scratch = arena_new();
	expr_pool *pool = expr_pool_new();
	rule r;
	if (!cache_find(c->cache, key, &better)) {
		const expr **out = ARENA_ARRAY(scratch, const expr *, op->nodim + 1);
		for (int d = 0; d < own->nodim; d++)
			out[d] = expr_parse(pool, own->out[d], op->nsym, op->path, op->line, NULL);
		improve_operator(op, own->why ? NULL : out, c->library, pool, scratch, &c->options->search, &r);
		if (!r.why)
			drop_implied(op, pool, p, &r);
		better = describe(op, &r);
		cache_add(c->cache, key, &better);
	}
	better.seconds = own->seconds + seconds(CLOCK_THREAD_CPUTIME_ID) - from;
	better.work += own->work;
	better.cached = own->cached && better.cached;
	if (better.why) { /* as it was, with what was spent */
		own->seconds = better.seconds;
		own->work = better.work;
		solved_free(&better);
	} else {
		solved_free(own);
		*own = better;
	}
	expr_pool_free(pool);
	arena_free(scratch);
}

static void progress(const crew *c, int done)
{
	double spent = seconds(CLOCK_MONOTONIC) - c->start, rate = done / (spent > 0 ? spent : 1);
	fprintf(stderr, "\r%s %d/%d  %.0f operators/s  %.0f s left   ", c->library ? "improve" : "solve", done, c->n, rate,
	    rate > 0 ? (c->n - done) / rate : 0);
	if (done == c->n)
		fputc('\n', stderr);
}

static void *work(void *argument)
{
	crew *c = argument;
	prover *p = prover_new();
	for (int k; (k = atomic_fetch_add(&c->next, 1)) < c->n;) {
		if (c->library)
			improve_one(c, c->todo[k], p);
		else
			solve_one(c, c->todo[k], p);
		int done = atomic_fetch_add(&c->done, 1) + 1;
		if (!c->options->quiet && isatty(2) && (done % 16 == 0 || done == c->n))
			progress(c, done);
	}
	prover_free(p);
	return NULL;
}

static void run_crew(crew *c)
{
	int n = c->options->threads;
	pthread_t *threads = calloc((size_t)n, sizeof *threads);
	c->start = seconds(CLOCK_MONOTONIC);
	for (int i = 1; i < n; i++)
		if (pthread_create(&threads[i], NULL, work, c) != 0)
			threads[i] = 0;
	work(c);
	for (int i = 1; i < n; i++)
		if (threads[i])
			pthread_join(threads[i], NULL);
	free(threads);
}

/* A hash of the program itself: another build never trusts this build's cache. */
static uint64_t program_version(void)
{
	size_t n;
	char *self = file_read("/proc/self/exe", &n, NULL);
	uint64_t h = self ? XXH3_64bits(self, n) : (uint64_t)time(NULL);
	free(self);
	return h;
}

crew_result crew_solve(const records *r, const crew_options *o)
{
	crew_result to = {.todo = calloc((size_t)r->n + 1, sizeof *to.todo),
	    .results = calloc((size_t)r->n + 1, sizeof *to.results)};
	for (int i = 0; i < r->n; i++)
		if (!o->glob || fnmatch(o->glob, r->ops[i].name, 0) == 0)
			to.todo[to.n++] = i;
	crew c = {.options = o, .records = r, .todo = to.todo, .n = to.n, .results = to.results,
	    .cache = cache_open(o->cache, o->cache ? program_version() : 0)};
	double start = seconds(CLOCK_MONOTONIC);
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
	to.wall = seconds(CLOCK_MONOTONIC) - start;
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

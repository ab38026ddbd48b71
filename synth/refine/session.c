#include "session.h"

#include <fnmatch.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "query_thread.h"
#include "clock.h"
#include "functions.h"
#include "json.h"
#include "need.h"
#include "oracle.h"
#include "workers.h"

enum {
	MAX_OFFERS = 48,
	SILENCE = 300, /* seconds without an answer; the oracle limits its calls itself, so then it hangs */
};

typedef struct group {
	int from, n; /* range of the records */
} group;

typedef struct session {
	const session_options *options;
	records *records;
	const pipeline_result *solved;
	functions *library;
	group *groups;
	buf *reports; /* one per group */
	pthread_mutex_t lock; /* guards *to */
	session_result *to;
	atomic_bool failed;
	atomic_int done;
} session;

/* State of a thread. */
typedef struct thread_state {
	session *s;
	oracle *oracle;
	prover *prover, *finder;
} thread_state;

/* ---- the current API */

typedef struct offers {
	const expr *list[MAX_OFFERS];
	int where[MAX_OFFERS]; /* the output, or -1: a clause */
	int n;
} offers;

typedef struct unit {
	thread_state *a;
	api_solver solver; /* with the current rules */
	inquiry *inquiries;
	offers *offers;
	int n, from;
} unit;

static void offer(offers *o, int where, const expr *e)
{
	for (int k = 0; k < o->n; k++)
		if (o->where[k] == where && o->list[k] == e)
			return;
	if (o->n == MAX_OFFERS)
		return;
	o->list[o->n] = e;
	o->where[o->n++] = where;
}

static void offer_output(void *user, int i, int d, const expr *e)
{
	offer(&((unit *)user)->offers[i], d, e);
}

static void start(unit *u)
{
	const operator **ops = need(calloc((size_t)u->n + 1, sizeof *ops), (size_t)u->n * sizeof *ops);
	api_solver *f = &u->solver;
	for (int i = 0; i < u->n; i++)
		ops[i] = u->inquiries[i].op;
	api_solver_start(f, ops, u->n, &u->a->s->options->pipeline.search);
	f->offer = offer_output;
	f->user = u;
	free(ops);
	memset(u->offers, 0, sizeof *u->offers * (size_t)u->n);
}

/* The rules of the pipeline, including those taken from siblings. */
static void take_solved(unit *u)
{
	api_solver *f = &u->solver;
	for (int i = 0; i < u->n; i++)
		f->rules[i] = rule_copy((rule_store){f->pool, f->memory}, &u->a->s->solved->rules[u->from + i]);
}

static void solve_again(unit *u)
{
	api_solver_free(&u->solver);
	start(u);
	pipeline_solve(&u->solver, u->a->s->library, u->a->prover);
}

static void prepare(unit *u, int i, int round)
{
	api_solver *f = &u->solver;
	inquiry *q = &u->inquiries[i];
	const offers *o = &u->offers[i];
	q->nquestions = 0;
	if (f->rules[i].why)
		inquiry_explore(q, f->scratch, round);
	else
		inquiry_prepare(q, &f->rules[i], f->pool, f->scratch, u->a->finder, round, round + 1 == u->a->s->options->rounds, o->list,
		    o->where, o->n);
}

/* ---- questions and answers */

static bool give_up(session *s, const diag *d, enum session_end end)
{
	pthread_mutex_lock(&s->lock);
	if (!s->failed) {
		s->to->why = *d;
		s->to->end = end;
	}
	s->failed = true;
	pthread_mutex_unlock(&s->lock);
	return false;
}

/* Prepares the questions of each operator while the previous one is queried. */
static bool query_all(unit *u, int round)
{
	diag d;
	query_thread a = {.oracle = u->a->oracle, .inquiries = u->inquiries, .n = u->n};
	query_thread_start(&a);
	for (int i = 0; i < u->n; i++) {
		prepare(u, i, round);
		query_thread_add(&a);
	}
	return query_thread_end(&a, &d) || give_up(u->a->s, &d, SESSION_LOST);
}

/* ---- kept records */

static char *keep_line(const inquiry *q)
{
	buf b = {0};
	const operator *op = q->op;
	buf_puts(&b, "{\"keep\":");
	buf_json(&b, op->name);
	for (int failed = 0; failed < 2; failed++) {
		bool first = true;
		buf_puts(&b, failed ? ",\"fail\":[" : ",\"pass\":[");
		for (int k = 0; k < q->nkept; k++) {
			if (q->kept[k].passed == (failed == 1))
				continue;
			buf_puts(&b, first ? "" : ",");
			first = false;
			if (!failed)
				buf_putc(&b, '[');
			buf_ints(&b, q->kept[k].row, (size_t)op->nsym);
			if (!failed) {
				buf_putc(&b, ',');
				buf_ints(&b, q->kept[k].row + op->nsym, (size_t)op->nodim);
				buf_putc(&b, ']');
			}
		}
		buf_putc(&b, ']');
	}
	buf_putc(&b, '}');
	return b.text;
}

typedef struct saving {
	long files;
	char error[200];
} saving;

static bool take_saved(void *user, int line, const cJSON *answer, diag *d)
{
	saving *v = user;
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(answer, "error");
	const cJSON *files = cJSON_GetObjectItemCaseSensitive(answer, "saved");
	(void)line, (void)d;
	if (cJSON_IsString(error))
		snprintf(v->error, sizeof v->error, "%s", error->valuestring);
	if (cJSON_IsNumber(files))
		v->files = files->valueint;
	return true;
}

static bool save(unit *u)
{
	char **lines = need(calloc((size_t)u->n + 1, sizeof *lines), (size_t)u->n * sizeof *lines);
	int n = 0;
	diag d;
	saving v = {0};
	bool ok = true;
	for (int i = 0; i < u->n; i++)
		if (u->inquiries[i].nkept)
			lines[n++] = keep_line(&u->inquiries[i]);
	if (n) {
		lines[n++] = need(strdup("{\"save\":true}"), 1);
		ok = oracle_ask(u->a->oracle, (const char *const *)lines, n, true, take_saved, &v, &d) || give_up(u->a->s, &d, SESSION_LOST);
	}
	if (ok && *v.error) {
		diag_set(&d, "the oracle kept nothing of %s: %s", u->inquiries[0].op->api, v.error);
		ok = give_up(u->a->s, &d, SESSION_REFUSED);
	}
	pthread_mutex_lock(&u->a->s->lock);
	u->a->s->to->files += v.files;
	pthread_mutex_unlock(&u->a->s->lock);
	for (int k = 0; k < n; k++)
		free(lines[k]);
	free(lines);
	return ok;
}

/* ---- one API */

/* Queries once, and solves again after an unpredicted answer. Returns false if no questions are left or the oracle gave up. */
static bool visit_once(unit *u, int round)
{
	bool more = false;
	long wrong = 0;
	if (!query_all(u, round))
		return false;
	for (int i = 0; i < u->n; i++) {
		inquiry *q = &u->inquiries[i];
		long before = q->tally.wrong;
		if (!q->nquestions)
			continue;
		inquiry_learn(q);
		wrong += q->tally.wrong - before;
		more |= q->stage != FINISHED;
	}
	if (wrong && round + 1 < u->a->s->options->rounds)
		solve_again(u);
	return more;
}

static void add_tally(tally *to, const tally *t)
{
	to->questions += t->questions;
	to->lost += t->lost;
	to->wrong += t->wrong;
	to->killed += t->killed;
	to->proved += t->proved;
	to->open += t->open;
	to->kept += t->kept;
}

static void report(buf *to, const operator *op, const inquiry *q)
{
	const tally *t = &q->tally;
	buf_puts(to, "{\"op\":");
	buf_json(to, op->name);
	buf_printf(to,
	    ",\"questions\":%ld,\"undecided\":%ld,\"wrong\":%ld,\"refuted\":%ld,\"proved\":%ld,\"kept\":%ld,"
	    "\"open\":%ld,\"rivals\":[%s]}\n",
	    t->questions, t->lost, t->wrong, t->killed, t->proved, t->kept, t->open, buf_text(&q->open));
}

static void visit(thread_state *a, int k)
{
	session *s = a->s;
	const group *g = &s->groups[k];
	const session_options *o = s->options;
	unit u = {.a = a, .n = g->n, .from = g->from, .inquiries = calloc((size_t)g->n + 1, sizeof *u.inquiries),
	    .offers = calloc((size_t)g->n + 1, sizeof *u.offers)};
	need(u.inquiries ? u.offers : NULL, (size_t)g->n * sizeof *u.offers);
	for (int i = 0; i < g->n; i++)
		inquiry_start(&u.inquiries[i], &s->records->ops[g->from + i], o->budget, o->seed);
	start(&u);
	take_solved(&u);
	for (int round = 0; round < o->rounds && visit_once(&u, round); round++)
		;
	api_solver_free(&u.solver);
	if (!s->failed)
		save(&u);
	pthread_mutex_lock(&s->lock);
	for (int i = 0; i < g->n; i++) {
		report(&s->reports[k], &s->records->ops[g->from + i], &u.inquiries[i]);
		add_tally(&s->to->sum, &u.inquiries[i].tally);
	}
	pthread_mutex_unlock(&s->lock);
	for (int i = 0; i < g->n; i++)
		inquiry_free(&u.inquiries[i]);
	free(u.inquiries);
	free(u.offers);
}

/* ---- all APIs */

static void progress(session *s, int done)
{
	const tally *t = &s->to->sum;
	pthread_mutex_lock(&s->lock);
	fprintf(stderr, "\rrefine: API %d/%d  %ld asked  %ld wrong  %ld open   %s", done, s->to->apis, t->questions, t->wrong,
	    t->open, done == s->to->apis ? "\n" : "");
	pthread_mutex_unlock(&s->lock);
}

static void *begin(void *user)
{
	session *s = user;
	thread_state *a = need(malloc(sizeof *a), sizeof *a);
	*a = (thread_state){s, oracle_new(&(oracle_options){.command = s->options->command, .silence = SILENCE, .restarts = true}), prover_new(), prover_new_finder()};
	return a;
}

static bool visit_task(void *user, void *own, int k)
{
	session *s = user;
	visit(own, k);
	int done = atomic_fetch_add(&s->done, 1) + 1;
	if (isatty(2))
		progress(s, done);
	return !s->failed;
}

static void end(void *user, void *own)
{
	thread_state *a = own;
	(void)user;
	prover_free(a->prover);
	prover_free(a->finder);
	oracle_free(a->oracle);
	free(a);
}

static bool is_below(const char *path, const char *folder)
{
	size_t n = folder ? strlen(folder) : 0;
	while (n && folder[n - 1] == '/')
		n--;
	return n == 0 || (strncmp(path, folder, n) == 0 && path[n] == '/') || strcmp(path, folder) == 0;
}

static bool is_wanted(const session_options *o, const operator *op)
{
	return is_below(op->path, o->traces) && (!o->pipeline.glob || fnmatch(o->pipeline.glob, op->name, 0) == 0);
}

/* Keeps the APIs of the shard. */
static void take_shard(session *s)
{
	const records *r = s->records;
	int n = s->to->apis;
	uint64_t *costs = need(calloc((size_t)n + 1, sizeof *costs), sizeof *costs);
	bool *mine = need(calloc((size_t)n + 1, sizeof *mine), sizeof *mine);
	for (int k = 0; k < n; k++)
		for (int i = s->groups[k].from; i < s->groups[k].from + s->groups[k].n; i++)
			costs[k] += 1 + (uint64_t)(r->ops[i].npass + r->ops[i].nfail) * (uint64_t)(r->ops[i].nsym + 1);
	shard_take(s->options->shard, costs, n, mine);
	s->to->apis = 0;
	for (int k = 0; k < n; k++) {
		if (mine[k])
			s->groups[s->to->apis++] = s->groups[k];
		else
			s->to->operators -= s->groups[k].n;
	}
	free(mine);
	free(costs);
}

/* Groups the operators by API and keeps the APIs with a wanted operator. Operators are sorted by name, so those of one API
 * are adjacent. */
static void make_groups(session *s)
{
	const records *r = s->records;
	const char *glob = s->options->pipeline.glob;
	size_t room = (size_t)r->n + 1;
	s->groups = need(calloc(room, sizeof *s->groups), room * sizeof *s->groups);
	s->reports = need(calloc(room, sizeof *s->reports), room * sizeof *s->reports);
	for (int from = 0, to; from < r->n; from = to) {
		bool chosen = false;
		for (to = from; to < r->n && strcmp(r->ops[to].api, r->ops[from].api) == 0; to++)
			chosen |= is_wanted(s->options, &r->ops[to]);
		if (!chosen)
			continue;
		s->groups[s->to->apis++] = (group){from, to - from};
		s->to->operators += to - from;
	}
	if (s->to->apis == 0) {
		s->to->end = SESSION_REFUSED;
		diag_set(&s->to->why, "no operator matches '%s'", glob ? glob : "*");
	}
	take_shard(s);
}

/* Appends the reports. APIs that were not reached are reported too. */
static void close_session(session *s)
{
	static const inquiry NONE = {.op = NULL};
	for (int k = 0; k < s->to->apis; k++) {
		const group *g = &s->groups[k];
		for (int i = 0; i < g->n && !s->reports[k].length; i++)
			report(&s->to->report, &s->records->ops[g->from + i], &NONE);
		if (s->reports[k].length)
			buf_puts(&s->to->report, s->reports[k].text);
		buf_free(&s->reports[k]);
	}
	pthread_mutex_destroy(&s->lock);
	functions_free(s->library);
	free(s->reports);
	free(s->groups);
}

session_result session_run(records *r, const session_options *o)
{
	session_result to = {.apis = 0};
	pipeline_options all = o->pipeline;
	double from = clock_seconds();
	all.glob = NULL; /* rules of other operators contribute */
	pipeline_result solved = pipeline_run(r, &all);
	session s = {.options = o, .records = r, .solved = &solved, .to = &to};
	s.library = functions_mine(r, solved.list, solved.n, solved.rules);
	pthread_mutex_init(&s.lock, NULL);
	make_groups(&s);
	workers w = {.threads = o->pipeline.threads, .tasks = to.apis, .user = &s, .begin = begin, .task = visit_task, .end = end};
	if (to.apis)
		workers_run(&w);
	close_session(&s);
	pipeline_free(&solved);
	to.seconds = clock_seconds() - from;
	return to;
}

void session_free(session_result *s)
{
	buf_free(&s->report);
	*s = (session_result){.apis = 0};
}

#include "campaign.h"

#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bodies.h"
#include "clock.h"
#include "draw_settings.h"
#include "escape.h"
#include "failure.h"
#include "file.h"
#include "graph.h"
#include "known_keys.h"
#include "model_read.h"
#include "pending.h"
#include "progress.h"
#include "status.h"
#include "triage.h"

/* Half of the budget of triage (triage.h) may go to failures that turn out to be known. Processor time has its own budget, since
 * confirming starts several processes, and since other programs may leave the run little of it. */
#define LEAD_CPU 2.0
#define STEP_LEAST 5.0	   /* minimum seconds for a reduction */
#define STEP_MOST 20.0	   /* seconds without new models; `rulefuzz reduce` continues */
#define HANG_SECONDS 10.0  /* limit of a model while the model of a hang is reduced; the confirmation has the usual one */
#define UNLIMITED 1000	   /* the share that means no budget */
#define CPU_SECONDS 1.0	   /* between two readings of a job's processor time */
#define SAVE_SECONDS 0.2    /* at most between two saves if models change counters only */

typedef struct campaign campaign;

typedef struct job {
	campaign *c;
	pthread_t thread;
	rs_gen *gen;
	renewal renewed; /* state of gen */
	rs_graph *graph;
	judge judge;
	uint64_t index; /* number of the current model */
	judgement *ahead; /* judgements of it and the following models, `left` of them; NULL: judged one by one */
	int64_t left;
	beside *aside;	     /* where these models come from; NULL: the campaign. Guarded by the lock */
	char **texts;	     /* models of the batch from that source, `left` of them from `text` on: they are made once */
	size_t text;
	double aside_since;  /* clock at the start of the batch of these */
	double aside_triage; /* seconds of triage since then */
	bool busy;
	bool quiet; /* the model changed counters only */
	int64_t finding; /* of the current model; 0: none */
	const char *doing; /* for progress: "reducing", "confirming"; NULL: running a model. Guarded by the lock */
	uint64_t doing_index; /* the model of that work. Guarded by the lock */
	double before; /* the judge's CPU time when the campaign began */
	double cpu; /* its processor time since its first model. Guarded by the lock */
	double cpu_base, cpu_seen; /* job_cpu then; the time of the last reading */
	double triage_since; /* time when its triage began; 0: none. Guarded by the lock */
	double triage_cpu;   /* CPU time of its thread and its judge when the triage began */
	bool examines;	     /* that triage reduces or confirms a failure */
	double triage_start; /* judge.start_cpu then */
	int64_t claimed;     /* the current waiting failure; 0: none. Guarded by the lock */
} job;

struct campaign {
	const campaign_options *o;
	pthread_mutex_t lock; /* guards all members below */
	pthread_cond_t wake; /* wakes the ticker at the end */
	bool done;	     /* all jobs have ended */
	store *store;
	run_row *run;
	job *jobs;
	uint64_t next, stride, begun; /* the next model; the step to the one after it; the first of this part */
	double start, before; /* clock at the start; seconds of earlier parts */
	int64_t models_before; /* of earlier parts */
	progress progress;
	double saved; /* clock at the last save */
	spent spent;
	double triage_seconds; /* of all jobs, except running triage */
	double examined_seconds, examined_cpu; /* of the failures that were reduced or confirmed, and their number */
	int64_t examined;
	excuses excuses;
	known_keys keys;       /* of failures that were reduced */
	double known_seconds;  /* spent on reducing failures that turned out to be known */
	int64_t waiting;       /* failures that wait for triage */
	bool none_left;	       /* all of these are claimed or postponed */
	int64_t pending_end;   /* rank of failures that were postponed before or are during this campaign */
	arena *arena;
	const char *versions; /* JSON, once a worker has started */
	bool whole;	      /* they come from the full oracle */
	bool ended;
	enum campaign_end end;
	diag *d;
};

static bool stop_asked(const campaign *c)
{
	struct pollfd fd = {.fd = c->o->worker.stop_fd, .events = POLLIN};
	return fd.fd >= 0 && poll(&fd, 1, 0) == 1;
}

/* Ends the campaign for all jobs; the first reason is kept. Returns false, for `return finish(…)`. */
static bool finish(campaign *c, enum campaign_end how, const diag *why)
{
	if (!c->ended || (how > CAMPAIGN_SHORT && c->end <= CAMPAIGN_SHORT)) {
		c->end = how;
		if (why)
			*c->d = *why;
	}
	c->ended = true;
	return false;
}

/* ---- models handed out and given back */

/* The number of models from `index` on. */
static uint64_t models_from(const campaign *c, uint64_t index)
{
	if (c->o->count == UINT64_MAX)
		return UINT64_MAX;
	return c->o->count > index ? (c->o->count - index - 1) / c->stride + 1 : 0;
}

/* The outcome of a campaign whose time is up. */
static enum campaign_end end_of_time(const campaign *c)
{
	return c->o->count == UINT64_MAX ? CAMPAIGN_DONE : CAMPAIGN_SHORT;
}

static bool is_late(const campaign *c)
{
	return c->o->seconds > 0 && clock_seconds() - c->start >= c->o->seconds;
}

/* Gives the job a batch. The lock is held. */
static void hand_out(job *j)
{
	campaign *c = j->c;
	const double now = clock_seconds();
	const bool begun = c->next > c->begun; /* its own models come first */
	const double models = (double)c->o->jobs * (now - c->start) - c->triage_seconds;
	beside *aside = begun ? beside_due(c->o->beside, c->o->nbeside, models) : NULL;
	uint64_t *next = aside ? &aside->next : &c->next, batch = j->ahead ? (uint64_t)c->o->batch : 1;
	const uint64_t left = aside ? aside->count - aside->next : models_from(c, c->next);
	j->aside = aside;
	j->aside_since = now;
	j->aside_triage = 0;
	j->judge.probing = c->o->probing;
	j->left = (int64_t)(left < batch ? left : batch);
	j->index = *next;
	*next += (uint64_t)j->left * (aside ? 1 : c->stride);
}

static bool take(job *j)
{
	campaign *c = j->c;
	pthread_mutex_lock(&c->lock);
	if (c->next >= c->o->count)
		finish(c, CAMPAIGN_DONE, NULL);
	else if (stop_asked(c))
		finish(c, CAMPAIGN_SHORT, NULL);
	else if (is_late(c))
		finish(c, end_of_time(c), NULL);
	j->busy = !c->ended;
	if (j->busy)
		hand_out(j);
	pthread_mutex_unlock(&c->lock);
	return j->busy;
}

/* The first model that is not done, of the campaign or beside it. Call with the lock held. */
static uint64_t first_left(const campaign *c, const beside *aside)
{
	uint64_t next = aside ? aside->next : c->next;
	for (int64_t i = 0; i < c->o->jobs; i++)
		if (c->jobs[i].busy && c->jobs[i].aside == aside && c->jobs[i].index < next)
			next = c->jobs[i].index;
	return next;
}

/* Stores the counters of the run. Call with the lock held. */
static bool save(campaign *c, diag *d)
{
	c->run->next = first_left(c, NULL);
	if (c->o->learner)
		c->run->excluded += learner_news(c->o->learner);
	c->run->seconds = c->before + clock_seconds() - c->start;
	if (c->versions)
		c->run->versions = c->versions;
	c->saved = clock_seconds();
	return runs_update(c->store, c->run, d);
}

/* Saves after a model. Counters may wait: they are stored together with `next`, so a killed and resumed run counts each model
 * once. A model with rows of its own in the store is saved at once, so that they are not stored twice. */
static bool save_now_and_then(campaign *c, const job *j, diag *d)
{
	return (j->quiet && clock_seconds() - c->saved < SAVE_SECONDS) || save(c, d);
}

/* The work of a job other than running models, "reducing model 12"; "" if there is none. Call with the lock held. */
static void describe_work(const campaign *c, char to[80])
{
	*to = '\0';
	for (int64_t i = 0; i < c->o->jobs && !*to; i++)
		if (c->jobs[i].doing)
			snprintf(to, 80, "%s model %" PRIu64, c->jobs[i].doing, c->jobs[i].doing_index);
}

/* The lock is held. */
static void draw(campaign *c)
{
	char work[80];
	double now = clock_seconds();
	describe_work(c, work);
	const progress_goal goal = {.phase = c->o->phase,
	    .elapsed = now - c->o->phases->since,
	    .seconds = c->o->phases->seconds,
	    .phase_elapsed = now - c->start,
	    .models = (c->next - c->begun) / c->stride,
	    .all_models = models_from(c, c->begun),
	    .ran = c->run->models - c->models_before,
	    .last = c->o->last,
	    .found = c->o->phases->found,
	    .waiting = c->waiting,
	    .work = work};
	progress_draw(&c->progress, c->run, &goal, now);
}

#define TICK_SECONDS 1.0

static struct timespec in_seconds(double seconds)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	double nanoseconds = (double)t.tv_nsec + seconds * 1e9;
	t.tv_sec += (time_t)(nanoseconds / 1e9);
	t.tv_nsec = (long)(nanoseconds - 1e9 * (double)(time_t)(nanoseconds / 1e9));
	return t;
}

/* The ticker, a thread: draws progress while no model ends, as in a long reduction. */
static void *tick(void *context)
{
	campaign *c = context;
	double every = c->progress.every < TICK_SECONDS ? c->progress.every : TICK_SECONDS;
	pthread_mutex_lock(&c->lock);
	while (!c->done) {
		struct timespec next = in_seconds(every);
		pthread_cond_timedwait(&c->wake, &c->lock, &next);
		if (!c->done)
			draw(c);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

/* CPU seconds of the job's thread and its judge. */
static double job_cpu(const job *j)
{
	return clock_thread_seconds() + judge_cpu(&j->judge);
}

/* The processor time of the job since its first model. It is read only now and then, since reading visits all processes. */
static double see_cpu(job *j)
{
	double now = clock_seconds();
	if (now - j->cpu_seen < CPU_SECONDS)
		return j->cpu;
	double cpu = job_cpu(j);
	j->cpu_base = j->cpu_seen > 0 ? j->cpu_base : cpu;
	j->cpu_seen = now;
	return cpu - j->cpu_base;
}

static bool give_back(job *j, bool done)
{
	campaign *c = j->c;
	diag why;
	const double cpu = see_cpu(j);
	pthread_mutex_lock(&c->lock);
	j->cpu = cpu;
	if (done) {
		j->index += j->aside ? 1 : c->stride;
		j->left--;
		j->busy = j->left > 0; /* if false, it stays the first that is not done */
		if (j->aside && !j->busy)
			j->aside->seconds += clock_seconds() - j->aside_since - j->aside_triage;
	}
	if (!save_now_and_then(c, j, &why))
		finish(c, CAMPAIGN_INPUT, &why);
	draw(c);
	pthread_mutex_unlock(&c->lock);
	return done;
}

/* ---- counting; the lock is held */

static void count_verdict(run_row *r, enum verdict v, uint32_t operators)
{
	int64_t *const BY_VERDICT[] = {[VERDICT_ok] = &r->agreed,
	    [VERDICT_rejected] = &r->rejected,
	    [VERDICT_mispredicted] = &r->mispredicted,
	    [VERDICT_nondeterministic] = &r->nondeterministic,
	    [VERDICT_unspecified] = &r->unspecified,
	    [VERDICT_resource] = &r->resource,
	    [VERDICT_unreadable] = &r->unreadable,
	    [VERDICT_rounding] = &r->rounding,
	    [VERDICT_lost] = &r->lost,
	    [VERDICT_internal] = &r->lost, /* an error of the oracle: no verdict */
	    [VERDICT_unsupported] = &r->unsupported,
	    [VERDICT_inconsistency] = &r->inconsistency,
	    [VERDICT_accepts_invalid] = &r->accepts_invalid,
	    [VERDICT_error] = &r->error,
	    [VERDICT_crash] = &r->crash,
	    [VERDICT_hang] = &r->hang,
	    [VERDICT_memory] = &r->memory};
	r->models++;
	++*BY_VERDICT[v];
	if (verdict_is_compared(v)) {
		r->compared++;
		r->operators += operators;
	}
	if (v != VERDICT_rejected && v != VERDICT_mispredicted && v != VERDICT_resource && v != VERDICT_unreadable
	    && v != VERDICT_lost && v != VERDICT_internal)
		r->valid++;
}

/* Counts the shape instances of a model with dynamic shapes. */
static void count_assignments(run_row *r, const judgement *j)
{
	const cJSON *counts = cJSON_GetObjectItemCaseSensitive(j->answer, "assignments");
	const struct {
		const char *key;
		int64_t *to;
	} ALL[] = {{"run", &r->shape_instances}, {"recompiled", &r->recompiled}, {"rejected", &r->shape_rejections}};
	r->dynamic_shapes += counts != NULL;
	for (size_t i = 0; counts && i < sizeof ALL / sizeof *ALL; i++) {
		const cJSON *count = cJSON_GetObjectItemCaseSensitive(counts, ALL[i].key);
		*ALL[i].to += cJSON_IsNumber(count) ? count->valueint : 0;
	}
}

static void count_time(run_row *r, const judgement *j)
{
	r->t_reference += judgement_time(j, "reference") / 1000;
	r->t_compile += judgement_time(j, "compile") / 1000;
	r->t_run += judgement_time(j, "run") / 1000;
	r->t_judge += (judgement_time(j, "judge") + judgement_time(j, "localise")) / 1000;
	if (j->answer)
		return;
	if (strcmp(j->stage, "compile") == 0)
		r->t_compile += j->seconds;
	else if (strcmp(j->stage, "run") == 0)
		r->t_run += j->seconds;
	else
		r->t_reference += j->seconds;
}

/* Keeps the full oracle's versions, or the fast path's until that has started. */
static bool take_versions(campaign *c, const judge *by, diag *d)
{
	const cJSON *made_of = judge_versions(by);
	if (!made_of || (c->versions && (c->whole || !by->worker)))
		return true;
	char *text = cJSON_PrintUnformatted(made_of);
	c->versions = text ? arena_strdup(c->arena, text) : NULL;
	c->whole = by->worker != NULL;
	free(text);
	return diag_memory(d, c->versions);
}

/* The restarts among these starts; resets the count to the first start. */
static int64_t starts_again(int64_t *starts)
{
	int64_t again = *starts > 1 ? *starts - 1 : 0;
	*starts -= again;
	return again;
}

static void take_judge(run_row *r, judge *by)
{
	r->t_start += by->start_seconds;
	by->start_seconds = 0;
	r->restarts += starts_again(&by->starts) + starts_again(&by->screen_starts);
	r->fast_path += by->screened;
	r->full_oracle += by->passed_on;
	r->t_fast_path += by->screen_seconds;
	by->screened = by->passed_on = 0;
	by->screen_seconds = 0;
}

/* Whether a verdict is counted by API. */
static bool is_trouble(enum verdict v)
{
	return v == VERDICT_rejected || v == VERDICT_mispredicted || v == VERDICT_internal;
}

static tiers *tiers_of(const job *j)
{
	return j->aside ? j->aside->tiers : j->c->o->tiers;
}

static bool observe(job *j, const judgement *g, diag *d)
{
	const campaign *c = j->c;
	const uint64_t next = first_left(c, j->aside);
	if (j->aside)
		return !j->aside->observe || j->aside->observe(j->aside->context, j->graph, g, next, d);
	return !c->o->observe || c->o->observe(c->o->context, j->graph, g, next, d);
}

static bool account(job *j, const judgement *g, double generate, diag *d)
{
	campaign *c = j->c;
	run_row *r = c->run;
	count_verdict(r, g->verdict, j->graph->live_nodes);
	tiers *t = tiers_of(j);
	if (t)
		tiers_count(t, g, j->graph->live_nodes);
	progress_see(&c->progress, j->graph);
	if (c->o->learner && !verdict_is_invalid(g->verdict))
		learner_accepted(c->o->learner, j->graph);
	count_assignments(r, g);
	count_time(r, g);
	excuses_count(&c->excuses, g->answer);
	spent_take(&c->spent, g->answer, g->stage, g->seconds);
	r->t_generate += generate;
	take_judge(r, &j->judge);
	if (!take_versions(c, &j->judge, d))
		return false;
	if (!observe(j, g, d))
		return false;
	return !is_trouble(g->verdict)
	       || runs_trouble(c->store, r->id, g->api, verdict_name(g->verdict), g->message, d);
}

/* ---- findings */

enum outcome { OUTCOME_DONE, OUTCOME_STOPPED, OUTCOME_BACKEND, OUTCOME_INPUT };

static const char *kind_of(enum verdict v)
{
	return v == VERDICT_unsupported ? "error" : verdict_name(v);
}

/* Prints a line to standard error, without control characters. If the database could not store the finding, the line names the
 * model, which --resume runs again. */
static void tell_finding(const campaign *c, const finding *f, bool stored)
{
	buf line = {0};
	escape_terminal(&line, f->title, false);
	progress_clear(&c->progress);
	if (stored)
		fprintf(stderr, "new finding %" PRId64 ": ", f->id);
	else
		fprintf(stderr, "not stored, of model %" PRIu64 " of seed %" PRIu64 ": ", f->index, f->seed);
	fprintf(stderr, "%s\n", buf_text(&line));
	buf_free(&line);
}

/* key: of the model as generated. Call with the lock held. */
static bool keep(job *j, const char *original, const char *key, enum status status, const triage *t, diag *d)
{
	campaign *c = j->c;
	char *detail = t->last.answer ? cJSON_PrintUnformatted(t->last.answer) : NULL;
	bool added = false;
	finding f = {.bucket = t->signature,
	    .kind = kind_of(t->last.verdict),
	    .backend = judgement_backend(&t->last, c->o->backend),
	    .class = failure_class(kind_of(t->last.verdict), t->last.stage),
	    .status = status_name(status),
	    .title = t->title,
	    .apis = t->apis,
	    .model = t->text,
	    .original = original,
	    .script = t->script,
	    .short_script = t->short_script,
	    .versions = c->versions,
	    .detail = detail,
	    .log = t->last.log,
	    .seed = j->graph->seed,
	    .index = j->graph->index,
	    .values = j->graph->values,
	    .nodes = t->nodes,
	    .pass = t->pass,
	    .reduced = t->reduced};
	bool ok = diag_memory(d, detail || !t->last.answer) && store_add(c->store, &f, key ? key : "", &added, d)
		  && (!t->early || status != STATUS_OPEN || store_also(c->store, t->early, f.id, d));
	free(detail);
	j->finding = ok ? f.id : 0;
	if (!ok)
		tell_finding(c, &f, false);
	if (ok && status == STATUS_OPEN && added) {
		campaign_phases *all = c->o->phases;
		c->run->new_findings++;
		all->first = all->found++ && all->first < f.id ? all->first : f.id;
		tell_finding(c, &f, true);
	} else if (ok && status == STATUS_OPEN) {
		c->run->duplicates++;
	}
	return ok;
}

/* ---- triage */

/* The part of the run that is over, by time or by models; 0: unknown. The lock is held. */
static double part_over(const campaign *c)
{
	double by_time = c->o->seconds > 0 ? (clock_seconds() - c->start) / c->o->seconds : 0;
	uint64_t all = models_from(c, c->begun), done = (c->next - c->begun) / c->stride;
	double by_count = all && all != UINT64_MAX ? (double)done / (double)all : 0;
	return by_time > by_count ? by_time : by_count;
}

/* Seconds that triage may have taken by now. The lock is held. */
static double triage_allowed(const campaign *c)
{
	double now = (double)c->o->jobs * (clock_seconds() - c->start);
	return triage_budget(c->o->triage_share, now, part_over(c), TRIAGE_LEAD);
}

/* Seconds of processor time that triage may still take. The lock is held. */
static double cpu_left(const campaign *c)
{
	double now = 0;
	for (int64_t i = 0; i < c->o->jobs; i++)
		now += c->jobs[i].cpu;
	return triage_budget(c->o->triage_share, now, part_over(c), LEAD_CPU) - c->spent.triage;
}

/* Seconds that triage has taken so far, running ones included. The lock is held. */
static double triage_taken(const campaign *c)
{
	double taken = c->triage_seconds, now = clock_seconds();
	for (int64_t i = 0; i < c->o->jobs; i++)
		taken += c->jobs[i].triage_since > 0 ? now - c->jobs[i].triage_since : 0;
	return taken;
}

/* Probes are single calls, and the next phase needs their findings. */
static bool has_budget(const campaign *c)
{
	return c->o->triage_share < UNLIMITED && !c->o->probing && !c->o->only_pending;
}

/* Seconds of the budget that are left, and of its processor time. */
static double triage_left(campaign *c, double *cpu)
{
	*cpu = HUGE_VAL;
	if (!has_budget(c))
		return HUGE_VAL;
	pthread_mutex_lock(&c->lock);
	double left = triage_allowed(c) - triage_taken(c);
	*cpu = cpu_left(c);
	pthread_mutex_unlock(&c->lock);
	return left;
}

/* Whether the budget is too small for one more failure, which probably takes as long as those before. */
static bool is_over_budget(campaign *c)
{
	double cpu, left = triage_left(c, &cpu);
	pthread_mutex_lock(&c->lock);
	double n = c->examined ? (double)c->examined : 1, next = c->examined_seconds / n, next_cpu = c->examined_cpu / n;
	pthread_mutex_unlock(&c->lock);
	return left <= next || cpu <= next_cpu;
}

/* Estimated seconds to confirm a failure: a worker start, the model, two scripts, the search for the pass at fault. */
static double confirm_seconds(const job *j, const judgement *g)
{
	return j->judge.last_start + 4 * g->seconds + 0.5;
}

/* Seconds of the budget for one reduction. */
static double budget_seconds(campaign *c)
{
	double cpu, left = triage_left(c, &cpu);
	if (!has_budget(c))
		return left;
	left = cpu < left ? cpu : left;
	return left < STEP_LEAST ? STEP_LEAST : left > STEP_MOST ? STEP_MOST : left;
}

/* Seconds for reducing a failure: the time left, less the time to confirm it, but at least half of it. */
static double reduce_seconds(const job *j, const judgement *g)
{
	const campaign *c = j->c;
	if (c->o->seconds <= 0)
		return c->o->reduce_seconds;
	double left = c->o->seconds - (clock_seconds() - c->start), reserve = confirm_seconds(j, g);
	left -= reserve < left / 2 ? reserve : left / 2;
	left = left < 0 ? 0 : left;
	return left < c->o->reduce_seconds ? left : c->o->reduce_seconds;
}

/* For progress. */
static void begin_work(job *j, const char *what)
{
	pthread_mutex_lock(&j->c->lock);
	j->doing = what;
	j->doing_index = j->claimed ? j->graph->index : j->index;
	pthread_mutex_unlock(&j->c->lock);
}

/* Confirms in a process that has run nothing else: one that the job's worker forks, or a fresh worker. */
static bool confirm(job *j, const judgement *g, triage *t, bool *confirmed, diag *d)
{
	const campaign *c = j->c;
	judge *own = &j->judge, fresh = {.options = own->options,
	    .backend = c->o->backend,
	    .memory_mib = c->o->memory_mib,
	    .probing = own->probing,
	    .alone = true,
	    .tolerance = c->o->tolerance,
	    .id = own->id};
	bool lent = worker_forks(own->worker);
	if (lent) {
		fresh.worker = own->worker;
		own->worker = NULL;
	}
	bool ok = triage_confirm(&fresh, j->graph, g, t, confirmed, d);
	if (!lent)
		judge_close(&fresh);
	own->worker = lent ? fresh.worker : own->worker;
	own->id = fresh.id;
	own->gone_cpu += fresh.gone_cpu;
	return ok;
}

/* Looks up the finding of a signature: 1, 0, or -1 and d. An error that another tier of the run raises in the same place is
 * the same finding. */
static int find_signature(const campaign *c, const char *signature, int64_t *id, bool *fixed, diag *d)
{
	int known = store_bucket(c->store, signature, id, fixed, d);
	const tiers *t = c->o->tiers;
	for (int i = 0; known == 0 && t && i < t->n && strncmp(signature, "error|", 6) == 0; i++) {
		char *other = failure_of_backend(signature, t->tier[i].name);
		known = other ? store_bucket(c->store, other, id, fixed, d) : (diag_memory(d, false), -1);
		free(other);
	}
	return known;
}

/* Adds the keys of another failure to a stored finding. Call with the lock held. */
static bool add_keys(const campaign *c, const judgement *g, const triage *t, int64_t id, diag *d)
{
	return store_also(c->store, g->key ? g->key : "", id, d) && (!t->early || store_also(c->store, t->early, id, d));
}

/* Counts a duplicate of a stored finding. Call with the lock held. */
static bool count_duplicate(job *j, int64_t id, diag *d)
{
	j->finding = id;
	j->c->run->duplicates++;
	return store_met_again(j->c->store, id, d);
}

/* Handles a failure that the same worker reproduced. A known signature counts as a duplicate; others are confirmed in a fresh
 * worker and stored, as flaky if that does not fail. A call that fails on its own is then excluded from later models. */
static enum outcome settle(job *j, const char *model, const judgement *g, triage *t, diag *d)
{
	campaign *c = j->c;
	pthread_mutex_lock(&c->lock);
	bool fixed = false, confirmed = false;
	int64_t id;
	int known = find_signature(c, t->signature, &id, &fixed, d);
	bool duplicate = known == 1 && !fixed; /* it was confirmed when it was new */
	bool counted = !duplicate || (count_duplicate(j, id, d) && add_keys(c, g, t, id, d));
	pthread_mutex_unlock(&c->lock);
	if (known < 0 || !counted)
		return OUTCOME_INPUT;
	if (duplicate)
		return !c->o->learner || learner_take(c->o->learner, &t->model, &t->last, id, d) ? OUTCOME_DONE : OUTCOME_INPUT;
	begin_work(j, "confirming");
	if (!confirm(j, g, t, &confirmed, d))
		return OUTCOME_BACKEND;
	if (t->last.verdict == VERDICT_stopped)
		return OUTCOME_STOPPED;
	pthread_mutex_lock(&c->lock);
	bool ok = keep(j, model, confirmed ? g->key : t->signature, confirmed ? STATUS_OPEN : STATUS_FLAKY, t, d);
	c->run->unconfirmed += !confirmed;
	pthread_mutex_unlock(&c->lock);
	if (ok && confirmed && c->o->learner)
		ok = learner_take(c->o->learner, &t->model, &t->last, j->finding, d);
	return ok ? OUTCOME_DONE : OUTCOME_INPUT;
}

typedef struct lookup {
	job *j;
	bool failed; /* the database, not the worker */
} lookup;

/* Looks up the signature of a model whose nodes are reduced, among those of findings and their early forms. */
static int find_early(void *context, const char *signature, diag *d)
{
	lookup *l = context;
	campaign *c = l->j->c;
	bool again = false;
	int64_t id;
	pthread_mutex_lock(&c->lock);
	int known = find_signature(c, signature, &id, &again, d);
	if (known == 0)
		known = store_key(c->store, signature, &id, &again, d);
	if (known == 1 && again)
		known = 0;
	if (known == 1 && !count_duplicate(l->j, id, d))
		known = -1;
	pthread_mutex_unlock(&c->lock);
	l->failed = known < 0;
	return known;
}

/* Stores a failure for later triage. */
static enum outcome defer(job *j, const char *model, const judgement *g, diag *d)
{
	campaign *c = j->c;
	const pending p = {.run = c->run->id, .key = g->key ? g->key : "", .kind = kind_of(g->verdict), .model = model};
	pthread_mutex_lock(&c->lock);
	bool ok = j->claimed ? pending_postpone(c->store, j->claimed, d) : pending_add(c->store, &p, d);
	c->run->deferred += !j->claimed;
	c->waiting += !j->claimed;
	c->none_left &= j->claimed != 0;
	j->claimed = 0;
	pthread_mutex_unlock(&c->lock);
	return ok ? OUTCOME_DONE : OUTCOME_INPUT;
}

static enum outcome examine(job *j, const char *model, const judgement *g, diag *d)
{
	campaign *c = j->c;
	triage t;
	double start = clock_seconds(), seconds = reduce_seconds(j, g), budget = budget_seconds(c);
	enum outcome end = OUTCOME_DONE;
	lookup l = {.j = j};
	begin_work(j, "reducing");
	triage_options o = {.seconds = seconds < budget ? seconds : budget, .table = c->o->table, .known = find_early, .context = &l};
	const double usual = j->judge.options.call_seconds;
	if (g->verdict == VERDICT_hang && has_budget(c) && usual > HANG_SECONDS)
		judge_limit(&j->judge, HANG_SECONDS);
	bool ran = triage_reduce(&j->judge, j->graph, g, &o, &t, d);
	judge_limit(&j->judge, usual);
	if (!ran)
		end = l.failed ? OUTCOME_INPUT : OUTCOME_BACKEND;
	else if (t.last.verdict == VERDICT_stopped)
		end = OUTCOME_STOPPED;
	else if (t.again && !t.known && !t.cut && budget < seconds) /* too large to check whether it is known */
		end = defer(j, model, g, d);
	else if (t.again && !t.known)
		end = settle(j, model, g, &t, d);
	else if (t.known && c->o->learner && !learner_take(c->o->learner, &t.model, &t.last, j->finding, d))
		end = OUTCOME_INPUT;
	pthread_mutex_lock(&c->lock);
	c->run->t_triage += clock_seconds() - start;
	c->examined_seconds += clock_seconds() - start;
	c->examined++;
	j->examines = true;
	if (t.known)
		c->known_seconds += clock_seconds() - start;
	c->run->unconfirmed += ran && end == OUTCOME_DONE && !t.again;
	if (end == OUTCOME_DONE && g->key && !known_keys_note(&c->keys, g->key, j->finding))
		end = (diag_memory(d, false), OUTCOME_INPUT);
	j->doing = NULL;
	pthread_mutex_unlock(&c->lock);
	triage_free(&t);
	return end;
}

/* Whether reducing known failures used up its half of the budget, so that the next failures are looked up by their key alone. */
static bool spent_enough(campaign *c)
{
	pthread_mutex_lock(&c->lock);
	bool enough = !c->o->only_pending && c->known_seconds > triage_allowed(c) / 2;
	pthread_mutex_unlock(&c->lock);
	return enough;
}

/* Counts a duplicate of the finding of a key: 1, 0 if there is none, or -1 and d. */
static int met_before(job *j, const judgement *g, diag *d)
{
	campaign *c = j->c;
	int64_t id;
	bool fixed = false;
	pthread_mutex_lock(&c->lock);
	int known = store_key(c->store, g->key ? g->key : "", &id, &fixed, d);
	if (known == 1 && fixed)
		known = 0;
	if (known == 1) {
		known = store_met_again(c->store, id, d) ? 1 : -1;
		j->finding = id;
		c->run->duplicates += g->verdict != VERDICT_unsupported;
	}
	pthread_mutex_unlock(&c->lock);
	return known;
}

/* Counts an exception as a duplicate if a finding has it within one of the model's regions: 1, 0 or -1 and d. */
static int met_in_regions(job *j, const judgement *g, diag *d)
{
	campaign *c = j->c;
	int known = 0;
	int64_t id = 0;
	bool fixed = false;
	pthread_mutex_lock(&c->lock);
	for (unsigned i = 0; known == 0 && g->key && i < j->graph->nbodies; i++) {
		const enum body_kind kind = (enum body_kind)j->graph->bodies[i].kind;
		if (!body_is_region(kind))
			continue;
		char *signature = failure_signature(g->key, body_name(kind), "");
		known = signature ? find_signature(c, signature, &id, &fixed, d) : (diag_memory(d, false), -1);
		known = known == 1 && fixed ? 0 : known;
		free(signature);
	}
	if (known == 1)
		known = count_duplicate(j, id, d) ? 1 : -1;
	pthread_mutex_unlock(&c->lock);
	return known;
}

/* Counts a failure as a duplicate if those with its key were: 1, 0 or -1 and d. */
static int met_often(job *j, const judgement *g, diag *d)
{
	campaign *c = j->c;
	pthread_mutex_lock(&c->lock);
	int64_t id = known_keys_meet(&c->keys, g->key ? g->key : "");
	int known = !id ? 0 : count_duplicate(j, id, d) ? 1 : -1;
	pthread_mutex_unlock(&c->lock);
	return known;
}

/* Counts an accepted invalid call as a duplicate if a finding has its cause, and adds its key, which has the API: 1, 0 or -1 and d. It
 * is not triaged, since compilers accept hundreds of invalid calls for few causes. */
static int met_by_cause(job *j, const char *key, diag *d)
{
	const campaign *c = j->c;
	int64_t id = 0;
	bool fixed = false;
	size_t n;
	if (!failure_accepted(key, &n))
		return 0;
	char *signature = failure_signature(key, "", "");
	pthread_mutex_lock(&j->c->lock);
	int known = signature ? find_signature(c, signature, &id, &fixed, d) : (diag_memory(d, false), -1);
	known = known == 1 && fixed ? 0 : known;
	if (known == 1)
		known = store_also(c->store, key, id, d) && count_duplicate(j, id, d) ? 1 : -1;
	pthread_mutex_unlock(&j->c->lock);
	free(signature);
	return known;
}

/* Whether failures with this verdict may be told apart by their keys. A key alone does not identify a fault, least of all a crash,
 * a hang or a memory limit. */
static bool has_telling_key(enum verdict v)
{
	return v == VERDICT_error || v == VERDICT_inconsistency || v == VERDICT_accepts_invalid;
}

/* Excludes the call that fails on its own, in a model that is not reduced. */
static enum outcome blame(job *j, const judgement *g, diag *d)
{
	static const enum outcome OUTCOMES[] = {[LEARNED_DONE] = OUTCOME_DONE,
	    [LEARNED_STOPPED] = OUTCOME_STOPPED,
	    [LEARNED_BACKEND] = OUTCOME_BACKEND,
	    [LEARNED_INPUT] = OUTCOME_INPUT};
	learner *l = j->c->o->learner;
	int64_t finding = verdict_is_candidate(g->verdict) ? j->finding : 0;
	return l ? OUTCOMES[learner_blame(l, &j->judge, j->graph, g, finding, d)] : OUTCOME_DONE;
}

/* Stores an unsupported model without reduction, then excludes its call: a failure that is not stored must be seen again. */
static enum outcome keep_unsupported(job *j, const char *model, judgement *g, diag *d)
{
	triage t;
	bool ok = triage_as_it_is(&j->judge, j->graph, g, &t, d);
	pthread_mutex_lock(&j->c->lock);
	ok = ok && keep(j, model, t.last.key, STATUS_UNSUPPORTED, &t, d);
	pthread_mutex_unlock(&j->c->lock);
	enum outcome end = ok ? blame(j, &t.last, d) : OUTCOME_INPUT;
	triage_free(&t);
	return end;
}

/* Links a call to its finding, so that runs with this database may exclude the call. */
static bool link_call(void *context, const graph *call, int64_t finding, diag *d)
{
	campaign *c = context;
	char *key;
	if (!diag_memory(d, capability_key(c->o->backend, call, &key)))
		return false;
	if (!key)
		return true;
	pthread_mutex_lock(&c->lock);
	bool ok = store_also(c->store, key, finding, d);
	pthread_mutex_unlock(&c->lock);
	free(key);
	return ok;
}

/* Whether other failures wait that may be examined. Accepted invalid calls, which are many, come after them. */
static bool others_wait(campaign *c)
{
	pthread_mutex_lock(&c->lock);
	bool wait = has_budget(c) && c->waiting > 0 && !c->none_left;
	pthread_mutex_unlock(&c->lock);
	return wait;
}

static enum outcome look_into(job *j, const char *model, judgement *g, diag *d)
{
	bool unsupported = g->verdict == VERDICT_unsupported;
	if (g->verdict == VERDICT_nondeterministic || verdict_is_invalid(g->verdict)) /* nothing to compare with */
		return blame(j, g, d);
	bool over = is_over_budget(j->c) || (g->verdict == VERDICT_accepts_invalid && others_wait(j->c));
	bool telling = unsupported || (has_telling_key(g->verdict) && (over || spent_enough(j->c)));
	int known = met_by_cause(j, g->key ? g->key : "", d);
	if (known == 0)
		known = telling ? met_before(j, g, d) : has_telling_key(g->verdict) && has_budget(j->c) ? met_often(j, g, d) : 0;
	if (known == 0 && g->verdict == VERDICT_error && has_budget(j->c))
		known = met_in_regions(j, g, d);
	if (known < 0)
		return OUTCOME_INPUT;
	if (!unsupported && !known)
		return (over ? defer : examine)(j, model, g, d);
	return known ? blame(j, g, d) : keep_unsupported(j, model, g, d);
}

/* Counts the time of the job as triage, until end_triage. */
static void begin_triage(job *j)
{
	j->triage_cpu = job_cpu(j);
	j->triage_start = j->judge.start_cpu;
	pthread_mutex_lock(&j->c->lock);
	j->triage_since = clock_seconds();
	pthread_mutex_unlock(&j->c->lock);
}

/* The lock is held. */
static void end_triage(job *j)
{
	const double seconds = clock_seconds() - j->triage_since;
	j->c->triage_seconds += seconds;
	j->aside_triage += seconds;
	j->triage_since = 0;
	double cpu = job_cpu(j) - j->triage_cpu;
	j->c->spent.triage += cpu;
	j->c->examined_cpu += j->examines ? cpu : 0;
	j->examines = false;
	j->judge.start_cpu = j->triage_start; /* starts during triage count as triage */
}

/* Triage of a model that was counted. */
static enum outcome follow_up(job *j, const char *model, judgement *g, diag *d)
{
	campaign *c = j->c;
	bool invalid = c->o->other_versions && verdict_is_invalid(g->verdict);
	if (g->verdict < VERDICT_unsupported && g->verdict != VERDICT_nondeterministic && !invalid)
		return OUTCOME_DONE;
	j->finding = 0;
	begin_triage(j);
	enum outcome end = look_into(j, model, g, d);
	bool links = c->o->probing && j->finding && g->verdict != VERDICT_unsupported;
	if (links && end == OUTCOME_DONE && !link_call(c, j->graph, j->finding, d))
		end = OUTCOME_INPUT;
	pthread_mutex_lock(&c->lock);
	end_triage(j);
	pthread_mutex_unlock(&c->lock);
	return end;
}

/* ---- waiting failures */

/* Whether failures may wait, and there is budget for one. */
static bool is_time_for_waiting(campaign *c)
{
	pthread_mutex_lock(&c->lock);
	bool waiting = c->waiting > 0 && !c->none_left;
	pthread_mutex_unlock(&c->lock);
	return waiting && !is_over_budget(c);
}

/* Claims a waiting failure for the job: 1, 0 or -1 and d. */
static int claim(job *j, pending *p, arena *a, diag *d)
{
	campaign *c = j->c;
	int n = 0;
	int64_t *others = ARENA_ARRAY(a, int64_t, (size_t)c->o->jobs);
	if (!diag_memory(d, others))
		return -1;
	pthread_mutex_lock(&c->lock);
	for (int64_t i = 0; i < c->o->jobs; i++)
		if (c->jobs[i].claimed)
			others[n++] = c->jobs[i].claimed;
	int found = pending_first(c->store, c->o->backend, c->pending_end, others, n, p, a, d);
	c->none_left = found == 0;
	j->claimed = found == 1 ? p->id : 0;
	pthread_mutex_unlock(&c->lock);
	return found;
}

/* Whether the failure was seen in another version of the backend. */
static bool is_of_other_version(const job *j, const pending *p)
{
	cJSON *before = cJSON_Parse(p->versions);
	const char *then = versions_of(before, p->backend), *now = versions_of(judge_versions(&j->judge), p->backend);
	bool other = then && now && strcmp(then, now) != 0;
	cJSON_Delete(before);
	return other;
}

/* A waiting failure does not reproduce: removes it, unless it may reproduce in the version in which it was seen. */
static bool dismiss_waiting(job *j, const pending *p, diag *d)
{
	pthread_mutex_lock(&j->c->lock);
	bool other = is_of_other_version(j, p), ok = !other || pending_postpone(j->c->store, p->id, d);
	j->c->run->unconfirmed += !other;
	j->claimed = other ? 0 : j->claimed;
	pthread_mutex_unlock(&j->c->lock);
	return ok;
}

/* Judges a waiting failure again, and examines it if it fails. */
static enum outcome examine_waiting(job *j, const pending *p, diag *d)
{
	judgement g = {.api = "", .message = ""};
	enum outcome end = OUTCOME_DONE;
	const int known = met_by_cause(j, p->key, d);
	if (known != 0)
		return known < 0 ? OUTCOME_INPUT : OUTCOME_DONE;
	graph_number(j->graph);
	if (!judge_model(&j->judge, p->model, &g, d))
		return diag_is_memory(d) ? OUTCOME_INPUT : OUTCOME_BACKEND;
	pthread_mutex_lock(&j->c->lock);
	bool ok = take_versions(j->c, &j->judge, d);
	pthread_mutex_unlock(&j->c->lock);
	if (!ok) {
		end = OUTCOME_INPUT;
	} else if (g.verdict == VERDICT_stopped) {
		end = OUTCOME_STOPPED;
	} else if (verdict_is_candidate(g.verdict)) {
		end = examine(j, p->model, &g, d);
	} else if (!dismiss_waiting(j, p, d)) {
		end = OUTCOME_INPUT;
	}
	judgement_free(&g);
	return end;
}

/* Removes the failure unless it was cut off or put back. */
static bool settle_waiting(job *j, const pending *p, bool done, diag *d)
{
	campaign *c = j->c;
	pthread_mutex_lock(&c->lock);
	bool settled = done && j->claimed, ok = !settled || (pending_settle(c->store, p, j->finding, d) && save(c, d));
	c->waiting -= settled ? p->count : 0;
	j->claimed = 0;
	pthread_mutex_unlock(&c->lock);
	return ok;
}

/* Triages a claimed failure. A model that cannot be read, of a later version, is removed like one that does not fail. */
static enum outcome triage_waiting(job *j, const pending *p, diag *d)
{
	campaign *c = j->c;
	diag why = {""};
	const rs_library library = {.abi = c->o->table->abi, .ntables = 1, .tables = &c->o->table};
	enum outcome end = OUTCOME_DONE;
	j->finding = 0;
	begin_triage(j);
	if (graph_read_json(j->graph, p->model, NULL, 0, &library, &why))
		end = examine_waiting(j, p, d);
	else if (diag_is_memory(&why))
		end = (*d = why, OUTCOME_INPUT);
	if (!settle_waiting(j, p, end == OUTCOME_DONE, d))
		end = OUTCOME_INPUT;
	pthread_mutex_lock(&c->lock);
	end_triage(j);
	take_judge(c->run, &j->judge);
	pthread_mutex_unlock(&c->lock);
	return end;
}

/* Triages one waiting failure if there is one, and budget for it. *found: whether there was. */
static enum outcome catch_up(job *j, bool *found, diag *d)
{
	pending p;
	*found = false;
	if (!is_time_for_waiting(j->c))
		return OUTCOME_DONE;
	arena *a = arena_new();
	int claimed = a ? claim(j, &p, a, d) : (diag_memory(d, false), -1);
	*found = claimed == 1;
	enum outcome end = claimed < 0 ? OUTCOME_INPUT : *found ? triage_waiting(j, &p, d) : OUTCOME_DONE;
	if (a)
		arena_free(a);
	return end;
}

/* ---- one model */

static bool save_model(const job *j, const char *model, diag *d)
{
	char path[4096];
	if (!j->c->o->save_models || j->aside)
		return true;
	snprintf(path, sizeof path, "%s/%s-%" PRIu64 "-%" PRIu64 ".json", j->c->o->save_models,
	    j->c->run->framework, j->c->run->seed, j->index);
	return file_write(path, model, strlen(model), d);
}

/* Selects the targets to run. */
static bool choose(job *j, buf *to, diag *d)
{
	const tiers *t = tiers_of(j);
	if (!t)
		return true;
	pthread_mutex_lock(&j->c->lock);
	tiers_choose(t, to);
	pthread_mutex_unlock(&j->c->lock);
	j->judge.targets = to->text;
	return diag_memory(d, !to->failed);
}

static bool judge_next(job *j, const char *model, judgement *g, diag *d)
{
	buf targets = {0};
	*g = (judgement){.api = "", .message = ""};
	bool ok = choose(j, &targets, d) && judge_screened(&j->judge, model, g, d);
	j->judge.targets = NULL;
	buf_free(&targets);
	return ok;
}

static bool generate(job *j, uint64_t index)
{
	const campaign_options *o = j->c->o;
	uint64_t seed = j->c->run->seed, group = index / (uint64_t)(o->batch > 1 ? o->batch : 1);
	return rs_gen_model(j->gen, seed, index, j->graph)
	       && (!o->settings || draw_settings(o->settings, o->settings_share, seed, group, j->graph));
}

/* Makes a model that runs beside the campaign's. */
static bool make_aside(const job *j, uint64_t number)
{
	pthread_mutex_lock(&j->c->lock);
	bool made = j->aside->model(j->aside->context, number, j->graph);
	pthread_mutex_unlock(&j->c->lock);
	return made;
}

/* Makes the model of a number in the job's graph. Returns its JSON, to free(); NULL: out of memory. */
static char *make_model(job *j, uint64_t index)
{
	const campaign_options *o = j->c->o;
	double start = clock_thread_seconds();
	bool made = j->aside ? make_aside(j, index) : o->model ? o->model(o->context, index, j->graph) : generate(j, index);
	char *model = made ? rs_graph_json(j->graph) : NULL;
	pthread_mutex_lock(&j->c->lock);
	j->c->spent.generate += clock_thread_seconds() - start;
	pthread_mutex_unlock(&j->c->lock);
	return model;
}

static void free_texts(char **texts, size_t n)
{
	for (size_t i = 0; texts && i < n; i++)
		free(texts[i]);
	free(texts);
}

/* Loads a model of the batch, made beside the campaign, into the job's graph. Returns its JSON, to free(); NULL and d. */
static char *take_text(job *j, diag *d)
{
	const rs_library library = {.abi = j->c->o->table->abi, .ntables = 1, .tables = &j->c->o->table};
	char *model = j->texts[j->text];
	j->texts[j->text++] = NULL;
	if (j->left == 1) {
		free(j->texts);
		j->texts = NULL;
	}
	if (model && graph_read_json(j->graph, model, NULL, 0, &library, d))
		return model;
	free(model);
	return NULL;
}

/* Judges all models of the job in one request. */
static enum outcome look_ahead(job *j, diag *d)
{
	size_t n = 0, want = (size_t)j->left;
	char **models = calloc(want, sizeof *models);
	buf targets = {0};
	while (models && n < want && (models[n] = make_model(j, j->index + n * (j->aside ? 1 : j->c->stride))))
		n++;
	enum outcome end = n == want ? OUTCOME_DONE : (diag_set(d, "out of memory"), OUTCOME_INPUT);
	if (end == OUTCOME_DONE && !(choose(j, &targets, d) && judge_models(&j->judge, models, n, j->ahead, d)))
		end = OUTCOME_BACKEND;
	j->judge.targets = NULL;
	buf_free(&targets);
	if (j->aside && models)
		j->texts = models, j->text = 0;
	else
		free_texts(models, n);
	if (end != OUTCOME_DONE)
		memset(j->ahead, 0, want * sizeof *j->ahead);
	return end;
}

/* Removes the first of these judgements. */
static judgement take_ahead(job *j)
{
	judgement first = j->ahead[0];
	memmove(j->ahead, j->ahead + 1, (size_t)(j->left - 1) * sizeof *j->ahead);
	j->ahead[j->left - 1] = (judgement){.answer = NULL};
	return first;
}

/* Keeps a sample of each excuse that few models have named. Call with the lock held. */
static bool audit(job *j, const char *model, const judgement *g, diag *d)
{
	const campaign_options *o = j->c->o;
	const excuse_sample x = {.folder = o->audit,
	    .backend = judgement_backend(g, o->backend),
	    .verdict = verdict_name(g->verdict),
	    .model = model,
	    .answer = g->answer,
	    .seed = j->c->run->seed,
	    .index = j->index};
	return o->audited == 0 || excuses_keep(&j->c->excuses, o->audited, &x, d);
}

static enum outcome check_model(job *j, const char *model, double generate, diag *d)
{
	judgement g;
	if (j->ahead)
		g = take_ahead(j);
	else if (!judge_next(j, model, &g, d))
		return OUTCOME_BACKEND;
	enum outcome end = OUTCOME_STOPPED;
	j->quiet = !is_trouble(g.verdict) && g.verdict != VERDICT_unsupported && !verdict_is_candidate(g.verdict);
	if (g.verdict != VERDICT_stopped) {
		pthread_mutex_lock(&j->c->lock);
		bool counted = account(j, &g, generate, d) && audit(j, model, &g, d);
		pthread_mutex_unlock(&j->c->lock);
		end = counted ? follow_up(j, model, &g, d) : OUTCOME_INPUT;
	}
	judgement_free(&g);
	return end;
}

static enum outcome run_model(job *j, diag *d)
{
	double start = clock_seconds();
	const bool made = j->texts;
	char *model = made ? take_text(j, d) : make_model(j, j->index);
	if (!model && !made)
		diag_set(d, "out of memory for model %" PRIu64, j->index);
	if (!model)
		return OUTCOME_INPUT;
	double generate = clock_seconds() - start;
	enum outcome end =
	    save_model(j, model, d) ? check_model(j, model, generate, d) : OUTCOME_INPUT;
	free(model);
	return end;
}

/* Renews the generator and judges ahead, before a new batch. */
static enum outcome prepare(job *j, diag *d)
{
	const campaign_options *o = j->c->o;
	if (o->learner && !learner_renew(o->learner, o->table, o->gen, &j->gen, &j->renewed, d))
		return OUTCOME_INPUT;
	j->judge.probing |= j->aside && j->aside->probing;
	return j->ahead ? look_ahead(j, d) : OUTCOME_DONE;
}

static const enum campaign_end ENDS[] = {[OUTCOME_STOPPED] = CAMPAIGN_SHORT,
    [OUTCOME_BACKEND] = CAMPAIGN_BACKEND,
    [OUTCOME_INPUT] = CAMPAIGN_INPUT};

/* Ends the campaign for an outcome that is not OUTCOME_DONE. Returns whether --time ended it. */
static bool end_early(job *j, enum outcome end, const diag *why)
{
	bool late = end == OUTCOME_STOPPED && worker_deadline_passed(&j->c->o->worker) && !stop_asked(j->c);
	pthread_mutex_lock(&j->c->lock);
	finish(j->c, late ? end_of_time(j->c) : ENDS[end == OUTCOME_BACKEND && diag_is_memory(why) ? OUTCOME_INPUT : end],
	    late ? NULL : why);
	j->c->run->unfinished += late;
	pthread_mutex_unlock(&j->c->lock);
	return late;
}

/* The next model; before a batch, a failure that waits. */
static enum outcome work_once(job *j, bool fresh, diag *d)
{
	bool found;
	enum outcome end = fresh ? catch_up(j, &found, d) : OUTCOME_DONE;
	if (fresh && end == OUTCOME_DONE)
		end = prepare(j, d);
	return end == OUTCOME_DONE ? run_model(j, d) : end;
}

static void *work(void *context)
{
	job *j = context;
	bool fresh = true; /* a new batch begins */
	while (j->left > 0 || take(j)) {
		diag why = {""};
		enum outcome end = work_once(j, fresh, &why);
		fresh = j->left == 1;
		bool late = end != OUTCOME_DONE && end_early(j, end, &why);
		/* Skip a call that takes too long to probe: otherwise no run would get past it. */
		if (!give_back(j, end == OUTCOME_DONE || (late && j->c->o->probing)) || late)
			break;
	}
	return NULL;
}

static bool is_over(campaign *c)
{
	pthread_mutex_lock(&c->lock);
	if (stop_asked(c) || is_late(c))
		finish(c, CAMPAIGN_SHORT, NULL);
	bool over = c->ended;
	pthread_mutex_unlock(&c->lock);
	return over;
}

/* Triages the waiting failures, in place of models. */
static void *work_on_waiting(void *context)
{
	job *j = context;
	for (bool found = true; found && !is_over(j->c);) {
		diag why = {""};
		enum outcome end = catch_up(j, &found, &why);
		if (end != OUTCOME_DONE)
			end_early(j, end, &why);
	}
	return NULL;
}

/* ---- the campaign */

static bool set_up(job *j, campaign *c, diag *d)
{
	char message[512];
	*j = (job){.c = c,
	    .judge = {.options = c->o->worker,
		.screen = c->o->screen,
		.backend = c->o->backend,
		.memory_mib = c->o->memory_mib,
		.tolerance = c->o->tolerance}};
	if (c->o->warm && j == c->jobs)
		j->judge = *c->o->warm;
	j->judge.probing = c->o->probing;
	j->judge.audit = c->o->audited > 0;
	j->before = judge_cpu(&j->judge);
	j->judge.start_cpu = 0;
	if (c->o->batch > 1 && !c->o->screen.argv) {
		j->ahead = calloc((size_t)c->o->batch, sizeof *j->ahead);
		if (!j->ahead)
			return diag_set(d, "out of memory");
	}
	j->gen = rs_gen_new(c->o->table, &c->o->gen, message, sizeof message);
	j->renewed = (renewal){.without = c->o->gen.nwithout};
	j->graph = rs_graph_new();
	if (!j->gen)
		return diag_set(d, "%s", message);
	return diag_memory(d, j->graph);
}

static void tear_down(job *j)
{
	spent *s = &j->c->spent;
	s->start += j->judge.start_cpu;
	s->all += judge_cpu(&j->judge) - j->before;
	if (j->c->o->warm && j == j->c->jobs)
		*j->c->o->warm = j->judge;
	else
		judge_close(&j->judge);
	for (int64_t i = 0; j->ahead && i < j->c->o->batch; i++)
		judgement_free(&j->ahead[i]);
	if (j->texts)
		free_texts(j->texts, j->text + (size_t)j->left);
	free(j->ahead);
	rs_graph_free(j->graph);
	rs_gen_free(j->gen);
}

static void run_jobs(campaign *c)
{
	pthread_t ticker;
	bool ticks = c->progress.every > 0 && pthread_create(&ticker, NULL, tick, c) == 0;
	int64_t started = 1;
	void *(*const thread)(void *) = c->o->only_pending ? work_on_waiting : work;
	while (started < c->o->jobs
	       && pthread_create(&c->jobs[started].thread, NULL, thread, &c->jobs[started]) == 0)
		started++;
	thread(&c->jobs[0]);
	for (int64_t i = 1; i < started; i++)
		pthread_join(c->jobs[i].thread, NULL);
	pthread_mutex_lock(&c->lock);
	c->done = true;
	pthread_cond_signal(&c->wake);
	pthread_mutex_unlock(&c->lock);
	if (ticks)
		pthread_join(ticker, NULL);
}

static void open_lock(campaign *c)
{
	pthread_condattr_t monotonic;
	pthread_mutex_init(&c->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&c->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

static void close_lock(campaign *c)
{
	pthread_cond_destroy(&c->wake);
	pthread_mutex_destroy(&c->lock);
}

/* The first model of a shard at or after a number. */
static uint64_t first_of_shard(const campaign_options *o, uint64_t from)
{
	uint64_t behind = o->shards ? (from + o->shards - o->shard % o->shards) % o->shards : 0;
	return behind ? from + o->shards - behind : from;
}

enum campaign_end campaign_run(const campaign_options *o, store *s, run_row *run, arena *a, diag *d)
{
	campaign c = {.o = o,
	    .store = s,
	    .run = run,
	    .next = first_of_shard(o, run->next),
	    .begun = first_of_shard(o, run->next),
	    .stride = o->shards ? o->shards : 1,
	    .start = clock_seconds(),
	    .before = run->seconds,
	    .models_before = run->models,
	    .spent = {.all = -clock_cpu_seconds()},
	    .arena = a,
	    .d = d,
	    .pending_end = PENDING_POSTPONED,
	    .jobs = calloc((size_t)o->jobs, sizeof(job))};
	bool ok = diag_memory(d, c.jobs) && (o->probing || pending_count(s, o->backend, &c.waiting, d))
		  && (!o->only_pending || pending_end(s, &c.pending_end, d)) && excuses_load(s, run->id, &c.excuses, d);
	run->excuses = &c.excuses;
	if (o->learner) {
		o->learner->link = link_call;
		o->learner->context = &c;
	}
	progress_open(&c.progress, o->progress, o->table, &o->phases->drawn);
	for (int64_t i = 0; ok && i < o->jobs; i++)
		ok = set_up(&c.jobs[i], &c, d);
	if (ok) {
		open_lock(&c);
		run_jobs(&c);
		diag why;
		if (!save(&c, &why))
			finish(&c, CAMPAIGN_INPUT, &why);
		close_lock(&c);
	}
	for (int64_t i = 0; c.jobs && i < o->jobs; i++)
		if (c.jobs[i].c)
			tear_down(&c.jobs[i]);
	free(c.jobs);
	known_keys_free(&c.keys);
	run->excuses = NULL;
	c.spent.all += clock_cpu_seconds();
	if (o->spent)
		*o->spent = c.spent;
	progress_close(&c.progress);
	return ok ? c.end : CAMPAIGN_INPUT;
}

enum campaign_end campaign_phase(
    const campaign_options *o, const char *strategy, uint64_t *next, store *s, arena *a, diag *d)
{
	const setting settings[] = {{"rules", o->table->fingerprint}, {"strategy", strategy}};
	run_row run = {.backend = o->backend,
	    .framework = o->table->framework,
	    .next = *next,
	    .versions = "{}",
	    .settings = settings,
	    .nsettings = 2};
	enum campaign_end end = runs_begin(s, &run, d) ? campaign_run(o, s, &run, a, d) : CAMPAIGN_INPUT;
	o->phases->duplicates += run.duplicates;
	*next = run.next;
	return end;
}

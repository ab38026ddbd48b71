#include "worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "json.h"
#include "process.h"

#define GRACE 2.0 /* seconds in which a parent must report the end of its child */
#define LONG_CALLS 64.0 /* call_seconds that a long request may take in all */
#define LOOK 0.5  /* seconds between checks of the child */

struct worker {
	worker_options options;
	process *process;
	bool forks;
	cJSON *versions;
};

/* ---- the deadline of all */

void worker_limit(worker *w, double call_seconds)
{
	w->options.call_seconds = call_seconds;
}

bool worker_deadline_passed(const worker_options *options)
{
	const double *deadline = options->deadline;
	return deadline && *deadline > 0 && clock_seconds() >= *deadline;
}

/* Not later than the deadline of all. */
static double at_most(const worker *w, double moment)
{
	const double *deadline = w->options.deadline;
	return deadline && *deadline > 0 && *deadline < moment ? *deadline : moment;
}

/* ---- one exchange */

typedef struct exchange {
	worker *w;
	worker_reply *reply;
	int64_t id;
	double deadline, last; /* last: the limit to which stages move the deadline */
	bool is_long;		/* a stage is a new deadline */
	pid_t child;           /* the child that the stage messages name */
	enum worker_end cause; /* how the child ended, if known; WORKER_ANSWERED: it lives */
	bool done;
} exchange;

static void end(exchange *x, enum worker_end how)
{
	x->reply->end = how;
	x->done = true;
}

/* The child that works on the request died. Its parent has GRACE to report it. */
static void lose_child(exchange *x, enum worker_end why)
{
	x->cause = why;
	x->deadline = clock_seconds() + GRACE;
}

/* Kills the child that works on the request, or the worker if there is none. */
static void stop_child(exchange *x, enum worker_end why)
{
	process *p = x->w->process;
	if (x->cause == WORKER_ANSWERED && why != WORKER_STOPPED && process_kill_member(p, x->child)) {
		lose_child(x, why);
		return;
	}
	process_kill(p);
	end(x, x->cause == WORKER_ANSWERED ? why : x->cause);
}

static void take_stage(exchange *x, const cJSON *message, const char *stage)
{
	const cJSON *pid = cJSON_GetObjectItemCaseSensitive(message, "pid");
	const cJSON *target = cJSON_GetObjectItemCaseSensitive(message, "target");
	snprintf(x->reply->target, sizeof x->reply->target, "%s", cJSON_IsString(target) ? target->valuestring : "");
	snprintf(x->reply->stage, sizeof x->reply->stage, "%s", stage);
	if (cJSON_IsNumber(pid))
		x->child = pid->valueint;
	if (x->is_long && x->cause == WORKER_ANSWERED) {
		double deadline = clock_seconds() + x->w->options.call_seconds;
		x->deadline = deadline < x->last ? deadline : x->last;
	}
}

static void take_death(exchange *x, const cJSON *died)
{
	const cJSON *signal = cJSON_GetObjectItemCaseSensitive(died, "signal");
	const cJSON *status = cJSON_GetObjectItemCaseSensitive(died, "status");
	x->reply->signal = cJSON_IsNumber(signal) ? signal->valueint : 0;
	x->reply->status = cJSON_IsNumber(status) ? status->valueint : 0;
	end(x, x->cause == WORKER_ANSWERED ? WORKER_DIED : x->cause);
}

/* The streams are out of step: the worker is killed. */
static void give_up(exchange *x, enum worker_end why)
{
	process_kill(x->w->process);
	end(x, why);
}

static void take_message(exchange *x, const char *line)
{
	errno = 0;
	cJSON *message = cJSON_Parse(line);
	bool lacks = !message && errno == ENOMEM; /* memory ran out here; the worker is not to blame */
	const cJSON *id = cJSON_GetObjectItemCaseSensitive(message, "id");
	const cJSON *stage = cJSON_GetObjectItemCaseSensitive(message, "stage");
	const cJSON *verdict = cJSON_GetObjectItemCaseSensitive(message, "verdict");
	const cJSON *died = cJSON_GetObjectItemCaseSensitive(message, "died");
	if (!cJSON_IsObject(message) || !cJSON_IsNumber(id)) {
		give_up(x, lacks ? WORKER_UNHEARD : WORKER_GARBLED);
	} else if (id->valuedouble != (double)x->id) {
		; /* of a request that was given up */
	} else if (cJSON_IsObject(died)) {
		take_death(x, died);
	} else if (cJSON_IsString(stage) && !verdict) {
		take_stage(x, message, stage->valuestring);
	} else {
		x->reply->answer = message;
		message = NULL;
		end(x, WORKER_ANSWERED);
	}
	cJSON_Delete(message);
}

static void take_end(exchange *x)
{
	process_end how = process_how(x->w->process);
	x->reply->signal = how.signal;
	x->reply->status = how.code;
	end(x, x->cause == WORKER_ANSWERED ? WORKER_DIED : x->cause);
}

/* No output for a while. A child that has exited, for example with status 0, will not answer. */
static void take_silence(exchange *x)
{
	pid_t leader = process_pid(x->w->process);
	if (worker_deadline_passed(&x->w->options))
		stop_child(x, WORKER_STOPPED);
	else if (clock_seconds() > x->deadline)
		stop_child(x, WORKER_HUNG);
	else if (x->cause == WORKER_ANSWERED && x->child > 0 && x->child != leader
		 && kill(x->child, 0) != 0 && errno == ESRCH)
		lose_child(x, WORKER_DIED);
}

static void run_exchange(exchange *x)
{
	while (!x->done) {
		double look = at_most(x->w, clock_seconds() + LOOK);
		char *line;
		switch (process_next(
		    x->w->process, look < x->deadline ? look : x->deadline, &line)) {
		case PROCESS_LINE:
			take_message(x, line);
			break;
		case PROCESS_LATE:
			take_silence(x);
			break;
		case PROCESS_MEMORY: /* the pages of a killed child may take a moment */
			if (x->cause == WORKER_ANSWERED)
				stop_child(x, WORKER_MEMORY);
			break;
		case PROCESS_STOPPED:
			stop_child(x, WORKER_STOPPED);
			break;
		case PROCESS_ENDLESS:
			give_up(x, WORKER_GARBLED);
			break;
		case PROCESS_UNREAD:
			give_up(x, WORKER_UNHEARD);
			break;
		case PROCESS_ENDED:
			take_end(x);
			break;
		}
	}
}

static void call(worker *w, int64_t id, const char *request, bool is_long, worker_reply *reply)
{
	double start = clock_seconds();
	*reply = (worker_reply){.end = WORKER_DIED};
	if (!worker_alive(w))
		return;
	process_forget(w->process);
	exchange x = {
	    .w = w, .reply = reply, .id = id, .deadline = start + w->options.call_seconds, .is_long = is_long};
	x.last = start + LONG_CALLS * w->options.call_seconds;
	if (process_send(w->process, request, strlen(request)) && process_send(w->process, "\n", 1))
		run_exchange(&x);
	else
		give_up(&x, WORKER_UNHEARD); /* half a request may be on its way */
	reply->seconds = clock_seconds() - start;
}

void worker_call(worker *w, int64_t id, const char *request, worker_reply *reply)
{
	call(w, id, request, false, reply);
}

void worker_call_long(worker *w, int64_t id, const char *request, worker_reply *reply)
{
	call(w, id, request, true, reply);
}

void worker_reply_free(worker_reply *reply)
{
	cJSON_Delete(reply->answer);
	reply->answer = NULL;
}

/* ---- life */

/* Reports why it did not start, with its last line of output. */
static bool say_last_words(const worker *w, diag *d)
{
	const char *text = process_stderr(w->process);
	if (!text)
		return diag_memory(d, false);
	const char *stop = text + strlen(text);
	while (stop > text && (stop[-1] == '\n' || stop[-1] == '\r'))
		stop--;
	const char *from = stop;
	while (from > text && from[-1] != '\n')
		from--;
	int n = stop - from < 600 ? (int)(stop - from) : 600;
	return diag_set(d, "the worker did not start: %.*s", n ? n : 18, n ? from : "it printed nothing");
}

static bool take_ready(worker *w, const char *line, diag *d)
{
	cJSON *message = json_parse(line, "worker", 0, NULL);
	if (!message && errno == ENOMEM) /* our fault: the worker is not to blame */
		return diag_memory(d, false);
	const cJSON *fatal = cJSON_GetObjectItemCaseSensitive(message, "fatal");
	bool ready = cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(message, "ready"));
	w->forks = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(message, "forks"));
	if (ready)
		w->versions = cJSON_DetachItemFromObjectCaseSensitive(message, "versions");
	else if (cJSON_IsString(fatal))
		diag_set(d, "%s", fatal->valuestring);
	else
		diag_set(d, "the worker's first line is not the ready message: '%.60s'", line);
	cJSON_Delete(message);
	return ready;
}

/* Reads the first line of the worker. */
static bool await_ready(worker *w, diag *d, bool *stopped)
{
	char *line;
	switch (process_next(w->process, at_most(w, clock_seconds() + w->options.start_seconds), &line)) {
	case PROCESS_LINE:
		return take_ready(w, line, d);
	case PROCESS_LATE:
		*stopped = worker_deadline_passed(&w->options);
		if (*stopped)
			return diag_set(d, "stopped");
		return diag_set(d, "the worker was not ready after %.0f s", w->options.start_seconds);
	case PROCESS_MEMORY:
		return diag_set(d, "the worker exceeds the memory limit (%lld MiB) at its start",
		    (long long)(w->options.memory >> 20));
	case PROCESS_STOPPED:
		*stopped = true;
		return diag_set(d, "stopped");
	case PROCESS_ENDLESS:
		return diag_set(d, "the worker's first line has no line end");
	case PROCESS_UNREAD:
		return diag_memory(d, false);
	default:
		return say_last_words(w, d);
	}
}

worker *worker_start(const worker_options *options, diag *d, bool *stopped)
{
	worker *w = calloc(1, sizeof *w);
	*stopped = false;
	if (!w) {
		diag_set(d, "out of memory");
		return NULL;
	}
	w->options = *options;
	if (worker_deadline_passed(&w->options)) {
		*stopped = true;
		diag_set(d, "stopped");
		free(w);
		return NULL;
	}
	w->process = process_start(&(process_options){.argv = options->argv,
				       .keep_stderr = true,
				       .memory = options->memory,
				       .stop_fd = options->stop_fd},
	    d);
	if (w->process && await_ready(w, d, stopped)
	    && (!options->versions || versions_take(options->versions, w->versions, d)))
		return w;
	worker_free(w);
	return NULL;
}

void worker_free(worker *w)
{
	if (!w)
		return;
	process_free(w->process);
	cJSON_Delete(w->versions);
	free(w);
}

bool worker_alive(const worker *w)
{
	return w && process_pid(w->process) > 0;
}

bool worker_forks(const worker *w)
{
	return w && w->forks;
}

const cJSON *worker_versions(const worker *w)
{
	return w->versions;
}

double worker_cpu(const worker *w)
{
	return w ? process_cpu(w->process) : 0;
}

const char *worker_stderr(worker *w)
{
	return process_stderr(w->process);
}

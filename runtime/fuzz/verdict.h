/* The verdict: what a worker says about one model, or how it failed to say anything, as a judgement.
 *
 *   model ──► judge: worker_call ──► answer, or how it ended ──► judgement ──► key (failure.h)
 *
 * NeuRI section 3.4, "oracle". The comparison itself is the worker's (rulefuzz/oracle/check.py);
 * docs/reference/oracle.md states it. Here the one-sided error, crash, hang and memory limit get their name,
 * by the stage that the worker announced last: what happens before the target is at work is not the
 * target's.
 *
 * A screen is a worker that takes a first look, faster than the whole judge and no less strict: it says of a model
 * that it is fine, or leaves it undecided (runtime/native). Whatever it leaves, and whatever ends it, the whole judge
 * looks at from the start.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stdint.h>
#include <cjson/cJSON.h>

#include "agree.h"
#include "diag.h"
#include "worker.h"

/* VERDICT(name, text): text stands in the protocol, databases and reports. Candidates for a finding come last. */
#define VERDICTS(VERDICT)                                                                          \
	VERDICT(ok, "ok")                                                                          \
	VERDICT(rejected, "rejected")                                                              \
	VERDICT(mispredicted, "mispredicted")                                                      \
	VERDICT(nondeterministic, "nondeterministic")                                              \
	VERDICT(unspecified, "unspecified")                                                        \
	VERDICT(resource, "resource")                                                              \
	VERDICT(unreadable, "unreadable")                                                          \
	VERDICT(internal, "internal-error")                                                        \
	VERDICT(rounding, "rounding")                                                              \
	VERDICT(lost, "lost")                                                                      \
	VERDICT(stopped, "stopped")                                                                \
	VERDICT(unsupported, "unsupported")                                                        \
	VERDICT(inconsistency, "inconsistency")                                                    \
	VERDICT(accepts_invalid, "accepts-invalid")                                                \
	VERDICT(error, "error")                                                                    \
	VERDICT(crash, "crash")                                                                    \
	VERDICT(hang, "hang")                                                                      \
	VERDICT(memory, "memory")

enum verdict {
#define X(name, text) VERDICT_##name,
	VERDICTS(X)
#undef X
	    VERDICT_COUNT
};

const char *verdict_name(enum verdict v);
enum verdict verdict_parse(const char *name); /* VERDICT_unreadable for a word that no worker sends */
bool verdict_is_candidate(enum verdict v); /* may become a finding; unsupported is none */
bool verdict_is_compared(enum verdict v);  /* of results of both */

typedef struct judgement {
	enum verdict verdict;
	char stage[32];      /* where it ended */
	char target[80];     /* whose verdict it is, where the worker has several; "": the backend's */
	int signal, status;  /* of a crash: what killed it, or 0 and its exit code */
	cJSON *answer;       /* the worker's, NULL when there is none */
	const char *api;     /* refused, or the first that differs; "" */
	const char *message; /* one line of why; "" */
	char *key; /* of a candidate or of what is unsupported: what it looks like, without the
		      model */
	char *log; /* tail of the worker's standard error, for candidates */
	double seconds;
} judgement;

void judgement_free(judgement *j);
/* Whose verdict it is: its target's, or the one of the worker, which is named here. */
const char *judgement_backend(const judgement *j, const char *backend);
/* Milliseconds that the worker spent in a stage. */
double judgement_time(const judgement *j, const char *stage);

/* Judges models by a worker that is started when it is needed and again when it died. One serves
 * one thread. */
typedef struct judge {
	worker_options options;
	worker_options screen; /* argv NULL: there is none */
	const char *backend;
	const char *targets; /* a JSON list: only these of several; NULL: all */
	int64_t memory_mib; /* what one model may take */
	bool probing; /* models show what the target can do */
	bool alone; /* each model in a process of its own */
	enum agree_preset tolerance; /* how far floats may lie apart */
	worker *worker;     /* NULL: none yet, or dead */
	worker *screener;
	int64_t id, starts, screen_starts;
	double start_seconds;	     /* spent on starting */
	double last_start;	     /* of these, the last start's */
	int64_t screened, passed_on; /* settled by the screen; models that it was asked about and left */
	double screen_seconds;	     /* spent on what it left, and on starting it */
	double start_cpu, gone_cpu;  /* seconds of processor time: until workers were ready; of those that are freed */
} judge;

/* Starts the worker where there is none, and tells what takes part (a JSON object, to free()). NULL and d when it cannot
 * be started; *stopped when stop_fd was why. */
char *judge_start(judge *by, diag *d, bool *stopped);

/* Judges one model (a JSON line), starting a worker where there is none. False and d when none can
 * be started, or when we lack memory (diag_is_memory). The judgement is to be freed. */
bool judge_model(judge *by, const char *model, judgement *j, diag *d);
/* The same for n models by one request, which may be much faster. What the worker leaves undecided, and all where it dies, is
 * asked for alone. False and d: none are to be freed. */
bool judge_models(judge *by, char *const *models, size_t n, judgement *js, diag *d);
/* The same as judge_model, with a look by the screen before. One that cannot be started is not asked again. */
bool judge_screened(judge *by, const char *model, judgement *j, diag *d);
/* What the workers that run are made of; NULL: none runs. */
const cJSON *judge_versions(const judge *by);
/* What of the target makes a model fail, where the worker can tell: a string to free(), or NULL. Here and below, false and d:
 * we lack memory. */
bool judge_pass(judge *by, const char *model, char **pass, diag *d);
/* The repro script of a model that was judged: a string to free(), NULL when the backend writes none. fails: NULL, or whether
 * the script, which is then run in a process of its own, ended without showing it. */
bool judge_script(judge *by, const char *model, const char *title, const judgement *j, char **script, bool *fails, diag *d);
/* A short one, which was seen to show what the judgement is: likewise. */
bool judge_short_script(judge *by, const char *model, const char *title, const judgement *j, char **script, diag *d);
/* Seconds of processor time of all its workers so far (process_cpu). */
double judge_cpu(const judge *by);
void judge_close(judge *by);

#endif

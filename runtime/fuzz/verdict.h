/* The verdict on one model: a worker's answer, or the way it failed to answer, as a judgement.
 *
 *   model ──► judge: worker_call ──► answer, or how it ended ──► judgement ──► key (failure.h)
 *
 * NeuRI section 3.4, "oracle". The worker compares (rulefuzz/oracle/check.py; docs/reference/oracle.md). Here
 * the last announced stage names one-sided errors, crashes, hangs and memory limits: a failure before the target runs is not the
 * target's.
 *
 * The fast path is a second kind of worker, faster than the full oracle and no less strict: it reports that a
 * model is fine, or leaves it undecided (runtime/ort). The full oracle judges every undecided model from the
 * start.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stdint.h>
#include <cjson/cJSON.h>

#include "agree.h"
#include "diag.h"
#include "worker.h"

/* VERDICT(name, text): text is used in the protocol, databases and reports. Candidates for a finding come last. */
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
enum verdict verdict_parse(const char *name); /* VERDICT_unreadable for an unknown word */
bool verdict_is_candidate(enum verdict v); /* may become a finding; false for unsupported */
bool verdict_is_invalid(enum verdict v);   /* the reference rejects the model, does not know it, or returns other shapes */
bool verdict_is_compared(enum verdict v);  /* both sides returned results */

typedef struct judgement {
	enum verdict verdict;
	char stage[32];      /* the last announced stage */
	char target[80];     /* the target, if the worker has several; "": the backend's only one */
	int signal, status;  /* of a crash: the signal, or 0 and the exit code */
	cJSON *answer;       /* the worker's answer, NULL if there is none */
	const char *api;     /* the rejected API, or the first that differs; "" */
	const char *message; /* the reason in one line; "" */
	char *key; /* of a candidate or unsupported model: the failure's description without the model */
	char *log; /* tail of the worker's standard error, for candidates */
	double seconds;
} judgement;

void judgement_free(judgement *j);
/* The backend of a judgement: its target, or the worker's backend given here. */
const char *judgement_backend(const judgement *j, const char *backend);
/* Milliseconds that the worker spent in a stage. */
double judgement_time(const judgement *j, const char *stage);

/* Judges models with a worker that is started on demand and restarted after it dies. For one thread. */
typedef struct judge {
	worker_options options;
	worker_options screen; /* argv NULL: no fast path */
	const char *backend;
	const char *targets; /* a JSON list: only these of several; NULL: all */
	int64_t memory_mib; /* memory limit of one model */
	bool audit; /* answers have a sample of each excuse */
	bool probing; /* models probe the target's capabilities */
	bool alone; /* each model in its own process, if the worker forks */
	enum agree_preset tolerance; /* tolerance of floats */
	worker *worker;     /* NULL: none yet, or dead */
	worker *screener;
	int64_t id, starts, screen_starts;
	double start_seconds;	     /* spent on starting */
	double last_start;	     /* the part of the last start */
	int64_t screened, passed_on; /* decided by the fast path; left undecided by it */
	double screen_seconds;	     /* spent on undecided models, and on starting the fast path */
	double start_cpu, gone_cpu;  /* CPU seconds: until workers were ready; of freed workers */
} judge;

/* Starts the worker if none runs, and returns its versions (a JSON object, to free()). NULL and d if it cannot
 * start; *stopped if stop_fd was the reason. */
char *judge_start(judge *by, diag *d, bool *stopped);

/* Judges one model (a JSON line); starts a worker if none runs. Free the judgement. False and d if no worker can
 * start or memory ran out (diag_is_memory). */
bool judge_model(judge *by, const char *model, judgement *j, diag *d);
/* The same for n models in one request, which may be much faster. Models that the worker leaves undecided, and
 * all if it dies, are judged one by one. False and d: no judgement needs to be freed. */
bool judge_models(judge *by, char *const *models, size_t n, judgement *js, diag *d);
/* Sets the time limit of the full oracle for later models. */
void judge_limit(judge *by, double call_seconds);
/* Like judge_model, after the fast path. A fast path that cannot start is not tried again. If it hangs, the full oracle most
 * likely hangs, too, and gets twice the fast path's limit instead of its own. */
bool judge_screened(judge *by, const char *model, judgement *j, diag *d);
/* The same for a smaller model of a failed one, uncounted: the fast path decides the models that do not fail. It skips failures
 * that end its process, too, or that come from a kernel of both sides. */
bool judge_step(judge *by, const char *model, const judgement *failed, judgement *j, diag *d);
/* Versions of the running workers; NULL: none runs. */
const cJSON *judge_versions(const judge *by);
/* The pass of the target that makes a model fail as judged, if the worker can find it: a string to free(), or NULL. Here and
 * below, false and d: out of memory. */
bool judge_pass(judge *by, const char *model, enum verdict failed, char **pass, diag *d);
/* The script of a judged model: a string to free(), NULL if the backend writes none. fails: NULL, or set if the
 * script, run in a fresh process, did not reproduce the failure. */
bool judge_script(judge *by, const char *model, const char *title, const judgement *j, char **script, bool *fails, diag *d);
/* The same for a short script, which was run and reproduced the failure. */
bool judge_short_script(judge *by, const char *model, const char *title, const judgement *j, char **script, diag *d);
/* CPU seconds of all its workers so far (process_cpu). */
double judge_cpu(const judge *by);
/* Makes sure that the next model runs in a process that has run no other. */
void judge_renew(judge *by);
void judge_close(judge *by);

#endif

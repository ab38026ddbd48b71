/* The oracle: what a worker says about one model, or how it failed to say anything, as a judgement.
 *
 *   model ──► worker_call ──► answer, or how it ended ──► judgement ──► key
 *
 * NeuRI section 3.4. The comparison itself is the worker's (rulefuzz/check.py); docs/running.md
 * states it. Here the one-sided error, crash, hang and memory limit get their name, by the stage
 * that the worker announced last: what happens before the target is at work is not the target's.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stdint.h>
#include <cjson/cJSON.h>

#include "buf.h"
#include "diag.h"
#include "worker.h"

/* VERDICT(name): candidates for a finding come last. */
#define VERDICTS(VERDICT)                                                                          \
	VERDICT(ok)                                                                                \
	VERDICT(invalid) VERDICT(rule) VERDICT(nondeterministic) VERDICT(undefined)                \
	    VERDICT(resource) VERDICT(bad) VERDICT(rounding) VERDICT(lost) VERDICT(stopped)        \
		VERDICT(unsupported) VERDICT(inconsistency) VERDICT(error) VERDICT(crash)          \
		    VERDICT(hang) VERDICT(memory)

enum verdict {
#define X(name) VERDICT_##name,
	VERDICTS(X)
#undef X
};

const char *verdict_name(enum verdict v);
bool verdict_is_candidate(enum verdict v); /* may become a finding; unsupported is none */

typedef struct judgement {
	enum verdict verdict;
	char stage[32];      /* where it ended */
	int signal;          /* of a crash, 0 otherwise */
	cJSON *answer;       /* the worker's, NULL when there is none */
	const char *api;     /* refused, or the first that differs; "" */
	const char *message; /* one line of why; "" */
	char *key; /* of a candidate or of what is unsupported: what it looks like, without the
		      model */
	char *log; /* tail of the worker's standard error, for candidates */
	double seconds;
} judgement;

void judgement_free(judgement *j);
/* Milliseconds that the worker spent in a stage. */
double judgement_time(const judgement *j, const char *stage);

/* A worker that is started when it is needed and again when it died. One serves one thread. */
typedef struct oracle {
	worker_options options;
	const char *backend;
	int64_t memory_mib; /* what one model may take */
	worker *worker;     /* NULL: none yet, or dead */
	int64_t id, starts;
	double start_seconds; /* spent on starting */
} oracle;

/* Makes sure that the worker runs. False and d when it cannot; *stopped when stop_fd was why. */
bool oracle_ready(oracle *o, diag *d, bool *stopped);
/* Judges one model, starting a worker where there is none. False and d when none can be started.
 * The judgement is to be freed. */
bool oracle_check(oracle *o, const char *model, judgement *j, diag *d);
/* The repro script of a model: a string to free(), NULL when the backend writes none. */
char *oracle_script(oracle *o, const char *model, const char *title);
void oracle_close(oracle *o);

/* A message with numbers, addresses and paths taken out, at most limit bytes: what is the same when
 * a fault is met again in another model. */
void normalise(const char *message, size_t limit, buf *out);

#endif

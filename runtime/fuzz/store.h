/* Findings and runs in an SQLite database.
 *
 *   runs      one row a run: what was asked, where it stands, its counters
 *   findings  one row a signature: the minimised model, the repro script, how often it was met
 *   keys      cheap descriptions of failures ──► the finding that they turned out to be
 *   troubles  per run and API: models that eager refused, and rules that were wrong
 *
 * The database is in WAL mode and every change is a transaction of its own: a rulefuzz that is
 * killed loses at most the models that it was running. A store serves one thread at a time.
 */
#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "diag.h"

#define STORE_SCHEMA 1 /* of the tables: PRAGMA user_version */

typedef struct store store;

/* COUNTER(name, what): what a run counts. */
#define RUN_COUNTERS(COUNTER)                                                                      \
	COUNTER(models, "models run")                                                              \
	COUNTER(valid, "accepted by the reference")                                                \
	COUNTER(invalid, "refused by the reference")                                               \
	COUNTER(rule, "with a shape or dtype other than predicted")                                \
	COUNTER(nondeterministic, "not deterministic")                                             \
	COUNTER(undefined, "with undefined results only")                                          \
	COUNTER(resource, "too large for the limits")                                              \
	COUNTER(bad, "that the worker could not read")                                             \
	COUNTER(compared, "compared")                                                              \
	COUNTER(agreed, "in agreement")                                                            \
	COUNTER(rounding, "that differ by rounding only")                                          \
	COUNTER(inconsistency, "inconsistent")                                                     \
	COUNTER(error, "with an error of the target only")                                         \
	COUNTER(unsupported, "that the target does not support")                                   \
	COUNTER(crash, "that crash")                                                               \
	COUNTER(hang, "that hang")                                                                 \
	COUNTER(memory, "over the memory limit")                                                   \
	COUNTER(lost, "lost with a worker before the target ran")                                  \
	COUNTER(unconfirmed, "candidates that did not reproduce")                                  \
	COUNTER(restarts, "worker restarts")                                                       \
	COUNTER(new_findings, "new findings")                                                      \
	COUNTER(known_findings, "findings met again")

#define RUN_STAGES(STAGE)                                                                          \
	STAGE(start)                                                                               \
	STAGE(generate) STAGE(reference) STAGE(compile) STAGE(run) STAGE(judge) STAGE(triage)

typedef struct run_row {
	int64_t id;
	const char *backend, *framework, *strategy;
	uint64_t seed;
	int64_t nodes_low, nodes_high;
	uint64_t next; /* the first model that has not been run */
	double seconds;
	const char *versions; /* JSON object */
#define X(name, what) int64_t name;
	RUN_COUNTERS(X)
#undef X
#define X(name) double t_##name; /* seconds */
	RUN_STAGES(X)
#undef X
} run_row;

enum finding_kind {
	FINDING_INCONSISTENCY,
	FINDING_ERROR,
	FINDING_CRASH,
	FINDING_HANG,
	FINDING_MEMORY
};
#define FINDING_KINDS "inconsistency", "error", "crash", "hang", "memory"

typedef struct finding {
	int64_t id;
	const char *signature, *kind, *backend, *status; /* new, known, fixed, unsupported */
	const char *title;                               /* one line */
	const char *apis;                                /* of the minimised model, "a + b" */
	const char *model, *original;                    /* JSON lines: minimised, as generated */
	const char *script;   /* Python, "" when the backend writes none */
	const char *versions; /* JSON object */
	const char *detail;   /* the worker's answer, JSON */
	const char *log;      /* tail of the worker's standard error */
	uint64_t seed, index; /* of the model */
	uint64_t values;      /* seed of its inputs */
	int64_t nodes, count; /* of the minimised model; how often met */
	const char *found;    /* UTC */
} finding;

/* create: make the file when it is not there. NULL and d otherwise, also for another schema. */
store *store_open(const char *path, bool create, diag *d);
void store_close(store *s); /* NULL is fine */

/* ---- runs */
bool store_run_begin(store *s, run_row *run, diag *d); /* fills id */
/* The latest run of a backend with these settings (seed, nodes, strategy): 1 and the row, 0 none,
 * -1 and d. Texts lie in the arena. */
int store_run_resume(store *s, run_row *run, arena *a, diag *d);
bool store_run_update(store *s, const run_row *run, diag *d);
/* One more model of a run in which an API was refused ("invalid") or predicted wrongly ("rule"). */
bool store_trouble(
    store *s, int64_t run, const char *api, const char *what, const char *message, diag *d);
typedef bool trouble_fn(
    void *context, const char *api, const char *what, const char *message, int64_t count);
bool store_each_trouble(
    store *s, int64_t run, int64_t limit, trouble_fn *fn, void *context, diag *d);

/* ---- findings */
/* The finding that a key stands for: 1, *id and *fixed (marked as fixed); 0 unknown; -1 and d. */
int store_key(store *s, const char *key, int64_t *id, bool *fixed, diag *d);
int store_signature(
    store *s, const char *signature, int64_t *id, bool *fixed, diag *d); /* likewise */
bool store_met_again(store *s, int64_t id, diag *d);
/* Adds a finding and its key. A signature that is there already is counted once more, and *added is
 * false; one that was marked as fixed becomes new, and *added is true. f->id is filled. */
bool store_add(store *s, finding *f, const char *key, bool *added, diag *d);
int store_get(store *s, int64_t id, finding *f, arena *a, diag *d); /* 1, 0 no such finding, -1 */
bool store_set_status(store *s, int64_t id, const char *status, diag *d);
typedef bool finding_fn(void *context, const finding *f); /* false stops */
bool store_each(
    store *s, finding_fn *fn, void *context, diag *d); /* by id; without texts > 1 line */

#endif

/* Runs in the database: settings, progress, counters. */
#ifndef RUNS_H
#define RUNS_H

#include "excuses.h"
#include "store.h"

/* COUNTER(name, what): what a run counts. Each model has one verdict:
 *
 *   models   = compared + rejected + mispredicted + nondeterministic + unspecified + resource + unreadable
 *              + lost + accepts_invalid + error + unsupported + crash + hang + memory
 *   compared = agreed + rounding + inconsistency */
#define RUN_COUNTERS(COUNTER)                                                                      \
	COUNTER(models, "models run")                                                              \
	COUNTER(valid, "accepted by the reference")                                                \
	COUNTER(rejected, "rejected by the reference")                                             \
	COUNTER(mispredicted, "with a shape or dtype other than predicted")                        \
	COUNTER(nondeterministic, "on which two runs of the reference differ")                     \
	COUNTER(unspecified, "with unspecified results only")                                      \
	COUNTER(resource, "over the resource limits of the reference")                             \
	COUNTER(unreadable, "that the worker cannot read")                                         \
	COUNTER(compared, "compared")                                                              \
	COUNTER(operators, "operators in compared models")                                         \
	COUNTER(agreed, "that agree")                                                              \
	COUNTER(rounding, "that differ by rounding only")                                          \
	COUNTER(inconsistency, "inconsistent")                                                     \
	COUNTER(accepts_invalid, "invalid models that the target accepts")                         \
	COUNTER(error, "on which only the target raises an error")                                 \
	COUNTER(unsupported, "that the target does not support")                                   \
	COUNTER(crash, "that crash the target")                                                    \
	COUNTER(hang, "that hang the target")                                                      \
	COUNTER(memory, "over the memory limit")                                                   \
	COUNTER(lost, "on which the worker ended before the target ran")                           \
	COUNTER(unconfirmed, "candidates that did not reproduce")                                  \
	COUNTER(deferred, "failures left for later triage, since its share of the time was spent")  \
	COUNTER(unfinished, "models and candidates that the end of --time cut off")                \
	COUNTER(restarts, "worker restarts")                                                       \
	COUNTER(fast_path, "models decided by the fast path")                                      \
	COUNTER(full_oracle, "models that the fast path left to the full oracle")                  \
	COUNTER(excluded, "signatures newly excluded from later models")                           \
	COUNTER(dynamic_shapes, "models compiled once for several shape instances")                \
	COUNTER(shape_instances, "shape instances of these that were run")                         \
	COUNTER(recompiled, "shape instances that were recompiled")                                \
	COUNTER(shape_rejections, "shape instances that the target rejected")                      \
	COUNTER(new_findings, "new findings")                                                      \
	COUNTER(duplicates, "failures of findings that are stored already")

#define RUN_STAGES(STAGE)                                                                          \
	STAGE(start)                                                                               \
	STAGE(generate) STAGE(fast_path) STAGE(reference) STAGE(compile) STAGE(run) STAGE(judge) STAGE(triage)

/* An option that the models of a run depend on, besides framework and seed, and its value. */
typedef struct setting {
	const char *name, *value;
} setting;

typedef struct run_row {
	int64_t id;
	const char *backend, *framework;
	const setting *settings;
	int nsettings;
	uint64_t seed;
	uint64_t next; /* the first model that has not run */
	double seconds;
	const char *versions; /* JSON object */
	excuses *excuses;     /* stored with the counters; NULL: none. Not read: see excuses_load. */
#define X(name, what) int64_t name;
	RUN_COUNTERS(X)
#undef X
#define X(name) double t_##name; /* seconds */
	RUN_STAGES(X)
#undef X
} run_row;

bool runs_begin(store *s, run_row *run, diag *d); /* fills id */
/* Finds the latest run of this backend, framework and seed with the same settings: 1 and the row, with texts in the arena.
 * 0: there is no such run with known settings. -1 and d on failure, or if all such runs have other settings; then d names the
 * first one that differs, with both values. */
int runs_resume(store *s, run_row *run, arena *a, diag *d);
bool runs_update(store *s, const run_row *run, diag *d);
/* Calls fn for each run with a larger id, by id, until it returns false. Texts are valid until the next. */
typedef bool run_fn(void *context, const run_row *run);
bool runs_each(store *s, int64_t behind, run_fn *fn, void *context, diag *d);
/* Counts one more model of a run by API and verdict: rejected, mispredicted, or internal-error, the oracle's own mistake. */
bool runs_trouble(
    store *s, int64_t run, const char *api, const char *what, const char *message, diag *d);
typedef bool trouble_fn(
    void *context, const char *api, const char *what, const char *message, int64_t count);
bool runs_each_trouble(
    store *s, int64_t run, int64_t limit, trouble_fn *fn, void *context, diag *d);

#endif

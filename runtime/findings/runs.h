/* Runs in the database: settings, progress, counters. */
#ifndef RUNS_H
#define RUNS_H

#include "store.h"

/* COUNTER(name, what): the counters of a run. */
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
	COUNTER(operators, "operators in models that were compared")                               \
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
	COUNTER(screened, "settled by a first look")                                               \
	COUNTER(passed_on, "that a first look left to the whole judge")                            \
	COUNTER(left_out, "calls left out of further models")                                      \
	COUNTER(symbolic, "compiled once for several shape assignments")                          \
	COUNTER(assignments, "shape assignments of these that were run")                           \
	COUNTER(recompiled, "of these that were compiled again")                                   \
	COUNTER(specialised, "refusals to take other shapes")                                      \
	COUNTER(new_findings, "new findings")                                                      \
	COUNTER(known_findings, "findings met again")

#define RUN_STAGES(STAGE)                                                                          \
	STAGE(start)                                                                               \
	STAGE(generate) STAGE(screen) STAGE(reference) STAGE(compile) STAGE(run) STAGE(judge) STAGE(triage)

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
#define X(name, what) int64_t name;
	RUN_COUNTERS(X)
#undef X
#define X(name) double t_##name; /* seconds */
	RUN_STAGES(X)
#undef X
} run_row;

bool runs_begin(store *s, run_row *run, diag *d); /* fills id */
/* Finds the latest run of this backend, framework and seed with the same settings: 1 and the row, with texts in the arena.
 * 0: there is no such run with known settings. -1 and d on failure, also if all such runs have other settings: d names the
 * first setting that differs, and both values. */
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

/* Findings in an SQLite database, which also holds the runs (runs.h).
 *
 *   runs      one row a run: backend, seed, progress
 *   settings, counters, stages   rows of a run: the options that its models depend on; its counters; seconds per stage
 *   findings  one row a bucket: status, minimized model, scripts, how often it was seen
 *   keys      cheap descriptions of failures ──► the finding they belong to
 *   rechecks  the outcome of each recheck of a finding
 *   troubles  per run and API: rejected models, and mispredicted shapes and dtypes
 *
 * The database is in WAL mode, and every change is one transaction: if rulefuzz is killed, at most the models in flight are lost.
 * One store serves one thread at a time.
 */
#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "database.h"

typedef database store;

typedef struct finding {
	int64_t id;
	const char *bucket, *kind, *backend, *status; /* kind: verdict.h; status: status.h */
	const char *class;                               /* of graph-based fuzz testing: MCF, IF, DCF */
	const char *reason;                              /* of the status; "" */
	const char *title;                               /* one line */
	const char *apis;                                /* of the minimized model, "a + b" */
	const char *model, *original;                    /* JSON lines: minimized, as generated */
	const char *script;   /* Python; "" if the backend writes none */
	const char *short_script; /* a few lines that reproduced it; "" if none did */
	const char *versions; /* JSON object */
	const char *detail;   /* the worker's answer, JSON */
	const char *log;      /* end of the worker's standard error */
	uint64_t seed, index; /* of the model */
	uint64_t values;      /* seed of its inputs */
	int64_t nodes, count; /* of the minimized model; how often seen */
	const char *found;    /* UTC time of the first */
	const char *pass;     /* the pass of the target that causes it; "" if unknown */
	bool reduced;         /* fully: no smaller model fails the same way */
	const char *smaller;  /* partial reduction: a model that failed the same way, unconfirmed; "" */
	const char *checked;  /* UTC time of the last recheck; "" */
	const char *fixed_in; /* versions (JSON) in which it did not reproduce any more; "" */
	const char *also;     /* of accepted invalid calls: all APIs with this cause, "a + b"; of store_get only, else "" */
} finding;

/* create: create the file if it does not exist. An older database is migrated. NULL and d on failure, also for another
 * program's database and for one of a later version. */
store *store_open(const char *path, bool create, diag *d);
/* Opens a database to read. The file is never written to: an older database is migrated in a copy in memory. The file and
 * its folder may be read-only. */
store *store_open_read(const char *path, diag *d);
void store_close(store *s); /* accepts NULL */

/* ---- findings */
/* The finding of a key: 1, *id and *fixed (its status is fixed); 0: unknown key; -1 and d on failure. */
int store_key(store *s, const char *key, int64_t *id, bool *fixed, diag *d);
/* The finding of a bucket, as above. *fixed is also set if it is flaky: a fresh worker may confirm it now. */
int store_bucket(store *s, const char *bucket, int64_t *id, bool *fixed, diag *d);
bool store_met_again(store *s, int64_t id, diag *d);
/* Adds a finding and its key, and fills f->id. If the bucket exists, its count grows and *added is false. A fixed or flaky
 * finding becomes open, and *added is true, unless f is flaky. */
bool store_add(store *s, finding *f, const char *key, bool *added, diag *d);
/* Gives a finding another bucket, and adds a key unless another finding has it. If another finding has the bucket, both are
 * merged under the lower id: the better reproduction, the stronger status, the sum of the counts. */
bool store_rename(store *s, int64_t id, const char *key, const char *bucket, diag *d);
/* Adds a key to a finding. */
bool store_also(store *s, const char *key, int64_t id, diag *d);
int store_get(store *s, int64_t id, finding *f, arena *a, diag *d); /* 1; 0: no such finding; -1 and d */
/* reason: "" or NULL removes an earlier one. */
bool store_set_status(store *s, int64_t id, const char *status, const char *reason, diag *d);
/* Marks all open findings known and appends "baseline" to their reasons; *n is their number. */
bool store_baseline(store *s, int64_t *n, diag *d);
/* Stores the outcome of a recheck with these versions (JSON), and the new status and reason. If the status becomes fixed, the
 * versions become fixed_in. */
bool store_checked(store *s, const finding *f, const char *outcome, const char *versions, const char *status,
    const char *reason, diag *d);
/* Stores a partial reduction. */
bool store_note_smaller(store *s, int64_t id, const char *model, diag *d);
/* Stores a reduced model and its bucket, title, apis, scripts, detail, log, nodes, pass and reduced. If another finding has the
 * bucket, both are merged as by store_rename, and f->id is the remaining id. */
bool store_smaller(store *s, finding *f, diag *d);
typedef bool finding_fn(void *context, const finding *f); /* returns false to stop */
bool store_each(
    store *s, finding_fn *fn, void *context, diag *d); /* by id; texts of several lines are "" */

#endif

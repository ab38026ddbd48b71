/* Findings in an SQLite database, which has the runs as well (runs.h).
 *
 *   runs      one row a run: who ran, and where it stands
 *   settings, counters, stages   rows of a run: what its models depend on; what it has counted;
 *             the seconds that it spent
 *   findings  one row a bucket: the minimised model, the repro script, how often it was met
 *   keys      cheap descriptions of failures ──► the finding that they turned out to be
 *   rechecks  what came of a finding when it was run again later
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
#include "database.h"

typedef database store;

typedef struct finding {
	int64_t id;
	const char *bucket, *kind, *backend, *status; /* kind: verdict.h; status: status.h */
	const char *class;                               /* graph-based fuzz testing's: MCF, IF, DCF */
	const char *reason;                              /* why a person or rulefuzz gave it that status; "" */
	const char *title;                               /* one line; title_print shows it */
	const char *message;                             /* of the error or the difference; store_add takes it out of detail */
	const char *apis;                                /* of the minimised model, "a + b" */
	const char *model, *original;                    /* JSON lines: minimised, as generated */
	const char *script;   /* Python, "" when the backend writes none */
	const char *short_script; /* a few lines that were seen to show it, "" where none are */
	const char *versions; /* JSON object */
	const char *detail;   /* the worker's answer, JSON */
	const char *log;      /* tail of the worker's standard error */
	uint64_t seed, index; /* of the model */
	uint64_t values;      /* seed of its inputs */
	int64_t nodes, count; /* of the minimised model; how often met */
	const char *found;    /* UTC */
	const char *pass;     /* what of the target does it, where that could be told; "" */
	bool reduced;         /* nothing smaller was found to fail alike */
	const char *smaller;  /* where reduction goes on: a model that failed alike, not confirmed; "" */
	const char *checked;  /* UTC of the last recheck, "": none */
	const char *fixed_in; /* versions (JSON) with which it was seen to be gone, "": none */
} finding;

/* create: make the file when it is not there. A database of an earlier version is brought to today's.
 * NULL and d otherwise, also for another program's database and for one of a later version. */
store *store_open(const char *path, bool create, diag *d);
/* Opens a database to read. Nothing is written to the file: an older database is migrated in a copy in memory. The file and its
 * folder may be read-only. */
store *store_open_read(const char *path, diag *d);
void store_close(store *s); /* NULL is fine */

/* ---- findings */
/* The finding that a key stands for: 1, *id and *fixed (marked as fixed); 0 unknown; -1 and d. */
int store_key(store *s, const char *key, int64_t *id, bool *fixed, diag *d);
/* Likewise; *fixed also for one that is flaky, which counts when a fresh worker confirms it. */
int store_bucket(store *s, const char *bucket, int64_t *id, bool *fixed, diag *d);
bool store_met_again(store *s, int64_t id, diag *d);
/* Adds a finding and its key. A bucket that is there already is counted once more, and *added is
 * false; one that is fixed, or flaky, becomes new, and *added is true, unless f is flaky. f->id is filled. */
bool store_add(store *s, finding *f, const char *key, bool *added, diag *d);
/* Another bucket and another key. The finding that has this bucket already is merged with it, under the lower id: the better
 * reproduction, the stronger status, the counts of both. The key stays another finding's where it is one. */
bool store_rename(store *s, int64_t id, const char *key, const char *bucket, diag *d);
/* Another key of a finding. */
bool store_also(store *s, const char *key, int64_t id, diag *d);
int store_get(store *s, int64_t id, finding *f, arena *a, diag *d); /* 1, 0 no such finding, -1 */
/* reason: "" or NULL takes an earlier one away. */
bool store_set_status(store *s, int64_t id, const char *status, const char *reason, diag *d);
/* Marks every open finding known, with the reason "baseline" behind one that it has; *n: how many. */
bool store_baseline(store *s, int64_t *n, diag *d);
/* Notes what a recheck came to with these versions (JSON), and the status and reason that follow. Where the status is
 * fixed the versions are fixed_in. */
bool store_checked(store *s, const finding *f, const char *outcome, const char *versions, const char *status,
    const char *reason, diag *d);
/* Notes how far reduction came. */
bool store_note_smaller(store *s, int64_t id, const char *model, diag *d);
/* A smaller model, and all that belongs to it, replaces what is stored: bucket, title, apis, model, scripts, detail, log,
 * nodes, pass, reduced. A finding that has the bucket already is merged with it as by store_rename, and f->id is the id left. */
bool store_smaller(store *s, finding *f, diag *d);
typedef bool finding_fn(void *context, const finding *f); /* false stops */
bool store_each(
    store *s, finding_fn *fn, void *context, diag *d); /* by id; without texts > 1 line */

#endif

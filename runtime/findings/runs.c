#include "runs.h"

#include <stddef.h>
#include <string.h>

/* ---- the counters of a run, and its seconds: a member of the row each */

typedef struct member {
	const char *name;
	size_t at;
} member;

static const member COUNTERS[] = {
#define X(name, what) {#name, offsetof(run_row, name)},
    RUN_COUNTERS(X)
#undef X
};
static const member STAGES[] = {
#define X(name) {#name, offsetof(run_row, t_##name)},
    RUN_STAGES(X)
#undef X
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static void *place(const run_row *run, const member *m)
{
	return (char *)run + m->at;
}

/* Runs a statement with the parameters run, name, value for each member. */
static bool put_members(
    store *s, const char *sql, const run_row *run, const member *list, size_t n, bool seconds, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d, sql, "i", run->id);
	bool ok = st != NULL;
	for (size_t i = 0; ok && i < n; i++) {
		sqlite3_bind_text(st, 2, list[i].name, -1, SQLITE_STATIC);
		if (seconds)
			sqlite3_bind_double(st, 3, *(double *)place(run, &list[i]));
		else
			sqlite3_bind_int64(st, 3, *(int64_t *)place(run, &list[i]));
		ok = statement_step(s, st, d) >= 0;
		sqlite3_reset(st);
	}
	sqlite3_finalize(st);
	return ok;
}

/* Ignores unknown names, which later versions write. */
static bool get_members(
    store *s, const char *sql, run_row *run, const member *list, size_t n, bool seconds, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d, sql, "i", run->id);
	int more = st ? statement_step(s, st, d) : -1;
	for (; more == 1; more = statement_step(s, st, d))
		for (size_t i = 0; i < n; i++) {
			if (strcmp(list[i].name, statement_text(st, 0)) != 0)
				continue;
			if (seconds)
				*(double *)place(run, &list[i]) = sqlite3_column_double(st, 1);
			else
				*(int64_t *)place(run, &list[i]) = sqlite3_column_int64(st, 1);
		}
	sqlite3_finalize(st);
	return more >= 0;
}

static bool put_counts(store *s, const run_row *run, diag *d)
{
	return put_members(s, "INSERT OR REPLACE INTO counters VALUES(?,?,?)", run, COUNTERS,
		   COUNT(COUNTERS), false, d)
	       && put_members(s, "INSERT OR REPLACE INTO stages VALUES(?,?,?)", run, STAGES,
		   COUNT(STAGES), true, d)
	       && (!run->excuses || excuses_store(s, run->id, run->excuses, d));
}

/* ---- runs */

static bool put_settings(store *s, const run_row *run, diag *d)
{
	bool ok = true;
	for (int i = 0; ok && i < run->nsettings; i++)
		ok = statement_run(s,
		    statement_new(s, d, "INSERT INTO settings VALUES(?,?,?)", "itt", run->id,
			run->settings[i].name, run->settings[i].value),
		    d);
	return ok;
}

bool runs_begin(store *s, run_row *run, diag *d)
{
	if (!database_begin(s, d))
		return false;
	bool ok = statement_run(s,
	    statement_new(s, d, "INSERT INTO runs VALUES(NULL,?,?,?,?,0,?)", "ttuut",
		run->backend, run->framework, run->seed, run->next, run->versions),
	    d);
	run->id = sqlite3_last_insert_rowid(s->handle);
	return database_end(s, ok && put_settings(s, run, d) && put_counts(s, run, d), d);
}

bool runs_update(store *s, const run_row *run, diag *d)
{
	if (!database_begin(s, d))
		return false;
	bool ok = statement_run(s,
	    statement_new(s, d, "UPDATE runs SET next=?, seconds=?, versions=? WHERE id=?",
		"udti", run->next, run->seconds, run->versions, run->id),
	    d);
	return database_end(s, ok && put_counts(s, run, d), d);
}

enum agreement {
	AGREES,
	DIFFERS,
	UNKNOWN, /* it lacks a setting, as runs of earlier versions do */
	FAILED
};

/* Compares the settings of a stored run with this one's. DIFFERS: *was is the first that differs, with its stored value in the
 * arena. */
static enum agreement compare(
    store *s, int64_t id, const run_row *run, setting *was, arena *a, diag *d)
{
	enum agreement end = AGREES;
	for (int i = 0; i < run->nsettings && end != UNKNOWN && end != FAILED; i++) {
		const setting *here = &run->settings[i];
		sqlite3_stmt *st = statement_new(s, d,
		    "SELECT value FROM settings WHERE run=? AND name=?", "it", id, here->name);
		int found = st ? statement_step(s, st, d) : -1;
		if (found != 1) {
			end = found < 0 ? FAILED : UNKNOWN;
		} else if (end == AGREES && strcmp(statement_text(st, 0), here->value) != 0) {
			*was = (setting){here->name, arena_strdup(a, statement_text(st, 0))};
			end = was->value ? DIFFERS : FAILED;
		}
		sqlite3_finalize(st);
	}
	return end;
}

static const char *value_of(const run_row *run, const char *name)
{
	for (int i = 0; i < run->nsettings; i++)
		if (strcmp(run->settings[i].name, name) == 0)
			return run->settings[i].value;
	return "";
}

static bool read_run(store *s, sqlite3_stmt *st, run_row *run, arena *a, diag *d)
{
	run->id = sqlite3_column_int64(st, 0);
	run->next = (uint64_t)sqlite3_column_int64(st, 1);
	run->seconds = sqlite3_column_double(st, 2);
	run->versions = arena_strdup(a, statement_text(st, 3));
	if (!run->versions)
		return diag_set(d, "out of memory");
	return get_members(s, "SELECT name, value FROM counters WHERE run=?", run, COUNTERS,
		   COUNT(COUNTERS), false, d)
	       && get_members(s, "SELECT name, seconds FROM stages WHERE run=?", run, STAGES,
		   COUNT(STAGES), true, d);
}

/* Texts are in the arena. */
static bool read_listed(store *s, sqlite3_stmt *st, run_row *run, arena *a, diag *d)
{
	*run = (run_row){.backend = arena_strdup(a, statement_text(st, 4)),
	    .framework = arena_strdup(a, statement_text(st, 5)),
	    .seed = (uint64_t)sqlite3_column_int64(st, 6)};
	return (run->backend && run->framework) ? read_run(s, st, run, a, d) : diag_set(d, "out of memory");
}

bool runs_each(store *s, int64_t behind, run_fn *fn, void *context, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d,
	    "SELECT id, next, seconds, versions, backend, framework, seed FROM runs WHERE id>? ORDER BY id", "i", behind);
	arena *a = arena_new();
	bool ok = diag_memory(d, a) && st;
	int more = ok ? statement_step(s, st, d) : -1;
	for (; ok && more == 1; more = ok ? statement_step(s, st, d) : more) {
		run_row run;
		arena_mark mark = arena_save(a);
		ok = read_listed(s, st, &run, a, d);
		bool goes_on = ok && fn(context, &run);
		arena_release(a, mark);
		if (ok && !goes_on)
			break;
	}
	sqlite3_finalize(st);
	if (a)
		arena_free(a);
	return ok && more >= 0;
}

/* Finds the latest run with the same settings. If none has, d describes the latest one that differs. */
static int find_run(store *s, sqlite3_stmt *st, run_row *run, arena *a, diag *d)
{
	bool refused = false;
	int more = statement_step(s, st, d);
	for (; more == 1; more = statement_step(s, st, d)) {
		setting was;
		int64_t id = sqlite3_column_int64(st, 0);
		enum agreement agreement = compare(s, id, run, &was, a, d);
		if (agreement == FAILED)
			return -1;
		if (agreement == AGREES)
			return read_run(s, st, run, a, d) ? 1 : -1;
		if (agreement == DIFFERS && !refused)
			diag_at(d, s->path, 0,
			    "cannot resume run %lld: its --%s is '%s', here it is '%s'; without --resume, a "
			    "new run begins",
			    (long long)id, was.name, was.value, value_of(run, was.name));
		refused |= agreement == DIFFERS;
	}
	return refused ? -1 : more;
}

int runs_resume(store *s, run_row *run, arena *a, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d,
	    "SELECT id, next, seconds, versions FROM runs WHERE backend=? AND framework=? AND seed=?"
	    " ORDER BY id DESC",
	    "ttu", run->backend, run->framework, run->seed);
	int found = st ? find_run(s, st, run, a, d) : -1;
	sqlite3_finalize(st);
	return found;
}

bool runs_trouble(
    store *s, int64_t run, const char *api, const char *what, const char *message, diag *d)
{
	return statement_run(s,
	    statement_new(s, d,
		"INSERT INTO troubles VALUES(?,?,?,?,1) ON CONFLICT DO UPDATE SET count=count+1",
		"ittt", run, api, what, message),
	    d);
}

bool runs_each_trouble(
    store *s, int64_t run, int64_t limit, trouble_fn *fn, void *context, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d,
	    "SELECT api, what, message, count FROM troubles WHERE run=? ORDER BY count DESC, api, "
	    "what LIMIT ?",
	    "ii", run, limit);
	int more = st ? statement_step(s, st, d) : -1;
	for (; more == 1; more = statement_step(s, st, d))
		if (!fn(context, statement_text(st, 0), statement_text(st, 1), statement_text(st, 2),
			sqlite3_column_int64(st, 3)))
			break;
	sqlite3_finalize(st);
	return more >= 0;
}

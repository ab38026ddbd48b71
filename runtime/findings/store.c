#include "store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "schema.h"

/* Ends a statement whose texts were read: more, or -1 and d where there was no memory for one, which was "" then. */
static int end_reading(store *s, sqlite3_stmt *st, int more, diag *d)
{
	if (sqlite3_finalize(st) == SQLITE_OK || more < 0)
		return more;
	database_fail(s, d);
	return -1;
}

/* ---- open, close */

/* The file may be a stranger's: its triggers and views are not obeyed, its schema calls no function that does anything, what
 * is damaged is an error, and no text is longer than a line of JSON may be several times over. */
static bool distrust(const store *s, diag *d)
{
	static const int OFF[] = {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_TRUSTED_SCHEMA};
	enum { LONGEST = 64 << 20 };
	bool ok = sqlite3_db_config(s->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK;
	for (size_t i = 0; i < sizeof OFF / sizeof *OFF; i++)
		ok = ok && sqlite3_db_config(s->handle, OFF[i], 0, NULL) == SQLITE_OK;
	sqlite3_limit(s->handle, SQLITE_LIMIT_LENGTH, LONGEST);
	return ok ? database_execute(s, "PRAGMA cell_size_check=ON;PRAGMA mmap_size=0", d) : database_fail(s, d);
}

store *store_open(const char *path, bool create, diag *d)
{
	store *s = calloc(1, sizeof *s);
	if (!s) {
		diag_set(d, "out of memory");
		return NULL;
	}
	s->path = path;
	int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
	bool ok = create || access(path, F_OK) == 0
		  || diag_at(d, path, 0, "no such database; `rulefuzz run` makes it");
	if (ok && sqlite3_open_v2(path, &s->handle, flags, NULL) != SQLITE_OK)
		ok = diag_at(
		    d, path, 0, "%s", s->handle ? sqlite3_errmsg(s->handle) : "out of memory");
	if (ok) {
		sqlite3_busy_timeout(s->handle, 10000);
		ok = distrust(s, d) && schema_open(s, create, d);
	}
	if (ok)
		return s;
	store_close(s);
	return NULL;
}

void store_close(store *s)
{
	if (!s)
		return;
	sqlite3_close(s->handle);
	free(s);
}

/* ---- findings */

int store_key(store *s, const char *key, int64_t *id, bool *fixed, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d,
	    "SELECT f.id, f.status='fixed' FROM keys k JOIN findings f ON f.id=k.finding WHERE "
	    "k.key=?",
	    "t", key);
	int found = st ? statement_step(s, st, d) : -1;
	if (found == 1) {
		*id = sqlite3_column_int64(st, 0);
		*fixed = sqlite3_column_int(st, 1) != 0;
	}
	sqlite3_finalize(st);
	return found;
}

bool store_met_again(store *s, int64_t id, diag *d)
{
	return statement_run(s, statement_new(s, d, "UPDATE findings SET count=count+1 WHERE id=?", "i", id), d);
}

int store_signature(store *s, const char *signature, int64_t *id, bool *fixed, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d, "SELECT id, status IN ('fixed', 'flaky') FROM findings WHERE signature=?", "t", signature);
	int found = st ? statement_step(s, st, d) : -1;
	if (found == 1) {
		*id = sqlite3_column_int64(st, 0);
		*fixed = sqlite3_column_int(st, 1) != 0;
	}
	sqlite3_finalize(st);
	return found;
}

static bool insert(store *s, finding *f, diag *d)
{
	static const char sql[] =
	    "INSERT INTO findings(signature, kind, backend, status, title, apis, model, original, script, versions, detail,"
	    " log, seed, model_index, value_seed, nodes, short_script, reason, class, pass, reduced, count, found)"
	    " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,1,strftime('%Y-%m-%dT%H:%M:%SZ','now'))";
	sqlite3_stmt *st = statement_new(s, d, sql, "ttttttttttttuuuitttti", f->signature, f->kind, f->backend,
	    f->status, f->title, f->apis, f->model, f->original, f->script, f->versions, f->detail,
	    f->log, f->seed, f->index, f->values, f->nodes, f->short_script, f->reason, f->class, f->pass,
	    (int64_t)f->reduced);
	if (!statement_run(s, st, d))
		return false;
	f->id = sqlite3_last_insert_rowid(s->handle);
	return true;
}

/* A finding that was fixed came back, or one that was flaky fails each time: what is stored of it is now of today. */
static bool reopen(store *s, const finding *f, diag *d)
{
	return statement_run(s,
	    statement_new(s, d,
		"UPDATE findings SET status=?, count=count+1, model=?, original=?, script=?, "
		"versions=?,"
		" detail=?, log=?, short_script=?, seed=?, model_index=?, value_seed=?, nodes=?, title=?, apis=?,"
		" class=?, pass=?, reduced=?, reason=CASE status WHEN 'fixed' THEN 'it came back' ELSE '' END WHERE id=?",
		"ttttttttuuuittttii", f->status, f->model, f->original, f->script, f->versions, f->detail,
		f->log, f->short_script, f->seed, f->index, f->values, f->nodes, f->title, f->apis, f->class,
		f->pass, (int64_t)f->reduced, f->id),
	    d);
}

bool store_also(store *s, const char *key, int64_t id, diag *d)
{
	return statement_run(s, statement_new(s, d, "INSERT OR REPLACE INTO keys VALUES(?,?)", "ti", key, id), d);
}

bool store_rename(store *s, int64_t id, const char *key, const char *signature, diag *d)
{
	return statement_run(s,
	    statement_new(s, d, "UPDATE OR IGNORE findings SET signature=? WHERE id=?", "ti", signature, id), d)
	       && statement_run(s, statement_new(s, d, "INSERT OR IGNORE INTO keys VALUES(?,?)", "ti", key, id), d);
}

static bool add(store *s, finding *f, const char *key, bool *added, diag *d)
{
	bool fixed = false;
	int known = store_signature(s, f->signature, &f->id, &fixed, d);
	if (known < 0)
		return false;
	bool again = fixed && strcmp(f->status, "flaky") != 0;
	*added = !known || again;
	bool ok = !known ? insert(s, f, d) : again ? reopen(s, f, d) : store_met_again(s, f->id, d);
	return ok && store_also(s, key, f->id, d);
}

bool store_add(store *s, finding *f, const char *key, bool *added, diag *d)
{
	return database_begin(s, d) && database_end(s, add(s, f, key, added, d), d);
}

static void read_line(sqlite3_stmt *st, finding *f)
{
	*f = (finding){.id = sqlite3_column_int64(st, 0),
	    .signature = statement_text(st, 1),
	    .kind = statement_text(st, 2),
	    .backend = statement_text(st, 3),
	    .status = statement_text(st, 4),
	    .title = statement_text(st, 5),
	    .apis = statement_text(st, 6),
	    .versions = statement_text(st, 7),
	    .seed = (uint64_t)sqlite3_column_int64(st, 8),
	    .index = (uint64_t)sqlite3_column_int64(st, 9),
	    .values = (uint64_t)sqlite3_column_int64(st, 10),
	    .nodes = sqlite3_column_int64(st, 11),
	    .count = sqlite3_column_int64(st, 12),
	    .found = statement_text(st, 13),
	    .model = "",
	    .original = "",
	    .script = "",
	    .short_script = "",
	    .detail = "",
	    .log = "",
	    .smaller = "",
	    .class = statement_text(st, 14),
	    .reason = statement_text(st, 15),
	    .pass = statement_text(st, 16),
	    .reduced = sqlite3_column_int(st, 17) != 0,
	    .checked = statement_text(st, 18),
	    .fixed_in = statement_text(st, 19)};
}

#define LINE_COLUMNS                                                                               \
	"id, signature, kind, backend, status, title, apis, versions, seed, model_index, "         \
	"value_seed,"                                                                              \
	" nodes, count, found, class, reason, pass, reduced, checked, fixed_in"

int store_get(store *s, int64_t id, finding *f, arena *a, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d,
	    "SELECT " LINE_COLUMNS
	    ", model, original, script, detail, log, short_script, smaller FROM findings WHERE id=?",
	    "i", id);
	int found = st ? statement_step(s, st, d) : -1;
	if (found == 1) {
		read_line(st, f);
		const char **texts[] = {&f->signature, &f->kind, &f->backend, &f->status, &f->title,
		    &f->apis, &f->versions, &f->found, &f->class, &f->reason, &f->pass, &f->checked, &f->fixed_in,
		    &f->model, &f->original, &f->script, &f->detail, &f->log, &f->short_script, &f->smaller};
		static const int columns[] = {1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26};
		for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
			if (!(*texts[i] = arena_strdup(a, statement_text(st, columns[i])))) {
				*texts[i] = "";
				diag_memory(d, false);
				found = -1;
			}
	}
	return end_reading(s, st, found, d);
}

bool store_set_status(store *s, int64_t id, const char *status, const char *reason, diag *d)
{
	return statement_run(s,
	    statement_new(s, d, "UPDATE findings SET status=?, reason=? WHERE id=?", "tti", status, reason, id), d);
}

bool store_checked(store *s, const finding *f, const char *outcome, const char *versions, const char *status,
    const char *reason, diag *d)
{
	return database_begin(s, d)
	       && database_end(s,
		   statement_run(s,
		       statement_new(s, d,
			   "INSERT INTO rechecks(finding, checked, outcome, versions)"
			   " VALUES(?, strftime('%Y-%m-%dT%H:%M:%SZ','now'), ?, ?)",
			   "itt", f->id, outcome, versions),
		       d)
		       && statement_run(s,
			   statement_new(s, d,
			       "UPDATE findings SET checked=strftime('%Y-%m-%dT%H:%M:%SZ','now'), status=?1, reason=?2,"
			       " fixed_in=CASE WHEN ?1='fixed' AND status<>'fixed' THEN ?3 ELSE fixed_in END WHERE id=?4",
			       "ttti", status, reason, versions, f->id),
			   d),
		   d);
}

bool store_note_smaller(store *s, int64_t id, const char *model, diag *d)
{
	return statement_run(s, statement_new(s, d, "UPDATE findings SET smaller=? WHERE id=?", "ti", model, id), d);
}

bool store_smaller(store *s, const finding *f, diag *d)
{
	return statement_run(s,
	    statement_new(s, d,
		"UPDATE OR IGNORE findings SET signature=?2 WHERE id=?1", "it", f->id, f->signature), d)
	       && statement_run(s,
		   statement_new(s, d,
		       "UPDATE findings SET title=?, apis=?, model=?, script=?, short_script=?, detail=?, log=?, nodes=?,"
		       " pass=?, reduced=?, smaller='' WHERE id=?",
		       "tttttttitii", f->title, f->apis, f->model, f->script, f->short_script, f->detail, f->log,
		       f->nodes, f->pass, (int64_t)f->reduced, f->id),
		   d);
}

bool store_each(store *s, finding_fn *fn, void *context, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d, "SELECT " LINE_COLUMNS " FROM findings ORDER BY id", "");
	int more = st ? statement_step(s, st, d) : -1;
	for (; more == 1; more = statement_step(s, st, d)) {
		finding f;
		read_line(st, &f);
		if (!fn(context, &f))
			break;
	}
	return end_reading(s, st, more, d) >= 0;
}

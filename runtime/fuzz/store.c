#include "store.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"

struct store {
	sqlite3 *db;
	const char *path; /* for messages */
};

static const char *const TABLES =
    "CREATE TABLE runs(id INTEGER PRIMARY KEY, backend TEXT NOT NULL, framework TEXT NOT NULL,"
    " strategy TEXT NOT NULL, seed INTEGER NOT NULL, nodes_low INTEGER NOT NULL,"
    " nodes_high INTEGER NOT NULL, next INTEGER NOT NULL, seconds REAL NOT NULL,"
    " versions TEXT NOT NULL"
#define X(name, what) ", " #name " INTEGER NOT NULL"
    RUN_COUNTERS(X)
#undef X
#define X(name) ", t_" #name " REAL NOT NULL"
	RUN_STAGES(X)
#undef X
	    ");"
	    "CREATE TABLE findings(id INTEGER PRIMARY KEY, signature TEXT NOT NULL UNIQUE,"
	    " kind TEXT NOT NULL, backend TEXT NOT NULL, status TEXT NOT NULL, title TEXT NOT NULL,"
	    " apis TEXT NOT NULL, model TEXT NOT NULL, original TEXT NOT NULL, script TEXT NOT "
	    "NULL,"
	    " versions TEXT NOT NULL, detail TEXT NOT NULL, log TEXT NOT NULL, seed INTEGER NOT "
	    "NULL,"
	    " model_index INTEGER NOT NULL, value_seed INTEGER NOT NULL, nodes INTEGER NOT NULL,"
	    " count INTEGER NOT NULL, found TEXT NOT NULL);"
	    "CREATE TABLE keys(key TEXT PRIMARY KEY, finding INTEGER NOT NULL) WITHOUT ROWID;"
	    "CREATE TABLE troubles(run INTEGER NOT NULL, api TEXT NOT NULL, what TEXT NOT NULL,"
	    " message TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY(run, api, what)) WITHOUT "
	    "ROWID;";

/* ---- statements: prepared, bound by a format, stepped */

static bool fail(store *s, diag *d)
{
	return diag_at(d, s->path, 0, "%s", sqlite3_errmsg(s->db));
}

/* Binds one argument for each letter: i int64_t, u uint64_t, d double, t text (NULL: ""). */
static sqlite3_stmt *prepare(store *s, diag *d, const char *sql, const char *format, ...)
{
	sqlite3_stmt *st = NULL;
	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK) {
		fail(s, d);
		return NULL;
	}
	va_list args;
	va_start(args, format);
	for (int i = 1; *format; format++, i++) {
		const char *text;
		switch (*format) {
		case 'i':
			sqlite3_bind_int64(st, i, va_arg(args, int64_t));
			break;
		case 'u':
			sqlite3_bind_int64(st, i, (int64_t)va_arg(args, uint64_t));
			break;
		case 'd':
			sqlite3_bind_double(st, i, va_arg(args, double));
			break;
		default:
			text = va_arg(args, const char *);
			sqlite3_bind_text(st, i, text ? text : "", -1, SQLITE_TRANSIENT);
		}
	}
	va_end(args);
	return st;
}

/* Runs a statement without rows. */
static bool finish(store *s, sqlite3_stmt *st, diag *d)
{
	if (!st)
		return false;
	int rc = sqlite3_step(st);
	bool ok = rc == SQLITE_DONE || rc == SQLITE_ROW || fail(s, d);
	sqlite3_finalize(st);
	return ok;
}

static bool execute(store *s, const char *sql, diag *d)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || fail(s, d);
}

/* 1 when there is a row, 0 when not, -1 and d. */
static int step(store *s, sqlite3_stmt *st, diag *d)
{
	int rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		return 1;
	if (rc == SQLITE_DONE)
		return 0;
	fail(s, d);
	return -1;
}

static const char *text_of(sqlite3_stmt *st, int column)
{
	const char *text = (const char *)sqlite3_column_text(st, column);
	return text ? text : "";
}

static const char *kept(sqlite3_stmt *st, int column, arena *a)
{
	const char *copy = arena_strdup(a, text_of(st, column));
	return copy ? copy : "";
}

/* ---- open, close */

static int schema_of(store *s, diag *d)
{
	sqlite3_stmt *st = prepare(s, d, "PRAGMA user_version", "");
	int version = st && step(s, st, d) == 1 ? sqlite3_column_int(st, 0) : -1;
	sqlite3_finalize(st);
	return version;
}

static bool make_tables(store *s, diag *d)
{
	buf sql = {0};
	buf_printf(&sql, "BEGIN IMMEDIATE;%sPRAGMA user_version=%d;COMMIT", TABLES, STORE_SCHEMA);
	bool ok = !sql.failed && execute(s, sql.text, d);
	buf_free(&sql);
	return ok;
}

static bool set_up(store *s, bool create, diag *d)
{
	sqlite3_busy_timeout(s->db, 10000);
	int version = schema_of(s, d);
	if (version < 0)
		return false;
	if (version == 0 && !create)
		return diag_at(d, s->path, 0, "not a database of rulefuzz");
	if (version != 0 && version != STORE_SCHEMA)
		return diag_at(d, s->path, 0,
		    "schema %d, and this rulefuzz reads %d: use another --db", version,
		    STORE_SCHEMA);
	return execute(s, "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL", d)
	       && (version != 0 || make_tables(s, d));
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
	if (!create && access(path, F_OK) != 0)
		diag_at(d, path, 0, "no such database; `rulefuzz run` makes it");
	else if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK)
		diag_at(d, path, 0, "%s", s->db ? sqlite3_errmsg(s->db) : "out of memory");
	else if (set_up(s, create, d))
		return s;
	store_close(s);
	return NULL;
}

void store_close(store *s)
{
	if (!s)
		return;
	sqlite3_close(s->db);
	free(s);
}

/* ---- runs */

bool store_run_begin(store *s, run_row *run, diag *d)
{
	static const char sql[] = "INSERT INTO runs VALUES(NULL,?,?,?,?,?,?,?,0,?"
#define X(name, what) ",0"
	    RUN_COUNTERS(X)
#undef X
#define X(name) ",0"
		RUN_STAGES(X)
#undef X
		    ")";
	sqlite3_stmt *st = prepare(s, d, sql, "tttuiiut", run->backend, run->framework,
	    run->strategy, run->seed, run->nodes_low, run->nodes_high, run->next, run->versions);
	if (!finish(s, st, d))
		return false;
	run->id = sqlite3_last_insert_rowid(s->db);
	return true;
}

static void read_run(sqlite3_stmt *st, run_row *run, arena *a)
{
	int c = 0;
	run->id = sqlite3_column_int64(st, c++);
	run->next = (uint64_t)sqlite3_column_int64(st, c++);
	run->seconds = sqlite3_column_double(st, c++);
	run->versions = kept(st, c++, a);
#define X(name, what) run->name = sqlite3_column_int64(st, c++);
	RUN_COUNTERS(X)
#undef X
#define X(name) run->t_##name = sqlite3_column_double(st, c++);
	RUN_STAGES(X)
#undef X
}

int store_run_resume(store *s, run_row *run, arena *a, diag *d)
{
	static const char sql[] = "SELECT id, next, seconds, versions"
#define X(name, what) ", " #name
	    RUN_COUNTERS(X)
#undef X
#define X(name) ", t_" #name
		RUN_STAGES(X)
#undef X
		    " FROM runs WHERE backend=? AND framework=? AND strategy=? AND seed=? AND "
		    "nodes_low=?"
		    " AND nodes_high=? ORDER BY id DESC LIMIT 1";
	sqlite3_stmt *st = prepare(s, d, sql, "tttuii", run->backend, run->framework, run->strategy,
	    run->seed, run->nodes_low, run->nodes_high);
	int found = st ? step(s, st, d) : -1;
	if (found == 1)
		read_run(st, run, a);
	sqlite3_finalize(st);
	return found;
}

bool store_run_update(store *s, const run_row *run, diag *d)
{
	static const char sql[] = "UPDATE runs SET next=?, seconds=?, versions=?"
#define X(name, what) ", " #name "=?"
	    RUN_COUNTERS(X)
#undef X
#define X(name) ", t_" #name "=?"
		RUN_STAGES(X)
#undef X
		    " WHERE id=?";
	sqlite3_stmt *st = prepare(s, d, sql, "udt", run->next, run->seconds, run->versions);
	int i = 4;
	if (!st)
		return false;
#define X(name, what) sqlite3_bind_int64(st, i++, run->name);
	RUN_COUNTERS(X)
#undef X
#define X(name) sqlite3_bind_double(st, i++, run->t_##name);
	RUN_STAGES(X)
#undef X
	sqlite3_bind_int64(st, i, run->id);
	return finish(s, st, d);
}

bool store_trouble(
    store *s, int64_t run, const char *api, const char *what, const char *message, diag *d)
{
	return finish(s,
	    prepare(s, d,
		"INSERT INTO troubles VALUES(?,?,?,?,1) ON CONFLICT DO UPDATE SET count=count+1",
		"ittt", run, api, what, message),
	    d);
}

bool store_each_trouble(
    store *s, int64_t run, int64_t limit, trouble_fn *fn, void *context, diag *d)
{
	sqlite3_stmt *st = prepare(s, d,
	    "SELECT api, what, message, count FROM troubles WHERE run=? ORDER BY count DESC, api, "
	    "what"
	    " LIMIT ?",
	    "ii", run, limit);
	int more = st ? step(s, st, d) : -1;
	for (; more == 1; more = step(s, st, d))
		if (!fn(context, text_of(st, 0), text_of(st, 1), text_of(st, 2),
			sqlite3_column_int64(st, 3)))
			break;
	sqlite3_finalize(st);
	return more >= 0;
}

/* ---- findings */

int store_key(store *s, const char *key, int64_t *id, bool *fixed, diag *d)
{
	sqlite3_stmt *st = prepare(s, d,
	    "SELECT f.id, f.status='fixed' FROM keys k JOIN findings f ON f.id=k.finding WHERE "
	    "k.key=?",
	    "t", key);
	int found = st ? step(s, st, d) : -1;
	if (found == 1) {
		*id = sqlite3_column_int64(st, 0);
		*fixed = sqlite3_column_int(st, 1) != 0;
	}
	sqlite3_finalize(st);
	return found;
}

bool store_met_again(store *s, int64_t id, diag *d)
{
	return finish(s, prepare(s, d, "UPDATE findings SET count=count+1 WHERE id=?", "i", id), d);
}

int store_signature(store *s, const char *signature, int64_t *id, bool *fixed, diag *d)
{
	sqlite3_stmt *st = prepare(
	    s, d, "SELECT id, status='fixed' FROM findings WHERE signature=?", "t", signature);
	int found = st ? step(s, st, d) : -1;
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
	    "INSERT INTO findings VALUES(NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,1,"
	    "strftime('%Y-%m-%dT%H:%M:%SZ','now'))";
	sqlite3_stmt *st = prepare(s, d, sql, "ttttttttttttuuui", f->signature, f->kind, f->backend,
	    f->status, f->title, f->apis, f->model, f->original, f->script, f->versions, f->detail,
	    f->log, f->seed, f->index, f->values, f->nodes);
	if (!finish(s, st, d))
		return false;
	f->id = sqlite3_last_insert_rowid(s->db);
	return true;
}

/* A finding that was marked as fixed came back: what is stored of it is now of today. */
static bool reopen(store *s, const finding *f, diag *d)
{
	return finish(s,
	    prepare(s, d,
		"UPDATE findings SET status=?, count=count+1, model=?, original=?, script=?, "
		"versions=?,"
		" detail=?, log=?, seed=?, model_index=?, value_seed=? WHERE id=?",
		"tttttttuuui", f->status, f->model, f->original, f->script, f->versions, f->detail,
		f->log, f->seed, f->index, f->values, f->id),
	    d);
}

static bool add(store *s, finding *f, const char *key, bool *added, diag *d)
{
	bool fixed = false;
	int known = store_signature(s, f->signature, &f->id, &fixed, d);
	if (known < 0)
		return false;
	*added = !known || fixed;
	bool ok = !known ? insert(s, f, d) : fixed ? reopen(s, f, d) : store_met_again(s, f->id, d);
	return ok
	       && finish(s,
		   prepare(s, d, "INSERT OR REPLACE INTO keys VALUES(?,?)", "ti", key, f->id), d);
}

bool store_add(store *s, finding *f, const char *key, bool *added, diag *d)
{
	if (!execute(s, "BEGIN IMMEDIATE", d))
		return false;
	bool ok = add(s, f, key, added, d);
	return execute(s, ok ? "COMMIT" : "ROLLBACK", ok ? d : NULL) && ok;
}

static void read_line(sqlite3_stmt *st, finding *f)
{
	*f = (finding){.id = sqlite3_column_int64(st, 0),
	    .signature = text_of(st, 1),
	    .kind = text_of(st, 2),
	    .backend = text_of(st, 3),
	    .status = text_of(st, 4),
	    .title = text_of(st, 5),
	    .apis = text_of(st, 6),
	    .versions = text_of(st, 7),
	    .seed = (uint64_t)sqlite3_column_int64(st, 8),
	    .index = (uint64_t)sqlite3_column_int64(st, 9),
	    .values = (uint64_t)sqlite3_column_int64(st, 10),
	    .nodes = sqlite3_column_int64(st, 11),
	    .count = sqlite3_column_int64(st, 12),
	    .found = text_of(st, 13),
	    .model = "",
	    .original = "",
	    .script = "",
	    .detail = "",
	    .log = ""};
}

#define LINE_COLUMNS                                                                               \
	"id, signature, kind, backend, status, title, apis, versions, seed, model_index, "         \
	"value_seed,"                                                                              \
	" nodes, count, found"

int store_get(store *s, int64_t id, finding *f, arena *a, diag *d)
{
	sqlite3_stmt *st = prepare(s, d,
	    "SELECT " LINE_COLUMNS
	    ", model, original, script, detail, log FROM findings WHERE id=?",
	    "i", id);
	int found = st ? step(s, st, d) : -1;
	if (found == 1) {
		read_line(st, f);
		const char **texts[] = {&f->signature, &f->kind, &f->backend, &f->status, &f->title,
		    &f->apis, &f->versions, &f->found, &f->model, &f->original, &f->script,
		    &f->detail, &f->log};
		static const int columns[] = {1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 16, 17, 18};
		for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
			*texts[i] = kept(st, columns[i], a);
	}
	sqlite3_finalize(st);
	return found;
}

bool store_set_status(store *s, int64_t id, const char *status, diag *d)
{
	return finish(
	    s, prepare(s, d, "UPDATE findings SET status=? WHERE id=?", "ti", status, id), d);
}

bool store_each(store *s, finding_fn *fn, void *context, diag *d)
{
	sqlite3_stmt *st = prepare(s, d, "SELECT " LINE_COLUMNS " FROM findings ORDER BY id", "");
	int more = st ? step(s, st, d) : -1;
	for (; more == 1; more = step(s, st, d)) {
		finding f;
		read_line(st, &f);
		if (!fn(context, &f))
			break;
	}
	sqlite3_finalize(st);
	return more >= 0;
}

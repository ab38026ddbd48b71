#include "store.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"
#include "schema.h"
#include "status.h"
#include "strength.h"

/* Finalizes a statement after its texts were read. Returns more, or -1 and d if a text was "" for lack of memory. */
static int end_reading(store *s, sqlite3_stmt *st, int more, diag *d)
{
	if (sqlite3_finalize(st) == SQLITE_OK || more < 0)
		return more;
	database_fail(s, d);
	return -1;
}

/* ---- open, close */

/* The file may be untrusted: triggers, views and functions in its schema do not run, damage is an error, and texts have a maximum
 * length. */
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

static bool open_file(store *s, const char *name, int flags, diag *d)
{
	if (sqlite3_open_v2(name, &s->handle, flags, NULL) != SQLITE_OK)
		return diag_at(d, s->path, 0, "%s", s->handle ? sqlite3_errmsg(s->handle) : "out of memory");
	sqlite3_busy_timeout(s->handle, 10000);
	return distrust(s, d);
}

static store *new_store(const char *path, diag *d)
{
	store *s = calloc(1, sizeof *s);
	if (diag_memory(d, s))
		s->path = path;
	return s;
}

static bool is_there(const char *path, diag *d)
{
	return access(path, F_OK) == 0 || diag_at(d, path, 0, "no such database; `rulefuzz run` makes it");
}

store *store_open(const char *path, bool create, diag *d)
{
	store *s = new_store(path, d);
	if (!s)
		return NULL;
	bool ok = (create || is_there(path, d))
		  && open_file(s, path, SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0), d)
		  && schema_open(s, create, d);
	if (ok)
		return s;
	store_close(s);
	return NULL;
}

/* ---- open to read */

/* For a read-only file in a read-only folder, where SQLite cannot create the index of its log. */
static bool open_immutable(store *s, diag *d)
{
	buf name = {0};
	buf_puts(&name, "file:");
	buf_uri(&name, s->path);
	buf_puts(&name, "?immutable=1");
	sqlite3_close(s->handle);
	s->handle = NULL;
	bool ok = diag_memory(d, !name.failed) && open_file(s, name.text, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, d);
	buf_free(&name);
	return ok;
}

/* Whether a log has changes: immutable mode would ignore them. */
static bool has_log(const store *s)
{
	char name[PATH_MAX];
	struct stat about;
	int n = snprintf(name, sizeof name, "%s-wal", s->path);
	return n >= (int)sizeof name || (stat(name, &about) == 0 && about.st_size > 0);
}

/* Reads the first page, so that SQLite opens the log, too. */
static bool open_readable(store *s, diag *d)
{
	int64_t version;
	if (!open_file(s, s->path, SQLITE_OPEN_READWRITE, d)) /* without write permission, SQLite opens it read-only */
		return false;
	if (database_number(s, "PRAGMA user_version", &version, NULL))
		return true;
	int code = sqlite3_errcode(s->handle);
	if ((code == SQLITE_CANTOPEN || code == SQLITE_READONLY) && !has_log(s))
		return open_immutable(s, d);
	return database_fail(s, d);
}

/* Replaces the handle of an older database by a migrated copy in memory. */
static bool copy_to_memory(store *s, diag *d)
{
	store copy = {.path = s->path};
	bool ok = open_file(&copy, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, d);
	sqlite3_backup *b = ok ? sqlite3_backup_init(copy.handle, "main", s->handle, "main") : NULL;
	if (b)
		sqlite3_backup_step(b, -1);
	ok = ok && b && sqlite3_backup_finish(b) == SQLITE_OK;
	if (!ok)
		database_fail(copy.handle ? &copy : s, d);
	ok = ok && schema_migrate(&copy, d);
	sqlite3_close(ok ? s->handle : copy.handle);
	if (ok)
		s->handle = copy.handle;
	return ok;
}

store *store_open_read(const char *path, diag *d)
{
	bool older = false;
	store *s = is_there(path, d) ? new_store(path, d) : NULL;
	if (!s)
		return NULL;
	if (open_readable(s, d) && schema_check(s, false, &older, d) && (!older || copy_to_memory(s, d))
	    && database_execute(s, "PRAGMA query_only=ON", d))
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

int store_bucket(store *s, const char *bucket, int64_t *id, bool *fixed, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d, "SELECT id, status IN ('fixed', 'flaky') FROM findings WHERE bucket=?", "t", bucket);
	int found = st ? statement_step(s, st, d) : -1;
	if (found == 1) {
		*id = sqlite3_column_int64(st, 0);
		*fixed = sqlite3_column_int(st, 1) != 0;
	}
	sqlite3_finalize(st);
	return found;
}

/* Bugs get the ids 1, 2, …; unsupported findings get their own range. When the range of bugs is full, ids continue behind the
 * last one. */
static bool next_id(store *s, finding *f, diag *d)
{
	enum { RANGE = STRENGTH_UNSUPPORTED_IDS };
	static const char BEHIND[] = "SELECT max(coalesce(max(id), 0), " STRENGTH_TEXT(STRENGTH_UNSUPPORTED_IDS) ") + 1 FROM findings",
			  BUGS[] = "SELECT coalesce(max(id), 0) + 1 FROM findings WHERE id <= " STRENGTH_TEXT(STRENGTH_UNSUPPORTED_IDS);
	bool apart = status_parse(f->status) == STATUS_UNSUPPORTED;
	if (!apart && !database_number(s, BUGS, &f->id, d))
		return false;
	return (!apart && f->id <= RANGE) || database_number(s, BEHIND, &f->id, d);
}

static bool insert(store *s, finding *f, diag *d)
{
	static const char sql[] =
	    "INSERT INTO findings(id, bucket, kind, backend, status, title, apis, model, original, script, versions, detail,"
	    " log, seed, model_index, value_seed, nodes, short_script, reason, class, pass, reduced, count, found)"
	    " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,1,strftime('%Y-%m-%dT%H:%M:%SZ','now'))";
	if (!next_id(s, f, d))
		return false;
	sqlite3_stmt *st = statement_new(s, d, sql, "ittttttttttttuuuitttti", f->id, f->bucket, f->kind, f->backend,
	    f->status, f->title, f->apis, f->model, f->original, f->script, f->versions, f->detail,
	    f->log, f->seed, f->index, f->values, f->nodes, f->short_script, f->reason, f->class, f->pass,
	    (int64_t)f->reduced);
	return statement_run(s, st, d);
}

/* A fixed finding regressed, or a flaky one now fails each time: the new failure replaces all stored data, including the partial
 * reduction. */
static bool reopen(store *s, const finding *f, diag *d)
{
	static const char sql[] =
	    "UPDATE findings SET status=?, count=count+1, model=?, original=?, script=?, versions=?, detail=?, log=?,"
	    " short_script=?, seed=?, model_index=?, value_seed=?, nodes=?, title=?, apis=?, class=?, pass=?, reduced=?,"
	    " smaller='', reason=CASE status WHEN 'fixed' THEN 'regressed' ELSE '' END WHERE id=?";
	sqlite3_stmt *st = statement_new(s, d, sql, "ttttttttuuuittttii", f->status, f->model, f->original, f->script,
	    f->versions, f->detail, f->log, f->short_script, f->seed, f->index, f->values, f->nodes, f->title, f->apis,
	    f->class, f->pass, (int64_t)f->reduced, f->id);
	return statement_run(s, st, d);
}

bool store_also(store *s, const char *key, int64_t id, diag *d)
{
	return statement_run(s, statement_new(s, d, "INSERT OR REPLACE INTO keys VALUES(?,?)", "ti", key, id), d);
}

/* ---- one bucket, one finding */

/* Row ?1 gets the better reproduction of ?1 and ?2, the stronger decision, and the sum of the counts. */
static const char JOIN[] =
    "UPDATE findings SET (kind, backend, class, title, apis, model, original, script, short_script, versions, detail, log,"
    " seed, model_index, value_seed, nodes, pass, reduced, smaller) = (SELECT kind, backend, class, title, apis, model,"
    " original, script, short_script, versions, detail, log, seed, model_index, value_seed, nodes, pass, reduced, smaller"
    " FROM findings WHERE id IN (?1, ?2) ORDER BY " STRENGTH_REPRODUCTION " LIMIT 1),"
    " (status, reason, checked, fixed_in) = (SELECT status, reason, checked, fixed_in FROM findings WHERE id IN (?1, ?2)"
    " ORDER BY " STRENGTH_DECISION " LIMIT 1), count = (SELECT sum(count) FROM findings WHERE id IN (?1, ?2)),"
    " found = (SELECT min(found) FROM findings WHERE id IN (?1, ?2)) WHERE id = ?1";

/* Merges the finding `gone` into `id`. */
static bool join(store *s, int64_t id, int64_t gone, diag *d)
{
	static const char *const SQL[] = {JOIN, "UPDATE keys SET finding=?1 WHERE finding=?2",
	    "UPDATE rechecks SET finding=?1 WHERE finding=?2", "DELETE FROM findings WHERE id=?2 AND ?1<>?2"};
	for (size_t i = 0; i < sizeof SQL / sizeof *SQL; i++)
		if (!statement_run(s, statement_new(s, d, SQL[i], "ii", id, gone), d))
			return false;
	return true;
}

/* Gives a finding another bucket. If another finding has it, both are merged under the lower id, which *id becomes. */
static bool move(store *s, int64_t *id, const char *bucket, diag *d)
{
	int64_t other = *id;
	bool fixed;
	int found = store_bucket(s, bucket, &other, &fixed, d);
	if (found < 0)
		return false;
	int64_t low = other < *id ? other : *id, high = other < *id ? *id : other;
	if (low != high && !join(s, low, high, d))
		return false;
	*id = low;
	return statement_run(s, statement_new(s, d, "UPDATE findings SET bucket=? WHERE id=?", "ti", bucket, low), d);
}

static bool rename_both(store *s, int64_t id, const char *key, const char *bucket, diag *d)
{
	return move(s, &id, bucket, d)
	       && statement_run(s, statement_new(s, d, "INSERT OR IGNORE INTO keys VALUES(?,?)", "ti", key, id), d);
}

bool store_rename(store *s, int64_t id, const char *key, const char *bucket, diag *d)
{
	return database_begin(s, d) && database_end(s, rename_both(s, id, key, bucket, d), d);
}

static bool add(store *s, finding *f, const char *key, bool *added, diag *d)
{
	bool fixed = false;
	int known = store_bucket(s, f->bucket, &f->id, &fixed, d);
	if (known < 0)
		return false;
	bool again = fixed && status_parse(f->status) != STATUS_FLAKY;
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
	    .bucket = statement_text(st, 1),
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
	    .also = "",
	    .class = statement_text(st, 14),
	    .reason = statement_text(st, 15),
	    .pass = statement_text(st, 16),
	    .reduced = sqlite3_column_int(st, 17) != 0,
	    .checked = statement_text(st, 18),
	    .fixed_in = statement_text(st, 19)};
}

#define LINE_COLUMNS                                                                               \
	"id, bucket, kind, backend, status, title, apis, versions, seed, model_index, "         \
	"value_seed,"                                                                              \
	" nodes, count, found, class, reason, pass, reduced, checked, fixed_in"

/* Appends the APIs in a finding's keys, kind|backend|API|…, each once. */
static bool put_apis_of_keys(store *s, int64_t id, buf *to, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d, "SELECT key FROM keys WHERE finding=? ORDER BY key", "i", id);
	int more = st ? statement_step(s, st, d) : -1;
	buf before = {0};
	for (; more == 1; more = statement_step(s, st, d)) {
		const char *key = statement_text(st, 0), *backend = strchr(key, '|'), *api = backend ? strchr(backend + 1, '|') : NULL;
		size_t n = api ? strcspn(++api, "|") : 0;
		if (!n || (before.length == n && memcmp(before.text, api, n) == 0))
			continue;
		buf_clear(&before);
		buf_add(&before, api, n);
		buf_printf(to, "%s%.*s", to->length ? " + " : "", (int)n, api);
	}
	buf_end(to, &before);
	sqlite3_finalize(st);
	return more == 0;
}

/* Reads the APIs of a finding's cause. */
static bool read_also(store *s, finding *f, arena *a, diag *d)
{
	buf apis = {0};
	if (strcmp(f->kind, "accepts-invalid") != 0)
		return true;
	bool ok = put_apis_of_keys(s, f->id, &apis, d) && diag_memory(d, !apis.failed);
	f->also = ok ? arena_strdup(a, buf_text(&apis)) : "";
	ok = ok && diag_memory(d, f->also);
	f->also = f->also ? f->also : "";
	buf_free(&apis);
	return ok;
}

int store_get(store *s, int64_t id, finding *f, arena *a, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d,
	    "SELECT " LINE_COLUMNS
	    ", model, original, script, detail, log, short_script, smaller FROM findings WHERE id=?",
	    "i", id);
	int found = st ? statement_step(s, st, d) : -1;
	if (found == 1) {
		read_line(st, f);
		const char **texts[] = {&f->bucket, &f->kind, &f->backend, &f->status, &f->title,
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
	found = end_reading(s, st, found, d);
	return found == 1 && !read_also(s, f, a, d) ? -1 : found;
}

bool store_set_status(store *s, int64_t id, const char *status, const char *reason, diag *d)
{
	return statement_run(s,
	    statement_new(s, d, "UPDATE findings SET status=?, reason=? WHERE id=?", "tti", status, reason, id), d);
}

bool store_baseline(store *s, int64_t *n, diag *d)
{
	bool ok = statement_run(s,
	    statement_new(s, d,
		"UPDATE findings SET status='known', reason=reason||CASE reason WHEN '' THEN '' ELSE '; ' END||'baseline'"
		" WHERE status='open'",
		""),
	    d);
	*n = ok ? sqlite3_changes(s->handle) : 0;
	return ok;
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

static bool replace(store *s, finding *f, diag *d)
{
	static const char sql[] =
	    "UPDATE findings SET title=?, apis=?, model=?, script=?, short_script=?, detail=?, log=?, nodes=?, pass=?, reduced=?,"
	    " smaller='' WHERE id=?";
	sqlite3_stmt *st = statement_new(s, d, sql, "tttttttitii", f->title, f->apis, f->model, f->script, f->short_script,
	    f->detail, f->log, f->nodes, f->pass, (int64_t)f->reduced, f->id);
	return statement_run(s, st, d) && move(s, &f->id, f->bucket, d);
}

bool store_smaller(store *s, finding *f, diag *d)
{
	return database_begin(s, d) && database_end(s, replace(s, f, d), d);
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

#include "schema.h"

#include "buf.h"

/* ---- steps */

/* The counters of version 1, one column each. */
#define COUNTERS_1(X)                                                                              \
	X(models)                                                                                  \
	X(valid) X(invalid) X(rule) X(nondeterministic) X(undefined) X(resource) X(bad)            \
	    X(compared) X(agreed) X(rounding) X(inconsistency) X(error) X(unsupported) X(crash)    \
		X(hang) X(memory) X(lost) X(unconfirmed) X(restarts) X(new_findings)               \
		    X(known_findings)
#define STAGES_1(X)                                                                                \
	X(start)                                                                                   \
	X(generate) X(reference) X(compile) X(run) X(judge) X(triage)

static const char *const TO_1 =
    "CREATE TABLE runs(id INTEGER PRIMARY KEY, backend TEXT NOT NULL, framework TEXT NOT NULL,"
    " strategy TEXT NOT NULL, seed INTEGER NOT NULL, nodes_low INTEGER NOT NULL,"
    " nodes_high INTEGER NOT NULL, next INTEGER NOT NULL, seconds REAL NOT NULL,"
    " versions TEXT NOT NULL"
#define X(name) ", " #name " INTEGER NOT NULL"
    COUNTERS_1(X)
#undef X
#define X(name) ", t_" #name " REAL NOT NULL"
	STAGES_1(X)
#undef X
	    ");"
	    "CREATE TABLE findings(id INTEGER PRIMARY KEY, signature TEXT NOT NULL UNIQUE,"
	    " kind TEXT NOT NULL, backend TEXT NOT NULL, status TEXT NOT NULL, title TEXT NOT NULL,"
	    " apis TEXT NOT NULL, model TEXT NOT NULL, original TEXT NOT NULL,"
	    " script TEXT NOT NULL, versions TEXT NOT NULL, detail TEXT NOT NULL,"
	    " log TEXT NOT NULL, seed INTEGER NOT NULL, model_index INTEGER NOT NULL,"
	    " value_seed INTEGER NOT NULL, nodes INTEGER NOT NULL, count INTEGER NOT NULL,"
	    " found TEXT NOT NULL);"
	    "CREATE TABLE keys(key TEXT PRIMARY KEY, finding INTEGER NOT NULL) WITHOUT ROWID;"
	    "CREATE TABLE troubles(run INTEGER NOT NULL, api TEXT NOT NULL, what TEXT NOT NULL,"
	    " message TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY(run, api, what))"
	    " WITHOUT ROWID;";

/* Settings, counters and seconds become rows, so that a new one needs no new version. A run of version 1
 * lacks some settings, so it cannot be resumed. */
static const char *const TO_2 =
    "ALTER TABLE runs RENAME TO runs_1;"
    "CREATE TABLE runs(id INTEGER PRIMARY KEY, backend TEXT NOT NULL, framework TEXT NOT NULL,"
    " seed INTEGER NOT NULL, next INTEGER NOT NULL, seconds REAL NOT NULL,"
    " versions TEXT NOT NULL);"
    "CREATE TABLE settings(run INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,"
    " PRIMARY KEY(run, name)) WITHOUT ROWID;"
    "CREATE TABLE counters(run INTEGER NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL,"
    " PRIMARY KEY(run, name)) WITHOUT ROWID;"
    "CREATE TABLE stages(run INTEGER NOT NULL, name TEXT NOT NULL, seconds REAL NOT NULL,"
    " PRIMARY KEY(run, name)) WITHOUT ROWID;"
    "INSERT INTO runs SELECT id, backend, framework, seed, next, seconds, versions FROM runs_1;"
    "INSERT INTO settings SELECT id, 'strategy', strategy FROM runs_1;"
    "INSERT INTO settings SELECT id, 'nodes', CASE WHEN nodes_low = nodes_high"
    " THEN CAST(nodes_low AS TEXT) ELSE nodes_low || '..' || nodes_high END FROM runs_1;"
#define X(name) "INSERT INTO counters SELECT id, '" #name "', " #name " FROM runs_1;"
    COUNTERS_1(X)
#undef X
#define X(name) "INSERT INTO stages SELECT id, '" #name "', t_" #name " FROM runs_1;"
	STAGES_1(X)
#undef X
	    "DROP TABLE runs_1;";

/* The script of version 2 is the long one. */
static const char *const TO_3 = "ALTER TABLE findings ADD COLUMN short_script TEXT NOT NULL DEFAULT '';";

/* Adds the reason of a status, graph-based fuzz testing's class, and the results of rechecks. The class of an existing
 * finding follows from the stage that its answer or its signature names. */
static const char *const TO_4 =
    "ALTER TABLE findings ADD COLUMN reason TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE findings ADD COLUMN class TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE findings ADD COLUMN pass TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE findings ADD COLUMN reduced INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE findings ADD COLUMN smaller TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE findings ADD COLUMN fixed_in TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE findings ADD COLUMN checked TEXT NOT NULL DEFAULT '';"
    "UPDATE findings SET class = CASE WHEN kind = 'inconsistency' THEN 'DCF'"
    " WHEN detail LIKE '%\"stage\":\"compile\"%' THEN 'MCF' WHEN signature LIKE '%|compile|%' THEN 'MCF'"
    " ELSE 'IF' END;"
    "CREATE TABLE rechecks(id INTEGER PRIMARY KEY, finding INTEGER NOT NULL, checked TEXT NOT NULL,"
    " outcome TEXT NOT NULL, versions TEXT NOT NULL);";

/* Gives the rows with one text in a column another text. */
#define RENAME_ROWS(table, column, from, to)                                                                           \
	"UPDATE OR REPLACE " table " SET " column "='" to "' WHERE " column "='" from "';"
#define COUNTER(from, to) RENAME_ROWS("counters", "name", from, to)
#define SETTING(from, to) RENAME_ROWS("settings", "name", from, to)
#define TROUBLE(from, to) RENAME_ROWS("troubles", "what", from, to)
#define OUTCOME(from, to) RENAME_ROWS("rechecks", "outcome", from, to)
/* A bucket and a key begin with the kind. */
#define RENAME_KIND(table, column)                                                                                     \
	"UPDATE OR REPLACE " table " SET " column "='accepts-invalid'||substr(" column ",8) WHERE " column " GLOB 'accepts|*';"
/* Moves unsupported findings to their own range of ids (store.h). */
#define MOVE_UNSUPPORTED(table, column)                                                                                \
	"UPDATE " table " SET " column "=" column "+100000 WHERE " column                                               \
	" IN (SELECT id FROM findings WHERE status='unsupported') AND (SELECT max(id) FROM findings)<=100000;"

/* A text of the worker's answer; NULL: none. */
#define ANSWER(path) "CASE WHEN json_valid(detail) THEN json_extract(detail, '" path "') END"

/* Version 4 has the cause, if the reference contradicts itself, only at the end of the difference: "1.0 instead of 2.0;
 * two runs of the reference". */
#define CAUSES_4                                                                                                       \
	"WITH difference AS (SELECT id, " ANSWER("$.first.how") " AS how FROM findings),"                              \
	" place AS (SELECT id, how, iif(instr(how, ']: '), instr(how, ']: ') + 3, 1) AS got, instr(how, ' instead of ') AS middle,"  \
	" instr(how, '; ') AS cause FROM difference"                                                                   \
	" WHERE how LIKE '%; two runs of the reference%' OR how LIKE '%; the reference writes over it%')"              \
	"UPDATE findings SET detail=json_set(detail,"                                                                  \
	" '$.first.cause', iif(how LIKE '%; two runs of the reference%', 'uninitialized-memory', 'writes-input'),"     \
	" '$.first.values', json_array(substr(how, middle + 12, place.cause - middle - 12), substr(how, got, middle - got)))" \
	" FROM place WHERE place.id=findings.id;"

/* Text in one line. */
#define LINE(text)                                                                                                     \
	"trim(replace(replace(replace(replace(replace(" text ", char(10), ' '), char(9), ' '),"                        \
	" ' ', ' '||char(1)), char(1)||' ', ''), char(1), ''))"
/* "torch.add + torch.abs" as "add + abs". */
#define NAMES                                                                                                          \
	"(SELECT group_concat(substr(value, length(rtrim(value, replace(value, '.', ''))) + 1), ' + ')"                \
	" FROM json_each('['||replace(json_quote(CAST(apis AS TEXT)), ' + ', '\",\"')||']'))"
/* Version 4 has "BACKEND: KIND in APIS: REASON", where the reason has placeholders for the names and numbers of a message. */
#define TITLES_4                                                                                                       \
	"WITH old AS (SELECT *, backend||': '||iif(status='unsupported', status, kind)||' in '||apis||': ' AS start FROM findings),"   \
	" part AS (SELECT id, kind, backend, " NAMES " AS names, apis||' differs: ' AS differs, substr(title, length(start) + 1) AS reason," \
	" " ANSWER("$.error.type") " AS type, " LINE(ANSWER("$.error.message")) " AS line, " ANSWER("$.first.cause") " AS cause,"      \
	" " ANSWER("$.first.values[0]") " AS one, " ANSWER("$.first.values[1]") " AS two"                              \
	" FROM old WHERE substr(title, 1, length(start))=start),"                                                      \
	" said AS (SELECT *, iif(length(line) > 240, rtrim(substr(line, 1, 240))||'…', line) AS message,"            \
	" substr(reason, length('while the target was in stage ') + 1) AS stage FROM part),"                           \
	" today AS (SELECT id, backend||': '||names||': '||CASE"                                                       \
	" WHEN kind='error' THEN coalesce(type||': '||message, reason)"                                                \
	" WHEN kind='accepts-invalid' THEN 'accepts a model that the reference rejects: '||"                           \
	"coalesce(message, substr(reason, instr(reason, ': ') + 2))"                                                   \
	" WHEN kind='hang' THEN 'hangs in stage '||stage"                                                              \
	" WHEN kind='memory' THEN 'exceeds the memory limit in stage '||stage"                                         \
	" WHEN cause='uninitialized-memory' THEN"                                                                      \
	" 'the reference''s result depends on uninitialized memory ('||one||', then '||two||')'"                       \
	" WHEN substr(reason, 1, length(differs))=differs THEN substr(reason, length(differs) + 1)"                    \
	" ELSE reason END AS title FROM said)"                                                                         \
	"UPDATE findings SET title=today.title FROM today WHERE today.id=findings.id;"

/* Renames rows to the documentation's vocabulary. Titles get the messages themselves, and differences their causes. */
static const char *const TO_5 =
    "ALTER TABLE findings RENAME COLUMN signature TO bucket;"
    "UPDATE findings SET status='open' WHERE status='new';"
    "UPDATE findings SET detail=replace(detail, '\"verdict\":\"accepts\"', '\"verdict\":\"accepts-invalid\"'),"
    " title=replace(title, ': accepts in ', ': accepts-invalid in '), kind='accepts-invalid' WHERE kind='accepts';"
    CAUSES_4 TITLES_4
    RENAME_KIND("findings", "bucket") RENAME_KIND("keys", "key")
    MOVE_UNSUPPORTED("keys", "finding") MOVE_UNSUPPORTED("rechecks", "finding") MOVE_UNSUPPORTED("findings", "id")
    COUNTER("invalid", "rejected") COUNTER("rule", "mispredicted") COUNTER("undefined", "unspecified")
    COUNTER("bad", "unreadable") COUNTER("known_findings", "duplicates") COUNTER("screened", "fast_path")
    COUNTER("passed_on", "full_oracle") COUNTER("left_out", "excluded") COUNTER("symbolic", "dynamic_shapes")
    COUNTER("assignments", "shape_instances") COUNTER("specialised", "shape_rejections")
    RENAME_ROWS("stages", "name", "screen", "fast_path")
    SETTING("symbolic", "dynamic-shapes") SETTING("assignments", "shape-instances") SETTING("near-misses", "invalid")
    TROUBLE("invalid", "rejected") TROUBLE("rule", "mispredicted")
    OUTCOME("fails", "reproduces") OUTCOME("gone", "not-reproduced") OUTCOME("other", "different")
    OUTCOME("unclear", "inconclusive");

/* Adds the failures that wait for triage (pending.h). rank orders them. */
static const char *const TO_6 =
    "CREATE TABLE pending(id INTEGER PRIMARY KEY, run INTEGER NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL,"
    " model TEXT NOT NULL, rank INTEGER NOT NULL, count INTEGER NOT NULL);"
    "CREATE INDEX pending_by_key ON pending(key);";

static const char *const STEPS[SCHEMA_VERSION] = {TO_1, TO_2, TO_3, TO_4, TO_5, TO_6};

/* ---- whose database it is */

enum owner { OWNER_NONE, OWNER_RULEFUZZ, OWNER_OTHER };

/* The marks by which a database is recognized. */
typedef struct marks {
	int64_t id, version, tables, known;
} marks;

static bool read_each(const database *b, marks *m, diag *d)
{
	return database_number(b, "PRAGMA application_id", &m->id, d)
	       && database_number(b, "PRAGMA user_version", &m->version, d)
	       && database_number(
		   b, "SELECT count(*) FROM sqlite_master WHERE type='table'", &m->tables, d)
	       && database_number(b,
		   "SELECT count(*) FROM sqlite_master WHERE type='table' AND name IN"
		   " ('runs', 'findings', 'keys', 'troubles')",
		   &m->known, d);
}

/* In one transaction: another process may be creating the tables. */
static bool read_marks(const database *b, marks *m, diag *d)
{
	return database_execute(b, "BEGIN", d) && database_end(b, read_each(b, m, d), d);
}

static enum owner find_owner(const marks *m)
{
	if (m->id == SCHEMA_APPLICATION)
		return OWNER_RULEFUZZ;
	if (m->id == 0 && m->version == 1 && m->tables == 4 && m->known == 4)
		return OWNER_RULEFUZZ; /* version 1 had no application_id */
	return m->id == 0 && m->version == 0 && m->tables == 0 ? OWNER_NONE : OWNER_OTHER;
}

/* ---- open */

/* All steps or none. Another process may have migrated the database before this one got the lock. */
bool schema_migrate(const database *b, diag *d)
{
	buf sql = {0};
	int64_t version;
	if (!database_begin(b, d))
		return false;
	bool ok = database_number(b, "PRAGMA user_version", &version, d);
	for (; ok && version < SCHEMA_VERSION; version++)
		ok = database_execute(b, STEPS[version], d);
	buf_printf(&sql, "PRAGMA application_id=%d;PRAGMA user_version=%d", SCHEMA_APPLICATION,
	    SCHEMA_VERSION);
	ok = ok && (sql.failed ? diag_set(d, "out of memory") : database_execute(b, sql.text, d));
	buf_free(&sql);
	return database_end(b, ok, d);
}

/* If another process does the same, SQLite fails at once in spite of the busy timeout. */
static bool use_wal(const database *b, diag *d)
{
	enum { TRIES = 200, MILLISECONDS = 50 };
	for (int i = 0; i < TRIES; i++) {
		if (sqlite3_exec(b->handle, "PRAGMA journal_mode=WAL", NULL, NULL, NULL) == SQLITE_OK)
			return database_execute(b, "PRAGMA synchronous=NORMAL", d);
		if (sqlite3_errcode(b->handle) != SQLITE_BUSY)
			break;
		sqlite3_sleep(MILLISECONDS);
	}
	return database_fail(b, d);
}

bool schema_check(const database *b, bool create, bool *older, diag *d)
{
	marks m;
	if (!read_marks(b, &m, d))
		return false;
	*older = m.version < SCHEMA_VERSION;
	enum owner owner = find_owner(&m);
	if (owner == OWNER_OTHER)
		return diag_at(d, b->path, 0,
		    "another program's database (application id %lld, version %lld, %lld tables): use "
		    "another --db",
		    (long long)m.id, (long long)m.version, (long long)m.tables);
	if (owner == OWNER_NONE && !create)
		return diag_at(d, b->path, 0, "not a database of rulefuzz");
	if (m.version > SCHEMA_VERSION)
		return diag_at(d, b->path, 0,
		    "schema %lld, and this rulefuzz reads up to %d: use a newer rulefuzz, or another "
		    "--db",
		    (long long)m.version, SCHEMA_VERSION);
	return true;
}

bool schema_open(const database *b, bool create, diag *d)
{
	bool older;
	return schema_check(b, create, &older, d) && use_wal(b, d) && (!older || schema_migrate(b, d));
}

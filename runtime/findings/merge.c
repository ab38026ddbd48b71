#include "merge.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "store.h"
#include "strength.h"

/* ---- all rows of all databases, each with the number of its database */

static const char *const TABLES[] = {
    "findings", "keys", "rechecks", "runs", "settings", "counters", "stages", "troubles", "pending"};
enum { NTABLES = sizeof TABLES / sizeof *TABLES };

static bool each_table(const database *to, const char *format, int source, diag *d)
{
	char sql[256];
	bool ok = true;
	for (int i = 0; ok && i < NTABLES; i++) {
		snprintf(sql, sizeof sql, format, TABLES[i], source, TABLES[i]);
		ok = database_execute(to, sql, d);
	}
	return ok;
}

static bool gather(const database *to, const char *path, int source, diag *d)
{
	store *s = store_open(path, false, d); /* migrates it, and rejects other programs' databases */
	if (!s)
		return false;
	store_close(s);
	bool ok = statement_run(to, statement_new(to, d, "ATTACH ? AS source", "t", path), d);
	ok = ok && database_begin(to, d)
	     && database_end(to, each_table(to, "INSERT INTO all_%s SELECT %d, * FROM source.%s", source, d), d);
	if (!ok && d) { /* the message names the temporary file */
		char why[sizeof d->text];
		memcpy(why, diag_what(d), strlen(diag_what(d)) + 1);
		diag_at(d, path, 0, "cannot be merged: %s", why);
	}
	return database_execute(to, "DETACH source", ok ? d : NULL) && ok;
}

/* ---- findings */

/* One row gives the reproduction, and one the decision. Whole rows are compared, so two rows that compare equal are equal. */
static const char FINDINGS[] =
    "CREATE TEMP TABLE shown AS SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY bucket ORDER BY "
    STRENGTH_REPRODUCTION ") AS place FROM all_findings) WHERE place = 1;"
    "CREATE TEMP TABLE decided AS SELECT * FROM (SELECT bucket, status, reason, checked, fixed_in,"
    " row_number() OVER (PARTITION BY bucket ORDER BY " STRENGTH_DECISION ") AS place FROM all_findings) WHERE place = 1;"
    "CREATE TEMP TABLE counted AS SELECT bucket, sum(count) AS count, min(found) AS found, final = 'unsupported' AS apart"
    " FROM all_findings JOIN (SELECT bucket, status AS final FROM decided) USING(bucket) GROUP BY bucket;"
    "CREATE TEMP TABLE numbered AS SELECT bucket, count, found, row_number() OVER (PARTITION BY apart ORDER BY found, bucket)"
    " + apart * max(" STRENGTH_TEXT(STRENGTH_UNSUPPORTED_IDS) ", (SELECT count(*) FROM counted WHERE NOT apart)) AS id FROM counted;"
    "INSERT INTO findings(id, bucket, kind, backend, status, title, apis, model, original, script, versions, detail,"
    " log, seed, model_index, value_seed, nodes, count, found, short_script, reason, class, pass, reduced, smaller, fixed_in,"
    " checked) SELECT n.id, n.bucket, s.kind, s.backend, c.status, s.title, s.apis, s.model, s.original, s.script,"
    " s.versions, s.detail, s.log, s.seed, s.model_index, s.value_seed, s.nodes, n.count, n.found, s.short_script,"
    " c.reason, s.class, s.pass, s.reduced, s.smaller, c.fixed_in, c.checked FROM numbered n JOIN shown s USING(bucket)"
    " JOIN decided c USING(bucket) ORDER BY n.id;";

/* Rows that refer to a finding follow its bucket. */
static const char REFERENCES[] =
    "INSERT INTO keys SELECT k.key, n.id FROM (SELECT a.key, min(f.bucket) AS bucket FROM all_keys a"
    " JOIN all_findings f ON f.source = a.source AND f.id = a.finding GROUP BY a.key) k"
    " JOIN numbered n USING(bucket) ORDER BY k.key;"
    "INSERT INTO rechecks(finding, checked, outcome, versions) SELECT DISTINCT n.id, r.checked, r.outcome, r.versions"
    " FROM all_rechecks r JOIN all_findings f ON f.source = r.source AND f.id = r.finding"
    " JOIN numbered n USING(bucket) ORDER BY r.checked, n.id, r.outcome, r.versions;";

/* ---- runs */

/* All rows of a run as one text, by which runs are sorted. 17 digits distinguish any two doubles. */
#define ROWS_OF(table, columns)                                                                                        \
	"(SELECT coalesce(group_concat(row, char(30)), '') FROM (SELECT " columns " AS row FROM all_" table                \
	" x WHERE x.source = r.source AND x.run = r.id ORDER BY row))"
#define APART "||char(31)||"

static const char RUNS[] =
    "CREATE TEMP TABLE run_numbers AS SELECT source, id, row_number() OVER (ORDER BY backend, framework, seed, settings,"
    " next, seconds, versions, counters, stages, troubles, pending) AS number FROM (SELECT r.*, "
    ROWS_OF("settings", "name" APART "value") " AS settings, "
    ROWS_OF("counters", "name" APART "value") " AS counters, "
    ROWS_OF("stages", "name" APART "printf('%!.17g', seconds)") " AS stages, "
    ROWS_OF("troubles", "api" APART "what" APART "message" APART "count") " AS troubles, "
    ROWS_OF("pending", "key" APART "rank" APART "model" APART "count") " AS pending FROM all_runs r);"
    "INSERT INTO runs(id, backend, framework, seed, next, seconds, versions) SELECT m.number, backend, framework, seed,"
    " next, seconds, versions FROM all_runs r JOIN run_numbers m ON m.source = r.source AND m.id = r.id ORDER BY 1;"
    "INSERT INTO settings SELECT m.number, name, value FROM all_settings x JOIN run_numbers m"
    " ON m.source = x.source AND m.id = x.run ORDER BY 1, 2;"
    "INSERT INTO counters SELECT m.number, name, value FROM all_counters x JOIN run_numbers m"
    " ON m.source = x.source AND m.id = x.run ORDER BY 1, 2;"
    "INSERT INTO stages SELECT m.number, name, seconds FROM all_stages x JOIN run_numbers m"
    " ON m.source = x.source AND m.id = x.run ORDER BY 1, 2;"
    "INSERT INTO troubles SELECT m.number, api, what, message, count FROM all_troubles x JOIN run_numbers m"
    " ON m.source = x.source AND m.id = x.run ORDER BY 1, 2, 3;"
    "INSERT INTO pending SELECT row_number() OVER (ORDER BY m.number, rank, key, model), m.number, key, kind, model, rank, count"
    " FROM all_pending x JOIN run_numbers m ON m.source = x.source AND m.id = x.run ORDER BY 1;";

/* ---- all of it */

static bool gather_all(const database *to, char *const *from, int n, diag *d)
{
	/* For the row-by-row lookups of FINDINGS, REFERENCES and RUNS. */
	static const char INDICES[] =
	    "CREATE INDEX temp.by_finding ON all_findings(source, id); CREATE INDEX temp.by_setting ON all_settings(source, run);"
	    "CREATE INDEX temp.by_counter ON all_counters(source, run); CREATE INDEX temp.by_stage ON all_stages(source, run);"
	    "CREATE INDEX temp.by_trouble ON all_troubles(source, run); CREATE INDEX temp.by_pending ON all_pending(source, run)";
	bool ok = each_table(to, "CREATE TEMP TABLE all_%s AS SELECT %d AS source, * FROM %s WHERE 0", 0, d);
	for (int i = 0; ok && i < n; i++)
		ok = gather(to, from[i], i, d);
	return ok && database_execute(to, INDICES, d);
}

static bool write_all(const database *to, char *const *from, int n, diag *d)
{
	if (!gather_all(to, from, n, d) || !database_begin(to, d))
		return false;
	bool ok = database_execute(to, FINDINGS, d) && database_execute(to, REFERENCES, d) && database_execute(to, RUNS, d);
	return database_end(to, ok, d) && database_execute(to, "PRAGMA journal_mode=DELETE", d); /* leaves a single file */
}

static void remove_beside(const char *path)
{
	static const char *const ENDS[] = {"", "-wal", "-shm", "-journal"};
	char name[PATH_MAX];
	for (int i = 0; i < 4; i++)
		if (snprintf(name, sizeof name, "%s%s", path, ENDS[i]) < (int)sizeof name)
			unlink(name);
}

bool merge_databases(const char *to, char *const *from, int n, diag *d)
{
	char beside[PATH_MAX];
	if (access(to, F_OK) == 0)
		return diag_at(d, to, 0, "already exists; merge writes a new file (%s may be one of its inputs)", to);
	if (snprintf(beside, sizeof beside, "%s.%ld.new", to, (long)getpid()) >= (int)sizeof beside - 16)
		return diag_at(d, to, 0, "the path is too long");
	remove_beside(beside);
	store *s = store_open(beside, true, d);
	bool ok = s && write_all(s, from, n, d);
	store_close(s);
	if (ok && link(beside, to) != 0) /* unlike rename, link fails if the file exists by now */
		ok = errno == EEXIST ? diag_at(d, to, 0, "was created by another process meanwhile; merge writes a new file")
				     : rename(beside, to) == 0 || diag_at(d, to, 0, "%s", strerror(errno));
	remove_beside(beside);
	return ok;
}

/* Findings and runs in SQLite: deduplication, statuses, migration, resuming, and a process that is killed while it writes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <sqlite3.h>
#include <cmocka.h>

#include "no_memory.h"
#include "pending.h"
#include "runs.h"
#include "store.h"

typedef struct place {
	char folder[64], path[80];
	store *s;
	arena *a;
} place;

static int set_up(void **state)
{
	place *p = calloc(1, sizeof *p);
	diag d = {""};
	strcpy(p->folder, "/tmp/rulefuzz-store-XXXXXX");
	assert_non_null(mkdtemp(p->folder));
	snprintf(p->path, sizeof p->path, "%s/t.db", p->folder);
	p->s = store_open(p->path, true, &d);
	p->a = arena_new();
	assert_non_null(p->s);
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	place *p = *state;
	char command[128];
	store_close(p->s);
	arena_free(p->a);
	snprintf(command, sizeof command, "rm -r '%s'", p->folder);
	int failed = system(command);
	free(p);
	return failed;
}

static void assert_value(const char *path, const char *sql, const char *want);
static void change(const char *path, const char *sql);

static finding sample(const char *bucket)
{
	return (finding){.bucket = bucket,
	    .kind = "error",
	    .backend = "fake",
	    .status = "open",
	    .title = "a title",
	    .apis = "fake.op",
	    .model = "{\"model\":1}",
	    .original = "{}",
	    .script = "print('\"x\"')\n",
	    .short_script = "print(1)\n",
	    .versions = "{}",
	    .detail = "{}",
	    .log = "line\nline\n",
	    .seed = UINT64_MAX,
	    .index = 7,
	    .values = 1ull << 63,
	    .nodes = 2};
}

static int64_t add(store *s, const char *bucket, const char *key, bool *added)
{
	diag d = {""};
	finding f = sample(bucket);
	if (!store_add(s, &f, key, added, &d))
		fail_msg("%s", d.text);
	return f.id;
}

static void keeps_a_finding(void **state)
{
	place *p = *state;
	diag d = {""};
	bool added;
	finding f;
	int64_t id = add(p->s, "sig", "key", &added);
	assert_true(added);
	assert_int_equal(store_get(p->s, id, &f, p->a, &d), 1);
	assert_string_equal(f.script, "print('\"x\"')\n");
	assert_string_equal(f.short_script, "print(1)\n");
	assert_string_equal(f.log, "line\nline\n");
	assert_true(f.seed == UINT64_MAX && f.values == 1ull << 63);
	assert_int_equal(f.index, 7);
	assert_int_equal(f.count, 1);
	assert_int_equal(strlen(f.found), 20);
	assert_int_equal(store_get(p->s, id + 1, &f, p->a, &d), 0);
}

static void counts_a_bucket_once(void **state)
{
	place *p = *state;
	diag d = {""};
	bool added, fixed;
	finding f;
	int64_t id = add(p->s, "sig", "key", &added), found = 0;
	assert_int_equal(add(p->s, "sig", "other key", &added), id);
	assert_false(added);
	assert_int_equal(store_key(p->s, "other key", &found, &fixed, &d), 1);
	assert_int_equal(found, id);
	assert_int_equal(store_key(p->s, "third key", &found, &fixed, &d), 0);
	assert_true(store_met_again(p->s, id, &d));
	assert_int_equal(store_get(p->s, id, &f, p->a, &d), 1);
	assert_int_equal(f.count, 3);
	assert_true(add(p->s, "sig 2", "key 2", &added) != id);
	assert_true(added);
}

static void a_fixed_one_that_regresses_is_open(void **state)
{
	place *p = *state;
	diag d = {""};
	bool added, fixed = false;
	finding f;
	int64_t id = add(p->s, "sig", "key", &added), found;
	assert_true(store_note_smaller(p->s, id, "half", &d));
	assert_true(store_set_status(p->s, id, "fixed", "", &d));
	assert_int_equal(store_key(p->s, "key", &found, &fixed, &d), 1);
	assert_true(fixed);
	assert_int_equal(add(p->s, "sig", "key", &added), id);
	assert_true(added);
	assert_int_equal(store_get(p->s, id, &f, p->a, &d), 1);
	assert_string_equal(f.status, "open");
	assert_string_equal(f.smaller, ""); /* it belonged to the earlier failure */
	assert_string_equal(f.reason, "regressed");
	assert_true(store_set_status(p->s, id, "known", "reported", &d));
	add(p->s, "sig", "key", &added);
	assert_false(added);
	assert_int_equal(store_get(p->s, id, &f, p->a, &d), 1);
	assert_string_equal(f.status, "known");
	assert_string_equal(f.reason, "reported");
}

/* Outcomes of rechecks are stored; fixed_in stays when the finding regresses. */
static void keeps_what_rechecks_came_to(void **state)
{
	place *p = *state;
	diag d = {""};
	bool added;
	finding f;
	int64_t id = add(p->s, "sig", "key", &added);
	assert_int_equal(store_get(p->s, id, &f, p->a, &d), 1);
	assert_string_equal(f.checked, "");
	assert_true(store_checked(p->s, &f, "not-reproduced", "{\"x\":2}", "fixed", "gone in x 2", &d));
	assert_int_equal(store_get(p->s, id, &f, p->a, &d), 1);
	assert_string_equal(f.status, "fixed");
	assert_string_equal(f.fixed_in, "{\"x\":2}");
	assert_int_equal(strlen(f.checked), 20);
	assert_true(store_checked(p->s, &f, "not-reproduced", "{\"x\":3}", "fixed", "", &d));
	assert_true(store_checked(p->s, &f, "reproduces", "{\"x\":4}", "open", "it is back", &d));
	assert_int_equal(store_get(p->s, id, &f, p->a, &d), 1);
	assert_string_equal(f.status, "open");
	assert_string_equal(f.reason, "it is back");
	assert_string_equal(f.fixed_in, "{\"x\":2}");
	assert_value(p->path, "SELECT group_concat(outcome) FROM rechecks", "not-reproduced,not-reproduced,reproduces");
}

/* A smaller model replaces the stored one. If it gives two findings one bucket, they are merged. */
static void keeps_a_smaller_model(void **state)
{
	place *p = *state;
	diag d = {""};
	bool added, fixed;
	finding f, small = sample("smaller");
	int64_t id = add(p->s, "sig", "key", &added), other = add(p->s, "taken", "other", &added);
	small.id = other;
	small.model = "{\"model\":2}";
	small.nodes = 1;
	small.pass = "a pass";
	small.reduced = true;
	assert_true(store_note_smaller(p->s, other, "half", &d) && store_smaller(p->s, &small, &d));
	assert_int_equal(store_get(p->s, other, &f, p->a, &d), 1);
	assert_string_equal(f.bucket, "smaller");
	assert_string_equal(f.model, "{\"model\":2}");
	assert_string_equal(f.pass, "a pass");
	assert_string_equal(f.smaller, "");
	assert_true(f.reduced && f.nodes == 1 && f.count == 1);
	assert_true(store_set_status(p->s, id, "known", "reported", &d));
	small.bucket = "sig";
	assert_true(store_smaller(p->s, &small, &d));
	assert_int_equal(small.id, id);
	assert_int_equal(store_get(p->s, other, &f, p->a, &d), 0);
	assert_int_equal(store_get(p->s, id, &f, p->a, &d), 1);
	assert_string_equal(f.bucket, "sig");
	assert_string_equal(f.model, "{\"model\":2}"); /* the better reproduction */
	assert_string_equal(f.status, "known");		/* the stronger status */
	assert_string_equal(f.reason, "reported");
	assert_int_equal(f.count, 2);
	assert_int_equal(store_key(p->s, "other", &other, &fixed, &d), 1);
	assert_int_equal(other, id);
}

/* A finding gets another bucket; a finding that has it is merged with it, with its keys and rechecks. */
static void renames_a_bucket(void **state)
{
	place *p = *state;
	diag d = {""};
	bool added, fixed;
	finding f;
	int64_t id = add(p->s, "old", "key", &added), other = add(p->s, "new", "other", &added), found;
	assert_int_equal(store_get(p->s, other, &f, p->a, &d), 1);
	assert_true(store_checked(p->s, &f, "reproduces", "{}", "open", "", &d));
	assert_true(store_rename(p->s, id, "third", "middle", &d));
	assert_int_equal(store_bucket(p->s, "middle", &found, &fixed, &d), 1);
	assert_int_equal(found, id);
	assert_true(store_rename(p->s, id, "fourth", "new", &d));
	assert_int_equal(store_bucket(p->s, "new", &found, &fixed, &d), 1);
	assert_int_equal(found, id);
	assert_int_equal(store_get(p->s, other, &f, p->a, &d), 0);
	assert_value(p->path, "SELECT group_concat(key) FROM (SELECT key FROM keys WHERE finding=1 ORDER BY key)", "fourth,key,other,third");
	assert_value(p->path, "SELECT group_concat(finding) FROM rechecks", "1");
}

/* A change of several statements is made whole or not at all. An index makes the last statement fail. */
static void changes_are_transactions(void **state)
{
	place *p = *state;
	diag d = {""};
	bool added;
	finding smaller = sample("renamed");
	smaller.id = add(p->s, "sig", "key", &added);
	smaller.title = "another title";
	change(p->path, "CREATE INDEX fails ON keys(abs(CASE key WHEN 'second' THEN -9223372036854775807 - 1 ELSE 0 END))");
	assert_false(store_rename(p->s, 1, "second", "renamed", &d));
	assert_non_null(strstr(d.text, "integer overflow"));
	assert_value(p->path, "SELECT bucket FROM findings", "sig");
	change(p->path, "DROP INDEX fails;"
			"CREATE INDEX fails ON findings(abs(CASE bucket WHEN 'renamed' THEN -9223372036854775807 - 1 ELSE 0 END))");
	assert_false(store_smaller(p->s, &smaller, &d));
	assert_non_null(strstr(d.text, "integer overflow"));
	assert_value(p->path, "SELECT title FROM findings", "a title");
}

/* The ids of bugs begin with 1, also if unsupported findings come first. */
static void numbers_bugs_from_1(void **state)
{
	place *p = *state;
	diag d = {""};
	bool added;
	finding f = sample("cannot");
	f.status = "unsupported";
	assert_true(store_add(p->s, &f, "a", &added, &d));
	assert_int_equal(f.id, 100001);
	assert_int_equal(add(p->s, "bug", "b", &added), 1);
	f = sample("cannot either");
	f.status = "unsupported";
	assert_true(store_add(p->s, &f, "c", &added, &d));
	assert_int_equal(f.id, 100002);
	assert_int_equal(add(p->s, "bug 2", "d", &added), 2);
	change(p->path, "UPDATE findings SET id=100000 WHERE id=2");
	assert_int_equal(add(p->s, "bug 3", "e", &added), 100003); /* the range of bugs is full */
}

static bool count_one(void *context, const finding *f)
{
	assert_true(f->id > 0);
	return ++*(int *)context < 2;
}

static void lists(void **state)
{
	place *p = *state;
	diag d = {""};
	bool added;
	int n = 0;
	for (char name[] = "a"; *name < 'e'; ++*name)
		add(p->s, name, name, &added);
	assert_true(store_each(p->s, count_one, &n, &d));
	assert_int_equal(n, 2); /* stopped by the callback */
}

static run_row sample_run(const setting settings[2])
{
	return (run_row){.backend = "fake",
	    .framework = "torch",
	    .settings = settings,
	    .nsettings = 2,
	    .seed = UINT64_MAX,
	    .versions = "{}"};
}

static void resumes_a_run(void **state)
{
	place *p = *state;
	diag d = {""};
	const setting settings[] = {{"rules", "0123"}, {"api", "*"}};
	run_row run = sample_run(settings), again = run, other = run;
	other.seed = 1;
	assert_int_equal(runs_resume(p->s, &again, p->a, &d), 0);
	assert_true(runs_begin(p->s, &run, &d));
	run.next = 1ull << 40;
	run.models = 12;
	run.new_findings = 3;
	run.t_triage = 1.5;
	run.versions = "{\"x\":1}";
	assert_true(runs_update(p->s, &run, &d));
	assert_int_equal(runs_resume(p->s, &again, p->a, &d), 1);
	assert_int_equal(again.id, run.id);
	assert_true(again.next == 1ull << 40 && again.t_triage == 1.5);
	assert_int_equal(again.models, 12);
	assert_int_equal(again.new_findings, 3);
	assert_string_equal(again.versions, "{\"x\":1}");
	assert_int_equal(runs_resume(p->s, &other, p->a, &d), 0);
}

/* A run with other options is not resumed, and both values are named. The latest run with the same options is. */
static void refuses_to_resume_another_run(void **state)
{
	place *p = *state;
	diag d = {""};
	const setting first[] = {{"rules", "0123"}, {"api", "*"}},
		      second[] = {{"rules", "4567"}, {"api", "*"}},
		      third[] = {{"rules", "0123"}, {"api", "torch.a*"}};
	run_row run = sample_run(first), other = sample_run(second), api = sample_run(third);
	assert_true(runs_begin(p->s, &run, &d));
	int64_t id = run.id;
	assert_int_equal(runs_resume(p->s, &other, p->a, &d), -1);
	assert_non_null(strstr(d.text, "resume run 1: its --rules is '0123', here it is '4567'"));
	assert_int_equal(runs_resume(p->s, &api, p->a, &d), -1);
	assert_non_null(strstr(d.text, "its --api is '*', here it is 'torch.a*'"));
	assert_true(runs_begin(p->s, &other, &d)); /* without --resume */
	assert_int_equal(runs_resume(p->s, &run, p->a, &d), 1);
	assert_int_equal(run.id, id);
	assert_int_equal(runs_resume(p->s, &api, p->a, &d), -1);
	assert_non_null(strstr(d.text, "run 2")); /* the latest */
}

typedef struct visit {
	int64_t ids[4];
	int n, most;
} visit;

static bool note_run(void *context, const run_row *run)
{
	visit *v = context;
	assert_string_equal(run->backend, "fake");
	assert_int_equal(run->models, run->id);
	v->ids[v->n++] = run->id;
	return v->n < v->most;
}

static void lists_runs(void **state)
{
	place *p = *state;
	diag d = {""};
	const setting settings[] = {{"rules", "0123"}, {"api", "*"}};
	for (int i = 1; i <= 3; i++) {
		run_row run = sample_run(settings);
		assert_true(runs_begin(p->s, &run, &d));
		run.models = (uint64_t)run.id;
		assert_true(runs_update(p->s, &run, &d));
	}
	visit all = {.most = 4}, behind = {.most = 4}, stopped = {.most = 2};
	assert_true(runs_each(p->s, 0, note_run, &all, &d));
	assert_int_equal(all.n, 3);
	assert_true(all.ids[0] == 1 && all.ids[1] == 2 && all.ids[2] == 3);
	assert_true(runs_each(p->s, 2, note_run, &behind, &d));
	assert_true(behind.n == 1 && behind.ids[0] == 3);
	assert_true(runs_each(p->s, 0, note_run, &stopped, &d));
	assert_int_equal(stopped.n, 2); /* by the callback */
}

static bool first_trouble(
    void *context, const char *api, const char *what, const char *message, int64_t count)
{
	int *sum = context;
	if (*sum == 0) {
		assert_string_equal(api, "b");
		assert_string_equal(what, "mispredicted");
		assert_string_equal(message, "first message");
		assert_int_equal(count, 2);
	}
	*sum += (int)count;
	return true;
}

static void counts_troubles(void **state)
{
	place *p = *state;
	diag d = {""};
	int sum = 0;
	assert_true(runs_trouble(p->s, 1, "a", "rejected", "m", &d));
	assert_true(runs_trouble(p->s, 1, "b", "mispredicted", "first message", &d));
	assert_true(runs_trouble(p->s, 1, "b", "mispredicted", "second message", &d));
	assert_true(runs_trouble(p->s, 2, "b", "mispredicted", "another run", &d));
	assert_true(runs_each_trouble(p->s, 1, 10, first_trouble, &sum, &d));
	assert_int_equal(sum, 3);
}

static void refuses_other_files(void **state)
{
	place *p = *state;
	diag d = {""};
	char path[96];
	snprintf(path, sizeof path, "%s/none.db", p->folder);
	assert_null(store_open(path, false, &d));
	assert_non_null(strstr(d.text, "no such database"));
	FILE *f = fopen(path, "w");
	for (int i = 0; i < 1000; i++)
		fputs("this is not a database. ", f);
	fclose(f);
	assert_null(store_open(path, true, &d));
	assert_non_null(strstr(d.text, "not a database"));
}

static void change(const char *path, const char *sql)
{
	sqlite3 *db;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	char *error = NULL;
	if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK)
		fail_msg("%s", error);
	sqlite3_close(db);
}

/* Checks the first value of a query. */
static void assert_value(const char *path, const char *sql, const char *want)
{
	sqlite3 *db;
	sqlite3_stmt *st;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	assert_string_equal((const char *)sqlite3_column_text(st, 0), want);
	sqlite3_finalize(st);
	sqlite3_close(db);
}

static void refuses_a_later_version(void **state)
{
	place *p = *state;
	diag d = {""};
	assert_value(p->path, "PRAGMA application_id", "1920296570");
	assert_value(p->path, "PRAGMA user_version", "6");
	change(p->path, "PRAGMA user_version=99");
	assert_null(store_open(p->path, true, &d));
	assert_non_null(strstr(d.text, "schema 99, and this rulefuzz reads up to 6"));
	assert_value(p->path, "PRAGMA user_version", "99");
}

/* Another program's database stays the same, bit for bit. */
static void refuses_another_programs_database(void **state)
{
	place *p = *state;
	static const char *const OTHERS[] = {"CREATE TABLE notes(text); INSERT INTO notes VALUES('x')",
	    "CREATE TABLE runs(id)", "CREATE TABLE runs(id); PRAGMA user_version=1",
	    "PRAGMA application_id=252006674", "PRAGMA application_id=-5; CREATE TABLE findings(id)",
	    "PRAGMA user_version=7"};
	for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
		diag d = {""};
		char path[96], command[512];
		snprintf(path, sizeof path, "%s/other%zu.db", p->folder, i);
		change(path, OTHERS[i]);
		snprintf(command, sizeof command, "cp %s %s.copy", path, path);
		assert_int_equal(system(command), 0);
		for (int create = 0; create < 2; create++) {
			assert_null(store_open(path, create, &d));
			if (!strstr(d.text, "another program's database"))
				fail_msg("%s: '%s'", OTHERS[i], d.text);
		}
		snprintf(command, sizeof command, "cmp %s %s.copy && [ ! -e %s-wal ]", path, path, path);
		assert_int_equal(system(command), 0);
	}
}

static char *read_whole(const char *path)
{
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	char *text = calloc(1, 1 << 20);
	assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	return text;
}

/* A database of schema 1: nothing is lost, and the tables are those of a new database. */
static void brings_version_1_to_today(void **state)
{
	static const char TABLES[] = "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_master "
				     "WHERE type='table' ORDER BY name)";
	place *p = *state;
	diag d = {""};
	finding f;
	char path[96], *sql = read_whole("tests/data/databases/version1.sql"), want[8192];
	snprintf(path, sizeof path, "%s/old.db", p->folder);
	change(path, sql);
	store *s = store_open(path, false, &d);
	if (!s)
		fail_msg("%s", d.text);
	assert_int_equal(store_get(s, 1, &f, p->a, &d), 1);
	assert_int_equal(f.count, 2);
	assert_string_equal(f.kind, "error");
	const setting settings[] = {{"strategy", "neuri"}};
	run_row run = {.backend = "fake", .framework = "torch", .settings = settings, .nsettings = 1, .seed = 7};
	assert_int_equal(runs_resume(s, &run, p->a, &d), 1);
	assert_true(run.id == 2 && run.next == 6 && run.models == 6 && run.agreed == 5);
	assert_true(run.t_compile == 0.012 && run.seconds > 0.26 && run.seconds < 0.27);
	assert_string_equal(run.versions, "{\"fake\":\"1.0\"}");
	run = sample_run((const setting[]){{"rules", "0123"}, {"api", "*"}});
	run.seed = 7; /* its rules and APIs are unknown, so it is not resumed */
	assert_int_equal(runs_resume(s, &run, p->a, &d), 0);
	store_close(s);
	assert_value(path, "SELECT value FROM settings WHERE run=1 AND name='nodes'", "1..2");
	assert_value(path, "SELECT sum(value) FROM counters WHERE run=1", "24");
	assert_value(path, "SELECT value FROM counters WHERE run=2 AND name='rejected'", "1");
	assert_value(path, "SELECT count FROM troubles", "1");
	assert_value(path, "PRAGMA application_id", "1920296570");
	assert_value(path, "PRAGMA user_version", "6");
	sqlite3 *db;
	sqlite3_stmt *st;
	sqlite3_open(p->path, &db);
	sqlite3_prepare_v2(db, TABLES, -1, &st, NULL);
	sqlite3_step(st);
	snprintf(want, sizeof want, "%s", (const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	sqlite3_close(db);
	assert_value(path, TABLES, want);
	free(sql);
}

/* A database of schema 3: the class of each finding follows from its stage. */
static void brings_version_3_to_today(void **state)
{
	static const char *const WANT[] = {"error open MCF", "inconsistency open DCF", "crash open MCF", "error unsupported IF"};
	place *p = *state;
	diag d = {""};
	finding f;
	char path[96], *sql = read_whole("tests/data/databases/version3.sql"), got[96];
	snprintf(path, sizeof path, "%s/old.db", p->folder);
	change(path, sql);
	free(sql);
	store *s = store_open(path, false, &d);
	if (!s)
		fail_msg("%s", d.text);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(store_get(s, i < 3 ? i + 1 : 100004, &f, p->a, &d), 1);
		snprintf(got, sizeof got, "%s %s %s", f.kind, f.status, f.class);
		assert_string_equal(got, WANT[i]);
		assert_string_equal(f.reason, "");
		assert_false(f.reduced);
		assert_true(strlen(f.model) > 100);
	}
	store_close(s);
	assert_value(path, "SELECT count(*) FROM keys", "4");
	assert_value(path, "SELECT count(*) FROM rechecks", "0");
}

/* A database of schema 4: each row that has another name now. */
static void brings_version_4_to_today(void **state)
{
	static const char *const WANT[][2] = {
	    {"SELECT group_concat(id||' '||kind||' '||status) FROM (SELECT * FROM findings ORDER BY id)",
		"1 error open,3 accepts-invalid open,4 error fixed,5 crash known,100002 error unsupported"},
	    {"SELECT title||' '||bucket FROM findings WHERE id=3",
		"fake: accepts-invalid in torch.abs accepts-invalid|fake|torch.abs|no such axis|torch.abs"},
	    {"SELECT json_extract(detail, '$.verdict') FROM findings WHERE id=3", "accepts-invalid"},
	    {"SELECT finding FROM keys WHERE key='accepts-invalid|fake|torch.abs|no such axis'", "3"},
	    {"SELECT group_concat(finding) FROM (SELECT finding FROM keys ORDER BY finding)", "1,1,3,4,5,100002"},
	    {"SELECT group_concat(finding||' '||outcome) FROM (SELECT * FROM rechecks ORDER BY id)",
		"1 reproduces,4 not-reproduced,1 different,1 inconclusive,100002 reproduces,1 flaky"},
	    {"SELECT group_concat(name||' '||value) FROM (SELECT * FROM counters WHERE value>10 AND value<30 ORDER BY value)",
		"rejected 11,mispredicted 12,unspecified 13,unreadable 14,duplicates 15,fast_path 16,full_oracle 17,excluded 18,"
		"dynamic_shapes 19,shape_instances 20,shape_rejections 21"},
	    {"SELECT group_concat(name||' '||value) FROM (SELECT * FROM settings WHERE name IN ('dynamic-shapes', 'shape-instances',"
	     " 'invalid', 'symbolic', 'assignments', 'near-misses') ORDER BY name)", /* prose: quote */
		"dynamic-shapes 100,invalid 50,shape-instances default"},
	    {"SELECT name FROM stages WHERE seconds=2.5", "fast_path"},
	    {"SELECT group_concat(what||' '||count) FROM (SELECT * FROM troubles ORDER BY count)", "rejected 2,mispredicted 3"}};
	place *p = *state;
	diag d = {""};
	char path[96], *sql = read_whole("tests/data/databases/version4.sql");
	snprintf(path, sizeof path, "%s/old.db", p->folder);
	change(path, sql);
	free(sql);
	store *s = store_open(path, false, &d);
	if (!s)
		fail_msg("%s", d.text);
	store_close(s);
	for (size_t i = 0; i < sizeof WANT / sizeof *WANT; i++)
		assert_value(path, WANT[i][0], WANT[i][1]);
}

/* Version 6 adds a table. */
static void brings_version_5_to_today(void **state)
{
	place *p = *state;
	diag d = {""};
	int64_t n = -1;
	finding f;
	char path[96], *sql = read_whole("tests/data/databases/version5.sql");
	snprintf(path, sizeof path, "%s/old.db", p->folder);
	change(path, sql);
	free(sql);
	store *s = store_open(path, false, &d);
	if (!s)
		fail_msg("%s", d.text);
	assert_int_equal(store_get(s, 1, &f, p->a, &d), 1);
	assert_true(f.count == 2 && strcmp(f.status, "open") == 0);
	assert_true(pending_count(s, "", &n, &d) && n == 0);
	const pending later = {.run = 1, .key = "k", .kind = "error", .model = "{}"};
	assert_true(pending_add(s, &later, &d) && pending_count(s, "fake", &n, &d) && n == 1);
	store_close(s);
	assert_value(path, "PRAGMA user_version", "6");
}

/* Titles of schema 4 repeat the kind and the API, and have placeholders: today's have the message itself. */
static void brings_titles_of_version_4_to_today(void **state)
{
#define HOW(how) "{\"first\":{\"how\":\"" how "\",\"wrong\":\"reference\"}}"
	static const struct {
		const char *kind, *apis, *title, *detail, *wanted;
	} CASES[] = {
	    {"inconsistency", "onnx.Abs", "fake: inconsistency in onnx.Abs: onnx.Abs differs: 1.0 instead of 2.0", HOW("1.0 instead of 2.0"),
		"fake: Abs: 1.0 instead of 2.0"},
	    {"inconsistency", "onnx.A", "fake: inconsistency in onnx.A: onnx.B differs: 1.0 instead of 2.0", HOW("1.0 instead of 2.0"),
		"fake: A: onnx.B differs: 1.0 instead of 2.0"},
	    {"inconsistency", "onnx.A", "fake: inconsistency in onnx.A: onnx.A differs: 1 of 3 elements, first at [2]: 5.0 instead of 0.0;",
		HOW("1 of 3 elements, first at [2]: 5.0 instead of 0.0; two runs of the reference"),
		"fake: A: the reference's result depends on uninitialized memory (0.0, then 5.0)"},
	    {"inconsistency", "onnx.A", "fake: inconsistency in onnx.A: onnx.A differs: 5.0 instead of 0.0; the reference writes over it",
		HOW("5.0 instead of 0.0; the reference writes over it"), "fake: A: 5.0 instead of 0.0; the reference writes over it"},
	    {"error", "torch.nn.functional.conv2d + torch.add", "fake: error in torch.nn.functional.conv2d + torch.add: E: Node (tN_q) at @",
		"{\"error\":{\"type\":\"E\",\"message\":\"Node (t3_q)\\n  at /usr/lib/x.so\"}}",
		"fake: conv2d + add: E: Node (t3_q) at /usr/lib/x.so"},
	    {"error", "a\"b", "fake: error in a\"b: E: N", "{\"error\":{\"type\":\"E\",\"message\":\"3\"}}", "fake: a\"b: E: 3"},
	    {"error", "t.a", "fake: error in t.a: E: of N items", "no JSON", "fake: a: E: of N items"},
	    {"accepts", "t.a", "fake: accepts in t.a: the reference refuses: no axis N", /* prose: quote */
		"{\"error\":{\"type\":\"E\",\"message\":\"no axis 3\"}}", "fake: a: accepts a model that the reference rejects: no axis 3"},
	    {"hang", "t.a", "fake: hang in t.a: while the target was in stage run", "", "fake: a: hangs in stage run"},
	    {"memory", "t.a", "fake: memory in t.a: while the target was in stage run", "", "fake: a: exceeds the memory limit in stage run"},
	    {"crash", "t.a", "fake: crash in t.a: killed by signal 11 (Segmentation fault)", "", "fake: a: killed by signal 11 (Segmentation fault)"},
	    {"error", "t.a", "another title", "", "another title"}};
	place *p = *state;
	char *sql = read_whole("tests/data/databases/version4.sql");
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		char path[96];
		diag d = {""};
		snprintf(path, sizeof path, "%s/old%zu.db", p->folder, i);
		change(path, sql);
		char *update = sqlite3_mprintf("UPDATE findings SET kind=%Q, apis=%Q, title=%Q, detail=%Q WHERE id=1", CASES[i].kind,
		    CASES[i].apis, CASES[i].title, CASES[i].detail);
		change(path, update);
		sqlite3_free(update);
		store *s = store_open(path, false, &d);
		if (!s)
			fail_msg("%s", d.text);
		store_close(s);
		assert_value(path, "SELECT title FROM findings WHERE id=1", CASES[i].wanted);
		const char *cause = strstr(CASES[i].detail, "two runs")	     ? "uninitialized-memory 0.0 5.0"
				    : strstr(CASES[i].detail, "writes over") ? "writes-input 0.0 5.0"
									     : "";
		assert_value(path,
		    "SELECT CASE WHEN json_valid(detail) THEN coalesce(json_extract(detail, '$.first.cause')||' '||json_extract(detail,"
		    " '$.first.values[0]')||' '||json_extract(detail, '$.first.values[1]'), '') ELSE '' END FROM findings WHERE id=1",
		    cause);
	}
	free(sql);
}

/* A long message is cut between characters. */
static void cuts_titles_of_version_4(void **state)
{
	place *p = *state;
	diag d = {""};
	char path[96], *sql = read_whole("tests/data/databases/version4.sql");
	snprintf(path, sizeof path, "%s/old.db", p->folder);
	change(path, sql);
	change(path, "UPDATE findings SET title='fake: error in torch.abs: E: N', detail=json_object('error', json_object('type', 'E',"
		     " 'message', replace(hex(zeroblob(200)), '00', 'ä,'))) WHERE id=1");
	free(sql);
	store *s = store_open(path, false, &d);
	if (!s)
		fail_msg("%s", d.text);
	store_close(s);
	assert_value(path, "SELECT length(title)||substr(title, 1, 16)||substr(title, -3) FROM findings WHERE id=1", "255fake: abs: E: ä,ä,…");
}

/* Opens a database to read, as a user without write permission if this is root. */
static void assert_readable(place *p, const char *path)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		diag d = {""};
		finding f;
		arena *a = arena_new();
		store *s = geteuid() != 0 || setuid(65534) == 0 ? store_open_read(path, &d) : NULL;
		bool ok = s && store_get(s, 1, &f, a, &d) == 1 && strcmp(f.status, "open") == 0;
		if (!ok)
			fprintf(stderr, "%s: %s\n", path, d.text);
		ok = ok && !store_set_status(s, 1, "known", "", &d); /* nothing is written */
		store_close(s);
		arena_free(a);
		_exit(!ok);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_value(p->path, "PRAGMA integrity_check", "ok");
}

/* Read-only files in a read-only folder, also one of an older schema, which stays the same. */
static void reads_what_nobody_may_write(void **state)
{
	place *p = *state;
	bool added;
	char old[96], strange[96], command[512], *sql = read_whole("tests/data/databases/version4.sql");
	add(p->s, "sig", "key", &added);
	store_close(p->s);
	p->s = NULL;
	snprintf(old, sizeof old, "%s/old.db", p->folder);
	snprintf(strange, sizeof strange, "%s/a?b#c%%20 d.db", p->folder);
	change(old, sql);
	free(sql);
	snprintf(command, sizeof command, "cp '%s' '%s' && chmod 444 '%s'/* && chmod 555 '%s'", p->path, strange, p->folder, p->folder);
	assert_int_equal(system(command), 0);
	assert_readable(p, p->path);
	assert_readable(p, strange);
	assert_readable(p, old);
	snprintf(command, sizeof command, "chmod 755 '%s' && [ $(ls '%s' | wc -l) = 3 ]", p->folder, p->folder);
	assert_int_equal(system(command), 0); /* no other file was made */
	assert_value(old, "PRAGMA user_version", "4");
}

/* A migration that fails leaves the database unchanged. */
static void a_failed_migration_changes_nothing(void **state)
{
	place *p = *state;
	diag d = {""};
	char path[96], *sql = read_whole("tests/data/databases/version1.sql");
	snprintf(path, sizeof path, "%s/old.db", p->folder);
	change(path, sql);
	change(path, "CREATE VIEW settings AS SELECT id FROM runs");
	assert_null(store_open(path, false, &d));
	assert_non_null(strstr(d.text, "settings"));
	assert_value(path, "PRAGMA user_version", "1");
	assert_value(path, "SELECT models FROM runs WHERE id=1", "6");
	change(path, "DROP VIEW settings");
	store *s = store_open(path, false, &d);
	assert_non_null(s);
	store_close(s);
	free(sql);
}

/* A child adds findings until it is killed. All that it reported as stored are there. */
static void survives_a_kill(void **state)
{
	place *p = *state;
	diag d = {""};
	int fds[2], said = 0, stored = 0;
	bool added, fixed;
	int64_t id;
	assert_int_equal(pipe(fds), 0);
	pid_t child = fork();
	if (child == 0) {
		store *mine = store_open(p->path, true, &d);
		for (int i = 0; mine; i++) {
			char name[32];
			snprintf(name, sizeof name, "finding %d", i);
			finding f = sample(name);
			if (!store_add(mine, &f, name, &added, &d)
			    || write(fds[1], &i, sizeof i) < 0)
				break;
		}
		_exit(1);
	}
	close(fds[1]);
	while (said < 200 && read(fds[0], &said, sizeof said) == sizeof said)
		;
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	while (read(fds[0], &said, sizeof said) == sizeof said)
		;
	close(fds[0]);
	store *s = store_open(p->path, false, &d);
	assert_non_null(s);
	for (int i = 0; i <= said; i++) {
		char name[32];
		snprintf(name, sizeof name, "finding %d", i);
		stored += store_key(s, name, &id, &fixed, &d) == 1;
	}
	assert_int_equal(stored, said + 1);
	store_close(s);
}

/* Without memory, each of the operations on findings and runs is done or reported as failed. */
static bool is_kept(void *context)
{
	place *p = context;
	diag d = {""};
	bool added, fixed;
	finding f = sample("lacking");
	store *s = store_open(p->path, false, &d);
	arena *a = arena_new();
	setting choices[] = {{"nodes", "5"}, {"values", "finite"}};
	run_row run = {.backend = "fake", .framework = "t", .seed = 5, .settings = choices, .nsettings = 2, .versions = "{}"}, again = run;
	int64_t id = 0;
	bool done = s && store_add(s, &f, "lacking key", &added, &d) && store_met_again(s, f.id, &d)
		    && store_bucket(s, "lacking", &id, &fixed, &d) == 1 && store_also(s, "more", f.id, &d)
		    && store_set_status(s, f.id, "confirmed", "seen", &d) && store_checked(s, &f, "fixed", "{}", "fixed", "gone", &d)
		    && store_note_smaller(s, f.id, "{}", &d) && store_smaller(s, &f, &d) && runs_begin(s, &run, &d)
		    && runs_trouble(s, run.id, "t.a", "rejected", "why", &d);
	run.models = 4, run.next = 5;
	done = done && runs_update(s, &run, &d);
	assert_true(done || *d.text);
	if (done && a) {
		int got = runs_resume(s, &again, a, &d), found = got < 0 ? got : store_get(s, f.id, &f, a, &d);
		done = got == 1 && found == 1;
		assert_true(done || *d.text);
		if (done) {
			assert_true(again.models == 4 && again.next == 5);
			assert_string_equal(f.status, "fixed");
			assert_int_equal(id, f.id);
		}
	}
	store_close(s);
	arena_free(a);
	return done && a;
}

static void without_memory(void **state)
{
	place *p = *state;
	lack_memory(is_kept, p);
	assert_value(p->path, "PRAGMA integrity_check", "ok");
	assert_value(p->path, "SELECT count(*) FROM findings", "1");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {TEST(keeps_a_finding), TEST(counts_a_bucket_once),
	    TEST(a_fixed_one_that_regresses_is_open), TEST(lists), TEST(resumes_a_run),
	    TEST(refuses_to_resume_another_run), TEST(lists_runs), TEST(counts_troubles), TEST(refuses_other_files),
	    TEST(refuses_a_later_version), TEST(refuses_another_programs_database),
	    TEST(brings_version_1_to_today), TEST(brings_version_3_to_today), TEST(brings_version_4_to_today), TEST(brings_version_5_to_today),
	    TEST(brings_titles_of_version_4_to_today), TEST(cuts_titles_of_version_4),
	    TEST(renames_a_bucket), TEST(changes_are_transactions), TEST(numbers_bugs_from_1), TEST(reads_what_nobody_may_write),
	    TEST(keeps_what_rechecks_came_to), TEST(keeps_a_smaller_model), TEST(a_failed_migration_changes_nothing),
	    TEST(survives_a_kill), TEST(without_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Merging without memory: the result is complete, or there is none. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sqlite3.h>
#include <cmocka.h>

#include "merge.h"
#include "no_memory.h"
#include "pending.h"
#include "runs.h"
#include "store.h"

typedef struct place {
	char folder[64], from[2][80], to[80];
} place;

/* A database with a finding that both have, a finding of its own, and a run. */
static void fill(const char *path, const char *own)
{
	diag d = {""};
	bool added;
	setting choices[] = {{"nodes", "5"}};
	run_row run = {.backend = "fake", .framework = "t", .seed = 5, .settings = choices, .nsettings = 1, .versions = own};
	store *s = store_open(path, true, &d);
	assert_non_null(s);
	const char *buckets[] = {"both", own};
	for (int i = 0; i < 2; i++) {
		finding f = {.bucket = buckets[i], .kind = "error", .backend = "fake", .status = "open", .title = "a title",
		    .apis = "fake.op", .model = "{\"model\":1}", .original = "{}", .script = "print(2)\n", .short_script = "print(1)\n",
		    .versions = "{}", .detail = "{}", .log = "line\n", .nodes = 2};
		assert_true(store_add(s, &f, buckets[i], &added, &d));
	}
	assert_true(runs_begin(s, &run, &d) && runs_trouble(s, run.id, "t.a", "rejected", "why", &d));
	const pending waits = {.run = run.id, .key = own, .kind = "error", .model = "{\"model\":1}"};
	for (int i = 0; i < 5; i++) /* three wait, and two count */
		assert_true(pending_add(s, &waits, &d));
	run.models = 4;
	assert_true(runs_update(s, &run, &d));
	store_close(s);
}

static int set_up(void **state)
{
	place *p = calloc(1, sizeof *p);
	strcpy(p->folder, "/tmp/rulefuzz-merge-XXXXXX");
	assert_non_null(mkdtemp(p->folder));
	snprintf(p->from[0], sizeof p->from[0], "%s/a.db", p->folder);
	snprintf(p->from[1], sizeof p->from[1], "%s/b.db", p->folder);
	snprintf(p->to, sizeof p->to, "%s/all.db", p->folder);
	fill(p->from[0], "a");
	fill(p->from[1], "b");
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	place *p = *state;
	char command[128];
	snprintf(command, sizeof command, "rm -r '%s'", p->folder);
	int failed = system(command);
	free(p);
	return failed;
}

static void assert_value(const char *path, const char *sql, const char *want)
{
	sqlite3 *db;
	sqlite3_stmt *st;
	assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK); /* else a log file would stay */
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	assert_string_equal((const char *)sqlite3_column_text(st, 0), want);
	sqlite3_finalize(st);
	sqlite3_close(db);
}

static void assert_whole(const char *path)
{
	assert_value(path, "PRAGMA integrity_check", "ok");
	assert_value(path, "SELECT group_concat(bucket || count, ' ') FROM (SELECT * FROM findings ORDER BY bucket)", "a1 b1 both2");
	assert_value(path, "SELECT count(*) FROM keys k JOIN findings f ON f.id = k.finding WHERE f.bucket = k.key", "3");
	assert_value(path, "SELECT group_concat(versions, ' ') FROM runs", "a b");
	assert_value(path, "SELECT group_concat(run || name || value, ' ') FROM settings", "1nodes5 2nodes5");
	assert_value(path, "SELECT sum(value) FROM counters WHERE name = 'models'", "8");
	assert_value(path, "SELECT sum(count) FROM troubles", "2");
	assert_value(path, "PRAGMA journal_mode", "delete"); /* a single file */
}

static int files_in(const char *folder)
{
	int n = 0;
	DIR *open = opendir(folder);
	assert_non_null(open);
	for (struct dirent *e; (e = readdir(open));)
		n += *e->d_name != '.';
	closedir(open);
	return n;
}

static bool is_merged(void *context)
{
	place *p = context;
	diag d = {""};
	char *const from[] = {p->from[0], p->from[1]};
	bool done = merge_databases(p->to, from, 2, &d);
	memory.at = 0; /* the checks have memory */
	if (done)
		assert_whole(p->to);
	else
		assert_true(*d.text);
	unlink(p->to);
	for (int i = 0; i < 2; i++) /* the last reader of a database removes its log */
		assert_value(p->from[i], "SELECT sum(count) FROM findings", "2");
	assert_int_equal(files_in(p->folder), 2);
	return done;
}

static void without_memory(void **state)
{
	lack_memory(is_merged, *state);
}

static void nothing_is_written_over(void **state)
{
	place *p = *state;
	diag d = {""};
	char *const from[] = {p->from[0]};
	assert_false(merge_databases(p->from[1], from, 1, &d));
	assert_non_null(strstr(d.text, "merge writes a new file"));
	assert_value(p->from[1], "SELECT count(*) FROM findings WHERE bucket = 'b'", "1");
}

static void a_path_that_is_too_long(void **state)
{
	place *p = *state;
	diag d = {""};
	char *const from[] = {p->from[0]};
	char path[5000];
	memset(path, 'x', sizeof path);
	path[sizeof path - 1] = '\0';
	assert_false(merge_databases(path, from, 1, &d));
	assert_true(*d.text); /* the path fills the text */
	assert_int_equal(files_in(p->folder), 2);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {TEST(without_memory), TEST(nothing_is_written_over), TEST(a_path_that_is_too_long)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

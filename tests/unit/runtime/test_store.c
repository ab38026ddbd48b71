/* Findings and runs in SQLite: dedup, statuses, resume, and a process that is killed while it
 * writes. */
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

static finding sample(const char *signature)
{
	return (finding){.signature = signature,
	    .kind = "error",
	    .backend = "fake",
	    .status = "new",
	    .title = "a title",
	    .apis = "fake.op",
	    .model = "{\"model\":1}",
	    .original = "{}",
	    .script = "print('\"x\"')\n",
	    .versions = "{}",
	    .detail = "{}",
	    .log = "line\nline\n",
	    .seed = UINT64_MAX,
	    .index = 7,
	    .values = 1ull << 63,
	    .nodes = 2};
}

static int64_t add(store *s, const char *signature, const char *key, bool *added)
{
	diag d = {""};
	finding f = sample(signature);
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
	assert_string_equal(f.log, "line\nline\n");
	assert_true(f.seed == UINT64_MAX && f.values == 1ull << 63);
	assert_int_equal(f.index, 7);
	assert_int_equal(f.count, 1);
	assert_int_equal(strlen(f.found), 20);
	assert_int_equal(store_get(p->s, id + 1, &f, p->a, &d), 0);
}

static void counts_a_signature_once(void **state)
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

static void a_fixed_one_that_comes_back_is_new(void **state)
{
	place *p = *state;
	diag d = {""};
	bool added, fixed = false;
	finding f;
	int64_t id = add(p->s, "sig", "key", &added), found;
	assert_true(store_set_status(p->s, id, "fixed", &d));
	assert_int_equal(store_key(p->s, "key", &found, &fixed, &d), 1);
	assert_true(fixed);
	assert_int_equal(add(p->s, "sig", "key", &added), id);
	assert_true(added);
	assert_int_equal(store_get(p->s, id, &f, p->a, &d), 1);
	assert_string_equal(f.status, "new");
	assert_true(store_set_status(p->s, id, "known", &d));
	add(p->s, "sig", "key", &added);
	assert_false(added);
	assert_int_equal(store_get(p->s, id, &f, p->a, &d), 1);
	assert_string_equal(f.status, "known");
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

static void resumes_a_run(void **state)
{
	place *p = *state;
	diag d = {""};
	run_row run = {.backend = "fake",
	    .framework = "torch",
	    .strategy = "neuri",
	    .seed = UINT64_MAX,
	    .nodes_low = 5,
	    .nodes_high = 6,
	    .versions = "{}"};
	run_row again = run, other = run;
	other.seed = 1;
	assert_int_equal(store_run_resume(p->s, &again, p->a, &d), 0);
	assert_true(store_run_begin(p->s, &run, &d));
	run.next = 1ull << 40;
	run.models = 12;
	run.new_findings = 3;
	run.t_triage = 1.5;
	run.versions = "{\"x\":1}";
	assert_true(store_run_update(p->s, &run, &d));
	assert_int_equal(store_run_resume(p->s, &again, p->a, &d), 1);
	assert_int_equal(again.id, run.id);
	assert_true(again.next == 1ull << 40 && again.t_triage == 1.5);
	assert_int_equal(again.models, 12);
	assert_int_equal(again.new_findings, 3);
	assert_string_equal(again.versions, "{\"x\":1}");
	assert_int_equal(store_run_resume(p->s, &other, p->a, &d), 0);
}

static bool first_trouble(
    void *context, const char *api, const char *what, const char *message, int64_t count)
{
	int *sum = context;
	if (*sum == 0) {
		assert_string_equal(api, "b");
		assert_string_equal(what, "rule");
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
	assert_true(store_trouble(p->s, 1, "a", "invalid", "m", &d));
	assert_true(store_trouble(p->s, 1, "b", "rule", "first message", &d));
	assert_true(store_trouble(p->s, 1, "b", "rule", "second message", &d));
	assert_true(store_trouble(p->s, 2, "b", "rule", "another run", &d));
	assert_true(store_each_trouble(p->s, 1, 10, first_trouble, &sum, &d));
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
	sqlite3 *db;
	sqlite3_open(p->path, &db);
	sqlite3_exec(db, "PRAGMA user_version=99", NULL, NULL, NULL);
	sqlite3_close(db);
	assert_null(store_open(p->path, true, &d));
	assert_non_null(strstr(d.text, "schema 99"));
}

/* A child adds findings until it is killed; what it said to have stored is there. */
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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {TEST(keeps_a_finding), TEST(counts_a_signature_once),
	    TEST(a_fixed_one_that_comes_back_is_new), TEST(lists), TEST(resumes_a_run),
	    TEST(counts_troubles), TEST(refuses_other_files), TEST(survives_a_kill)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

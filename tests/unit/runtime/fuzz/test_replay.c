/* Models kept for replay: together they cover what all do, those that cover most first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "file.h"
#include "replay.h"
#include "small_model.h"

static const rs_table TABLE = {.abi = RS_ABI, .framework = "t", .fingerprint = "0"};

/* A model with a chain of calls t.NAME on an input of this dtype. */
static void make(graph *g, const char *names, const char *dtype)
{
	buf b = {0};
	int id = 0;
	buf_printf(&b, "{\"model\":1,\"framework\":\"t\",\"seed\":1,\"index\":2,\"values\":3,\"inputs\":[{\"id\":0,\"shape\":[2],\"dtype\":"
		       "\"%s\"}],\"nodes\":[", dtype);
	for (; names[id]; id++)
		buf_printf(&b, "%s{\"op\":\"t.%c-0\",\"api\":\"t.%c\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":%d}}],"
			       "\"outputs\":[{\"id\":%d,\"shape\":[2],\"dtype\":\"%s\"}]}",
		    id ? "," : "", names[id], names[id], id, id + 1, dtype);
	buf_printf(&b, "],\"outputs\":[%d]}", id);
	read_model(g, b.text, NULL);
	buf_free(&b);
}

static void see(replay *r, const char *names, const char *dtype, enum verdict v)
{
	graph g;
	diag d = {""};
	assert_true(graph_init(&g));
	make(&g, names, dtype);
	assert_true(replay_see(r, &g, v, &d));
	graph_destroy(&g);
}

typedef struct place {
	char path[64];
} place;

static int set_up(void **state)
{
	place *p = calloc(1, sizeof *p);
	strcpy(p->path, "/tmp/rulefuzz-replay-XXXXXX");
	int fd = mkstemp(p->path);
	*state = p;
	return close(fd) || unlink(p->path);
}

static int tear_down(void **state)
{
	place *p = *state;
	unlink(p->path);
	free(p);
	return 0;
}

static replay *reopen(replay *r, const char *path, size_t most)
{
	diag d = {""};
	assert_true(replay_write(r, most, path, &d));
	replay_free(r);
	r = replay_open(path, &TABLE, &d);
	assert_non_null(r);
	return r;
}

static void what_is_new(void **state)
{
	const place *p = *state;
	diag d = {""};
	replay *r = replay_open(p->path, &TABLE, &d);
	assert_non_null(r);
	see(r, "ab", "float32", VERDICT_ok);
	assert_int_equal(replay_count(r), 1);
	see(r, "ab", "float32", VERDICT_ok); /* the same again */
	see(r, "a", "float32", VERDICT_ok);  /* a part of it */
	see(r, "cd", "float32", VERDICT_error);
	see(r, "cd", "float32", VERDICT_unsupported);
	assert_int_equal(replay_count(r), 1);
	see(r, "ba", "float32", VERDICT_rounding); /* another edge */
	see(r, "ab", "float16", VERDICT_ok);	   /* other dtypes */
	assert_int_equal(replay_count(r), 3);
	replay_free(r);
}

static void fewer(void **state)
{
	const place *p = *state;
	diag d = {""};
	graph g;
	replay *r = replay_open(p->path, &TABLE, &d);
	assert_non_null(r);
	see(r, "a", "float32", VERDICT_ok);
	see(r, "ab", "float32", VERDICT_ok);
	see(r, "abcd", "float32", VERDICT_ok); /* all that the two have, and more */
	see(r, "e", "float32", VERDICT_ok);
	assert_int_equal(replay_count(r), 4);
	assert_true(replay_write(r, 10, p->path, &d));
	assert_int_equal(replay_count(r), 2);
	r = reopen(r, p->path, 10);
	assert_int_equal(replay_count(r), 2);
	assert_true(graph_init(&g));
	assert_true(replay_model(r, 0, &g, &d)); /* the most telling first */
	assert_int_equal(g.live_nodes, 4);
	assert_int_equal(g.seed, 1);
	see(r, "e", "float32", VERDICT_ok); /* what the file has is known */
	assert_int_equal(replay_count(r), 2);
	r = reopen(r, p->path, 1);
	assert_int_equal(replay_count(r), 1);
	graph_destroy(&g);
	replay_free(r);
}

static void other_files(void **state)
{
	const place *p = *state;
	static const char LINES[] = "{\"model\":1}\n{\"no\":1}\n";
	diag d = {""};
	assert_true(file_write(p->path, LINES, strlen(LINES), &d));
	replay *r = replay_open(p->path, &TABLE, &d); /* written for other rules: skipped */
	assert_non_null(r);
	assert_int_equal(replay_count(r), 0);
	replay_free(r);
	assert_null(replay_open("/tmp", &TABLE, &d));
	assert_string_not_equal(d.text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(what_is_new, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(fewer, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(other_files, set_up, tear_down)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

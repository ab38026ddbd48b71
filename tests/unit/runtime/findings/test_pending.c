/* The queue of failures that wait for triage. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "pending.h"
#include "runs.h"

typedef struct place {
	store *s;
	arena *a;
	int64_t run, other; /* of two backends */
	diag d;
} place;

static int64_t begin(place *p, const char *backend)
{
	run_row run = {.backend = backend, .framework = "torch", .versions = "{}"};
	assert_true(runs_begin(p->s, &run, &p->d));
	return run.id;
}

static int set_up(void **state)
{
	place *p = calloc(1, sizeof *p);
	p->s = store_open(":memory:", true, &p->d);
	p->a = arena_new();
	assert_true(p->s && p->a);
	p->run = begin(p, "fake");
	p->other = begin(p, "other");
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	place *p = *state;
	store_close(p->s);
	arena_free(p->a);
	free(p);
	return 0;
}

static void add_kind(place *p, const char *kind, const char *key, const char *model)
{
	const pending one = {.run = p->run, .key = key, .kind = kind, .model = model};
	assert_true(pending_add(p->s, &one, &p->d));
}

static void add(place *p, int64_t run, const char *key, const char *model)
{
	const pending one = {.run = run, .key = key, .kind = "error", .model = model};
	assert_true(pending_add(p->s, &one, &p->d));
}

static int64_t count(place *p, const char *backend)
{
	int64_t n = -1;
	assert_true(pending_count(p->s, backend, &n, &p->d));
	return n;
}

/* The models that wait for a backend, in their order: "a b c". */
static const char *order(place *p, const char *backend, int64_t end)
{
	static char text[256];
	int64_t taken[16];
	int n = 0;
	pending one;
	*text = '\0';
	while (n < 16 && pending_first(p->s, backend, end, taken, n, &one, p->a, &p->d) == 1) {
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", n ? " " : "", one.model);
		taken[n++] = one.id;
	}
	return text;
}

static void new_keys_come_first(void **state)
{
	place *p = *state;
	add(p, p->run, "k", "a");
	add(p, p->run, "k", "b");
	add(p, p->run, "l", "c");
	add(p, p->other, "m", "d");
	assert_string_equal(order(p, "fake", PENDING_POSTPONED), "a c b");
	assert_string_equal(order(p, "other", PENDING_POSTPONED), "d");
	assert_string_equal(order(p, "none", INT64_MAX), "");
	assert_true(count(p, "fake") == 3 && count(p, NULL) == 4);
}

static void few_models_of_a_key_wait(void **state)
{
	place *p = *state;
	pending one;
	bool added;
	finding f = {.bucket = "b", .kind = "error", .backend = "fake", .status = "open", .model = "{}", .nodes = 1};
	assert_true(store_add(p->s, &f, "k", &added, &p->d));
	for (int i = 0; i < 7; i++)
		add(p, p->run, "k", (char[]){(char)('a' + i), '\0'});
	assert_string_equal(order(p, "fake", PENDING_POSTPONED), "a b c");
	assert_int_equal(count(p, "fake"), 7);
	assert_int_equal(pending_first(p->s, "fake", PENDING_POSTPONED, NULL, 0, &one, p->a, &p->d), 1);
	assert_true(one.count == 5 && one.run == p->run);
	assert_string_equal(one.key, "k");
	assert_string_equal(one.framework, "torch");
	assert_string_equal(one.versions, "{}");
	assert_true(pending_settle(p->s, &one, f.id, &p->d));
	assert_int_equal(store_get(p->s, f.id, &f, p->a, &p->d), 1);
	assert_int_equal(f.count, 1 + 4); /* the failure itself was counted when it was examined */
	assert_string_equal(order(p, "fake", PENDING_POSTPONED), "b c");
	assert_int_equal(pending_first(p->s, "fake", PENDING_POSTPONED, NULL, 0, &one, p->a, &p->d), 1);
	assert_true(pending_settle(p->s, &one, 0, &p->d));
	assert_int_equal(store_get(p->s, f.id, &f, p->a, &p->d), 1);
	assert_int_equal(f.count, 5);
}

static void accepted_invalid_calls_come_after_others(void **state)
{
	place *p = *state;
	add_kind(p, "accepts-invalid", "k", "a");
	add_kind(p, "inconsistency", "l", "b");
	add_kind(p, "inconsistency", "l", "c");
	assert_string_equal(order(p, "fake", PENDING_POSTPONED), "b a c");
}

static void postponed_ones_come_last(void **state)
{
	place *p = *state;
	pending one;
	add(p, p->run, "k", "a");
	add(p, p->run, "l", "b");
	assert_int_equal(pending_first(p->s, "fake", PENDING_POSTPONED, NULL, 0, &one, p->a, &p->d), 1);
	assert_true(pending_postpone(p->s, one.id, &p->d));
	assert_string_equal(order(p, "fake", PENDING_POSTPONED), "b");
	assert_string_equal(order(p, "fake", INT64_MAX), "b a");
	assert_int_equal(count(p, "fake"), 2);
	int64_t end;
	assert_true(pending_end(p->s, &end, &p->d));
	assert_true(pending_postpone(p->s, one.id, &p->d)); /* not again before `end` */
	assert_string_equal(order(p, "fake", end), "b");
	assert_string_equal(order(p, "fake", INT64_MAX), "b a");
}

static bool put_backend(void *context, const char *backend, const char *framework, int64_t n)
{
	char *text = context;
	sprintf(text + strlen(text), "%s %s %d, ", backend, framework, (int)n);
	return true;
}

static void backends_are_listed(void **state)
{
	place *p = *state;
	char text[128] = "";
	add(p, p->other, "m", "d");
	add(p, p->run, "k", "a");
	add(p, p->run, "l", "a");
	assert_true(pending_each_backend(p->s, put_backend, text, &p->d));
	assert_string_equal(text, "fake torch 2, other torch 1, ");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(new_keys_come_first), TEST(few_models_of_a_key_wait),
	    TEST(accepted_invalid_calls_come_after_others), TEST(postponed_ones_come_last), TEST(backends_are_listed)};
	return cmocka_run_group_tests_name("pending", tests, NULL, NULL);
}

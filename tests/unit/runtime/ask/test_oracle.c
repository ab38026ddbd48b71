/* The oracle's client against oracles that die, hang, stall or answer nonsense. Each is a short sh command. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "clock.h"
#include "oracle.h"

#define ECHO "while read -r l; do echo \"{\\\"said\\\":\\\"$l\\\"}\"; done"

typedef struct heard {
	char text[256]; /* the answers, a letter per line; '-' for a lost one */
	int next;
	bool refuse;
} heard;

static bool take(void *user, int line, const cJSON *answer, diag *d)
{
	heard *h = user;
	const cJSON *said = cJSON_GetObjectItem(answer, "said");
	assert_true(line == h->next || line == 0); /* 0: all lines are sent again */
	h->next = line + 1;
	strcat(h->text, !answer ? "-" : cJSON_IsString(said) ? said->valuestring : "?");
	return !h->refuse || diag_set(d, "rejected by the test");
}

static bool ask(oracle_options options, bool whole, heard *h, diag *d)
{
	static const char *const LINES[] = {"a", "b", "c", "d"};
	oracle *o = oracle_new(&options);
	*d = (diag){""};
	bool ok = oracle_ask(o, LINES, 4, whole, take, h, d);
	oracle_free(o);
	return ok;
}

static void answers_in_order(void **state)
{
	(void)state;
	diag d;
	heard h = {.next = 0};
	assert_true(ask((oracle_options){.command = ECHO}, false, &h, &d));
	assert_string_equal(h.text, "abcd");
}

static void is_asked_again(void **state)
{
	(void)state;
	static const char *const ONE[] = {"e"};
	diag d = {""};
	heard h = {.next = 0};
	oracle *o = oracle_new(&(oracle_options){.command = ECHO});
	for (int i = 0; i < 3; i++, h.next = 0)
		assert_true(oracle_ask(o, ONE, 1, false, take, &h, &d));
	assert_string_equal(h.text, "eee");
	oracle_free(o);
}

static void without_restarts_a_death_is_the_end(void **state)
{
	(void)state;
	static const char *const CASES[][3] = {{"exit 7", "ended with exit code 7", ""},
	    {"exit 0", "ended with exit code 0", ""}, {"kill -9 $$", "killed by signal 9", ""},
	    {"read -r x; echo '{\"said\":\"a\"}'; exit 3", "exit code 3", "a"},
	    {"echo nonsense; sleep 1000", "not JSON: 'nonsense'", ""},
	    {"echo 5; sleep 1000", "not JSON: '5'", ""}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		diag d;
		heard h = {.next = 0};
		assert_false(ask((oracle_options){.command = CASES[i][0]}, false, &h, &d));
		if (!strstr(d.text, CASES[i][1]))
			fail_msg("%s: '%s'", CASES[i][0], d.text);
		assert_string_equal(h.text, CASES[i][2]);
	}
}

/* Each answer has a time limit, whatever the oracle prints. Its remaining children do not delay the client. */
static void silence_is_bounded(void **state)
{
	(void)state;
	static const char *const SILENT[] = {"exec sleep 1000", "trap '' TERM HUP; sleep 1000 & wait",
	    "while :; do printf x; done", "exec sleep 1000 <&-"};
	for (size_t i = 0; i < sizeof SILENT / sizeof *SILENT; i++) {
		diag d;
		heard h = {.next = 0};
		double begin = clock_seconds();
		assert_false(ask(
		    (oracle_options){.command = SILENT[i], .silence = 0.3}, false, &h, &d));
		assert_non_null(strstr(d.text, "did not answer within 0.3 s"));
		assert_true(clock_seconds() < begin + 10);
	}
}

static void a_death_costs_one_question(void **state)
{
	(void)state;
	diag d;
	heard h = {.next = 0};
	const char *command = "while read -r l; do [ $l = c ] && exit 1; echo \"{\\\"said\\\":\\\"$l\\\"}\"; done";
	assert_true(ask((oracle_options){.command = command, .restarts = true}, false, &h, &d));
	assert_string_equal(h.text, "ab-d");
}

/* Without remaining lines, the oracle is not started again. The file gets a line for each start. */
static void a_death_at_the_end_starts_nothing(void **state)
{
	(void)state;
	char file[] = "/tmp/rulefuzz-oracle-XXXXXX", command[512];
	int lives = mkstemp(file);
	diag d;
	heard h = {.next = 0};
	snprintf(command, sizeof command,
	    "echo >>%s; while read -r l; do [ $l = d ] && exit 1; echo \"{\\\"said\\\":\\\"$l\\\"}\"; done", file);
	assert_true(ask((oracle_options){.command = command, .restarts = true}, false, &h, &d));
	assert_string_equal(h.text, "abc-");
	assert_int_equal(lseek(lives, 0, SEEK_END), 1);
	close(lives);
	unlink(file);
}

/* The first process creates the file, from which later ones know that they are not the first. */
static void what_belongs_together_is_asked_again(void **state)
{
	(void)state;
	char file[] = "/tmp/rulefuzz-oracle-XXXXXX", command[512];
	close(mkstemp(file));
	diag d;
	heard h = {.next = 0};
	snprintf(command, sizeof command,
	    "while read -r l; do [ $l = c ] && [ -e %s ] && rm %s && exit 1;"
	    "echo \"{\\\"said\\\":\\\"$l\\\"}\"; done",
	    file, file);
	assert_true(ask((oracle_options){.command = command, .restarts = true}, true, &h, &d));
	assert_string_equal(h.text, "ababcd");
	assert_int_equal(access(file, F_OK), -1);
}

static void restarts_have_an_end(void **state)
{
	(void)state;
	static const char *const CASES[][2] = {
	    {"exit 1", "ended 3 times without an answer: exit 1"},
	    {"exit 5", "cannot start (exit code 5)"}, {"/nonexistent", "exit code 127"},
	    {"echo nonsense", "ended 3 times"}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		diag d;
		heard h = {.next = 0};
		assert_false(ask((oracle_options){.command = CASES[i][0], .restarts = true}, false,
		    &h, &d));
		if (!strstr(d.text, CASES[i][1]))
			fail_msg("%s: '%s'", CASES[i][0], d.text);
	}
	diag d;
	heard h = {.next = 0};
	double begin = clock_seconds();
	assert_false(ask((oracle_options){.command = "exec sleep 1000", .silence = 0.2, .restarts = true},
	    false, &h, &d));
	assert_non_null(strstr(d.text, "ended 3 times"));
	assert_true(clock_seconds() < begin + 10);
}

static void the_caller_may_refuse(void **state)
{
	(void)state;
	diag d;
	heard h = {.refuse = true};
	assert_false(ask((oracle_options){.command = ECHO, .restarts = true}, false, &h, &d));
	assert_string_equal(h.text, "a");
	assert_non_null(strstr(d.text, "rejected by the test"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(answers_in_order),
	    cmocka_unit_test(is_asked_again), cmocka_unit_test(without_restarts_a_death_is_the_end),
	    cmocka_unit_test(silence_is_bounded), cmocka_unit_test(a_death_costs_one_question),
	    cmocka_unit_test(a_death_at_the_end_starts_nothing), cmocka_unit_test(what_belongs_together_is_asked_again),
	    cmocka_unit_test(restarts_have_an_end), cmocka_unit_test(the_caller_may_refuse)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Judgements and their keys. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "verdict.h"

static void same(const char *message, const char *want)
{
	buf b = {0};
	normalise(message, 60, &b);
	assert_string_equal(b.text, want);
	buf_free(&b);
}

static void normalises(void **state)
{
	(void)state;
	same("shape [1, 2, 30] at 0x7fe0", "shape [N] at @");
	same("in /tmp/x1/k.cpp:12: buf10  is\n bad", "in @:N: bufN is bad");
	same("1.5 of 2", "N of N");
	same("a/b and / alone", "a/b and / alone");
	same("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\xe2\x80\xa6yyyy",
	    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
}

static judge make(const char *argv[5], const char *mode)
{
	argv[0] = "sh";
	argv[1] = "tests/data/backends/fake.sh";
	argv[2] = mode;
	argv[3] = NULL;
	return (judge){
	    .options = {.argv = argv, .start_seconds = 10, .call_seconds = 1, .stop_fd = -1},
	    .backend = "fake-x"};
}

static judgement check(judge *by, int index)
{
	char model[64];
	diag d = {""};
	judgement j;
	snprintf(model, sizeof model, "{\"index\":%d,\"nodes\":[]}", index);
	if (!judge_model(by, model, &j, &d))
		fail_msg("%s", d.text);
	return j;
}

static void judges(void **state)
{
	(void)state;
	static const struct {
		const char *mode;
		enum verdict verdict;
		const char *key;
	} CASES[] = {{"ok", VERDICT_ok, NULL}, {"crash", VERDICT_crash, "crash|fake-x|compile|11"},
	    {"exit", VERDICT_crash, "crash|fake-x|run|0"},
	    {"leave", VERDICT_crash, "crash|fake-x|run|0"},
	    {"hang", VERDICT_hang, "hang|fake-x|run|0"}, {"early", VERDICT_lost, NULL},
	    {"garble", VERDICT_lost, NULL}, {"invalid", VERDICT_invalid, NULL},
	    {"error", VERDICT_error,
		"error|fake-x|FakeError|fake.py:lower|cannot lower shape [N] at @"},
	    {"unsupported", VERDICT_unsupported,
		"unsupported|fake-x|FakeError|fake.py:lower|cannot lower shape [N] at @"},
	    {"differ", VERDICT_inconsistency, "inconsistency|fake-x|fake.op|elements"}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		const char *argv[5];
		judge by = make(argv, CASES[i].mode);
		judgement j = check(&by, 3);
		if (j.verdict != CASES[i].verdict)
			fail_msg("%s: %s", CASES[i].mode, verdict_name(j.verdict));
		if (CASES[i].key)
			assert_string_equal(j.key, CASES[i].key);
		else
			assert_null(j.key);
		judgement_free(&j);
		j = check(&by, 4); /* a new worker where the old one went */
		assert_int_equal(j.verdict, VERDICT_ok);
		assert_true(judgement_time(&j, "compile") == 2);
		judgement_free(&j);
		judge_close(&by);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(normalises), cmocka_unit_test(judges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Judgements and their keys. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "verdict.h"

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
	    {"garble", VERDICT_lost, NULL}, {"invalid", VERDICT_rejected, NULL},
	    {"internal", VERDICT_internal, NULL},
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

/* Many models by one request; undecided ones alone, and all alone if the worker dies. */
static void judges_many(void **state)
{
	(void)state;
	static const struct {
		const char *mode;
		enum verdict verdicts[3];
		int starts;
	} CASES[] = {{"many", {VERDICT_ok, VERDICT_ok, VERDICT_inconsistency}, 1},
	    {"steady", {VERDICT_ok, VERDICT_ok, VERDICT_unspecified}, 1},
	    {"fall", {VERDICT_ok, VERDICT_ok, VERDICT_ok}, 2}, {"ok", {VERDICT_ok, VERDICT_ok, VERDICT_ok}, 1}};
	char one[] = "{\"index\":1,\"nodes\":[]}", two[] = "{\"index\":2,\"nodes\":[]}", four[] = "{\"index\":4,\"nodes\":[]}";
	char *models[] = {one, two, four};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		const char *argv[5];
		judge by = make(argv, CASES[i].mode);
		judgement js[3];
		diag d = {""};
		assert_true(judge_models(&by, models, 3, js, &d));
		for (int k = 0; k < 3; k++)
			assert_int_equal(js[k].verdict, CASES[i].verdicts[k]);
		assert_int_equal(by.starts, CASES[i].starts);
		if (js[2].key)
			assert_string_equal(js[2].key, "inconsistency|b|x|shape");
		assert_string_equal(judgement_backend(&js[2], "fake-x"), js[2].key ? "b" : "fake-x");
		for (int k = 0; k < 3; k++)
			judgement_free(&js[k]);
		judge_close(&by);
	}
	const char *argv[5];
	judge by = make(argv, "dead");
	judgement js[3];
	diag d = {""};
	assert_false(judge_models(&by, models, 3, js, &d));
	judge_close(&by);
}

static void expect_counts(const judge *by, int64_t screened, int64_t passed_on, int64_t starts)
{
	assert_int_equal(by->screened, screened);
	assert_int_equal(by->passed_on, passed_on);
	assert_int_equal(by->starts, starts);
}

static judgement look(judge *by, int index)
{
	char model[64];
	diag d = {""};
	judgement j;
	snprintf(model, sizeof model, "{\"index\":%d,\"nodes\":[]}", index);
	if (!judge_screened(by, model, &j, &d))
		fail_msg("%s", d.text);
	return j;
}

/* The full oracle decides unless the fast path answers ok or unsupported. */
static void looks_first(void **state)
{
	(void)state;
	static const struct {
		const char *screen, *judge;
		enum verdict verdict;
		bool settled, ends;
	} CASES[] = {{"ok", "differ", VERDICT_ok, true, false},
	    {"unsupported", "ok", VERDICT_unsupported, true, false},
	    {"differ", "ok", VERDICT_ok, false, false},
	    {"error", "differ", VERDICT_inconsistency, false, false},
	    {"crash", "ok", VERDICT_ok, false, true}, {"crash", "crash", VERDICT_crash, false, true},
	    {"hang", "ok", VERDICT_ok, false, true}, {"garble", "error", VERDICT_error, false, true},
	    {"early", "invalid", VERDICT_rejected, false, true}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		const char *argv[5], *screen_argv[5];
		judge by = make(argv, CASES[i].judge);
		by.screen = make(screen_argv, CASES[i].screen).options;
		assert_null(judge_versions(&by));
		judgement j = look(&by, 3);
		if (j.verdict != CASES[i].verdict)
			fail_msg("%s, %s: %s", CASES[i].screen, CASES[i].judge, verdict_name(j.verdict));
		judgement_free(&j);
		assert_non_null(judge_versions(&by));
		expect_counts(&by, CASES[i].settled, !CASES[i].settled, !CASES[i].settled);
		j = look(&by, 4); /* the fast path restarts; the full oracle is not needed */
		assert_int_equal(j.verdict, VERDICT_ok);
		judgement_free(&j);
		expect_counts(&by, 1 + CASES[i].settled, !CASES[i].settled, !CASES[i].settled);
		assert_int_equal(by.screen_starts, 1 + CASES[i].ends);
		judge_close(&by);
	}
}

/* A model that hangs in the fast path costs its limit and twice that, not the limit of the full oracle. */
static void a_hang_costs_little(void **state)
{
	(void)state;
	const char *argv[5], *screen_argv[5];
	judge by = make(argv, "hang");
	by.screen = make(screen_argv, "hang").options;
	by.screen.call_seconds = 0.5;
	by.options.call_seconds = 100;
	judgement j = look(&by, 3);
	assert_int_equal(j.verdict, VERDICT_hang);
	assert_true(j.seconds >= 1 && j.seconds < 20);
	judgement_free(&j);
	assert_true(by.options.call_seconds == 100);
	by.screen = make(screen_argv, "ok").options;
	j = look(&by, 4);
	assert_int_equal(j.verdict, VERDICT_ok);
	judgement_free(&j);
	judge_close(&by);
	by = make(argv, "hang"); /* the other way round: the full oracle keeps a limit that is less */
	by.screen = make(screen_argv, "hang").options;
	by.screen.call_seconds = 1;
	by.options.call_seconds = 0.5;
	j = look(&by, 3);
	assert_true(j.verdict == VERDICT_hang && j.seconds < 1.5);
	judgement_free(&j);
	judge_close(&by);
}

static void does_without_a_screen(void **state)
{
	(void)state;
	const char *argv[5], *screen_argv[5];
	judge by = make(argv, "ok");
	by.screen = make(screen_argv, "dead").options;
	for (int i = 1; i < 3; i++) {
		judgement j = look(&by, i);
		assert_int_equal(j.verdict, VERDICT_ok);
		judgement_free(&j);
		assert_null(by.screen.argv);
		expect_counts(&by, 0, 0, 1);
	}
	judge_close(&by);
}

/* A step of a reduction: the fast path decides it, uncounted, unless the failure ends a process or is of a kernel on both sides. */
static void steps(void **state)
{
	(void)state;
	static const struct {
		enum verdict failed;
		const char *answer;
		enum verdict verdict;
	} CASES[] = {{VERDICT_inconsistency, "{}", VERDICT_ok}, {VERDICT_inconsistency, "{\"renewed\":true}", VERDICT_inconsistency},
	    {VERDICT_error, "{}", VERDICT_ok}, {VERDICT_crash, "", VERDICT_inconsistency},
	    {VERDICT_hang, "", VERDICT_inconsistency}, {VERDICT_memory, "", VERDICT_inconsistency}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		const char *argv[5], *screen_argv[5];
		diag d = {""};
		judgement j;
		judge by = make(argv, "differ");
		by.screen = make(screen_argv, "ok").options;
		judgement failed = {.verdict = CASES[i].failed, .answer = cJSON_Parse(CASES[i].answer)};
		assert_true(judge_step(&by, "{\"index\":3,\"nodes\":[]}", &failed, &j, &d));
		assert_int_equal(j.verdict, CASES[i].verdict);
		cJSON_Delete(failed.answer);
		expect_counts(&by, 0, 0, CASES[i].verdict != VERDICT_ok);
		judgement_free(&j);
		judge_close(&by);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(judges),
	    cmocka_unit_test(judges_many), cmocka_unit_test(looks_first), cmocka_unit_test(a_hang_costs_little), cmocka_unit_test(steps), cmocka_unit_test(does_without_a_screen)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

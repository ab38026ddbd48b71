/* Judgements, their keys and signatures, and the reductions of a model. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "triage.h"

/* 0 ─► a ─► 1 ─► b ─► 2,3 ─► c ─► 4 (output); 1 ─► d ─► 5 (output); input 9 goes to c only */
static const char MODEL[] =
    "{\"model\":1,\"index\":4,\"values\":18446744073709551615,\"inputs\":["
    "{\"id\":0,\"shape\":[2],\"dtype\":\"float32\"},{\"id\":9,\"shape\":[1],\"dtype\":\"int64\"}],"
    "\"nodes\":["
    "{\"op\":\"a-0\",\"api\":\"t.a\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":0}}]"
    ","
    "\"outputs\":[{\"id\":1,\"shape\":[2],\"dtype\":\"float32\"}]},"
    "{\"op\":\"b-0\",\"api\":\"t.b\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":1}},"
    "{\"name\":\"n\",\"pos\":false,\"value\":9223372036854775807}],"
    "\"outputs\":[{\"id\":2,\"shape\":[2],\"dtype\":\"float32\"},{\"id\":3,\"shape\":[2],\"dtype\":"
    "\"float32\"}]},"
    "{\"op\":\"c-0\",\"api\":\"t.c\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":[{\"ref\":2},"
    "[{\"ref\":9}]]}],"
    "\"outputs\":[{\"id\":4,\"shape\":[2],\"dtype\":\"float32\"}]},"
    "{\"op\":\"d-0\",\"api\":\"t.a\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":1}}]"
    ","
    "\"outputs\":[{\"id\":5,\"shape\":[2],\"dtype\":\"float32\"}]}],\"outputs\":[4,5]}";

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

static void cuts_models(void **state)
{
	(void)state;
	char *m = model_up_to_node(MODEL, 3);
	assert_int_equal(model_count(m, "nodes"), 2);
	assert_int_equal(model_count(m, "inputs"), 1);
	assert_int_equal(model_count(m, "outputs"), 1);
	assert_non_null(strstr(m, "\"values\":18446744073709551615"));
	free(m);
	m = model_up_to_node(MODEL, 1);
	assert_non_null(strstr(m, "\"outputs\":[2,3]"));
	assert_non_null(strstr(m, "\"value\":9223372036854775807"));
	free(m);
	assert_null(model_up_to_node(MODEL, 4));
	assert_null(model_up_to_node("[]", 0));
	assert_null(model_up_to_node("no json", 0));
}

static void takes_nodes_out(void **state)
{
	(void)state;
	char *m = model_without_node(MODEL, 1); /* 2 becomes an input, 3 is not used */
	assert_int_equal(model_count(m, "nodes"), 3);
	assert_int_equal(model_count(m, "inputs"), 3);
	assert_non_null(strstr(m, "{\"id\":2,\"shape\":[2],\"dtype\":\"float32\"}]"));
	free(m);
	m = model_without_node(MODEL, 2); /* its output goes, and input 9 with it */
	assert_non_null(strstr(m, "\"outputs\":[5]}"));
	assert_int_equal(model_count(m, "inputs"), 1);
	char *none = model_without_node(m, 2); /* the last output */
	assert_null(none);
	free(m);
	m = model_apis(MODEL);
	assert_string_equal(m, "t.a + t.b + t.c");
	free(m);
}

static oracle make(const char *argv[5], const char *mode, const char *file)
{
	argv[0] = "sh";
	argv[1] = "tests/data/backends/fake.sh";
	argv[2] = mode;
	argv[3] = file;
	argv[4] = NULL;
	return (oracle){
	    .options = {.argv = argv, .start_seconds = 10, .call_seconds = 1, .stop_fd = -1},
	    .backend = "fake-x"};
}

static judgement check(oracle *o, int index)
{
	char model[64];
	diag d = {""};
	judgement j;
	snprintf(model, sizeof model, "{\"index\":%d,\"nodes\":[]}", index);
	if (!oracle_check(o, model, &j, &d))
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
	    {"hang", VERDICT_hang, "hang|fake-x|run|0"}, {"early", VERDICT_lost, NULL},
	    {"garble", VERDICT_lost, NULL}, {"invalid", VERDICT_invalid, NULL},
	    {"error", VERDICT_error,
		"error|fake-x|FakeError|fake.py:lower|cannot lower shape [N] at @"},
	    {"unsupported", VERDICT_unsupported,
		"unsupported|fake-x|FakeError|fake.py:lower|cannot lower shape [N] at @"},
	    {"differ", VERDICT_inconsistency, "inconsistency|fake-x|fake.op|elements"}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		const char *argv[5];
		oracle o = make(argv, CASES[i].mode, NULL);
		judgement j = check(&o, 3);
		if (j.verdict != CASES[i].verdict)
			fail_msg("%s: %s", CASES[i].mode, verdict_name(j.verdict));
		if (CASES[i].key)
			assert_string_equal(j.key, CASES[i].key);
		else
			assert_null(j.key);
		judgement_free(&j);
		j = check(&o, 4); /* a new worker where the old one went */
		assert_int_equal(j.verdict, VERDICT_ok);
		assert_true(judgement_time(&j, "compile") == 2);
		judgement_free(&j);
		oracle_close(&o);
	}
}

static void the_same_fault_has_one_key(void **state)
{
	(void)state;
	const char *argv[5];
	oracle o = make(argv, "error", NULL);
	judgement a = check(&o, 3), b = check(&o, 5);
	assert_true(same_failure(&a, &b));
	assert_string_equal(a.key, b.key);
	assert_true(strcmp(a.message, b.message) != 0);
	char *title = failure_title(&a, "fake-x", "fake.op"),
	     *name = failure_signature(&a, "fake.op");
	assert_string_equal(
	    title, "fake-x: error in fake.op: FakeError: cannot lower shape [N] at @");
	assert_string_equal(
	    name, "error|fake-x|FakeError|fake.py:lower|cannot lower shape [N] at @|fake.op");
	free(title);
	free(name);
	judgement_free(&a);
	judgement_free(&b);
	oracle_close(&o);
}

/* A crash that happens once is no finding: nothing fails the second time. */
static void what_does_not_happen_again_is_dropped(void **state)
{
	(void)state;
	const char *argv[5];
	char file[] = "/tmp/rulefuzz-once-XXXXXX";
	close(mkstemp(file));
	unlink(file);
	oracle o = make(argv, "once", file);
	judgement first = check(&o, 3);
	assert_int_equal(first.verdict, VERDICT_crash);
	assert_int_equal(first.signal, SIGKILL);
	triage t;
	diag d = {""};
	assert_true(triage_reduce(&o, "{\"index\":3,\"nodes\":[]}", &first, 5, &t, &d));
	assert_false(t.again);
	triage_free(&t);
	judgement_free(&first);
	oracle_close(&o);
	unlink(file);
}

static void reduces_and_confirms(void **state)
{
	(void)state;
	const char *argv[5];
	oracle o = make(argv, "crash", NULL), fresh = make(argv, "crash", NULL);
	char *model = strdup(MODEL), *at = strstr(model, "\"index\":4");
	at[8] = '3';
	diag d = {""};
	judgement first;
	triage t;
	bool confirmed;
	assert_true(oracle_check(&o, model, &first, &d));
	assert_true(triage_reduce(&o, model, &first, 10, &t, &d));
	assert_true(t.again);
	assert_int_equal(t.nodes, 1);
	assert_string_equal(t.apis, "t.a");
	assert_string_equal(t.signature, "crash|fake-x|compile|11|t.a");
	assert_true(triage_confirm(&fresh, model, &first, &t, &confirmed, &d));
	assert_true(confirmed);
	assert_string_equal(t.script, "print(\"repro\")\n");
	assert_null(fresh.worker);
	triage_free(&t);
	judgement_free(&first);
	oracle_close(&o);
	free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(normalises),
	    cmocka_unit_test(cuts_models), cmocka_unit_test(takes_nodes_out),
	    cmocka_unit_test(judges), cmocka_unit_test(the_same_fault_has_one_key),
	    cmocka_unit_test(what_does_not_happen_again_is_dropped),
	    cmocka_unit_test(reduces_and_confirms)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The results of a finding, out of the worker's sentence; ages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explain.h"
#include "results.h"
#include "small_model.h"

static void split(void **state)
{
	(void)state;
	arena *a = arena_new();
	results_values v = results_split("3 of 24 elements, first at [0, 1]: 1.0 instead of (2+3j); why", a);
	assert_string_equal(v.got, "1.0");
	assert_string_equal(v.expected, "(2+3j)");
	assert_string_equal(v.where, "[0, 1]");
	assert_string_equal(v.share, "3 of 24 elements");
	v = results_split("shape [1, 2] instead of [2]", a);
	assert_string_equal(v.got, "shape [1, 2]");
	assert_string_equal(v.expected, "[2]");
	assert_string_equal(v.where, "");
	v = results_split("raises", a);
	assert_string_equal(v.expected, "");
	arena_free(a);
}

/* A value of a reference that is wrong is not called expected. */
static void wrong_references(void **state)
{
	(void)state;
	static const struct {
		const char *detail, *wanted;
	} CASES[] = {
	    {"{\"first\":{\"how\":\"1.0 instead of 2.0; a second reference agrees with the target\",\"wrong\":\"reference\"}}",
		"reference=2.0 target=1.0 "},
	    {"{\"first\":{\"how\":\"shape [1] instead of [2]\"}}", "expected=[2] actual=shape [1] "},
	    {"{\"first\":{\"how\":\"depends\",\"wrong\":\"reference\",\"cause\":\"uninitialized-memory\",\"values\":[\"0.0\",\"7.5\"]}}",
		"reference's result=depends on uninitialized memory (0.0, then 7.5) "},
	    {"{\"first\":{\"how\":\"1.0 instead of 2.0\",\"wrong\":\"target\",\"cause\":\"nondeterministic\",\"values\":[]}}",
		"target's result=is nondeterministic "},
	    {"{\"first\":{\"how\":\"is missing\"}}", "difference=is missing "},
	    {"{\"error\":{\"type\":\"E\",\"message\":\"m\",\"where\":\"f\"}}",
		"expected=the same results as the reference actual=E message=m raised in=f "}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		finding f = {.kind = "inconsistency", .detail = CASES[i].detail};
		result_fact facts[RESULTS_MOST];
		arena *a = arena_new();
		buf b = {0};
		int n = results_of(&f, a, facts);
		for (int k = 0; k < n; k++)
			buf_printf(&b, "%s=%s ", facts[k].name, facts[k].text);
		assert_string_equal(buf_text(&b), CASES[i].wanted);
		buf_free(&b);
		arena_free(a);
	}
	finding f = {.kind = "accepts-invalid", .detail = "{\"error\":{\"type\":\"E\",\"message\":\"no axis 3\"}}"};
	result_fact facts[RESULTS_MOST];
	arena *a = arena_new();
	assert_int_equal(results_of(&f, a, facts), 2);
	assert_string_equal(facts[0].text, "rejects the model: E: no axis 3");
	assert_string_equal(facts[1].text, "accepts it");
	arena_free(a);
}

static void age_of(const char *found, const char *wanted)
{
	buf b = {0};
	explain_age(found, 1763856000 /* 2025-11-23 00:00:00 */, &b);
	assert_string_equal(b.text ? b.text : "", wanted);
	buf_free(&b);
}

static void ages(void **state)
{
	(void)state;
	age_of("2025-11-22T23:59:30Z", "now");
	age_of("2025-11-23T00:01:00Z", "now"); /* another machine's clock */
	age_of("2025-11-22T23:59:01Z", "now");
	age_of("2025-11-22T23:59:00Z", "1 min");
	age_of("2025-11-22T23:00:01Z", "59 min");
	age_of("2025-11-22T23:00:00Z", "1 h");
	age_of("2025-11-22T00:00:01Z", "23 h");
	age_of("2025-11-22T00:00:00Z", "1 d");
	age_of("2025-11-22T22:00:00Z", "2 h");
	age_of("2025-11-13T00:00:00Z", "10 d");
	age_of("yesterday", "");
	age_of("2025-11-22T23:59:30Zx", "");
}

static void words(void **state)
{
	(void)state;
	finding f = {.id = 7, .bucket = "s", .kind = "inconsistency", .backend = "b", .status = "open", .title = "ti\x1btle", .pass = "", .log = "",
	    .apis = "t.a", .model = SMALL_MODEL, .original = "", .script = "x", .short_script = "y", .versions = "{\"b\":\"1\"}",
	    .detail = "{\"first\":{\"id\":2,\"node\":0,\"api\":\"t.a\",\"how\":\"1 of 2 elements, first at [1]: 5.0 instead of 4.0\","
		      "\"wrong\":\"target\",\"confirmed\":\"float64\"},\"tolerance\":\"measured\"}"};
	static const char *const WANTED[] = {"expected             4.0\n", "actual               5.0\n", "first at             [1]\n",
	    "mismatched elements  1 of 2\n", "t2, float32[2], computed by t.a",
	    "1e-05 + 1.3e-06 × the expected", "16 × the rounding error measured on this model", "agrees with the reference: the target is wrong",
	    "64-bit run           agrees with the reference", "fresh process        yes",
	    "t2: float32[2] = t.a(t0)", "ti\\x1btle"};
	arena *a = arena_new();
	buf out = {0};
	assert_true(explain_finding(&f, a, &out));
	for (size_t i = 0; i < sizeof WANTED / sizeof *WANTED; i++)
		if (!strstr(out.text, WANTED[i]))
			fail_msg("no '%s' in\n%s", WANTED[i], out.text);
	buf_clear(&out);
	f.detail = "", f.model = "nothing", f.kind = "crash", f.short_script = "";
	assert_true(explain_finding(&f, a, &out));
	assert_non_null(strstr(out.text, "the worker process ended before it answered"));
	assert_non_null(strstr(out.text, "no short script"));
	buf_free(&out);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(split), cmocka_unit_test(ages), cmocka_unit_test(words),
	    cmocka_unit_test(wrong_references)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

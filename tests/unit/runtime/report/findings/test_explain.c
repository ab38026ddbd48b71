/* What a finding says, taken out of the worker's sentence; ages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explain.h"
#include "small_model.h"

static void split(void **state)
{
	(void)state;
	arena *a = arena_new();
	explain_values v = explain_split("3 of 24 elements, first at [0, 1]: 1.0 instead of (2+3j); two runs of the reference", a);
	assert_string_equal(v.got, "1.0");
	assert_string_equal(v.expected, "(2+3j)");
	assert_string_equal(v.where, "[0, 1]");
	assert_string_equal(v.share, "3 of 24 elements");
	v = explain_split("shape [1, 2] instead of [2]", a);
	assert_string_equal(v.got, "shape [1, 2]");
	assert_string_equal(v.expected, "[2]");
	assert_string_equal(v.where, "");
	v = explain_split("raises", a);
	assert_string_equal(v.expected, "");
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
	finding f = {.id = 7, .bucket = "s", .kind = "inconsistency", .backend = "b", .status = "open", .title = "ti\x1btle",
	    .apis = "t.a", .model = SMALL_MODEL, .original = "", .script = "x", .short_script = "y", .versions = "{\"b\":\"1\"}",
	    .detail = "{\"first\":{\"id\":2,\"node\":0,\"api\":\"t.a\",\"how\":\"1 of 2 elements, first at [1]: 5.0 instead of 4.0\","
		      "\"wrong\":\"target\",\"confirmed\":\"float64\"},\"tolerance\":\"measured\"}"};
	static const char *const WANTED[] = {"expected   4.0\n", "actual     5.0\n", "first at   [1]\n", "t2, float32[2], which t.a makes",
	    "1e-05 + 1.3e-06 times", "a second implementation of the call agrees with the reference", "computed in 64 bits agrees",
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
	assert_non_null(strstr(out.text, "the worker ended before it could give one"));
	assert_non_null(strstr(out.text, "no short script"));
	buf_free(&out);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(split), cmocka_unit_test(ages), cmocka_unit_test(words)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

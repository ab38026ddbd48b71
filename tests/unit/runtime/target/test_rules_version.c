/* What a run prints of versions that are not those of the rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "framework.h"
#include "rules_version.h"

static void assert_note(const char *framework, const char *versions, const char *wanted)
{
	buf note = {0};
	rules_version_note(framework, versions, &note);
	assert_string_equal(buf_text(&note), wanted);
	buf_free(&note);
}

/* The version that frameworks.def has of a distribution. */
static void pinned(const char *framework, const char *distribution, char version[32])
{
	char format[64];
	const char *at = strstr(framework_requirements(framework), distribution);
	snprintf(format, sizeof format, "%s==%%31[^ ]", distribution);
	assert_non_null(at);
	assert_int_equal(sscanf(at, format, version), 1);
}

static void other_versions_are_named(void **state)
{
	(void)state;
	char version[32], json[128], wanted[128];
	pinned("onnx", "onnxruntime", version);
	snprintf(wanted, sizeof wanted, "onnxruntime 999.0, rules learned from %s", version);
	assert_note("onnx", "{\"onnxruntime\":\"999.0\",\"tract\":\"0.1\"}", wanted);
	snprintf(json, sizeof json, "{\"onnxruntime\":\"%s\"}", version);
	assert_note("onnx", json, "");
	pinned("tensorflow", "tensorflow-cpu", version);
	snprintf(wanted, sizeof wanted, "tensorflow-cpu 1.0, rules learned from %s", version);
	assert_note("tensorflow", "{\"tensorflow\":\"1.0\"}", wanted);
}

static void local_parts_do_not_count(void **state)
{
	(void)state;
	char version[32], json[128];
	pinned("torch", "torch", version);
	snprintf(json, sizeof json, "{\"torch\":\"%s+cpu\"}", version);
	assert_note("torch", json, "");
}

static void nothing_is_said_of_what_is_not_known(void **state)
{
	(void)state;
	assert_note("onnx", "{}", "");
	assert_note("onnx", "no json", "");
	assert_note("onnx", "{\"onnxruntime\":7}", "");
	assert_note("nothing", "{\"onnxruntime\":\"999.0\"}", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(other_versions_are_named),
	    cmocka_unit_test(local_parts_do_not_count),
	    cmocka_unit_test(nothing_is_said_of_what_is_not_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

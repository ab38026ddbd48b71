/* framework.h: the APIs that models of a framework may call, and the prefix of its names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "framework.h"
#include "rulesmith.h"

static void names_begin_with_the_module(void **state)
{
	(void)state;
	static const struct {
		const char *framework, *api, *inside;
	} CASES[] = {
	    {"torch", "torch.nn.relu", "nn.relu"}, {"torch", "torchvision.ops.nms", NULL}, {"torch", "tf.abs", NULL},
	    {"tensorflow", "tf.raw_ops.Abs", "raw_ops.Abs"}, {"tensorflow", "tensorflow.abs", NULL}, {"onnx", "onnx.Abs", "Abs"},
	    {"own", "own.f", "f"}, {"torch", "torch", NULL},
	};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		const char *inside = framework_inside(CASES[i].framework, CASES[i].api);
		if (CASES[i].inside)
			assert_string_equal(inside, CASES[i].inside);
		else
			assert_null(inside);
	}
	assert_string_equal(framework_inside_files("onnx.Add_7"), "Add_7");
	assert_null(framework_inside_files("torch.add"));
	assert_null(framework_inside_files("own.f"));
}

/* User-defined functions: the whole name of any in the list, with a dot for the colon. */
static void what_the_environment_allows(void **state)
{
	(void)state;
	static const struct {
		const char *own, *api;
		bool may;
	} CASES[] = {
	    {"mine.ops:up", "mine.ops.up", true}, {"mine.ops:up", "mine.ops.upper", false}, {"mine.ops:upper", "mine.ops.up", false},
	    {"mine.ops:up", "yours.ops.up", false}, {"a:b,mine.ops:up", "mine.ops.up", true}, {"a:b,mine.ops:up", "a.b", true},
	    {"a:b,,c:d", "c.d", true}, {"a:b,", "", false}, {"a:b", "a:b", false}, {"", "a.b", false}, {"", "torch.abs", true},
	    {"a:b", "torch.abs", true},
	};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		setenv("RULEFUZZ_OWN", CASES[i].own, 1);
		assert_int_equal(framework_may_call("torch", CASES[i].api), CASES[i].may);
	}
	unsetenv("RULEFUZZ_OWN");
	assert_false(framework_may_call("torch", "mine.ops.up"));
}

/* Only where models are files do names have versions. */
static void names_without_versions(void **state)
{
	(void)state;
	static const struct {
		const char *framework, *api;
		size_t length;
	} CASES[] = {{"onnx", "onnx.Add_7", 8}, {"onnx", "onnx.Add", 8}, {"onnx", "onnx.LpPool_18", 11}, {"onnx", "onnx.Conv2", 10},
	    {"onnx", "_7", 2}, {"torch", "torch.log_1", 11}, {"own", "own.f_1", 7}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
		assert_int_equal(framework_unversioned(CASES[i].framework, CASES[i].api), CASES[i].length);
}

static void modules_of_scripts(void **state)
{
	(void)state;
	assert_true(framework_is_module("torch.relu", 5) && framework_is_module("tf", 2) && framework_is_module("jax", 3));
	assert_false(framework_is_module("torch.relu", 4) || framework_is_module("torch.relu", 6) || framework_is_module("", 0));
	assert_false(framework_is_module("onnx", 4)); /* files, no scripts */
	assert_string_equal(rs_framework_module("tensorflow"), "tf");
	assert_string_equal(rs_framework_module("own"), "own");
	assert_string_equal(framework_dialect("torch"), "torch");
	assert_string_equal(framework_dialect("own"), "");
	assert_true(framework_has_files("onnx") && !framework_has_files("torch"));
	assert_string_equal(framework_default(), "torch");
	assert_string_equal(framework_requirements("own"), "");
	assert_int_equal(strncmp(framework_requirements("jax"), "jax==", 5), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(names_begin_with_the_module), cmocka_unit_test(what_the_environment_allows),
	    cmocka_unit_test(names_without_versions), cmocka_unit_test(modules_of_scripts)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What each installed library of onnxruntime reads: VENVS/onnx, and other versions where they are installed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "ort_engine.h"
#include "ort_limits.h"
#include "venv.h"

static const struct {
	const char *environment;
	int opset, ir;
} KNOWN[] = {{"onnx", 26, 13}, {"onnxruntime@1.15.1", 18, 9}, {"onnxruntime@1.17.1", 20, 9}, {"onnxruntime@1.20.1", 21, 10},
    {"onnxruntime@1.22.1", 22, 10}, {"onnxruntime@1.24.4", 25, 13}, {"onnxruntime@1.26.0", 26, 13},
    {"onnxruntime@1.32.0", 26, 13}};

static bool find_library(const char *environment, char path[PATH_MAX])
{
	char python[PATH_MAX];
	return venv_python(python, environment, NULL) && ort_find(path, python);
}

static void limits(void **state)
{
	(void)state;
	char path[PATH_MAX];
	int installed = 0;
	for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
		diag d = {""};
		engine e;
		if (!find_library(KNOWN[i].environment, path))
			continue;
		installed++;
		if (!engine_open(&e, path, ORT_OPTIMISE_ALL, &d))
			fail_msg("%s: %s", path, d.text);
		if (e.limits.opset != KNOWN[i].opset || e.limits.ir != KNOWN[i].ir)
			fail_msg("%s: set %d and IR version %d", KNOWN[i].environment, e.limits.opset, e.limits.ir);
		engine_close(&e);
	}
	if (!installed)
		skip();
}

/* A library that reads no file at all limits none: files are then rejected one by one. */
static ort_status *reject(const ort_env *env, const void *model, size_t size, const ort_options *options, ort_session **to)
{
	(void)env, (void)model, (void)size, (void)options, (void)to;
	static int status;
	return (ort_status *)&status;
}

static int code_of(const ort_status *status)
{
	(void)status;
	return 1;
}

static const char *message_of(const ort_status *status)
{
	(void)status;
	return "no";
}

static void release(ort_status *status)
{
	(void)status;
}

static void no_limits(void **state)
{
	(void)state;
	ort fake = {.call = {.create_session = reject, .error_code = code_of, .error_message = message_of, .release_status = release}};
	file_limits found = ort_limits(&fake, NULL, NULL);
	assert_int_equal(found.opset, 0);
	assert_int_equal(found.ir, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(limits), cmocka_unit_test(no_limits)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

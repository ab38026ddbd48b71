/* Target files, and whether their requirements are installed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "target_file.h"

typedef struct place {
	char folder[64], bin[96], python[128];
	char *path;
} place;

static void make_folder(const char *format, const char *folder)
{
	char path[256];
	snprintf(path, sizeof path, format, folder);
	assert_int_equal(mkdir(path, 0755), 0);
}

static void make_file(const char *path, const char *text, mode_t mode)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, mode), 0);
}

static int set_up(void **state)
{
	place *p = calloc(1, sizeof *p);
	char path[160];
	strcpy(p->folder, "/tmp/rulefuzz-target-XXXXXX");
	assert_non_null(mkdtemp(p->folder));
	make_folder("%s/bin", p->folder);
	snprintf(p->bin, sizeof p->bin, "%s/bin", p->folder);
	snprintf(p->python, sizeof p->python, "%s/python", p->bin);
	snprintf(path, sizeof path, "%s/fuzz-tool", p->bin);
	make_file(path, "#!/bin/sh\n", 0755);
	snprintf(path, sizeof path, "%s/no-program", p->bin);
	make_file(path, "text\n", 0644);
	make_folder("%s/lib", p->folder);
	make_folder("%s/lib/python3.11", p->folder);
	make_folder("%s/lib/python3.11/site-packages", p->folder);
	make_folder("%s/lib/python3.11/site-packages/fake_tool-2.13.0+cpu.dist-info", p->folder);
	make_folder("%s/lib/python3.11/site-packages/other-1.0.dist-info", p->folder);
	p->path = getenv("PATH") ? strdup(getenv("PATH")) : NULL;
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	place *p = *state;
	char command[128];
	if (p->path)
		setenv("PATH", p->path, 1);
	snprintf(command, sizeof command, "rm -r '%s'", p->folder);
	int failed = system(command);
	free(p->path);
	free(p);
	return failed;
}

static void with_path(const char *format, const char *folder)
{
	char path[256];
	snprintf(path, sizeof path, format, folder, folder);
	setenv("PATH", path, 1);
}

/* A program may be in any folder of $PATH. A folder or a file that is not executable does not count. */
static void programs(void **state)
{
	place *p = *state;
	char version[64] = "x";
	static const char *const FOUND[] = {"%s", "%s:/nowhere", "/nowhere:%s", "/nowhere:/neither:%s", "/nowhere::%s", "%s:"};
	for (size_t i = 0; i < sizeof FOUND / sizeof *FOUND; i++) {
		with_path(FOUND[i], p->bin);
		if (!is_met(p->python, "program:fuzz-tool", version))
			fail_msg("not found on %s", getenv("PATH"));
		assert_string_equal(version, "");
		assert_false(is_met(p->python, "program:no-program", version));
		assert_false(is_met(p->python, "program:fuzz-too", version));
	}
	static const char *const NOT[] = {"", "/nowhere", "/nowhere:/neither", "%sx", "%sx:%sx"};
	for (size_t i = 0; i < sizeof NOT / sizeof *NOT; i++) {
		with_path(NOT[i], p->bin);
		assert_false(is_met(p->python, "program:fuzz-tool", version));
	}
}

static void distributions(void **state)
{
	place *p = *state;
	char version[64];
	assert_true(is_met(p->python, "fake-tool", version));
	assert_string_equal(version, "2.13.0+cpu");
	assert_true(is_met(p->python, "fake-tool==2.13.0", version)); /* the local version, +cpu, is ignored */
	static const char *const NOT[] = {"fake-tool==2.13", "fake-tool==2.13.0.1", "fake-tool==2.12.0", "fake", "fake-tools", "nothing", "nothing==1.0"};
	for (size_t i = 0; i < sizeof NOT / sizeof *NOT; i++)
		if (is_met(p->python, NOT[i], version))
			fail_msg("%s is met by %s", NOT[i], version);
	assert_true(is_met(p->python, "other>=0.5", version)); /* only pinned versions are compared */
	assert_string_equal(version, "1.0");
}

static void assert_environment(const target *t, const char *name)
{
	char environment[128];
	target_environment(t, environment);
	assert_string_equal(environment, name);
}

static void files(void **state)
{
	place *p = *state;
	target t;
	char path[160];
	snprintf(path, sizeof path, "%s/a_target.py", p->folder);
	make_file(path, "\"\"\"What it is.\n\nMore.\"\"\"\nFRAMEWORK = \"onnx\"\nREQUIRES = (\"fake-tool==2.13.0\", \"program:fuzz-tool\")\nBATCH = 24\nSCREEN = \"onnxruntime\"\nBEFORE = (\"a-b\", \"c\")\n", 0644);
	assert_true(target_read(&t, path, "a-target"));
	assert_string_equal(t.name, "a-target");
	assert_string_equal(t.framework, "onnx");
	assert_string_equal(t.screen, "onnxruntime");
	assert_non_null(strstr(t.about, "What it is"));
	assert_true(t.own && t.batch == 24 && t.nneeds == 2 && t.nbefore == 2);
	assert_string_equal(t.before[0], "a-b");
	assert_string_equal(t.before[1], "c");
	assert_string_equal(t.needs[1], "program:fuzz-tool");
	assert_environment(&t, "a-target");
	make_file(path, "\"\"\"What it is.\"\"\"\nFRAMEWORK = \"onnx\"\nREQUIRES = (\"program:fuzz-tool\",)\n", 0644);
	assert_true(target_read(&t, path, "a-target"));
	assert_true(!t.own && t.batch == 1 && t.nneeds == 1 && !*t.screen && t.nbefore == 0);
	assert_environment(&t, "onnx");
	make_file(path, "\"\"\"No framework.\"\"\"\nREQUIRES = ()\n", 0644);
	assert_false(target_read(&t, path, "a-target"));
	assert_int_equal(unlink(path), 0);
	assert_false(target_read(&t, path, "a-target"));
}

/* Another version has an environment of its own: the target's, that of a further distribution of the framework, or the
 * framework's. */
static void versions(void **state)
{
	(void)state;
	static const struct {
		target t;
		const char *environment;
	} CASES[] = {{{.name = "a-target", .framework = "onnx", .own = true}, "a-target@1.2"},
	    {{.name = "a-target", .framework = "onnx", .nneeds = 1, .needs = {"onnxruntime"}}, "onnxruntime@1.2"},
	    {{.name = "a-target", .framework = "onnx", .nneeds = 1, .needs = {"onnx"}}, "onnx@1.2"},
	    {{.name = "a-target", .framework = "onnx", .nneeds = 1, .needs = {"onnxrun"}}, "onnx@1.2"},
	    {{.name = "a-target", .framework = "torch", .nneeds = 1, .needs = {"numpy"}}, "torch@1.2"},
	    {{.name = "a-target", .framework = "none"}, "none@1.2"}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		target t = CASES[i].t;
		char name[] = "a-target@1.2";
		assert_true(target_take_version(&t, name));
		assert_string_equal(name, "a-target");
		assert_environment(&t, CASES[i].environment);
	}
}

static void bad_versions(void **state)
{
	(void)state;
	static const char *const BAD[] = {"a@", "a@-1", "a@.1", "a@1/2", "a@1@2", "a@1 ", "a@1.0+cpu", "a@1A",
	    "a@123456789012345678901234567890123456789012345678"};
	for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
		target t = {.own = false};
		char name[64];
		snprintf(name, sizeof name, "%s", BAD[i]);
		if (target_take_version(&t, name) || *t.version)
			fail_msg("%s has a version", BAD[i]);
	}
	target t = {.own = false};
	char plain[] = "a";
	assert_true(target_take_version(&t, plain));
	assert_string_equal(t.version, "");
}

/* A line whose beginning differs in any character is ignored. */
static void other_lines(void **state)
{
	place *p = *state;
	static const char *const LINES[] = {"FRAMEWORK = \"onnx\"", "SCREEN = \"onnxruntime\"", "BATCH = 24", "REQUIRES = (\"fake-tool\",)"};
	static const size_t BEGINS[] = {sizeof "FRAMEWORK = \"" - 1, sizeof "SCREEN = \"" - 1, sizeof "BATCH = " - 1, sizeof "REQUIRES = (" - 1};
	target t;
	char path[160], line[64], text[128];
	snprintf(path, sizeof path, "%s/a_target.py", p->folder);
	for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
		for (size_t k = 0; k <= BEGINS[i]; k++) {
			bool same = k == BEGINS[i];
			snprintf(line, sizeof line, "%s", LINES[i]);
			line[k] = same ? line[k] : '_';
			snprintf(text, sizeof text, "\"\"\"What it is.\"\"\"\n%s\n%s\n", line, i ? "FRAMEWORK = \"torch\"" : "");
			make_file(path, text, 0644);
			assert_int_equal(target_read(&t, path, "a-target"), i > 0 || same);
			assert_string_equal(t.framework, i ? "torch" : same ? "onnx" : "");
			assert_string_equal(t.screen, i == 1 && same ? "onnxruntime" : "");
			assert_int_equal(t.batch, i == 2 && same ? 24 : 1);
			assert_int_equal(t.nneeds, i == 3 && same);
		}
	assert_int_equal(unlink(path), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {TEST(programs), TEST(distributions), TEST(files), TEST(other_lines),
	    cmocka_unit_test(versions), cmocka_unit_test(bad_versions)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

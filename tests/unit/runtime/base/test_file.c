/* Files that are whole or not there, whatever lies beside them. */
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

#include "file.h"

static char folder[64];

static int set_up(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/rulefuzz-file-XXXXXX");
	return mkdtemp(folder) ? 0 : 1;
}

static int tear_down(void **state)
{
	char command[128];
	(void)state;
	snprintf(command, sizeof command, "rm -r '%s'", folder);
	return system(command);
}

static const char *in_folder(char path[256], const char *name)
{
	snprintf(path, 256, "%s/%s", folder, name);
	return path;
}

static void assert_content(const char *path, const char *want)
{
	size_t n;
	diag d = {""};
	char *text = file_read(path, &n, &d);
	if (!text)
		fail_msg("%s", d.text);
	assert_string_equal(text, want);
	free(text);
}

static void writes_and_replaces(void **state)
{
	(void)state;
	char path[256];
	diag d = {""};
	struct stat st;
	mode_t mask = umask(027);
	in_folder(path, "a");
	assert_true(file_write(path, "one", 3, &d));
	assert_content(path, "one");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640); /* as the umask has it */
	assert_true(file_write(path, "two", 3, &d));
	assert_content(path, "two");
	umask(mask);
	assert_true(file_write("/dev/null", "x", 1, &d));
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode)); /* not replaced */
	assert_false(file_write(in_folder(path, "none/a"), "x", 1, &d));
	assert_non_null(strstr(d.text, "cannot write"));
}

/* A link that somebody left where the file will be written beside is not followed. */
static void follows_no_planted_link(void **state)
{
	(void)state;
	char path[256], link[300], victim[256];
	diag d = {""};
	assert_true(file_write(in_folder(victim, "victim"), "mine", 4, &d));
	in_folder(path, "b");
	snprintf(link, sizeof link, "%s.%ld.tmp", path, (long)getpid());
	assert_int_equal(symlink(victim, link), 0);
	assert_true(file_write(path, "text", 4, &d));
	assert_content(path, "text");
	assert_content(victim, "mine");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(writes_and_replaces), cmocka_unit_test(follows_no_planted_link)};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* Files are written whole or not at all, whatever exists beside them. */
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
	assert_int_equal(st.st_mode & 0777, 0640); /* according to the umask */
	assert_true(file_write(path, "two", 3, &d));
	assert_content(path, "two");
	umask(mask);
	assert_true(file_write("/dev/null", "x", 1, &d));
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode)); /* not replaced */
	assert_false(file_write(in_folder(path, "none/a"), "x", 1, &d));
	assert_non_null(strstr(d.text, "cannot write"));
}

/* A link planted at the path of the temporary file is not followed. */
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

/* After an update the file has the text; a file that already had it keeps its inode and time. */
static void is_updated_where_it_differs(void **state)
{
	(void)state;
	static const char *const TEXTS[] = {"", "a", "b", "ab", "aa", "ba", "aba", "abb", "abab"};
	enum { N = sizeof TEXTS / sizeof *TEXTS };
	char path[256];
	diag d = {""};
	in_folder(path, "updated");
	assert_true(file_update(path, TEXTS[1], 1, &d)); /* no file before */
	assert_content(path, TEXTS[1]);
	for (int i = 0; i < N * N; i++) {
		const char *old = TEXTS[i / N], *new = TEXTS[i % N];
		struct stat before, after;
		assert_true(file_write(path, old, strlen(old), &d));
		assert_int_equal(stat(path, &before), 0);
		assert_true(file_update(path, new, strlen(new), &d));
		assert_content(path, new);
		assert_int_equal(stat(path, &after), 0);
		assert_int_equal(before.st_ino == after.st_ino, strcmp(old, new) == 0);
	}
	in_folder(path, "nowhere/file");
	assert_false(file_update(path, "a", 1, &d));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(writes_and_replaces), cmocka_unit_test(follows_no_planted_link), cmocka_unit_test(is_updated_where_it_differs)};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}

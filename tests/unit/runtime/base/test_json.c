/* Lines of JSON of every length, up to the accepted maximum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "json.h"

static void write_line(const char *path, size_t length, const char *end)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	for (size_t i = 0; i < length; i++)
		putc('a', f);
	fputs(end, f);
	fclose(f);
}

/* Reads one line; its length, or -1 with d. */
static long read_back(const char *path, diag *d)
{
	jsonl j;
	assert_true(jsonl_open(&j, path, d));
	int got = jsonl_next(&j, d);
	long length = got > 0 ? (long)strlen(j.line) : -1;
	if (got > 0)
		assert_int_equal(jsonl_next(&j, d), 0);
	jsonl_close(&j);
	return length;
}

static void reads_any_length(void **state)
{
	char path[] = "/tmp/rulesmith-test-XXXXXX";
	diag d;
	(void)state;
	close(mkstemp(path));
	for (size_t power = 4096; power <= 65536; power *= 2) /* where the buffer grows */
		for (size_t length = power - 4; length <= power + 4; length++) {
			write_line(path, length, "\n");
			assert_int_equal(read_back(path, &d), length);
			write_line(path, length, "");
			assert_int_equal(read_back(path, &d), length);
		}
	unlink(path);
}

static void refuses_longer_lines(void **state)
{
	char path[] = "/tmp/rulesmith-test-XXXXXX";
	diag d;
	(void)state;
	close(mkstemp(path));
	write_line(path, JSON_LONGEST - 1, "\n");
	assert_int_equal(read_back(path, &d), JSON_LONGEST - 1);
	write_line(path, JSON_LONGEST, "\n");
	assert_int_equal(read_back(path, &d), -1);
	assert_non_null(strstr(d.text, ":1: error: the line is longer than 16 MiB"));
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(reads_any_length), cmocka_unit_test(refuses_longer_lines)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

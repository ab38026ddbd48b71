/* rulesmith ends if memory runs out: arenas, bufs and growing arrays never give a NULL to check. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "need.h"

/* Runs it in a child, whose standard error is kept. Returns the exit code; the signal, negated, if one ended it. */
static int end_of(void (*act)(void), char said[200])
{
	int ends[2], status;
	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		act();
		_exit(0);
	}
	close(ends[1]);
	ssize_t n = read(ends[0], said, 199);
	said[n < 0 ? 0 : n] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void ask_too_much(void)
{
	arena_alloc(arena_new(), SIZE_MAX);
}

/* Bytes of address space; 0: unknown. */
static rlim_t mapped(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (f && fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* At most 64 MiB more. */
static void limit(void)
{
	rlim_t most = mapped() + (64 << 20);
	setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
}

static void fill_arena(void)
{
	limit();
	arena *a = arena_new();
	for (int i = 0; i < 1 << 20; i++)
		memset(ARENA_ARRAY(a, int, 1000), 1, sizeof(int) * 1000);
}

static void fill_buf(void)
{
	limit();
	buf b = {0};
	for (int i = 0; i < 1 << 27; i++)
		buf_puts(&b, "text");
}

static void fill_room(void)
{
	limit();
	size_t room = 0;
	int64_t *array = NULL;
	for (int i = 0; i < 1 << 27; i++) {
		array = NEED_ROOM(array, i, room);
		array[i] = i;
	}
}

static void ends(void (*act)(void))
{
	char said[200];
	assert_int_equal(end_of(act, said), 1);
	assert_non_null(strstr(said, "rulesmith: error: out of memory at "));
}

static void test_size(void **state)
{
	(void)state;
	ends(ask_too_much);
}

static void test_limit(void **state)
{
	(void)state;
	if (mapped() >> 40) /* a sanitizer maps terabytes, and ends by itself */
		skip();
	ends(fill_arena);
	ends(fill_buf);
	ends(fill_room);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_size), cmocka_unit_test(test_limit)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

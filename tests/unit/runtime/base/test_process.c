/* The supervisor against processes that flood, hang, leave children and use memory. The memory is used by
 * this program itself, called with a mode (hold, each, share or later) and a number of MiB. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmocka.h>

#include "clock.h"
#include "process.h"

static process *start(const char *command, process_options o)
{
	const char *const argv[] = {"sh", "-c", command, NULL};
	diag d = {""};
	o.argv = argv;
	process *p = process_start(&o, &d);
	if (!p)
		fail_msg("%s", d.text);
	return p;
}

static process *plain(const char *command)
{
	return start(command, (process_options){.stop_fd = -1});
}

static enum process_event next(process *p, double seconds, char **line)
{
	return process_next(p, clock_seconds() + seconds, line);
}

static void assert_line(process *p, const char *want)
{
	char *line;
	assert_int_equal(next(p, 20, &line), PROCESS_LINE);
	assert_string_equal(line, want);
}

static void assert_ended(process *p, int signal, int code)
{
	char *line;
	assert_int_equal(next(p, 20, &line), PROCESS_ENDED);
	assert_int_equal(process_how(p).signal, signal);
	assert_int_equal(process_how(p).code, code);
	assert_int_equal(process_pid(p), 0);
	assert_int_equal(next(p, 20, &line), PROCESS_ENDED); /* and it stays ended */
}

static void gives_lines_then_the_end(void **state)
{
	(void)state;
	process *p = plain("echo a; echo; printf 'b\\nc'; exit 7");
	assert_line(p, "a");
	assert_line(p, "");
	assert_line(p, "b"); /* text without a newline is no line */
	assert_ended(p, 0, 7);
	process_free(p);
	p = plain("echo a; kill -SEGV $$");
	assert_line(p, "a");
	assert_ended(p, SIGSEGV, 0);
	process_free(p);
}

static void speaks_both_ways(void **state)
{
	(void)state;
	size_t n = 1 << 20; /* more than the buffers of socket and pipe */
	char *text = malloc(n + 2), *line;
	memset(text, 'x', n);
	memcpy(text + n, "\n", 2);
	process *p = plain("cat");
	assert_true(process_send(p, text, n + 1));
	assert_true(process_send(p, "y\n", 2));
	assert_int_equal(next(p, 20, &line), PROCESS_LINE);
	assert_int_equal(strlen(line), n);
	assert_line(p, "y");
	process_finish(p, 20); /* it reads the end of its input */
	assert_int_equal(process_how(p).signal, 0);
	process_free(p);
	free(text);
}

static void says_what_cannot_be_run(void **state)
{
	(void)state;
	static const char *const ARGV[] = {"/nonexistent/program", NULL};
	diag d = {""};
	assert_null(process_start(&(process_options){.argv = ARGV, .stop_fd = -1}, &d));
	assert_non_null(strstr(d.text, "/nonexistent/program"));
}

/* Endless output on either stream does not delay the deadline. Several processes write, so that the pipe is
 * never empty. */
static void a_flood_is_late(void **state)
{
	(void)state;
	static const char *const FLOODS[] = {"yes & yes & yes & exec yes",
	    "{ yes & yes & yes & yes; } >&2 & wait", "yes & yes & { yes & exec yes; } >&2"};
	for (size_t i = 0; i < sizeof FLOODS / sizeof *FLOODS; i++) {
		process *p = start(FLOODS[i], (process_options){.stop_fd = -1, .keep_stderr = true});
		double begin = clock_seconds();
		enum process_event event;
		char *line;
		while ((event = process_next(p, begin + 0.5, &line)) == PROCESS_LINE)
			assert_true(clock_seconds() < begin + 10);
		assert_int_equal(event, PROCESS_LATE);
		assert_true(clock_seconds() >= begin + 0.5);
		process_free(p);
	}
}

static void a_line_must_end(void **state)
{
	(void)state;
	char *line;
	process *p = plain("exec cat /dev/zero");
	assert_int_equal(next(p, 60, &line), PROCESS_ENDLESS);
	process_free(p);
}

static void silence_is_late_and_goes_on(void **state)
{
	(void)state;
	char *line;
	process *p = plain("read -r x; echo $x");
	assert_int_equal(next(p, 0.2, &line), PROCESS_LATE);
	assert_true(process_send(p, "z\n", 2));
	assert_line(p, "z");
	process_free(p);
}

static void stops_when_asked(void **state)
{
	(void)state;
	int fds[2];
	char *line;
	assert_int_equal(pipe(fds), 0);
	process *p = start("exec sleep 1000", (process_options){.stop_fd = fds[0]});
	assert_int_equal(next(p, 0.1, &line), PROCESS_LATE);
	assert_int_equal(write(fds[1], "x", 1), 1);
	assert_int_equal(next(p, 20, &line), PROCESS_STOPPED);
	process_free(p);
	close(fds[0]);
	close(fds[1]);
}

/* A process that closed its output has a moment to exit, then it is killed. */
static void closed_output_is_the_end(void **state)
{
	(void)state;
	double begin = clock_seconds();
	process *p = plain("exec sleep 1000 >&-");
	assert_ended(p, SIGKILL, 0);
	assert_true(clock_seconds() < begin + 10);
	process_free(p);
}

static void finish_is_bounded(void **state)
{
	(void)state;
	process *p = plain("cat >/dev/null; exit 3");
	process_finish(p, 20);
	assert_int_equal(process_how(p).code, 3);
	process_free(p);
	static const char *const DEAF[] = {"exec sleep 1000", "exec yes"};
	for (size_t i = 0; i < sizeof DEAF / sizeof *DEAF; i++) {
		double begin = clock_seconds();
		p = plain(DEAF[i]);
		process_finish(p, 0.3);
		assert_true(clock_seconds() < begin + 10);
		assert_int_equal(process_how(p).signal, SIGKILL);
		process_free(p);
	}
}

/* True if a process that is not our child dies within ten seconds. */
static bool dies(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd p = {.fd = fd, .events = POLLIN};
	bool dead = fd < 0 ? errno == ESRCH : poll(&p, 1, 10000) == 1;
	if (fd >= 0)
		close(fd);
	return dead;
}

static void the_group_dies_with_it(void **state)
{
	(void)state;
	static const char *const COMMANDS[] = {
	    "sleep 1000 & echo $!; wait",			   /* killed by us */
	    "sleep 1000 >/dev/null & echo $!; exec >/dev/null; wait", /* it closed its output */
	    "sleep 1000 & echo $!; exit 4"};			   /* leaves one behind */
	for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
		char *line;
		process *p = plain(COMMANDS[i]);
		assert_int_equal(next(p, 20, &line), PROCESS_LINE);
		pid_t left = (pid_t)atoi(line);
		assert_true(left > 0);
		if (i > 0)
			assert_ended(p, i == 1 ? SIGKILL : 0, i == 1 ? 0 : 4);
		else
			process_kill(p);
		assert_true(dies(left));
		process_free(p);
	}
}

static void kills_one_member(void **state)
{
	(void)state;
	char *line;
	process *p = plain("sleep 1000 & echo $!; wait $!; echo $?");
	assert_int_equal(next(p, 20, &line), PROCESS_LINE);
	pid_t member = (pid_t)atoi(line);
	assert_false(process_kill_member(p, process_pid(p)));
	assert_false(process_kill_member(p, getpid())); /* of another group */
	assert_true(process_kill_member(p, member));
	assert_line(p, "137");
	process_free(p);
}

static void keeps_the_tail_of_what_is_printed(void **state)
{
	(void)state;
	process *p = start("head -c 1000000 /dev/zero | tr '\\0' x >&2; echo end >&2; echo a; read -r x;"
			   "echo later >&2; echo b",
	    (process_options){.stop_fd = -1, .keep_stderr = true});
	assert_line(p, "a");
	const char *tail = process_stderr(p);
	assert_in_range(strlen(tail), 16384, 32768);
	assert_string_equal(tail + strlen(tail) - 5, "xend\n");
	process_forget(p);
	assert_true(process_send(p, "\n", 1));
	assert_line(p, "b");
	assert_string_equal(process_stderr(p), "later\n");
	process_free(p);
}

/* ---- memory */

/* Runs this program in a mode; returns the event after it reports that it has its memory. */
static enum process_event hold(const char *mode, const char *mebibytes, int64_t limit)
{
	const char *const argv[] = {"/proc/self/exe", mode, mebibytes, NULL};
	diag d = {""};
	process *p = process_start(
	    &(process_options){.argv = argv, .memory = limit << 20, .stop_fd = -1}, &d);
	char *line;
	if (!p)
		fail_msg("%s", d.text);
	enum process_event event = next(p, 20, &line);
	if (event == PROCESS_LINE) {
		assert_string_equal(line, "ready");
		event = next(p, 0.5, &line); /* five looks */
	}
	process_free(p);
	return event;
}

static void memory_is_the_groups(void **state)
{
	(void)state;
	assert_int_equal(hold("hold", "60", 100), PROCESS_LATE);
	assert_int_equal(hold("hold", "150", 100), PROCESS_MEMORY);
	assert_int_equal(hold("each", "60", 100), PROCESS_MEMORY); /* none exceeds it alone */
	assert_int_equal(hold("share", "60", 100), PROCESS_LATE);  /* pages shared by two count once */
	assert_int_equal(hold("hold", "150", 0), PROCESS_LATE);
}

/* The next measurement of a small process comes a tenth of a second later, within which it could exceed its
 * limit. */
static void memory_is_looked_at_again(void **state)
{
	(void)state;
	const char *const argv[] = {"/proc/self/exe", "later", "150", NULL};
	diag d = {""};
	char *line;
	process *p = process_start(&(process_options){.argv = argv, .memory = INT64_C(100) << 20, .stop_fd = -1}, &d);
	if (!p)
		fail_msg("%s", d.text);
	assert_line(p, "ready");
	assert_int_equal(next(p, 0.3, &line), PROCESS_LATE); /* it was measured, and is small */
	assert_true(process_send(p, "\n", 1));
	assert_int_equal(next(p, 5, &line), PROCESS_MEMORY);
	process_free(p);
}

/* Includes a shell's computing child while it lives, after it was waited for, and after the shell is dead. */
static void processor_time_is_the_groups(void **state)
{
	(void)state;
	const char *work = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo done";
	char command[256];
	snprintf(command, sizeof command, "(%s; read x) <&0; echo waited; read x", work);
	process *p = plain(command);
	assert_true(process_cpu(p) < 0.05);
	assert_line(p, "done");
	double alive = process_cpu(p);
	assert_true(alive > 0.05 && alive < 20);
	assert_true(process_send(p, "\n", 1));
	assert_line(p, "waited");
	assert_true(process_cpu(p) >= alive);
	process_kill(p);
	assert_true(process_cpu(p) >= alive);
	process_free(p);
}

static void fill(size_t mebibytes)
{
	size_t n = mebibytes << 20;
	volatile char *p = malloc(n);
	for (size_t i = 0; p && i < n; i += 4096)
		p[i] = 1;
}

/* Uses memory: in this process, in it and a child, shared with a child, or on request. */
static int take_memory(const char *mode, size_t mebibytes)
{
	int fds[2];
	char c;
	if (pipe(fds) != 0)
		return 1;
	if (strcmp(mode, "later") == 0) {
		puts("ready");
		fflush(stdout);
		getchar();
	}
	if (strcmp(mode, "each") != 0)
		fill(mebibytes);
	if (strcmp(mode, "hold") != 0 && strcmp(mode, "later") != 0 && fork() == 0) {
		if (strcmp(mode, "each") == 0)
			fill(mebibytes);
		close(fds[1]);
		close(fds[0]);
		for (;;)
			pause();
	}
	close(fds[1]);
	if (strcmp(mode, "each") == 0)
		fill(mebibytes);
	if (read(fds[0], &c, 1) != 0) /* until the child has its memory */
		return 1;
	if (strcmp(mode, "later") != 0)
		puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	if (argc == 3)
		return take_memory(argv[1], (size_t)atoi(argv[2]));
	const struct CMUnitTest tests[] = {cmocka_unit_test(gives_lines_then_the_end),
	    cmocka_unit_test(speaks_both_ways), cmocka_unit_test(says_what_cannot_be_run),
	    cmocka_unit_test(a_flood_is_late), cmocka_unit_test(a_line_must_end),
	    cmocka_unit_test(silence_is_late_and_goes_on), cmocka_unit_test(stops_when_asked),
	    cmocka_unit_test(closed_output_is_the_end), cmocka_unit_test(finish_is_bounded),
	    cmocka_unit_test(the_group_dies_with_it), cmocka_unit_test(kills_one_member),
	    cmocka_unit_test(keeps_the_tail_of_what_is_printed),
	    cmocka_unit_test(memory_is_the_groups), cmocka_unit_test(memory_is_looked_at_again),
	    cmocka_unit_test(processor_time_is_the_groups)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

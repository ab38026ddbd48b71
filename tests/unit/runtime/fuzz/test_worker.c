/* The supervisor against workers that crash, hang, lie and waste memory (tests/data/backends). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "clock.h"
#include "worker.h"

static const char *const ARGV[] = {"sh", "tests/data/backends/fake.sh", "MODE", NULL};

static worker_options options(const char *argv[5], const char *mode)
{
	memcpy(argv, ARGV, sizeof ARGV);
	argv[2] = mode;
	return (worker_options){
	    .argv = argv, .start_seconds = 10, .call_seconds = 20, .stop_fd = -1};
}

static worker *start_worker(const worker_options *o)
{
	diag d = {""};
	bool stopped;
	worker *w = worker_start(o, &d, &stopped);
	if (!w)
		fail_msg("%s", d.text);
	return w;
}

static void call(worker *w, int index, worker_reply *reply)
{
	char request[128];
	snprintf(request, sizeof request,
	    "{\"id\":%d,\"do\":\"check\",\"model\":{\"index\":%d,\"nodes\":[]}}", index + 1, index);
	worker_call(w, index + 1, request, reply);
}

static const char *verdict(const worker_reply *reply)
{
	const cJSON *v = cJSON_GetObjectItem(reply->answer, "verdict");
	return cJSON_IsString(v) ? v->valuestring : "";
}

/* Runs model 3, which ends in the given way; a worker, the same or a new one, then answers model 4. */
static worker_reply third(const char *mode, double seconds, int64_t memory)
{
	const char *argv[5];
	worker_options o = options(argv, mode);
	o.call_seconds = seconds;
	o.memory = memory;
	worker *w = start_worker(&o);
	worker_reply reply, next;
	call(w, 3, &reply);
	if (!worker_alive(w)) {
		worker_free(w);
		w = start_worker(&o);
	}
	call(w, 4, &next);
	assert_int_equal(next.end, WORKER_ANSWERED);
	assert_string_equal(verdict(&next), "ok");
	worker_reply_free(&next);
	worker_free(w);
	return reply;
}

static void answers(void **state)
{
	(void)state;
	worker_reply reply = third("ok", 20, 0);
	assert_int_equal(reply.end, WORKER_ANSWERED);
	assert_string_equal(reply.stage, "compile");
	assert_string_equal(verdict(&reply), "ok");
	worker_reply_free(&reply);
}

static void tells_versions(void **state)
{
	(void)state;
	const char *argv[5];
	worker_options o = options(argv, "ok");
	worker *w = start_worker(&o);
	assert_string_equal(cJSON_GetObjectItem(worker_versions(w), "fake")->valuestring, "1.0");
	worker_free(w);
}

static void sees_a_crash_and_its_stage(void **state)
{
	(void)state;
	worker_reply reply = third("crash", 20, 0);
	assert_int_equal(reply.end, WORKER_DIED);
	assert_int_equal(reply.signal, SIGSEGV);
	assert_string_equal(reply.stage, "compile");
	reply = third("early", 20, 0);
	assert_int_equal(reply.end, WORKER_DIED);
	assert_string_equal(reply.stage, "reference");
	reply = third("exit", 20, 0);
	assert_int_equal(reply.end, WORKER_DIED);
	assert_int_equal(reply.signal, 0);
	assert_int_equal(reply.status, 7);
}

/* exit(0) ends a call at once, not at the time limit. */
static void leaving_is_dying(void **state)
{
	(void)state;
	static const char *const MODES[] = {"leave", "orphan"};
	for (size_t i = 0; i < 2; i++) {
		worker_reply reply = third(MODES[i], 60, 0);
		assert_int_equal(reply.end, WORKER_DIED);
		assert_int_equal(reply.signal, 0);
		assert_int_equal(reply.status, 0);
		assert_string_equal(reply.stage, "run");
		assert_true(reply.seconds < 30);
	}
	worker_reply reply = third("child", 60, 0);
	assert_int_equal(reply.end, WORKER_DIED);
	assert_int_equal(reply.signal, SIGSEGV);
}

/* Neither stream keeps the time limit away. */
static void kills_what_floods(void **state)
{
	(void)state;
	static const char *const MODES[] = {"flood", "noisy"};
	for (size_t i = 0; i < 2; i++) {
		worker_reply reply = third(MODES[i], 1, 0);
		assert_int_equal(reply.end, WORKER_HUNG);
		assert_true(reply.seconds < 10);
	}
}

/* Nor does one of many steps go on for as long as it says that it does. */
static void stages_without_end_end(void **state)
{
	(void)state;
	const char *argv[5];
	worker_options o = options(argv, "chatter");
	o.call_seconds = 0.03;
	worker *w = start_worker(&o);
	worker_reply reply;
	worker_call_long(w, 4, "{\"id\":4,\"do\":\"check\",\"model\":{\"index\":3,\"nodes\":[]}}", &reply);
	assert_int_equal(reply.end, WORKER_HUNG);
	assert_false(worker_alive(w));
	worker_free(w);
}

/* What lies is answered for: another request's answer is none, and numbers beyond all bounds are some number. */
static void takes_lies_for_what_they_are(void **state)
{
	(void)state;
	worker_reply reply = third("lie", 20, 0);
	assert_int_equal(reply.end, WORKER_ANSWERED);
	worker_reply_free(&reply);
	reply = third("numbers", 20, 0);
	assert_int_equal(reply.end, WORKER_DIED);
	reply = third("mute", 20, 0);
	assert_int_equal(reply.end, WORKER_DIED);
	assert_true(reply.seconds < 15);
}

static void kills_what_hangs(void **state)
{
	(void)state;
	worker_reply reply = third("hang", 0.5, 0);
	assert_int_equal(reply.end, WORKER_HUNG);
	assert_string_equal(reply.stage, "run");
	assert_true(reply.seconds < 5);
}

static void kills_what_takes_too_much_memory(void **state)
{
	(void)state;
	worker_reply reply = third("memory", 20, 50 << 20);
	assert_int_equal(reply.end, WORKER_MEMORY);
}

static void refuses_what_is_not_the_protocol(void **state)
{
	(void)state;
	worker_reply reply = third("garble", 20, 0);
	assert_int_equal(reply.end, WORKER_GARBLED);
	reply = third("stray", 20, 0); /* an answer to another request is passed over */
	assert_int_equal(reply.end, WORKER_ANSWERED);
	assert_string_equal(verdict(&reply), "ok");
	worker_reply_free(&reply);
}

static void keeps_the_tail_of_what_is_printed(void **state)
{
	(void)state;
	const char *argv[5];
	worker_options o = options(argv, "chatty");
	worker *w = start_worker(&o);
	worker_reply reply;
	call(w, 3, &reply);
	assert_int_equal(reply.end, WORKER_ANSWERED);
	assert_in_range(strlen(worker_stderr(w)), 16384, 32768);
	worker_reply_free(&reply);
	worker_free(w);
}

static void says_why_it_does_not_start(void **state)
{
	(void)state;
	static const char *const CASES[][2] = {{"dead", "ImportError: no framework here"},
	    {"fatal", "the fake framework is not installed"}, {"noise", "not the ready message"},
	    {"silent", "not ready after 1 s"}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		const char *argv[5];
		worker_options o = options(argv, CASES[i][0]);
		o.start_seconds = strcmp(CASES[i][0], "silent") == 0 ? 1 : 10;
		diag d = {""};
		bool stopped;
		assert_null(worker_start(&o, &d, &stopped));
		if (!strstr(d.text, CASES[i][1]))
			fail_msg("%s: '%s'", CASES[i][0], d.text);
	}
	const char *none[] = {"/nonexistent/python", NULL};
	worker_options o = {.argv = none, .start_seconds = 5, .stop_fd = -1};
	diag d = {""};
	bool stopped;
	assert_null(worker_start(&o, &d, &stopped));
	assert_non_null(strstr(d.text, "/nonexistent/python"));
}

static void stops_when_asked(void **state)
{
	(void)state;
	const char *argv[5];
	int fds[2];
	assert_int_equal(pipe(fds), 0);
	worker_options o = options(argv, "hang");
	o.stop_fd = fds[0];
	worker *w = start_worker(&o);
	assert_int_equal(write(fds[1], "x", 1), 1);
	worker_reply reply;
	call(w, 3, &reply);
	assert_int_equal(reply.end, WORKER_STOPPED);
	assert_true(reply.seconds < 5);
	assert_false(worker_alive(w));
	worker_free(w);
	close(fds[0]);
	close(fds[1]);
}

static void takes_a_long_request(void **state)
{
	(void)state;
	const char *argv[5];
	worker_options o = options(argv, "ok");
	worker *w = start_worker(&o);
	size_t n = 1 << 18; /* more than a socket holds */
	char *request = malloc(n + 64);
	int at = sprintf(request, "{\"id\":1,\"model\":{\"index\":1,\"x\":\"");
	memset(request + at, 'y', n);
	strcpy(request + at + n, "\"}}");
	worker_reply reply;
	worker_call(w, 1, request, &reply);
	assert_int_equal(reply.end, WORKER_ANSWERED);
	worker_reply_free(&reply);
	free(request);
	worker_free(w);
}

/* The deadline ends a call and a start before their own limits; a later start does not begin. */
static void nothing_outlives_the_deadline(void **state)
{
	(void)state;
	diag d = {""};
	bool stopped = false;
	const char *argv[5];
	worker_options o = options(argv, "hang");
	double deadline = 0, start = clock_seconds(); /* 0: none yet */
	o.deadline = &deadline;
	worker *w = start_worker(&o);
	worker_reply reply;
	deadline = clock_seconds() + 0.5;
	call(w, 3, &reply);
	assert_int_equal(reply.end, WORKER_STOPPED);
	assert_false(worker_alive(w));
	worker_free(w);
	assert_null(worker_start(&o, &d, &stopped));
	assert_true(stopped);
	argv[2] = "silent";
	deadline = clock_seconds() + 0.5;
	assert_null(worker_start(&o, &d, &stopped));
	assert_true(stopped);
	assert_true(clock_seconds() - start < 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(answers),
	    cmocka_unit_test(tells_versions), cmocka_unit_test(sees_a_crash_and_its_stage),
	    cmocka_unit_test(leaving_is_dying), cmocka_unit_test(kills_what_floods),
	    cmocka_unit_test(stages_without_end_end),
	    cmocka_unit_test(takes_lies_for_what_they_are), cmocka_unit_test(kills_what_hangs), cmocka_unit_test(kills_what_takes_too_much_memory),
	    cmocka_unit_test(refuses_what_is_not_the_protocol),
	    cmocka_unit_test(keeps_the_tail_of_what_is_printed),
	    cmocka_unit_test(says_why_it_does_not_start), cmocka_unit_test(stops_when_asked),
	    cmocka_unit_test(takes_a_long_request), cmocka_unit_test(nothing_outlives_the_deadline)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

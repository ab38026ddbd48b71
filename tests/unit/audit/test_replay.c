/* The reader of records, and the report about a rule whose compiled functions give other answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "replay.h"
#include "trials.h"
#include "sampling.h"

/* s0, s1 dimensions; valid: s0 == s1; output |s0 + s1|. */
static bool valid(const int64_t *s)
{
	return s[0] == s[1];
}

static bool propagate(const int64_t *s, int64_t *out)
{
	bool fits = !__builtin_add_overflow(s[0], s[1], &out[0]);
	out[0] = out[0] < 0 ? -out[0] : out[0];
	return fits;
}

static const char WELL[] = "well", REJECTED[] = "rejected", OTHER[] = "other", NEVER[] = "never";

/* The programs of samplers: calls that are accepted and have the wanted output; that are rejected; without the wanted output;
 * none. */
static bool run(rs_draw *d, const char *program)
{
	int64_t x = program == WELL && d->wanted[0] ? d->out[0] / 2 : rng_range(d->rng, d->low[0], d->high[0]);
	d->s[0] = x;
	d->s[1] = program == REJECTED ? x + 1 : x;
	return program != NEVER;
}

static uint8_t DIMENSION[] = {1, 1};
static const rs_op OP = {.name = "x.f-0", .rule = "id", .nsym = 2, .nodim = 1, .valid = valid, .propagate = propagate};

static audited_rule rule(unsigned passed, unsigned failed, unsigned empty)
{
	return (audited_rule){.op = "x.f-0", .id = "id", .nsym = 2, .nodim = 1, .noutputs = 1, .ranks = {1}, .dimension = DIMENSION,
	    .passed = passed, .failed = failed, .empty = empty};
}

typedef struct seen {
	replayed x;
	audited_rule r;
	unsigned lines, calls;
	int64_t first, last;
} seen;

static void each(const recorded *records, void *user)
{
	seen *s = user;
	s->lines++;
	s->calls += records->ncalls;
	if (records->nnumbers) {
		s->first = records->number[0];
		s->last = records->number[records->nnumbers - 1];
	}
	s->x = replay(&OP, &s->r, records);
}

/* True if a file of this text is read. */
static bool read_text(const char *text, seen *into)
{
	char path[] = "/tmp/test_replay.XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
	bool ok = records_read(path, each, into);
	unlink(path);
	return ok;
}

#define LINE(PASS, FAIL) "{\"op\":\"x.f-0\",\"args\":[{\"pass\":[1],\"a\":\"}\\\"]\"}],\"pass\":[" PASS "],\"fail\":[" FAIL "]}\n"

static void test_agrees(void **state)
{
	(void)state;
	seen s = {.r = rule(2, 1, 0)};
	assert_true(read_text(LINE("[[2,2],[4]],[[0,0],[0]]", "[1,2]"), &s));
	assert_int_equal(s.x.wrong, 0);
	assert_int_equal(s.x.passed, 2);
	assert_int_equal(s.x.failed, 1);
	assert_int_equal(s.lines, 1);
}

/* Each is wrong in one place, which is reported. */
static void test_differs(void **state)
{
	(void)state;
	static const struct {
		const char *text, *said;
	} CASES[] = {
	    {LINE("[[2,2],[5]],[[0,0],[0]]", "[1,2]"), "[2,2] gave [5], and the compiled rule gives [4]"},
	    {LINE("[[2,3],[5]],[[0,0],[0]]", "[1,2]"), "[2,3] was accepted, and the compiled rule rejects it"},
	    {LINE("[[2,2],[4]],[[0,0],[0]]", "[3,3]"), "[3,3] was rejected, and the compiled rule accepts it"},
	    {LINE("[[2,2],[4]],[[-1,-1],[2]]", "[1,2]"), "[-1,-1] was accepted, and"},
	    {LINE("[[2],[4]],[[0,0],[0]]", "[1,2]"), "[2] does not have the signature's symbols"},
	    {LINE("[[2,2],[4,4]],[[0,0],[0]]", "[1,2]"), "[2,2] does not have the signature's symbols"},
	    {LINE("[[2,2],[4]]", "[1,2]"), "1 accepted, 1 rejected"},
	    {LINE("[[2,2],[4]],[[0,0],[0]]", "[1,2],[2,1]"), "2 accepted, 2 rejected"},
	};
	for (unsigned i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		seen s = {.r = rule(2, 1, 0)};
		assert_true(read_text(CASES[i].text, &s));
		assert_int_equal(s.x.wrong, 1);
		assert_non_null(strstr(s.x.detail, CASES[i].said));
		assert_non_null(strstr(s.x.detail, ":1: "));
	}
}

/* A rule may reject as many calls with empty tensors as it states, and no others. */
static void test_empty(void **state)
{
	(void)state;
	seen one = {.r = rule(1, 0, 1)}, two = {.r = rule(1, 0, 1)}, full = {.r = rule(1, 0, 1)}, out = {.r = rule(1, 0, 1)};
	assert_true(read_text(LINE("[[2,2],[4]],[[0,3],[3]]", ""), &one));
	assert_int_equal(one.x.wrong, 0);
	assert_int_equal(one.x.empty, 1);
	assert_true(read_text(LINE("[[2,2],[4]],[[0,3],[3]],[[3,0],[3]]", ""), &two));
	assert_int_equal(two.x.wrong, 1);
	assert_non_null(strstr(two.x.detail, "[3,0] was accepted, and the compiled rule rejects it"));
	assert_true(read_text(LINE("[[2,2],[4]],[[1,3],[4]]", ""), &full));
	assert_int_equal(full.x.wrong, 1);
	assert_true(read_text(LINE("[[2,2],[4]],[[1,3],[0]]", ""), &out)); /* the output is empty */
	assert_int_equal(out.x.wrong, 0);
	assert_int_equal(out.x.empty, 1);
}

/* It may also reject as many outliers as it states. */
static void test_outside(void **state)
{
	(void)state;
	seen one = {.r = rule(1, 0, 0)}, two = {.r = rule(1, 0, 0)}, none = {.r = rule(2, 0, 0)};
	one.r.outside = two.r.outside = none.r.outside = 1;
	assert_true(read_text(LINE("[[2,2],[4]],[[1,3],[4]]", ""), &one));
	assert_int_equal(one.x.wrong, 0);
	assert_int_equal(one.x.outside, 1);
	assert_true(read_text(LINE("[[2,2],[4]],[[1,3],[4]],[[3,1],[4]]", ""), &two));
	assert_int_equal(two.x.wrong, 1);
	assert_non_null(strstr(two.x.detail, "[3,1] was accepted, and the compiled rule rejects it"));
	assert_true(read_text(LINE("[[2,2],[4]],[[3,3],[6]]", ""), &none)); /* fewer than it states */
	assert_int_equal(none.x.wrong, 1);
}

static void test_numbers(void **state)
{
	(void)state;
	seen s = {.r = rule(1, 0, 0)};
	assert_true(read_text(LINE("[[2,2],[4]],[[3,3],[-6]]", "[9223372036854775808,5]"), &s)); /* not a rule's value */
	assert_int_equal(s.x.wrong, 0);
	assert_int_equal(s.x.left, 2);
	assert_int_equal(s.x.passed, 1);
	s = (seen){.r = rule(0, 1, 0)};
	assert_true(read_text(LINE("", "[-9223372036854775808,9223372036854775807]"), &s));
	assert_true(s.first == INT64_MIN && s.last == INT64_MAX);
	assert_true(read_text(LINE("", "[-9223372036854775809,99999999999999999999]"), &s));
	assert_true(s.first == INT64_MIN && s.last == INT64_MAX);
	assert_true(read_text(LINE("", "[-9007199254740993,9007199254740993]"), &s)); /* no double */
	assert_true(s.first == -9007199254740993 && s.last == 9007199254740993);
}

static void test_rejects(void **state)
{
	(void)state;
	static const char *const BROKEN[] = {"{", "{}\n", "[]\n", "\n", LINE("[[2,2],[4]", ""), LINE("[2,2]", ""), LINE("", "[1.5,2]"),
	    LINE("", "[1,]"), LINE("", "1"), "{\"op\":\"x\",\"pass\":[],\"fail\":[]} x\n", "{\"op\":\"x\",\"pass\":[]}\n",
	    "{\"op\":\"x\",\"pass\":[],\"pass\":[],\"fail\":[]}\n", "{\"op\":\"x,\"pass\":[],\"fail\":[]}\n",
	    LINE("", "[\"1\",2]")};
	for (unsigned i = 0; i < sizeof BROKEN / sizeof *BROKEN; i++) {
		seen s = {.r = rule(0, 0, 0)};
		assert_false(read_text(BROKEN[i], &s));
		assert_int_equal(s.lines, 0);
	}
	char *deep = malloc(1000); /* a record line, if not for its depth */
	strcpy(deep, "{\"a\":");
	memset(deep + 5, '[', 100);
	memset(deep + 105, ']', 100);
	strcpy(deep + 205, ",\"op\":\"x.f-0\",\"pass\":[],\"fail\":[]}\n");
	seen s = {0};
	assert_false(read_text(deep, &s));
	free(deep);
	assert_false(records_read("/nowhere/at/all", each, &s));
}

static void test_samplers(void **state)
{
	(void)state;
	audited_rule r = rule(0, 0, 0);
	rs_op op = OP;
	op.sample = op.back = WELL;
	trials t = trials_run(run, &op, &r);
	assert_int_equal(t.wrong, 0);
	assert_int_equal(t.forward, TRIALS_FORWARD);
	assert_int_equal(t.back, TRIALS_BACK);
	assert_int_equal(t.dead + t.back_dead, 0);
	op.back = OTHER;
	t = trials_run(run, &op, &r);
	assert_true(t.wrong > 0 && strstr(t.detail, "back gave a call without the wanted output"));
	op.back = NEVER;
	t = trials_run(run, &op, &r);
	assert_int_equal(t.wrong, 0);
	assert_int_equal(t.back_dead, TRIALS_BACK);
	op.sample = REJECTED;
	assert_int_equal(trials_run(run, &op, &r).dead, TRIALS_FORWARD);
	op.sample = NEVER;
	assert_int_equal(trials_run(run, &op, &r).dead, TRIALS_FORWARD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_agrees), cmocka_unit_test(test_differs), cmocka_unit_test(test_empty), cmocka_unit_test(test_outside),
	    cmocka_unit_test(test_numbers), cmocka_unit_test(test_rejects), cmocka_unit_test(test_samplers)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

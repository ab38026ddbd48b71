/* One side's answer to a call, and the comparison of two answers: every pair of answers, and messages that
 * differ only in numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "operators.h"
#include "json.h"
#include "reply.h"
#include "rng.h"

typedef struct house {
	records r;
	arena *memory;
} house;

/* An operator with outputs of two dimensions and of one. */
static int start(void **state)
{
	static house h;
	buf b = {0};
	int nsym, nodim;
	put_call(&b, "m.two", 0, "x=t2", "2 1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	read_lines(&h.r, &b);
	h.memory = arena_new();
	*state = &h;
	return 0;
}

static int end(void **state)
{
	house *h = *state;
	records_free(&h->r);
	arena_free(h->memory);
	return 0;
}

static void reads(const house *h, const char *line, enum reply_kind kind, const char *shapes, const char *dtypes, const char *message)
{
	diag d;
	cJSON *json = json_parse(line, "line", 1, &d); /* parsed as answers are: integers are kept whole */
	assert_non_null(json);
	reply r = reply_read(json, &h->r.ops[0], h->memory);
	cJSON_Delete(json);
	assert_string_equal(REPLY_NAMES[r.kind], REPLY_NAMES[kind]);
	assert_string_equal(r.shapes, shapes);
	assert_string_equal(r.dtypes, dtypes);
	assert_string_equal(r.message, message);
}

static void answers_are_read(void **state)
{
	const house *h = *state;
	const char *no = "an answer with outputs of another number", *text = "an answer with a dimension that is not a number";
	reads(h, "{\"outcome\":\"pass\",\"outputs\":[[[5,2],\"float32\"],[[],\"int64\"]]}", REPLY_ACCEPTS, "[5, 2], []", "float32, int64", "");
	reads(h, "{\"outcome\":\"pass\",\"outputs\":[[[5,2]],[[1,0,3],7]]}", REPLY_ACCEPTS, "[5, 2], [1, 0, 3]", "?, ?", "");
	reads(h, "{\"outcome\":\"pass\",\"outputs\":[]}", REPLY_ACCEPTS, "", "", "");
	reads(h, "{\"outcome\":\"pass\",\"out\":[5,2,-9223372036854775808]}", REPLY_ACCEPTS, "[5, 2], [-9223372036854775808]", "float32, float32", "");
	reads(h, "{\"outcome\":\"other\"}", REPLY_ACCEPTS, "", "no tensors", "");
	static const char *const WRONG[] = {"[5,2]", "[5,2,1,1]", "[]"};
	for (int i = 0; i < 3; i++) {
		char line[80];
		snprintf(line, sizeof line, "{\"outcome\":\"pass\",\"out\":%s}", WRONG[i]);
		reads(h, line, REPLY_LOST, "", "", no);
	}
	static const char *const NONE[] = {"[5,2,\"x\"]", "[null,2,1]", "[5,1.5,1]", "[5,2,[1]]", "[5,2,9223372036854775808]"};
	for (int i = 0; i < 5; i++) {
		char line[80];
		snprintf(line, sizeof line, "{\"outcome\":\"pass\",\"out\":%s}", NONE[i]);
		reads(h, line, REPLY_LOST, "", "", text);
	}
	reads(h, "{\"outcome\":\"fail\",\"message\":\"no\",\"out\":[1,2,3]}", REPLY_REFUSES, "", "", "no");
	reads(h, "{\"outcome\":\"mixed\",\"message\":\"some\"}", REPLY_ELEMENTS, "", "", "some");
	reads(h, "{\"outcome\":\"absent\"}", REPLY_ABSENT, "", "", "");
	reads(h, "{\"outcome\":\"lost\",\"message\":\"it was killed by SIGSEGV\"}", REPLY_DIES, "", "", "it was killed by SIGSEGV");
	reads(h, "{\"outcome\":\"lost\",\"message\":\"no time\"}", REPLY_LOST, "", "", "no time");
	reads(h, "{\"outcome\":\"passed\",\"message\":\"killed by SIGSEGV\"}", REPLY_LOST, "", "", "killed by SIGSEGV");
	reads(h, "{\"message\":5}", REPLY_LOST, "", "", "");
}

/* The table of reply.h: rows A, columns B. */
static void every_pair_changes_as_is_said(void **state)
{
	(void)state;
	static const enum change TABLE[REPLY_KINDS][REPLY_KINDS] = {
	    [REPLY_ACCEPTS] = {[REPLY_REFUSES] = CHANGE_LESS, [REPLY_ELEMENTS] = CHANGE_ELEMENTS, [REPLY_DIES] = CHANGE_DIES, [REPLY_ABSENT] = CHANGE_GONE},
	    [REPLY_REFUSES] = {[REPLY_ACCEPTS] = CHANGE_MORE, [REPLY_ELEMENTS] = CHANGE_ELEMENTS, [REPLY_DIES] = CHANGE_DIES, [REPLY_ABSENT] = CHANGE_GONE},
	    [REPLY_ELEMENTS] = {[REPLY_ACCEPTS] = CHANGE_ELEMENTS, [REPLY_REFUSES] = CHANGE_ELEMENTS, [REPLY_DIES] = CHANGE_DIES, [REPLY_ABSENT] = CHANGE_GONE},
	    [REPLY_DIES] = {[REPLY_ACCEPTS] = CHANGE_SURVIVES, [REPLY_REFUSES] = CHANGE_SURVIVES, [REPLY_ELEMENTS] = CHANGE_SURVIVES, [REPLY_ABSENT] = CHANGE_GONE},
	    [REPLY_ABSENT] = {[REPLY_ACCEPTS] = CHANGE_NEW, [REPLY_REFUSES] = CHANGE_NEW, [REPLY_ELEMENTS] = CHANGE_NEW, [REPLY_DIES] = CHANGE_NEW}};
	for (int i = 0; i < REPLY_KINDS; i++)
		for (int k = 0; k < REPLY_KINDS; k++) {
			reply a = {(enum reply_kind)i, "[1]", "int8", "one"}, b = {(enum reply_kind)k, "[1]", "int8", "other"};
			assert_string_equal(CHANGE_NAMES[reply_change(&a, &b)], CHANGE_NAMES[TABLE[i][k]]);
			b.shapes = "[2]";
			enum change shape = i == k && i == REPLY_ACCEPTS ? CHANGE_SHAPE : TABLE[i][k];
			assert_string_equal(CHANGE_NAMES[reply_change(&a, &b)], CHANGE_NAMES[shape]);
			b.dtypes = "int16"; /* more specific than the shape */
			enum change dtype = i == k && i == REPLY_ACCEPTS ? CHANGE_DTYPE : TABLE[i][k];
			assert_string_equal(CHANGE_NAMES[reply_change(&a, &b)], CHANGE_NAMES[dtype]);
		}
}

static void causes(const house *h, const char *message, const char *cause)
{
	reply a = {REPLY_ACCEPTS, "", "", "old"}, b = {REPLY_REFUSES, "", "", message};
	assert_string_equal(reply_cause(CHANGE_LESS, &a, &b, h->memory), cause);
}

static void a_cause_has_no_numbers(void **state)
{
	const house *h = *state;
	causes(h, "bad window 7", "bad window N");
	causes(h, "7", "N");
	causes(h, "-7 of -12.5 and 3.", "N of N and N.");
	causes(h, "sizes [1, 2, -3, 40] and [5]", "sizes [N] and [N]");
	causes(h, "sizes 1, 2 or x, 3", "sizes N or x, N");
	causes(h, "conv2d_1 at s0: x2, 2x", "conv2d_1 at s0: x2, Nx");
	causes(h, "one\ntwo", "one");
	causes(h, "\nnothing", "");
	causes(h, "tab\there \xc3\xa9", "tab?here ??");
	causes(h, "(1)", "(N)");
	char longer[400], wanted[400];
	for (int n = 150; n < 170; n++) {
		memset(longer, 'x', sizeof longer);
		longer[n] = '\0';
		snprintf(wanted, sizeof wanted, "%.160s", longer);
		causes(h, longer, wanted);
	}
}

/* Messages that differ only in their numbers have one cause; messages that differ in a letter have two. */
static void numbers_do_not_count(void **state)
{
	const house *h = *state;
	rng r = rng_seed(9);
	reply a = {REPLY_ACCEPTS, "", "", ""}, b = {REPLY_REFUSES, "", "", ""};
	for (int round = 0; round < 500; round++) {
		buf one = {0}, two = {0};
		int n = (int)rng_range(&r, 1, 12);
		for (int i = 0; i < n; i++) {
			static const char *const WORDS[] = {"dim ", "(x) ", "[y]: ", "expected "};
			const char *word = WORDS[rng_range(&r, 0, 3)];
			buf_puts(&one, word);
			buf_puts(&two, word);
			buf_printf(&one, "%lld ", (long long)rng_range(&r, -20, 2000));
			buf_printf(&two, "%lld ", (long long)rng_range(&r, -20, 2000));
		}
		b.message = buf_text(&one);
		const char *cause = reply_cause(CHANGE_LESS, &a, &b, h->memory);
		b.message = buf_text(&two);
		assert_string_equal(reply_cause(CHANGE_LESS, &a, &b, h->memory), cause);
		assert_true(strpbrk(cause, "0123456789-") == NULL && strlen(cause) <= 160);
		two.text[0] ^= 32;
		assert_string_not_equal(reply_cause(CHANGE_LESS, &a, &b, h->memory), cause);
		buf_free(&one);
		buf_free(&two);
	}
}

/* The quoted side: the one that rejects, crashes, does not know the call, or depends on elements. */
static void the_side_that_says_no_is_quoted(void **state)
{
	const house *h = *state;
	for (int c = CHANGE_NONE + 1; c < CHANGES; c++)
		for (int elements = 0; elements < 2; elements++) {
			reply a = {elements ? REPLY_ELEMENTS : REPLY_ACCEPTS, "[1]", "int8", "old"}, b = {REPLY_REFUSES, "[2]", "int16", "new"};
			bool old = c == CHANGE_MORE || c == CHANGE_NEW || c == CHANGE_SURVIVES || (c == CHANGE_ELEMENTS && elements);
			const char *wanted = c == CHANGE_DTYPE ? "int8 becomes int16" : c == CHANGE_SHAPE ? "" : old ? "old" : "new";
			assert_string_equal(reply_cause((enum change)c, &a, &b, h->memory), wanted);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(answers_are_read),
	    cmocka_unit_test(every_pair_changes_as_is_said),
	    cmocka_unit_test(a_cause_has_no_numbers),
	    cmocka_unit_test(numbers_do_not_count),
	    cmocka_unit_test(the_side_that_says_no_is_quoted),
	};
	return cmocka_run_group_tests(tests, start, end);
}

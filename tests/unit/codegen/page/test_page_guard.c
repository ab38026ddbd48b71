/* Conditions of a page's lines: which calls a line is of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "operators.h"
#include "page_words.h"

enum { MOST_FORMS = 8 };

static const default_text DEFAULTS[] = {{"keep", "0"}, {"mode", "'c'"}};

/* The condition of the signatures whose bit is set in `in`, against those in `out`; "" if none exists. */
static const char *guard_of(const char *mentioned, const char *const *args, int n, unsigned in, unsigned out)
{
	static char words[256];
	const operator *ops[MOST_FORMS];
	bool ins[MOST_FORMS] = {false}, outs[MOST_FORMS] = {false};
	buf b = {0}, text = {0};
	records r;
	page_guard g;
	int nsym, nodim;
	for (int i = 0; i < n; i++) {
		put_call(&b, "m.f", i, args[i], "0", &nsym, &nodim);
		buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
		ins[i] = in >> i & 1;
		outs[i] = out >> i & 1;
	}
	read_lines(&r, &b);
	for (int i = 0; i < n; i++)
		ops[i] = &r.ops[i];
	arena *memory = arena_new();
	const page_question q = {.memory = memory, .ops = ops, .n = n, .in = ins, .out = outs, .defaults = DEFAULTS, .ndefaults = 2,
	    .mentioned = &mentioned, .nmentioned = *mentioned != '\0'};
	if (page_guard_find(&g, &q))
		page_words_guard(&text, &g);
	snprintf(words, sizeof words, "%s", buf_text(&text));
	arena_free(memory);
	buf_free(&text);
	records_free(&r);
	return words;
}

#define FORMS(...) (const char *const[]){__VA_ARGS__}, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static void one_term_tells(void **state)
{
	(void)state;
	assert_string_equal(guard_of("", FORMS("x=t2 mode=c1", "x=t2 mode=c2"), 1, 2), "mode == 'c1'");
	assert_string_equal(guard_of("", FORMS("x=t2 k=l2", "x=t2 k=i"), 1, 2), "k is a list");
	assert_string_equal(guard_of("", FORMS("x=t2 k=i", "x=t2"), 1, 2), "k is given");
	assert_string_equal(guard_of("", FORMS("x=t2 k=l2", "x=t2 k=l3"), 1, 2), "len(k) == 2");
	assert_string_equal(guard_of("", FORMS("xs=T3,2", "xs=T2,2"), 1, 2), "len(xs) == 3");
	assert_string_equal(guard_of("", FORMS("x=t2", "x=t3", "x=t4", "x=t5"), 12, 3), "rank(x) >= 4");
	assert_string_equal(guard_of("", FORMS("x=t2 axis=#0", "x=t2 axis=#1", "x=t2 axis=#2"), 5, 2), "axis != 1");
	assert_string_equal(guard_of("", FORMS("x=t1 k=i", "x=t4 k=t0", "x=t1 k=t1", "x=t4 k=t1"), 3, 12), "k is a number or rank(k) == 0");
	assert_string_equal(guard_of("", FORMS("x=t2 axis=#0", "x=t2 axis=#1", "x=t2 axis=#2", "x=t2 axis=#3"), 5, 10), "axis in (0, 2)");
}

/* A call that omits an argument and one that gives its default are the same. */
static void defaults_count_as_given(void **state)
{
	(void)state;
	assert_string_equal(guard_of("", FORMS("x=t2", "x=t2 keep=#0", "x=t2 keep=#1"), 3, 4), "keep == 0");
	assert_string_equal(guard_of("", FORMS("x=t2", "x=t2 keep=#0"), 1, 2), "keep is omitted");
}

/* Of arguments that tell as well, the one that the line mentions. */
static void mentioned_arguments_come_first(void **state)
{
	(void)state;
	assert_string_equal(guard_of("a", FORMS("x=t2 a=i b=i", "x=t2"), 1, 2), "a is given");
	assert_string_equal(guard_of("b", FORMS("x=t2 a=i b=i", "x=t2"), 1, 2), "b is given");
}

/* padding != 'same' also holds if padding is a list, or omitted without a known default. */
static void lists_and_omitted_arguments_differ_from_words(void **state)
{
	(void)state;
	assert_string_equal(guard_of("", FORMS("x=t2 pad=c1", "x=t2 pad=c2", "x=t2 pad=l2", "x=t2"), 13, 2), "pad != 'c2'");
}

static void several_terms_and_branches_tell(void **state)
{
	(void)state;
	assert_string_equal(guard_of("", FORMS("x=t2 mode=c1", "x=t2 mode=c2", "x=t3 mode=c1"), 1, 6), "rank(x) == 2 and mode == 'c1'");
	assert_string_equal(guard_of("", FORMS("x=t2 k=i", "x=t3 k=i", "x=t3", "x=t2"), 5, 10),
	    "rank(x) == 2 and k is given, or rank(x) == 3 and k is omitted");
	assert_string_equal(guard_of("", FORMS("x=t2 k=i", "x=t2 k=i"), 1, 2), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(one_term_tells), cmocka_unit_test(defaults_count_as_given),
	    cmocka_unit_test(mentioned_arguments_come_first),
	    cmocka_unit_test(lists_and_omitted_arguments_differ_from_words), cmocka_unit_test(several_terms_and_branches_tell)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

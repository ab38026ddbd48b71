/* Hostile text stays text in every output format. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "escape.h"

#define HOSTILE "<script>\"&'\x1b[31m\xff\xe2\x80\xae"

static void assert_text(buf *b, const char *wanted)
{
	assert_string_equal(b->text ? b->text : "", wanted);
	buf_free(b);
}

static void characters(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint32_t first;
		size_t bytes;
	} CASES[] = {{"a", 'a', 1}, {"é", 0xe9, 2}, {"→", 0x2192, 3}, {"😀", 0x1f600, 4}, {"\xff", 0xfffd, 1}, {"\xc3", 0xfffd, 1},
	    {"\xc0\x80", 0xfffd, 1} /* too long */, {"\xed\xa0\x80", 0xfffd, 1} /* half a pair */, {"\xf4\x90\x80\x80", 0xfffd, 1},
	    {"\xe2\x82", 0xfffd, 1} /* cut off */, {"", 0, 0}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		const char *at = CASES[i].text;
		assert_int_equal(escape_next(&at), CASES[i].first);
		assert_int_equal(at - CASES[i].text, CASES[i].bytes);
	}
}

static void markup(void **state)
{
	(void)state;
	buf b = {0};
	escape_markup(&b, HOSTILE "\n");
	assert_text(&b, "&lt;script&gt;&quot;&amp;&#39;\xef\xbf\xbd[31m\xef\xbf\xbd\xef\xbf\xbd\n");
	escape_markup_cut(&b, "aé→b", 3);
	assert_text(&b, "aé…");
	escape_markup_cut(&b, "aé", 3);
	assert_text(&b, "aé");
}

static void json(void **state)
{
	(void)state;
	buf b = {0};
	escape_json(&b, "a\"b\\c\n\x01\x7f\xff→\xe2\x80\xae", 100);
	assert_text(&b, "\"a\\\"b\\\\c\\n\\u0001\\u007f\xef\xbf\xbd→\\u202e\"");
	escape_json(&b, "abcdef", 3);
	assert_text(&b, "\"abc…\"");
}

static void markdown(void **state)
{
	(void)state;
	buf b = {0};
	escape_markdown(&b, "a|b\n<img> [x](https://h) `c` *d* @e #1 $f$", 200);
	assert_text(&b, "a\\|b \\<img> [x\\](https:\\/\\/h) \\`c\\` \\*d\\* &#64;e \\#1 \\$f\\$");
	escape_markdown(&b, "[ONNXRuntimeError] : 1 : t3_q in rep/15.py, a & b, _x_ &lt; # C\\D", 200);
	assert_text(&b, "[ONNXRuntimeError] : 1 : t3_q in rep/15.py, a & b, \\_x\\_ &amp;lt; # C\\\\D");
	escape_markdown(&b, "abcdef", 3);
	assert_text(&b, "abc…");
	escape_fenced(&b, "text", "a\n```\n````x\x1b");
	assert_text(&b, "`````text\na\n```\n````x\xef\xbf\xbd\n`````\n");
}

static void terminals(void **state)
{
	(void)state;
	buf b = {0};
	escape_terminal(&b, "a\x1b]0;t\x07\n\tb\xc2\x9b\xe2\x80\xae", false);
	assert_text(&b, "a\\x1b]0;t\\x07  b\\x9b\\u202e");
	escape_terminal(&b, "a\n\tb\r", true);
	assert_text(&b, "a\n\tb\\x0d");
}

static void widths(void **state)
{
	(void)state;
	buf b = {0};
	assert_int_equal(escape_columns("abc"), 3);
	assert_int_equal(escape_columns("算子"), 4);
	assert_int_equal(escape_columns("e\xcc\x81"), 1); /* a combining accent */
	escape_fit(&b, "算子算子", 5, true);
	assert_text(&b, "算子…");
	escape_fit(&b, "算子算子", 6, true); /* a wide character does not fit half */
	assert_text(&b, "算子… ");
	escape_fit(&b, "ab", 4, true);
	assert_text(&b, "ab  ");
	escape_fit(&b, "ab", 4, false);
	assert_text(&b, "ab");
	escape_fit(&b, "abcd", 3, true);
	assert_text(&b, "ab…");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(characters), cmocka_unit_test(markup), cmocka_unit_test(json),
	    cmocka_unit_test(markdown), cmocka_unit_test(terminals), cmocka_unit_test(widths)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

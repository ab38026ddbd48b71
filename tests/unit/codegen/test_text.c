/* Comments are broken between words: no line is too long, no line starts or ends with a space, and no word
 * is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "buf.h"
#include "rng.h"
#include "text.h"

enum { MOST = 100 }; /* width of the lines of generated/ */

/* The words of a text, separated by one space. */
static void put_words(buf *to, const char *text)
{
	while (*(text += strspn(text, " "))) {
		size_t n = strcspn(text, " ");
		buf_puts(to, to->length ? " " : "");
		buf_add(to, text, n);
		text += n;
	}
}

static void check(const char *text)
{
	buf out = {0}, words = {0}, wanted = {0};
	text_prose(&out, " * ", " *     ", text);
	put_words(&wanted, text);
	for (char *line = out.text, *end; (end = strchr(line, '\n')); line = end + 1) {
		size_t lead = line == out.text ? 3 : 7;
		*end = 0;
		assert_true(end - line <= MOST);
		assert_int_equal(strncmp(line, line == out.text ? " * " : " *     ", lead), 0);
		assert_true(line[lead] != ' ' && end[-1] != ' ');
		put_words(&words, line + lead);
	}
	assert_string_equal(words.text, wanted.text);
	buf_free(&out);
	buf_free(&words);
	buf_free(&wanted);
}

/* Words of 1 to 12 letters with one to three spaces between them, so that a line can end at each position. */
static void breaks_lines_between_words(void **state)
{
	(void)state;
	rng r = rng_seed(3);
	for (int k = 0; k < 300; k++) {
		buf text = {0};
		for (int64_t words = rng_range(&r, 1, 60); words > 0; words--) {
			for (int64_t n = rng_range(&r, 1, 12); n > 0; n--)
				buf_putc(&text, 'x');
			for (int64_t n = words > 1 ? rng_range(&r, 1, 3) : 0; n > 0; n--)
				buf_putc(&text, ' ');
		}
		check(text.text);
		buf_free(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(breaks_lines_between_words)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

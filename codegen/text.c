#include "text.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

enum { COLUMNS = 100, CODE_COLUMNS = 120, TAB = 8 }; /* of comments, of C */

static size_t width(const char *text, size_t n)
{
	size_t column = 0;
	for (size_t i = 0; i < n; i++)
		column += text[i] == '\t' ? TAB - column % TAB : 1;
	return column;
}

/* Whether a line may end before the space at i. */
static bool may_break(const char *text, size_t i)
{
	char before = text[i - 1], after = text[i + 1];
	if (text[i] != ' ' || strchr("<>=!&|+-*?:", before))
		return false;
	return before == ',' || before == ';' || strchr("<>=!&|+*?:", after) || (after == '-' && text[i + 2] == ' ');
}

/* The position at which to break a text if `room` characters fit. It is the last break at the lowest depth of
 * parentheses in the second half of the room, or otherwise the last break, or 0 if there is none. */
static size_t find_break(const char *text, size_t room)
{
	size_t best = 0;
	int depth = 0, best_level = 0;
	for (size_t i = 1; text[i] && i <= room; i++) {
		depth += (text[i - 1] == '(') - (text[i - 1] == ')');
		if (!may_break(text, i))
			continue;
		int level = depth * 2 - (text[i - 1] == ';'); /* prefer breaks between statements */
		if (best <= room / 2 || level <= best_level) {
			best = i;
			best_level = level;
		}
	}
	return best;
}

void text_code(buf *out, const char *lead, const char *text)
{
	text_code_behind(out, lead, "\t\t", text);
}

/* Prints the text before `at`, without surrounding spaces, and starts the next line. Returns the rest of the text. */
static const char *end_line(buf *out, const char *text, size_t at, const char *again)
{
	size_t end = at;
	while (end > 0 && text[end - 1] == ' ')
		end--;
	buf_add(out, text, end);
	buf_putc(out, '\n');
	buf_puts(out, again);
	return text + at + strspn(text + at, " ");
}

void text_code_behind(buf *out, const char *lead, const char *again, const char *text)
{
	size_t used = width(lead, strlen(lead));
	buf_puts(out, lead);
	while (used + strlen(text) > CODE_COLUMNS - 2) { /* a semicolon may follow */
		size_t at = find_break(text, CODE_COLUMNS - 2 - used);
		if (at == 0)
			break;
		text = end_line(out, text, at, again);
		used = width(again, strlen(again));
	}
	buf_puts(out, text);
}

void text_prose(buf *out, const char *lead, const char *again, const char *text)
{
	buf_puts(out, lead);
	size_t used = width(lead, strlen(lead));
	while (used + strlen(text) > COLUMNS) {
		size_t at = used < COLUMNS ? COLUMNS - used : 0;
		while (at > 0 && text[at] != ' ')
			at--;
		if (at == 0 && !(at = strcspn(text, " "), text[at])) /* one long word: do not break */
			break;
		text = end_line(out, text, at, again);
		used = width(again, strlen(again));
	}
	buf_puts(out, text);
	buf_putc(out, '\n');
}

text_list text_list_begin(buf *out, unsigned indent, unsigned column)
{
	return (text_list){.out = out, .indent = indent, .column = column};
}

void text_item(text_list *list, const char *text)
{
	unsigned n = (unsigned)strlen(text);
	if (list->count++) {
		buf_putc(list->out, ',');
		list->column++;
		if (!list->one_line && list->column + !list->tight + n > CODE_COLUMNS - 3) {
			buf_putc(list->out, '\n');
			for (unsigned i = 0; i < list->indent; i++)
				buf_putc(list->out, '\t');
			list->column = list->indent * TAB;
		} else if (!list->tight) {
			buf_putc(list->out, ' ');
			list->column++;
		}
	}
	buf_puts(list->out, text);
	list->column += n;
}

/* A byte of a string literal; before, next: its neighbours, 0 if there is none. */
static void put_byte(buf *out, unsigned char before, unsigned char c, unsigned char next)
{
	if (c == '"' || c == '\\' || (c == '?' && before == '?')) /* ??/ would be a backslash with trigraphs */
		buf_printf(out, "\\%c", c);
	else if (c >= ' ' && c <= '~')
		buf_putc(out, (char)c);
	else
		buf_printf(out, next >= '0' && next <= '7' ? "\\%03o" : "\\%o", c);
}

static void put_bytes(buf *out, const char *bytes, size_t n, size_t columns)
{
	const unsigned char *all = (const unsigned char *)bytes;
	size_t line = out->length;
	buf_putc(out, '"');
	for (size_t i = 0; i < n; i++) {
		if (out->length - line > columns) {
			buf_puts(out, "\"\n\"");
			line = out->length - 1;
		}
		put_byte(out, i ? all[i - 1] : 0, all[i], i + 1 < n ? all[i + 1] : 0);
	}
	buf_putc(out, '"');
}

void text_bytes(buf *out, const char *bytes, size_t n)
{
	put_bytes(out, bytes, n, SIZE_MAX);
}

void text_byte_lines(buf *out, const char *bytes, size_t n)
{
	enum { LONGEST = 4, END = 4 }; /* an escape; the closing quote and what follows it */
	put_bytes(out, bytes, n, CODE_COLUMNS - LONGEST - END);
}

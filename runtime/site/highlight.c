#include "highlight.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "escape.h"

static bool is_word_of_c(const char *p, size_t n)
{
	static const char *const WORDS[] = {"static", "inline", "bool", "const", "for", "int", "if", "else", "return", "true", "false",
	    "int64_t", "dims", "ints", "wide", "sizes", "#include", "while", "void", "unsigned"};
	for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
		if (strlen(WORDS[i]) == n && memcmp(WORDS[i], p, n) == 0)
			return true;
	return false;
}

static size_t length_of_word(const char *p)
{
	size_t n = *p == '#';
	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	return n;
}

static size_t length_of_comment(const char *p)
{
	const char *end = strstr(p + 2, "*/");
	return end ? (size_t)(end + 2 - p) : strlen(p);
}

static size_t length_of_text(const char *p)
{
	size_t n = 1;
	while (p[n] && p[n] != *p && p[n] != '\n')
		n += p[n] == '\\' && p[n + 1] ? 2 : 1;
	return p[n] == *p ? n + 1 : n;
}

static void put(buf *out, const char *element, const char *p, size_t n)
{
	buf piece = {0};
	buf_add(&piece, p, n);
	if (element)
		buf_printf(out, "<%s>", element);
	escape_markup(out, buf_text(&piece));
	if (element)
		buf_printf(out, "</%s>", element);
	buf_end(out, &piece);
}

void highlight_put(buf *out, const char *text)
{
	while (*text) {
		size_t n = 1;
		const char *element = NULL;
		if (text[0] == '/' && text[1] == '*') {
			n = length_of_comment(text);
			element = "i";
		} else if (*text == '"') {
			n = length_of_text(text);
		} else if (isalpha((unsigned char)*text) || *text == '_' || *text == '#') {
			n = length_of_word(text);
			element = is_word_of_c(text, n) ? "b" : text[n] == '(' ? "u" : NULL;
		} else if (isdigit((unsigned char)*text)) {
			n = length_of_word(text);
		} else {
			n = strcspn(text, "/\"#_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
			n = n ? n : 1;
		}
		put(out, element, text, n);
		text += n;
	}
}

const char *highlight_body(const char *text)
{
	for (;;) {
		text += strspn(text, " \t\n");
		if (text[0] != '/' || text[1] != '*')
			return text;
		text += length_of_comment(text);
	}
}

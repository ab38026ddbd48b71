#include "escape.h"

#include <locale.h>
#include <pthread.h>
#include <string.h>
#include <wchar.h>

#define BROKEN 0xfffdu
#define ELLIPSIS "…"

/* ---- characters */

/* The number of bytes that follow a first byte; -1: invalid. *least: the smallest character of this length. */
static int following(unsigned char first, uint32_t *c, uint32_t *least)
{
	static const struct {
		unsigned char mask, value;
		uint32_t least;
	} KINDS[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
	for (int i = 0; i < 4; i++)
		if ((first & KINDS[i].mask) == KINDS[i].value) {
			*c = first & (unsigned char)~KINDS[i].mask;
			*least = KINDS[i].least;
			return i;
		}
	return -1;
}

uint32_t escape_next(const char **text)
{
	const unsigned char *p = (const unsigned char *)*text;
	uint32_t c = 0, least = 0;
	if (!*p)
		return 0;
	int more = following(*p, &c, &least);
	for (int i = 1; i <= more; i++) {
		if ((p[i] & 0xc0) != 0x80)
			more = -1;
		else
			c = c << 6 | (p[i] & 0x3f);
	}
	if (more < 0 || c < least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) {
		++*text;
		return BROKEN;
	}
	*text += more + 1;
	return c;
}

static void put(buf *out, uint32_t c)
{
	if (c < 0x80) {
		buf_putc(out, (char)c);
		return;
	}
	int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char FIRST[] = {0, 0xc0, 0xe0, 0xf0};
	buf_putc(out, (char)(FIRST[more] | c >> 6 * more));
	while (more--)
		buf_putc(out, (char)(0x80 | (c >> 6 * more & 0x3f)));
}

static bool is_control(uint32_t c)
{
	return c < ' ' || (c >= 0x7f && c < 0xa0);
}

static bool is_alnum(uint32_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Invisible marks that change the direction of text, or break lines. */
static bool is_direction(uint32_t c)
{
	return c == 0x61c || (c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* ---- markup */

static void put_markup(buf *out, uint32_t c)
{
	switch (c) {
	case '<':
		buf_puts(out, "&lt;");
		break;
	case '>':
		buf_puts(out, "&gt;");
		break;
	case '&':
		buf_puts(out, "&amp;");
		break;
	case '"':
		buf_puts(out, "&quot;");
		break;
	case '\'':
		buf_puts(out, "&#39;");
		break;
	default:
		put(out, (is_control(c) && c != '\n' && c != '\t') || is_direction(c) || c == 0xfffe || c == 0xffff ? BROKEN : c);
	}
}

/* Writes characters one by one, up to a limit of bytes of the text. */
static void put_all(buf *out, const char *text, size_t limit, void (*one)(buf *out, uint32_t c))
{
	const char *start = text;
	for (uint32_t c; (c = escape_next(&text)) != 0;) {
		if ((size_t)(text - start) > limit) {
			buf_puts(out, ELLIPSIS);
			return;
		}
		one(out, c);
	}
}

void escape_markup(buf *out, const char *text)
{
	put_all(out, text, SIZE_MAX, put_markup);
}

void escape_markup_cut(buf *out, const char *text, size_t limit)
{
	put_all(out, text, limit, put_markup);
}

/* ---- JSON, Markdown */

static void put_json(buf *out, uint32_t c)
{
	if (c == '"' || c == '\\')
		buf_printf(out, "\\%c", (char)c);
	else if (c == '\n')
		buf_puts(out, "\\n");
	else if (is_control(c) || is_direction(c))
		buf_printf(out, "\\u%04x", c);
	else
		put(out, c);
}

void escape_json(buf *out, const char *text, size_t limit)
{
	buf_putc(out, '"');
	put_all(out, text, limit, put_json);
	buf_putc(out, '"');
}

/* Whether a character is markup, by its neighbours: a bracket unless a link follows, an underscore within a word and a # without
 * a digit are literal. URLs and mentions are broken up, so no text becomes a link. */
static bool is_markup(uint32_t before, uint32_t c, uint32_t after)
{
	switch (c) {
	case ']':
		return after == '(' || after == '[' || after == ':';
	case '_':
		return !is_alnum(before) || !is_alnum(after);
	case '#':
		return after >= '0' && after <= '9';
	case '/':
		return before == ':' || before == '/';
	default:
		return c < 0x80 && strchr("\\`*<|~$", (char)c);
	}
}

void escape_markdown(buf *out, const char *text, size_t limit)
{
	const char *start = text;
	uint32_t before = ' ';
	for (uint32_t c; (c = escape_next(&text)) != 0; before = c) {
		const char *next = text;
		uint32_t after = escape_next(&next);
		if ((size_t)(text - start) > limit) {
			buf_puts(out, ELLIPSIS);
			return;
		}
		if (c == '@' || (c == '&' && (after == '#' || is_alnum(after)))) { /* a mention, an entity: no backslash helps */
			buf_puts(out, c == '@' ? "&#64;" : "&amp;");
		} else if (is_control(c) || is_direction(c)) {
			buf_putc(out, ' ');
		} else {
			buf_puts(out, is_markup(before, c, after) ? "\\" : "");
			put(out, c);
		}
	}
}

static void put_code(buf *out, uint32_t c)
{
	put(out, (is_control(c) && c != '\n' && c != '\t') || is_direction(c) ? BROKEN : c);
}

void escape_fenced(buf *out, const char *language, const char *text)
{
	size_t longest = 2, run = 0, length = strlen(text);
	for (const char *p = text; *p; p++) {
		run = *p == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	for (size_t i = 0; i <= longest; i++)
		buf_putc(out, '`');
	buf_printf(out, "%s\n", language);
	put_all(out, text, SIZE_MAX, put_code);
	if (length && text[length - 1] != '\n')
		buf_putc(out, '\n');
	for (size_t i = 0; i <= longest; i++)
		buf_putc(out, '`');
	buf_putc(out, '\n');
}

/* ---- terminals */

static void put_terminal(buf *out, uint32_t c)
{
	if (is_control(c))
		buf_printf(out, "\\x%02x", c);
	else if (is_direction(c))
		buf_printf(out, "\\u%04x", c);
	else
		put(out, c);
}

void escape_terminal(buf *out, const char *text, bool lines)
{
	for (uint32_t c; (c = escape_next(&text)) != 0;)
		if (c == '\n' || c == '\t')
			buf_putc(out, lines ? (char)c : ' ');
		else
			put_terminal(out, c);
}

/* The tables of C.UTF-8, independent of the program's locale. Created once, never freed. */
static locale_t unicode;
static void open_unicode(void)
{
	unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

int escape_width(uint32_t character)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, open_unicode);
	if (character < 0x7f || !unicode)
		return character ? 1 : 0;
	locale_t before = uselocale(unicode);
	int width = wcwidth((wchar_t)character);
	uselocale(before);
	return width < 0 ? 1 : width;
}

int escape_columns(const char *text)
{
	int n = 0;
	for (uint32_t c; (c = escape_next(&text)) != 0;)
		n += escape_width(c);
	return n;
}

void escape_fit(buf *out, const char *text, int columns, bool pad)
{
	buf clean = {0};
	escape_terminal(&clean, text, false);
	const char *p = buf_text(&clean);
	int all = escape_columns(p), room = all > columns ? columns - 1 : columns, used = 0;
	for (uint32_t c; (c = escape_next(&p)) != 0 && used + escape_width(c) <= room;) {
		put(out, c);
		used += escape_width(c);
	}
	if (all > columns && columns > 0) {
		buf_puts(out, ELLIPSIS);
		used++;
	}
	for (; pad && used < columns; used++)
		buf_putc(out, ' ');
	buf_free(&clean);
}

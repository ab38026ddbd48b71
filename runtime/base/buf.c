#include "buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static char empty[1];

void buf_free(buf *b)
{
	if (b->capacity)
		free(b->text);
	*b = (buf){0};
}

const char *buf_text(const buf *b)
{
	return b->text ? b->text : "";
}

void buf_end(buf *whole, buf *piece)
{
	whole->failed |= piece->failed;
	buf_free(piece);
}

void buf_clear(buf *b)
{
	b->length = 0;
	if (b->capacity)
		b->text[0] = '\0';
	else
		b->text = empty;
}

static bool lack(buf *b, size_t bytes)
{
	out_of_memory(bytes);
	b->failed = true;
	return false;
}

static bool grow(buf *b, size_t more)
{
	size_t want = b->capacity ? b->capacity * 2 : 256;
	while (want - b->length <= more)
		want *= 2;
	char *p = realloc(b->capacity ? b->text : NULL, want);
	if (!p)
		return lack(b, want);
	b->text = p;
	b->capacity = want;
	return true;
}

/* Inline, since texts are written in small pieces. */
static inline bool reserve(buf *b, size_t more)
{
	return !b->failed && (b->capacity - b->length > more || grow(b, more));
}

void buf_add(buf *b, const char *text, size_t n)
{
	if (!reserve(b, n))
		return;
	if (n)
		memcpy(b->text + b->length, text, n);
	b->length += n;
	b->text[b->length] = '\0';
}

char *buf_room(buf *b, size_t n)
{
	if (!reserve(b, n))
		return NULL;
	b->length += n;
	b->text[b->length] = '\0';
	return b->text + b->length - n;
}

void buf_puts(buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

void buf_putc(buf *b, char c)
{
	if (!reserve(b, 1))
		return;
	b->text[b->length++] = c;
	b->text[b->length] = '\0';
}

void buf_int(buf *b, int64_t value)
{
	char digits[24], *p = digits + sizeof digits;
	uint64_t u = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	do
		*--p = (char)('0' + u % 10);
	while (u /= 10);
	if (value < 0)
		*--p = '-';
	buf_add(b, p, (size_t)(digits + sizeof digits - p));
}

void buf_ints(buf *b, const int64_t *values, size_t n)
{
	buf_putc(b, '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_putc(b, ',');
		buf_int(b, values[i]);
	}
	buf_putc(b, ']');
}

void buf_vprintf(buf *b, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, format, args);
	if (n < 0)
		lack(b, SIZE_MAX); /* the text is too long for an int */
	else if (reserve(b, (size_t)n)) {
		vsnprintf(b->text + b->length, (size_t)n + 1, format, again);
		b->length += (size_t)n;
	}
	va_end(again);
}

void buf_printf(buf *b, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	buf_vprintf(b, format, args);
	va_end(args);
}

void buf_shell(buf *b, const char *text)
{
	buf_putc(b, '\'');
	for (; *text; text++)
		if (*text == '\'')
			buf_puts(b, "'\\''");
		else
			buf_putc(b, *text);
	buf_putc(b, '\'');
}

void buf_uri(buf *b, const char *path)
{
	static const char PLAIN[] = "-._~/ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
	for (; *path; path++)
		buf_printf(b, strchr(PLAIN, *path) ? "%c" : "%%%02X", (unsigned char)*path);
}

void buf_json(buf *b, const char *text)
{
	buf_putc(b, '"');
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c == '"' || *c == '\\')
			buf_printf(b, "\\%c", *c);
		else if (*c < ' ')
			buf_printf(b, "\\u%04x", *c);
		else
			buf_putc(b, (char)*c);
	}
	buf_putc(b, '"');
}

char *buf_take(buf *b)
{
	char *text = b->capacity && !b->failed ? b->text : NULL;
	if (!text)
		buf_free(b);
	*b = (buf){0};
	return text;
}

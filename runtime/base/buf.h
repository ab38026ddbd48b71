/* A growing string. Once an allocation has failed, `failed` stays set and appends do nothing, so one
 * check at the end serves; text is always NUL-terminated (NULL before the first append: buf_text). */
#ifndef BUF_H
#define BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct buf {
	char *text;
	size_t length, capacity;
	bool failed;
} buf;

void buf_free(buf *b);
const char *buf_text(const buf *b); /* what is in it: "" before the first append; the buf's */
void buf_clear(buf *b); /* length 0, memory kept */
void buf_add(buf *b, const char *text, size_t n);
/* Takes a piece away that was needed to write the whole: what the one lacks, the other does. */
void buf_end(buf *whole, buf *piece);
char *buf_room(buf *b, size_t n); /* appends n bytes that the caller fills; NULL when out of memory */
void buf_puts(buf *b, const char *text);
void buf_putc(buf *b, char c);
void buf_int(buf *b, int64_t value); /* decimal, faster than printf */
void buf_ints(buf *b, const int64_t *values, size_t n); /* as JSON: [1,2] */
void buf_printf(buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(buf *b, const char *format, va_list args);
void buf_json(buf *b, const char *text); /* a quoted and escaped JSON string */
void buf_shell(buf *b, const char *text); /* one word of a shell's, quoted */
/* The text, to free(), and an empty buffer; NULL when an allocation failed or nothing was appended. */
char *buf_take(buf *b);

#endif

/* A growing string. A failed allocation calls out_of_memory (memory.h). If that returns, `failed` stays set and appends do
 * nothing, so one check at the end is enough. text is NUL-terminated, and NULL before the first append. */
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
const char *buf_text(const buf *b); /* the content, "" before the first append; owned by the buf */
void buf_clear(buf *b); /* length 0; keeps the memory */
void buf_add(buf *b, const char *text, size_t n);
/* Frees a piece that was needed to write the whole. A failure of the piece becomes a failure of the whole. */
void buf_end(buf *whole, buf *piece);
char *buf_room(buf *b, size_t n); /* appends n bytes that the caller fills; NULL: out of memory */
void buf_puts(buf *b, const char *text);
void buf_putc(buf *b, char c);
void buf_int(buf *b, int64_t value); /* decimal, faster than printf */
void buf_ints(buf *b, const int64_t *values, size_t n); /* as JSON: [1,2] */
void buf_printf(buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(buf *b, const char *format, va_list args);
void buf_json(buf *b, const char *text); /* a quoted and escaped JSON string */
void buf_shell(buf *b, const char *text); /* one quoted shell word */
void buf_uri(buf *b, const char *path); /* a path in a URI: percent escapes for all but unreserved characters and slashes */
/* The text, to be freed with free(); the buf is then empty. NULL: an allocation failed or nothing was appended. */
char *buf_take(buf *b);

#endif

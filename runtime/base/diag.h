/* Diagnostics: a library fills one in, only the program prints it. */
#ifndef DIAG_H
#define DIAG_H

#include <stdbool.h>

typedef struct diag {
	char text[1024]; /* "path:line: error: what", without a newline; "" if nothing went wrong */
} diag;

/* Fills d and returns false, for `return diag_at(…)`. line 0 leaves out the line number. d may be NULL. */
bool diag_at(diag *d, const char *path, long line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same without a path: "error: what". */
bool diag_set(diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns ok; if it is false, fills d with "error: out of memory". */
bool diag_memory(diag *d, bool ok);

/* Whether the text reports that memory ran out. Then nothing else is at fault. */
bool diag_is_memory(const diag *d);

/* The text without a leading "error: ", for use behind a colon. */
const char *diag_what(const diag *d);

#endif

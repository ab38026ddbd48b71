/* Diagnostics: a library fills one, only main prints it. */
#ifndef DIAG_H
#define DIAG_H

#include <stdbool.h>

typedef struct diag {
	char text[1024]; /* "path:line: error: what", without a newline; "" when nothing went wrong */
} diag;

/* Fills d and returns false, so that a reader can `return diag_at(...)`.
 * line 0 leaves the line number out. d may be NULL. */
bool diag_at(diag *d, const char *path, long line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same without a place: "error: what". */
bool diag_set(diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns ok; where it is false, fills d: "error: out of memory". */
bool diag_memory(diag *d, bool ok);

/* Whether it says that there was no memory, "out of memory…": nobody else is to blame. */
bool diag_is_memory(const diag *d);

/* The text without a leading "error: ", to stand behind a colon. */
const char *diag_what(const diag *d);

#endif

/* Files that are either whole or not there: written beside, then renamed. What is there and no regular file (a pipe,
 * /dev/null) is written to as it is. */
#ifndef FILE_H
#define FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"

bool file_write(const char *path, const char *text, size_t length, diag *d);
/* The same, but leaves an equal file untouched, so that make sees no change. */
bool file_update(const char *path, const char *text, size_t length, diag *d);
enum { FILE_LARGEST = 256 << 20 }; /* bytes of a file that is read whole */
char *file_read(const char *path, size_t *length, diag *d); /* free(); NUL-terminated */
bool make_directories(const char *path, diag *d);	    /* as mkdir -p */

#endif

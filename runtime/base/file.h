/* Files that are written completely or not at all: under a temporary name, then renamed. An existing path that is not a
 * regular file (a pipe, /dev/null) is written in place. */
#ifndef FILE_H
#define FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"

bool file_write(const char *path, const char *text, size_t length, diag *d);
/* The same, but does not touch a file with the same content, so that make sees no change. */
bool file_update(const char *path, const char *text, size_t length, diag *d);
enum { FILE_LARGEST = 256 << 20 }; /* maximum bytes of a file that is read at once */
char *file_read(const char *path, size_t *length, diag *d); /* to be freed with free(); NUL-terminated */
bool make_directories(const char *path, diag *d);	    /* like mkdir -p */

/* A file inside the program: EMBED(page); declares page_begin[] and page_end[], with a NUL behind the file. Its path is EMBEDDED,
 * which the Makefile's `embedded` defines. A C array of a file takes a compiler seconds; the assembler copies it at once. */
#define EMBED(name)                                                                                \
	__asm__(".section .rodata\n" #name "_begin:\n.incbin \"" EMBEDDED "\"\n" #name "_end:\n"   \
		".byte 0\n.previous\n");                                                           \
	extern const char name##_begin[], name##_end[]

#endif

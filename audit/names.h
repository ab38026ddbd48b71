/* Which file defines a function: a hash table from names of any length to numbers, which grows. */
#ifndef AUDIT_NAMES_H
#define AUDIT_NAMES_H

#include <stddef.h>

typedef struct names {
	struct name {
		char *text; /* NULL: a free slot */
		int file;
	} *slot;
	size_t n, room; /* room: a power of two, at least 4/3 of n; 0 before the first name */
} names;

/* Adds a name of n bytes. The first file that defines it stays. */
void names_add(names *t, const char *name, size_t n, int file);
int names_file(const names *t, const char *name); /* -1: no file defines it */
void names_free(names *t);

#endif

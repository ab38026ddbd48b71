#include "memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *some(void *p)
{
	if (!p) {
		fputs("audit: error: out of memory\n", stderr);
		exit(1);
	}
	return p;
}

void *memory_new(size_t n, size_t size)
{
	return some(calloc(n ? n : 1, size));
}

void *memory_grow(void *old, size_t n, size_t size)
{
	return some(n > SIZE_MAX / size ? NULL : realloc(old, n * size));
}

char *memory_text(const char *text)
{
	return memory_part(text, strlen(text));
}

char *memory_part(const char *text, size_t n)
{
	return some(strndup(text, n));
}

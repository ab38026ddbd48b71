#include "need.h"

#include <stdio.h>
#include <stdlib.h>

void *need(void *memory, size_t bytes)
{
	if (!memory) {
		fprintf(stderr, "rulesmith: error: out of memory at %zu bytes\n", bytes);
		_Exit(1); /* _exit, since exit() would free what other threads still use */
	}
	return memory;
}

const char *need_text(const buf *b)
{
	if (b->failed)
		need(NULL, b->length);
	return buf_text(b);
}

const char *keep(arena *a, buf *b)
{
	const char *text = need(arena_strndup(a, need_text(b), b->length), b->length);
	buf_clear(b);
	return text;
}

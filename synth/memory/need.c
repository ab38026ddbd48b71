#include "need.h"

#include <stdio.h>
#include <stdlib.h>

#include "memory.h"

void out_of_memory(size_t bytes)
{
	fprintf(stderr, "rulesmith: error: out of memory at %zu bytes\n", bytes);
	_Exit(1); /* not exit(): other threads may still use what exit() frees. Output files are renamed only when
		   * complete. */
}

void *need(void *memory, size_t bytes)
{
	if (!memory)
		out_of_memory(bytes);
	return memory;
}

const char *need_text(const buf *b)
{
	if (b->failed)
		out_of_memory(b->length);
	return buf_text(b);
}

const char *keep(arena *a, buf *b)
{
	const char *text = arena_strndup(a, need_text(b), b->length);
	buf_clear(b);
	return text;
}

/* Offline tools stop when memory runs out: what an allocation gave, or the end. */
#ifndef NEED_H
#define NEED_H

#include <stdio.h>
#include <stdlib.h>

#include "arena.h"
#include "buf.h"

static inline void *need(void *memory, size_t bytes)
{
	if (!memory) {
		fprintf(stderr, "rulesmith: error: out of memory at %zu bytes\n", bytes);
		_Exit(1); /* other threads are at work: what exit() takes down they may be using */
	}
	return memory;
}

#define NEED_ARRAY(a, type, n)                                                                     \
	((type *)need(ARENA_ARRAY(a, type, (n) + 1), sizeof(type) * ((size_t)(n) + 1)))

/* What a buffer holds. */
static inline const char *need_text(const buf *b)
{
	if (b->failed)
		need(NULL, b->length);
	return b->length ? b->text : "";
}

/* The text of a buffer, kept in the arena; the buffer is emptied for its next use. */
static inline const char *keep(arena *a, buf *b)
{
	const char *text = need(arena_strndup(a, need_text(b), b->length), b->length);
	buf_clear(b);
	return text;
}

#endif

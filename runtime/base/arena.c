#include "arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#ifndef ARENA_BLOCK /* small blocks in `make coverage`, so that tests reach every failed allocation */
#define ARENA_BLOCK ((size_t)1 << 16)
#endif
#define ALIGN 16

typedef struct block {
	struct block *next;
	size_t size, used;
	_Alignas(ALIGN) unsigned char data[];
} block;

struct arena {
	block *top, *spare; /* spare: one released block of the usual size, so that going back to a mark is cheap */
	size_t bytes;
};

arena *arena_new(void)
{
	arena *a = calloc(1, sizeof *a);
	if (!a)
		out_of_memory(sizeof *a);
	return a;
}

static void drop(arena *a, block *b)
{
	a->bytes -= b->size;
	free(b);
}

void arena_free(arena *a)
{
	if (!a)
		return;
	for (block *b = a->top, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(a->spare);
	free(a);
}

static block *grow(arena *a, size_t size)
{
	block *b = a->spare;
	if (b && b->size >= size) {
		a->spare = NULL;
	} else {
		size_t want = size > ARENA_BLOCK ? size : ARENA_BLOCK;
		b = malloc(sizeof(block) + want);
		if (!b) {
			out_of_memory(want);
			return NULL;
		}
		b->size = want;
		a->bytes += want;
	}
	b->used = 0;
	b->next = a->top;
	a->top = b;
	return b;
}

void *arena_alloc(arena *a, size_t size)
{
	if (size > SIZE_MAX / 2) {
		out_of_memory(size);
		return NULL;
	}
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	block *b = a->top;
	if (!b || b->size - b->used < size)
		b = grow(a, size);
	if (!b)
		return NULL;
	void *p = b->data + b->used;
	b->used += size;
	return p;
}

void *arena_zalloc(arena *a, size_t size)
{
	void *p = arena_alloc(a, size);
	return p ? memset(p, 0, size) : NULL;
}

char *arena_strndup(arena *a, const char *text, size_t n)
{
	char *p = arena_alloc(a, n + 1);
	if (p) {
		memcpy(p, text, n);
		p[n] = '\0';
	}
	return p;
}

char *arena_strdup(arena *a, const char *text)
{
	return arena_strndup(a, text, strlen(text));
}

char *arena_printf(arena *a, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	char *p = arena_alloc(a, n < 0 ? SIZE_MAX : (size_t)n + 1); /* below 0: the text is too long for an int */
	if (p)
		vsnprintf(p, (size_t)n + 1, format, again);
	va_end(again);
	return p;
}

arena_mark arena_save(const arena *a)
{
	return (arena_mark){a->top, a->top ? a->top->used : 0};
}

void arena_release(arena *a, arena_mark mark)
{
	while (a->top && a->top != mark.block) {
		block *b = a->top;
		a->top = b->next;
		if (!a->spare && b->size == ARENA_BLOCK)
			a->spare = b;
		else
			drop(a, b);
	}
	if (a->top)
		a->top->used = mark.used;
}

size_t arena_bytes(const arena *a)
{
	return a->bytes;
}

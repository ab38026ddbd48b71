/* Bump allocation. All memory of an arena is freed at once, or back to a mark.
 *
 *   block ──► [ used ........ | free ........ ] ──► next (older, full) ──► …
 */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

typedef struct arena arena;
typedef struct arena_mark {
	void *block;
	size_t used;
} arena_mark;

/* If memory runs out, the functions that return a pointer call out_of_memory (memory.h), and return NULL if that returns. */
arena *arena_new(void);
void arena_free(arena *a);

/* Memory aligned for any type, not cleared. */
void *arena_alloc(arena *a, size_t size);
void *arena_zalloc(arena *a, size_t size);
char *arena_strdup(arena *a, const char *text);
char *arena_strndup(arena *a, const char *text, size_t n);
char *arena_printf(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

arena_mark arena_save(const arena *a);
void arena_release(arena *a, arena_mark mark); /* releases everything since the mark; keeps a spare block */
size_t arena_bytes(const arena *a);	       /* bytes reserved from the system */

#define ARENA_NEW(a, type) ((type *)arena_zalloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_zalloc((a), sizeof(type) * (size_t)(n)))

#endif

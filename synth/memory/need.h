/* Allocation for offline tools, which end when memory runs out. */
#ifndef NEED_H
#define NEED_H

#include <stddef.h>

#include "arena.h"
#include "buf.h"
#include "room.h"

/* Returns the memory. If it is NULL, the process ends with exit code 1 and an error that names the bytes. Arenas, bufs and
 * growing arrays do that by themselves (memory.h); this is for what malloc, calloc, realloc and strdup return. */
void *need(void *memory, size_t bytes);

#define NEED_ARRAY(a, type, n) ARENA_ARRAY(a, type, (size_t)(n) + 1)

/* An array with room for more than n elements, to be assigned to the old pointer. */
#define NEED_ROOM(array, n, room) room_for_one((array), (size_t)(n), &(room), sizeof *(array))

const char *need_text(const buf *b); /* the content of a buf; owned by the buf */

/* Copies the text of a buf into the arena and empties the buf. */
const char *keep(arena *a, buf *b);

#endif

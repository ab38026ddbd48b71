/* Allocation for offline tools: the process ends when memory runs out. */
#ifndef NEED_H
#define NEED_H

#include <stddef.h>

#include "arena.h"
#include "buf.h"
#include "room.h"

/* Returns the memory. If it is NULL, the process ends with exit code 1 and an error that states the number of bytes.
 * Arenas, bufs and growing arrays check themselves (memory.h); use this for malloc, calloc, realloc and strdup. */
void *need(void *memory, size_t bytes);

#define NEED_ARRAY(a, type, n) ARENA_ARRAY(a, type, (size_t)(n) + 1)

/* Grows an array to room for more than n elements; assign the result to the same pointer. */
#define NEED_ROOM(array, n, room) room_for_one((array), (size_t)(n), &(room), sizeof *(array))

const char *need_text(const buf *b); /* the content of a buf; owned by the buf */

/* Moves the text of a buf into the arena and returns it; the buf is empty afterwards. */
const char *keep(arena *a, buf *b);

#endif

/* Offline tools stop when memory runs out: what an allocation gave, or the end. */
#ifndef NEED_H
#define NEED_H

#include <stddef.h>

#include "arena.h"
#include "buf.h"
#include "room.h"

/* The memory; where that is NULL, of so many bytes, the process ends with 1 and an error. */
void *need(void *memory, size_t bytes);

#define NEED_ARRAY(a, type, n)                                                                     \
	((type *)need(ARENA_ARRAY(a, type, (n) + 1), sizeof(type) * ((size_t)(n) + 1)))

/* An array with room for one more than n; for assignment to it. */
#define NEED_ROOM(array, n, room)                                                                  \
	need(room_for_one((array), (size_t)(n), &(room), sizeof *(array)), ((size_t)(n) + 1) * sizeof *(array))

const char *need_text(const buf *b); /* what a buffer holds; the buffer's */

/* The text of a buffer, kept in the arena; the buffer is emptied for its next use. */
const char *keep(arena *a, buf *b);

#endif

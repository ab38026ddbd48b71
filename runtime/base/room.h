/* Arrays that grow while they are filled. */
#ifndef ROOM_H
#define ROOM_H

#include <stddef.h>

/* An array of n elements of `size` bytes with room for one more, reallocated to twice the room if necessary. NULL: out of
 * memory; array and room are unchanged. */
void *room_for_one(void *array, size_t n, size_t *room, size_t size);

#endif

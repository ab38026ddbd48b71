/* Arrays that grow as they are filled. */
#ifndef ROOM_H
#define ROOM_H

#include <stddef.h>

/* An array of n elements of so many bytes with room for one more: as it was, or in twice the room. NULL, and array and room
 * as they were: out of memory. */
void *room_for_one(void *array, size_t n, size_t *room, size_t size);

#endif

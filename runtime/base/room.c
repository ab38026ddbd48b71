#include "room.h"

#include <stdlib.h>

#include "memory.h"

#define FIRST 64 /* elements */

void *room_for_one(void *array, size_t n, size_t *room, size_t size)
{
	if (n < *room)
		return array;
	size_t more = *room ? 2 * *room : FIRST;
	void *larger = realloc(array, more * size);
	if (larger)
		*room = more;
	else
		out_of_memory(more * size);
	return larger;
}

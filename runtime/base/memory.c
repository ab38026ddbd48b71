#include "memory.h"

__attribute__((weak)) void out_of_memory(size_t bytes)
{
	(void)bytes; /* the caller returns NULL */
}

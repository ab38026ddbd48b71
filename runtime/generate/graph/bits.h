/* How many bits are set: a loop, since sets are mostly small or empty, and the compiler's own is a call where the
 * processor may have no instruction for it. */
#ifndef BITS_H
#define BITS_H

#include <stdint.h>

static inline unsigned bit_count(uint64_t set)
{
	unsigned n = 0;
	for (; set; set &= set - 1)
		n++;
	return n;
}

#endif

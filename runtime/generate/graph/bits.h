/* Number of set bits. A loop, since sets are mostly small or empty, and the builtin is a library call on processors without
 * the instruction. */
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

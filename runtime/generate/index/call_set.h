/* Hashes of calls (rs_call_hash), and sorted sets of them. */
#ifndef CALL_SET_H
#define CALL_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The hash of a name followed by n dtypes. */
static inline uint64_t call_mix(uint64_t hash, const uint8_t *dtypes, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		hash = (hash ^ dtypes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* Comparison for qsort and bsearch. */
static inline int call_order(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static inline bool call_set_has(const uint64_t *calls, size_t n, uint64_t call)
{
	return n && bsearch(&call, calls, n, sizeof call, call_order);
}

#endif

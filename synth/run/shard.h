/* A shard: a part of the work, for several processes or machines. It depends only on the work and the number of shards,
 * so any number of shards give the same bytes together.
 */
#ifndef SHARD_H
#define SHARD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct shard {
	int index, count; /* 0 … count - 1; count 0: all of the work */
} shard;

/* Parses "I/N" with 0 <= I < N <= 100000; false for anything else. */
bool shard_parse(const char *text, shard *s);
/* Distributes n items by cost: the most expensive first, each to the shard with the least load. mine[k]: this shard
 * has item k. */
void shard_take(shard s, const uint64_t *costs, int n, bool *mine);
/* The same with a contiguous range of items per shard, so that the shards' outputs can be concatenated. */
void shard_range(shard s, const uint64_t *costs, int n, int *from, int *to);

#endif

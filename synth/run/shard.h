/* A share of the work, for several processes or machines. Which share is whose depends on what is asked and on the number
 * of shares alone, so that any n give the same bytes together.
 */
#ifndef SHARD_H
#define SHARD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct shard {
	int index, count; /* 0 … count - 1; count 0: all there is */
} shard;

/* "I/N"; false for anything else. N is at most 100000. */
bool shard_parse(const char *text, shard *s);
/* Shares n things of these costs out evenly: the dearest first, each to who has least so far; mine[k]: the shard has k. */
void shard_take(shard s, const uint64_t *costs, int n, bool *mine);
/* The same for things whose order counts: neighbours, so that the shards' outputs one behind the other are the whole. */
void shard_range(shard s, const uint64_t *costs, int n, int *from, int *to);

#endif

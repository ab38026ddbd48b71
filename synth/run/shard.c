#include "shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "need.h"

bool shard_parse(const char *text, shard *s)
{
	enum { MAX_SHARDS = 100000 };
	char behind;
	return strspn(text, "0123456789/") == strlen(text) && sscanf(text, "%6d/%6d%c", &s->index, &s->count, &behind) == 2
	    && s->count >= 1 && s->count <= MAX_SHARDS && s->index < s->count;
}

typedef struct weighted {
	uint64_t cost;
	int index;
} weighted;

static int by_cost(const void *a, const void *b)
{
	const weighted *x = a, *y = b;
	return x->cost != y->cost ? (x->cost < y->cost ? 1 : -1) : x->index - y->index;
}

/* Restores the heap after its first shard's load grew. Equal loads: the lower shard comes first. */
static void sink(uint64_t *load, int *shards, int n)
{
	for (int at = 0, next; (next = 2 * at + 1) < n; at = next) {
		int a = shards[next], b = next + 1 < n ? shards[next + 1] : a;
		if (load[b] < load[a] || (load[b] == load[a] && b < a))
			next++;
		int s = shards[at], least = shards[next];
		if (load[s] < load[least] || (load[s] == load[least] && s < least))
			return;
		shards[at] = least;
		shards[next] = s;
	}
}

void shard_take(shard s, const uint64_t *costs, int n, bool *mine)
{
	if (s.count <= 1) {
		memset(mine, true, sizeof *mine * (size_t)n);
		return;
	}
	weighted *all = need(calloc((size_t)n + 1, sizeof *all), sizeof *all);
	uint64_t *load = need(calloc((size_t)s.count, sizeof *load), sizeof *load);
	int *shards = need(calloc((size_t)s.count, sizeof *shards), sizeof *shards);
	for (int k = 0; k < n; k++)
		all[k] = (weighted){costs[k], k};
	for (int k = 0; k < s.count; k++)
		shards[k] = k;
	qsort(all, (size_t)n, sizeof *all, by_cost);
	for (int k = 0; k < n; k++) {
		mine[all[k].index] = shards[0] == s.index;
		load[shards[0]] += all[k].cost;
		sink(load, shards, s.count);
	}
	free(shards);
	free(load);
	free(all);
}

/* The first item at or after the given part of the total cost. */
static int find_start(const uint64_t *costs, int n, uint64_t whole, int part, int parts)
{
	uint64_t before = 0, want = whole / (uint64_t)parts * (uint64_t)part + whole % (uint64_t)parts * (uint64_t)part / (uint64_t)parts;
	int k = 0;
	while (k < n && before < want)
		before += costs[k++];
	return k;
}

void shard_range(shard s, const uint64_t *costs, int n, int *from, int *to)
{
	uint64_t whole = 0;
	for (int k = 0; k < n; k++)
		whole += costs[k];
	*from = s.count > 1 ? find_start(costs, n, whole, s.index, s.count) : 0;
	*to = s.count > 1 && s.index + 1 < s.count ? find_start(costs, n, whole, s.index + 1, s.count) : n;
}

#include "api_groups.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "need.h"

/* The functions of an API, as hashes in ascending order, each once. */
typedef struct function_set {
	api_group_entry **entries; /* all of the API */
	size_t nentries;
	uint64_t *hashes;
	size_t n;
	const char *group;
} function_set;

static int by_api_and_hash(const void *a, const void *b)
{
	const api_group_entry *x = *(api_group_entry *const *)a, *y = *(api_group_entry *const *)b;
	const int order = strcmp(x->api, y->api);
	return order ? order : x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* Larger sets first, so that a representative comes before the members of its group. */
static int by_size(const void *a, const void *b)
{
	const function_set *x = a, *y = b;
	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return strcmp(x->entries[0]->api, y->entries[0]->api);
}

static bool is_subset(const function_set *a, const function_set *b)
{
	size_t k = 0;
	for (size_t i = 0; i < a->n; i++) {
		while (k < b->n && b->hashes[k] < a->hashes[i])
			k++;
		if (k == b->n || b->hashes[k] != a->hashes[i])
			return false;
	}
	return true;
}

static size_t find_sets(arena *memory, api_group_entry **order, size_t n, function_set *sets)
{
	uint64_t *hashes = NEED_ARRAY(memory, uint64_t, n);
	size_t nsets = 0;
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || strcmp(order[i]->api, order[i - 1]->api) != 0)
			sets[nsets++] = (function_set){.entries = &order[i], .hashes = &hashes[i]};
		function_set *s = &sets[nsets - 1];
		s->nentries++;
		if (s->n == 0 || s->hashes[s->n - 1] != order[i]->hash)
			s->hashes[s->n++] = order[i]->hash;
	}
	return nsets;
}

/* The smallest of the representatives' sets that has all functions of s, and at most twice as many; NULL: none. */
static const function_set *representative_of(const function_set *sets, const size_t *representatives, size_t n, const function_set *s)
{
	const function_set *best = NULL;
	for (size_t i = 0; i < n; i++) {
		const function_set *other = &sets[representatives[i]];
		assert(other->n >= s->n);
		if (other->n <= 2 * s->n && (!best || other->n < best->n) && is_subset(s, other))
			best = other;
	}
	return best;
}

void api_groups_find(arena *memory, api_group_entry *entries, size_t n)
{
	api_group_entry **order = NEED_ARRAY(memory, api_group_entry *, n);
	for (size_t i = 0; i < n; i++)
		order[i] = &entries[i];
	qsort(order, n, sizeof *order, by_api_and_hash);
	function_set *sets = NEED_ARRAY(memory, function_set, n);
	const size_t nsets = find_sets(memory, order, n, sets);
	qsort(sets, nsets, sizeof *sets, by_size);
	size_t *representatives = NEED_ARRAY(memory, size_t, nsets), nrepresentatives = 0;
	for (size_t i = 0; i < nsets; i++) {
		const function_set *found = representative_of(sets, representatives, nrepresentatives, &sets[i]);
		sets[i].group = found ? found->group : sets[i].entries[0]->api;
		if (!found)
			representatives[nrepresentatives++] = i;
		for (size_t k = 0; k < sets[i].nentries; k++)
			sets[i].entries[k]->group = sets[i].group;
	}
}

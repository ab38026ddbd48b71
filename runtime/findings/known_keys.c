#include "known_keys.h"

#include <stdlib.h>
#include <string.h>

#include "room.h"

static known_key *find(const known_keys *k, const char *key)
{
	for (size_t i = 0; i < k->n; i++)
		if (strcmp(k->list[i].key, key) == 0)
			return &k->list[i];
	return NULL;
}

static bool is_power_of_two(uint64_t n)
{
	return (n & (n - 1)) == 0;
}

int64_t known_keys_meet(known_keys *k, const char *key)
{
	known_key *found = find(k, key);
	if (!found)
		return 0;
	found->met++;
	return found->reduced < KNOWN_KEYS_SURE || is_power_of_two(found->met) ? 0 : found->finding;
}

bool known_keys_note(known_keys *k, const char *key, int64_t finding)
{
	known_key *found = find(k, key);
	if (!found) {
		known_key *more = room_for_one(k->list, k->n, &k->room, sizeof *more);
		char *copy = more ? strdup(key) : NULL;
		k->list = more ? more : k->list;
		if (!copy)
			return false;
		found = &k->list[k->n++];
		*found = (known_key){.key = copy, .finding = finding, .met = 1};
	}
	found->reduced++;
	found->finding = found->finding == finding ? finding : 0;
	return true;
}

void known_keys_free(known_keys *k)
{
	for (size_t i = 0; i < k->n; i++)
		free(k->list[i].key);
	free(k->list);
	*k = (known_keys){0};
}

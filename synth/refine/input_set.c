#include "input_set.h"

#include <stdlib.h>
#include <xxhash.h>

#include "need.h"

enum { FIRST_ROOM = 1024 };

void input_set_free(input_set *s)
{
	free(s->hashes);
	*s = (input_set){.nsym = s->nsym};
}

static uint64_t hash_of(const input_set *s, const int64_t *x)
{
	uint64_t h = XXH3_64bits(x, sizeof *x * (size_t)s->nsym);
	return h + (h == 0);
}

/* The index of a hash, or the free slot where it belongs. */
static size_t slot_of(const uint64_t *hashes, size_t room, uint64_t h)
{
	size_t at = h % room;
	while (hashes[at] && hashes[at] != h)
		at = (at + 1) % room;
	return at;
}

static void grow(input_set *s)
{
	size_t room = s->room ? 2 * s->room : FIRST_ROOM;
	uint64_t *more = need(calloc(room, sizeof *more), room * sizeof *more);
	for (size_t k = 0; k < s->room; k++)
		if (s->hashes[k])
			more[slot_of(more, room, s->hashes[k])] = s->hashes[k];
	free(s->hashes);
	s->hashes = more;
	s->room = room;
}

bool input_set_has(const input_set *s, const int64_t *x)
{
	return s->room && s->hashes[slot_of(s->hashes, s->room, hash_of(s, x))];
}

bool input_set_add(input_set *s, const int64_t *x)
{
	if (2 * s->n >= s->room)
		grow(s);
	uint64_t h = hash_of(s, x);
	size_t at = slot_of(s->hashes, s->room, h);
	if (s->hashes[at])
		return false;
	s->hashes[at] = h;
	s->n++;
	return true;
}

void input_set_add_records(input_set *s, const operator *op)
{
	for (int k = 0; k < op->npass; k++)
		input_set_add(s, passing_record(op, k));
	for (int k = 0; k < op->nfail; k++)
		input_set_add(s, op->fail + (size_t)k * op->nsym);
}

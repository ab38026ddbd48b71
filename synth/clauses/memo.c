#include "memo.h"

#include <stdlib.h>

#include "need.h"

typedef struct entry {
	const expr *e; /* NULL: a free slot */
	int of, value;
} entry;

struct memo {
	entry *slots;
	size_t capacity, count; /* capacity: a power of two */
};

static entry *empty_slots(size_t capacity)
{
	return need(calloc(capacity, sizeof(entry)), capacity * sizeof(entry));
}

memo *memo_new(void)
{
	memo *m = need(malloc(sizeof *m), sizeof *m);
	*m = (memo){.capacity = 1024, .slots = empty_slots(1024)};
	return m;
}

void memo_free(memo *m)
{
	free(m->slots);
	free(m);
}

/* The slot of an entry, or the free slot where it belongs. */
static entry *slot_of(entry *slots, size_t capacity, int of, const expr *e)
{
	size_t at = (e->hash ^ (uint32_t)of * 0x9e3779b9u) & (capacity - 1);
	while (slots[at].e && (slots[at].e != e || slots[at].of != of))
		at = (at + 1) & (capacity - 1);
	return &slots[at];
}

static void enlarge(memo *m)
{
	size_t capacity = m->capacity * 2;
	entry *slots = empty_slots(capacity);
	for (size_t k = 0; k < m->capacity; k++)
		if (m->slots[k].e)
			*slot_of(slots, capacity, m->slots[k].of, m->slots[k].e) = m->slots[k];
	free(m->slots);
	m->slots = slots;
	m->capacity = capacity;
}

int *memo_of(memo *m, int of, const expr *e, bool *known)
{
	if (m->count * 2 >= m->capacity)
		enlarge(m);
	entry *at = slot_of(m->slots, m->capacity, of, e);
	*known = at->e != NULL;
	if (!*known) {
		*at = (entry){e, of, 0};
		m->count++;
	}
	return &at->value;
}

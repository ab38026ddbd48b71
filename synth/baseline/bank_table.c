#include "bank_table.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "memory.h"
#include "need.h"

void bank_table_free(bank_table *t)
{
	if (t->slots)
		munmap(t->slots, t->capacity * sizeof *t->slots);
	*t = (bank_table){0};
}

/* Adds free slots. mremap moves pages without copying, so there are never two tables. Uses huge pages if available,
 * since lookups are random and would miss the TLB with small pages. */
static void extend(bank_table *t, size_t capacity)
{
	size_t old = t->capacity * sizeof(bank_slot), bytes = capacity * sizeof(bank_slot);
	void *slots = t->slots ? mremap(t->slots, old, bytes, MREMAP_MAYMOVE)
			       : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (slots == MAP_FAILED)
		out_of_memory(bytes);
	madvise(slots, bytes, MADV_HUGEPAGE);
	t->slots = slots;
	t->capacity = capacity;
}

/* The slot where a search starts. The multiplication mixes the fingerprint's bits. */
static size_t home(const bank_table *t, uint64_t fingerprint)
{
	return (size_t)((fingerprint * 0x9e3779b97f4a7c15u) >> 20) & (t->capacity - 1);
}

/* Inserts an entry that no other one equals; fingerprint 0: no entry. */
static void place(bank_table *t, uint64_t fingerprint, uint64_t complement)
{
	if (!fingerprint)
		return;
	size_t at = home(t, fingerprint);
	while (atomic_load_explicit(&t->slots[at].fingerprint, memory_order_relaxed))
		at = (at + 1) & (t->capacity - 1);
	atomic_store_explicit(&t->slots[at].fingerprint, fingerprint, memory_order_relaxed);
	atomic_store_explicit(&t->slots[at].id, complement, memory_order_relaxed);
}

/* Rehashes in place. Entries before the first free slot may have wrapped around at the old end, so they are moved
 * out first. Each other entry finds a slot at its old one, before it, or in the new part. Its search passes only
 * entries that are already placed. */
static void place_again(bank_table *t, size_t before)
{
	size_t first_free = 0;
	while (first_free < before && t->slots[first_free].fingerprint)
		first_free++;
	bank_slot *outside = need(calloc(first_free + 1, sizeof *outside), first_free * sizeof *outside);
	for (size_t i = 0; i < before; i++) {
		bank_slot s = t->slots[i];
		t->slots[i] = (bank_slot){0};
		if (i < first_free)
			outside[i] = s;
		else
			place(t, s.fingerprint, s.id);
	}
	for (size_t i = 0; i < first_free; i++)
		place(t, outside[i].fingerprint, outside[i].id);
	free(outside);
}

void bank_table_reserve(bank_table *t, size_t more)
{
	size_t before = t->capacity, capacity = before ? before : 256; /* one page */
	while ((t->count + more) * 3 > capacity * 2)
		capacity *= 2;
	if (capacity == before)
		return;
	extend(t, capacity);
	place_again(t, before);
}

void bank_table_prefetch(const bank_table *t, uint64_t fingerprint)
{
	__builtin_prefetch(&t->slots[home(t, fingerprint)], 1);
}

/* Stores the smaller id and returns the larger one. Slots store complements, so that fresh memory (0) means NO_ID. */
static uint64_t keep_lower(bank_slot *s, uint64_t id)
{
	uint64_t seen = atomic_load_explicit(&s->id, memory_order_relaxed);
	while (~id > seen)
		if (atomic_compare_exchange_weak_explicit(
			&s->id, &seen, ~id, memory_order_relaxed, memory_order_relaxed))
			return ~seen;
	return id;
}

uint64_t bank_table_insert(bank_table *t, uint64_t fingerprint, uint64_t id)
{
	for (size_t at = home(t, fingerprint);; at = (at + 1) & (t->capacity - 1)) {
		bank_slot *s = &t->slots[at];
		uint64_t seen = atomic_load_explicit(&s->fingerprint, memory_order_relaxed);
		if (seen == 0
		    && atomic_compare_exchange_strong_explicit(&s->fingerprint, &seen, fingerprint,
			memory_order_relaxed, memory_order_relaxed))
			seen = fingerprint;
		if (seen == fingerprint)
			return keep_lower(s, id);
	}
}

uint64_t bank_table_find(const bank_table *t, uint64_t fingerprint)
{
	if (!t->capacity)
		return NO_ID;
	for (size_t at = home(t, fingerprint);; at = (at + 1) & (t->capacity - 1)) {
		const bank_slot *s = &t->slots[at];
		if (s->fingerprint == 0)
			return NO_ID;
		if (s->fingerprint == fingerprint)
			return ~s->id;
	}
}

#include "bank_table.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bank_table_free(bank_table *t)
{
	free(t->slots);
	*t = (bank_table){0};
}

static bank_slot *new_slots(size_t capacity)
{
	bank_slot *slots = calloc(capacity, sizeof *slots);
	if (!slots) {
		fprintf(stderr, "error: out of memory for fingerprints (%zu bytes asked)\n",
		    capacity * sizeof *slots);
		exit(1);
	}
	return slots;
}

/* The multiplication spreads what the fingerprint's low bits may lack. */
static size_t home(const bank_table *t, uint64_t fingerprint)
{
	return (size_t)((fingerprint * 0x9e3779b97f4a7c15u) >> 20) & (t->capacity - 1);
}

void bank_table_reserve(bank_table *t, size_t more)
{
	size_t capacity = t->capacity ? t->capacity : 64;
	while ((t->count + more) * 3 > capacity * 2)
		capacity *= 2;
	if (capacity == t->capacity)
		return;
	bank_table old = *t;
	t->slots = new_slots(capacity);
	t->capacity = capacity;
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].fingerprint)
			bank_table_insert(t, old.slots[i].fingerprint, ~old.slots[i].id);
	free(old.slots);
}

/* Slots store the id's complement: fresh memory is 0, which then is NO_ID. */
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

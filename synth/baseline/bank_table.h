/* A set of fingerprints that threads fill concurrently. Each fingerprint keeps the smallest id of its candidates, so
 * the result does not depend on the order of insertion. */
#ifndef BANK_TABLE_H
#define BANK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_ID UINT64_MAX

typedef struct bank_slot {
	_Atomic uint64_t fingerprint; /* 0: free */
	_Atomic uint64_t id; /* complemented */
} bank_slot;

typedef struct bank_table {
	bank_slot *slots; /* open addressing, capacity is a power of two */
	size_t capacity, count;
} bank_table;

void bank_table_free(bank_table *t);
/* Makes room for more entries; not while threads insert. Ends the process if memory runs out. */
void bank_table_reserve(bank_table *t, size_t more);
/* Prefetches the slot of a fingerprint. */
void bank_table_prefetch(const bank_table *t, uint64_t fingerprint);
/* Inserts an id. Returns the larger of it and the id stored for this fingerprint, which is not kept, or NO_ID if
 * there was none. The caller updates `count` after the threads have ended. */
uint64_t bank_table_insert(bank_table *t, uint64_t fingerprint, uint64_t id);
/* The id stored for a fingerprint, or NO_ID. */
uint64_t bank_table_find(const bank_table *t, uint64_t fingerprint);

#endif

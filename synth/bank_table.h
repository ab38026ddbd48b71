/* A set of fingerprints that threads fill together. With each fingerprint goes the least id of the
 * candidates that had it, so that the outcome does not depend on who came first. */
#ifndef BANK_TABLE_H
#define BANK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bank_slot {
	_Atomic uint64_t fingerprint; /* 0: free */
	_Atomic uint64_t id; /* complemented */
} bank_slot;

typedef struct bank_table {
	bank_slot *slots; /* open addressing, capacity a power of two */
	size_t capacity, count;
} bank_table;

void bank_table_free(bank_table *t);
/* Makes room for that many more; not while threads insert. Stops the program without memory. */
void bank_table_reserve(bank_table *t, size_t more);
/* Was the fingerprint new? The caller adds up `count` when the threads have ended. */
bool bank_table_insert(bank_table *t, uint64_t fingerprint, uint64_t id);
/* The id kept for a fingerprint, UINT64_MAX for none. */
uint64_t bank_table_find(const bank_table *t, uint64_t fingerprint);

#endif

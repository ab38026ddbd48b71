/* A set of fingerprints that threads fill together. With each fingerprint goes the least id of the
 * candidates that had it, so that the outcome does not depend on who came first. */
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
	bank_slot *slots; /* open addressing, capacity a power of two */
	size_t capacity, count;
} bank_table;

void bank_table_free(bank_table *t);
/* Makes room for that many more; not while threads insert. Stops the program without memory. */
void bank_table_reserve(bank_table *t, size_t more);
/* Begins to fetch the place where a fingerprint is or would be: soon asked for, it need not be waited for. */
void bank_table_prefetch(const bank_table *t, uint64_t fingerprint);
/* Of the id and the one already there for this fingerprint, the larger, which is not kept; NO_ID when
 * there was none. The caller adds up `count` when the threads have ended. */
uint64_t bank_table_insert(bank_table *t, uint64_t fingerprint, uint64_t id);
/* The id kept for a fingerprint, NO_ID for none. */
uint64_t bank_table_find(const bank_table *t, uint64_t fingerprint);

#endif

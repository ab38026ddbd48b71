/* Merges: if fingerprints agree, more points decide. */
#ifndef BANK_MERGE_H
#define BANK_MERGE_H

#include "bank_node.h"

/* A candidate with the fingerprint of a smaller one. */
typedef struct hit {
	uint64_t id, fingerprint;
	uint64_t split; /* if it is no merge: the fingerprint of its own class */
} hit;

typedef struct hit_list {
	hit *at;
	size_t count, capacity;
} hit_list;

void bank_add_hit(hit_list *list, hit h);
/* Compares all hits at further points. Splits become classes of the table, merges go to the audit's sample. */
void bank_split_hits(bank *b, int holes, hit_list *hits);

#endif

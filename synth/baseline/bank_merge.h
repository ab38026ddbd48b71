/* Merges: where fingerprints agree, more points decide. */
#ifndef BANK_MERGE_H
#define BANK_MERGE_H

#include "bank_node.h"

/* A candidate whose fingerprint a smaller one had. */
typedef struct hit {
	uint64_t id, fingerprint;
	uint64_t split; /* where it is no merge: the fingerprint under which it is a class */
} hit;

typedef struct hit_list {
	hit *at;
	size_t count, capacity;
} hit_list;

void bank_add_hit(hit_list *list, hit h);
/* Compares all hits at further points: splits become classes of the table, merges go to the audit's
 * sample. */
void bank_split_hits(bank *b, int holes, hit_list *hits);

#endif

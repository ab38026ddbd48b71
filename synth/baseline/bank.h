/* NeuRI's E_□ (section 3.2, "Pruning"): the arithmetic expressions over holes □1…□h, one of each class of
 * equivalent ones, smallest first. docs/explanation/proofs.md has the definition.
 *
 * An entry uses each of its holes, and holes are filled in the order of the symbols' indices. So an entry with h
 * holes stands for C(N, h) expressions over N symbols. Both □1 - □2 and □2 - □1 are entries.
 */
#ifndef BANK_H
#define BANK_H

#include <stddef.h>

#include "bank_options.h"
#include "expr.h"

/* Stops the program when memory runs out, as all offline tools do. */
bank *bank_new(const bank_options *options);
void bank_free(bank *b);

/* ---- entries, in a fixed order: by operations, then by holes; the constants 1 and 2 come first */

typedef struct bank_entry {
	int holes, ops;
} bank_entry;

size_t bank_size(const bank *b);
bank_entry bank_at(const bank *b, size_t entry);
/* The entry with hole i filled by symbol symbols[i] (ascending, as many as it has holes; NULL: s0, s1…). */
const expr *bank_expr(const bank *b, size_t entry, expr_pool *p, const int *symbols);

/* ---- counts */

/* Classes that use exactly these holes and no fewer operations than these. */
uint64_t bank_classes(const bank *b, int holes, int ops);
uint64_t bank_evaluated(const bank *b); /* candidates that were fingerprinted */
size_t bank_bytes(const bank *b);	/* memory at its most */

#endif

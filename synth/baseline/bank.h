/* NeuRI's expression bank E_□ (section 3.2, "Pruning"): arithmetic expressions over holes □1…□h, one per class of
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

/* Enumerates the bank. Ends the process if memory runs out, as all offline tools do. */
bank *bank_new(const bank_options *options);
void bank_free(bank *b);

/* ---- entries, in a fixed order: by operations, then by holes; the constants 1 and 2 are first */

typedef struct bank_entry {
	int holes, ops;
} bank_entry;

size_t bank_size(const bank *b);
bank_entry bank_at(const bank *b, size_t entry);
/* The entry with hole i filled by symbols[i] (ascending, one per hole; NULL: s0, s1…). */
const expr *bank_expr(const bank *b, size_t entry, expr_pool *p, const int *symbols);

/* ---- counts */

/* Classes that use exactly this many holes and need this many operations. */
uint64_t bank_classes(const bank *b, int holes, int ops);
uint64_t bank_evaluated(const bank *b); /* candidates that were fingerprinted */
size_t bank_bytes(const bank *b);	/* peak memory */

#endif

/* NeuRI's E_□ (section 3.2, "Pruning"): the arithmetic expressions over holes □1…□h, one of each class
 * of equivalent ones, smallest first. docs/bank.md has the definition and the figures.
 *
 * An entry uses each of its holes, and holes are filled in the order of the symbols' indices: over N
 * symbols an entry with h holes stands for C(N, h) expressions. Both □1 - □2 and □2 - □1 are entries.
 */
#ifndef BANK_H
#define BANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expr.h"
#include "prove.h"

enum { BANK_MAX_HOLES = 6, BANK_MAX_OPS = 5 };

typedef struct bank bank;

/* Which expressions are too rare to enumerate. */
typedef enum bank_rarity {
	RARE_TEXT,	/* as the paper says: a symbol twice, an operation on two constants */
	RARE_PUBLISHED, /* and what the paper's figures leave out too: see docs/bank.md */
	RARE_NONE,	/* nothing: holes repeat, constants meet constants */
} bank_rarity;

typedef struct bank_options {
	int holes;   /* 1 … BANK_MAX_HOLES */
	int ops;     /* operations of an expression at most, 0 … BANK_MAX_OPS */
	int threads; /* 0: one a processor. The bank does not depend on it */
	bank_rarity rarity;
	bool no_skips; /* evaluate also what commutativity and associativity let us skip: for tests */
	bool count_only; /* the last level is counted, not kept: it has counts but no entries */
	int audit;     /* how many merges of over 2 operations to remember for bank_audit */
	uint64_t seed; /* of the audit's sample */
	prover *prover; /* proves the merges of up to 2 operations; NULL trusts fingerprints there too */
	void (*progress)(void *context, int ops, int holes, double share); /* may be NULL */
	void *context;
} bank_options;

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
/* Expressions over so many symbols, constant ones left out: the sum of C(symbols, h) times classes of h
 * holes. symbols may not exceed the bank's holes. */
uint64_t bank_total(const bank *b, int symbols);
uint64_t bank_evaluated(const bank *b); /* candidates that were fingerprinted */
size_t bank_bytes(const bank *b);	/* memory at its most */

/* Table 5's column "None": Catalan trees, 7 operations, constant-only trees left out. */
uint64_t bank_count_unpruned(int symbols, int ops);
/* Column "Equiv." as published: what its rules of commutativity and associativity leave, holes repeating.
 * They are rules of form: what they leave is not one expression a class. */
uint64_t bank_count_formal(int symbols, int ops);
/* Column "Rarity", by either rule. */
uint64_t bank_count_rare(int symbols, int ops, bank_rarity rarity);

/* ---- proofs */

typedef struct bank_proofs {
	long proved, refuted, unknown;
} bank_proofs;

/* Of the merges up to 2 operations, each statement once up to the names of its holes. What was not
 * proved was not merged. */
bank_proofs bank_merge_proofs(const bank *b);
/* The rewrites that let the enumeration skip a candidate: proves each. */
bank_proofs bank_prove_schemes(prover *p);
/* Asks Z3 about the remembered sample of merges above 2 operations. Each is handed to tell (may be
 * NULL) with its verdict; the expressions live until tell returns. */
bank_proofs bank_audit(const bank *b, prover *p,
    void (*tell)(void *context, const expr *merged, const expr *kept, verdict v), void *context);

#endif

/* The options of a bank, and types that its files share. */
#ifndef BANK_OPTIONS_H
#define BANK_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "prove.h"

enum { BANK_MAX_HOLES = 6, BANK_MAX_OPS = 5 };

typedef struct bank bank;

/* The definition of expressions that are too rare to enumerate. */
typedef enum bank_rarity {
	RARE_TEXT,	/* as in the paper's text: a symbol twice, an operation on two constants */
	RARE_PUBLISHED, /* and further ones that the paper's figures exclude: docs/explanation/proofs.md */
	RARE_NONE,	/* none: holes may repeat, operations may have two constants */
} bank_rarity;

typedef struct bank_options {
	int holes;   /* 1 … BANK_MAX_HOLES */
	int ops;     /* at most so many operations, 0 … BANK_MAX_OPS */
	int threads; /* 0: one per processor; the bank does not depend on it */
	bank_rarity rarity;
	bool no_skips; /* for tests: evaluate also candidates that commutativity and associativity skip */
	bool count_only; /* count the last level only: it has no entries */
	int audit;     /* number of merges of over 2 operations to sample for bank_audit */
	uint64_t seed; /* of the audit's sample */
	prover *prover; /* proves merges of up to 2 operations; NULL: fingerprints are trusted */
	void (*progress)(void *context, int ops, int holes, double share); /* may be NULL */
	void *context;
} bank_options;

/* The numbers of Z3's verdicts. */
typedef struct bank_proofs {
	long proved, refuted, unknown;
} bank_proofs;

#endif

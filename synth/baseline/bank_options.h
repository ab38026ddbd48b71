/* What a bank is asked for, and what its files say of it. */
#ifndef BANK_OPTIONS_H
#define BANK_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "prove.h"

enum { BANK_MAX_HOLES = 6, BANK_MAX_OPS = 5 };

typedef struct bank bank;

/* Which expressions are too rare to enumerate. */
typedef enum bank_rarity {
	RARE_TEXT,	/* as the paper says: a symbol twice, an operation on two constants */
	RARE_PUBLISHED, /* and what the paper's figures leave out too: see docs/explanation/proofs.md */
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

/* What Z3 said of so many statements. */
typedef struct bank_proofs {
	long proved, refuted, unknown;
} bank_proofs;

#endif

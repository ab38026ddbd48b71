/* Z3's part in a bank: the merges of small expressions, the rewrites behind the skips, and the audit. */
#ifndef BANK_PROOF_H
#define BANK_PROOF_H

#include "bank_options.h"
#include "expr.h"

/* Of the merges up to 2 operations, each statement once up to the names of its holes. What was not
 * proved was not merged. */
bank_proofs bank_merge_proofs(const bank *b);
/* The rewrites that let the enumeration skip a candidate: proves each. */
bank_proofs bank_prove_schemes(prover *p);
/* Asks Z3 about the remembered sample of merges above 2 operations. Each is handed to tell (may be
 * NULL) with its verdict; the expressions live until tell returns. */
bank_proofs bank_audit(const bank *b, prover *p,
    void (*tell)(void *context, const expr *merged, const expr *kept, verdict v), void *context);

/* Fills a level whose merges are proved one by one; for bank_new. */
void bank_enumerate_proved(bank *b, int ops, int holes);

#endif

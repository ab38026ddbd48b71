/* The bank's use of Z3: merges of small expressions, the rewrites behind the skips, and the audit. */
#ifndef BANK_PROOF_H
#define BANK_PROOF_H

#include "bank_options.h"
#include "expr.h"

/* Results for the merges of up to 2 operations; equations that differ only in names of holes count once. Only proved
 * ones were merged. */
bank_proofs bank_merge_proofs(const bank *b);
/* Proves each rewrite that lets the enumeration skip a candidate. */
bank_proofs bank_prove_schemes(prover *p);
/* Queries Z3 about the sampled merges of over 2 operations. Calls report (may be NULL) with each and its verdict; the
 * expressions live until report returns. */
bank_proofs bank_audit(const bank *b, prover *p,
    void (*report)(void *context, const expr *merged, const expr *kept, verdict v), void *context);

/* Enumerates a level whose merges are proved one by one; for bank_new. */
void bank_enumerate_proved(bank *b, int ops, int holes);

#endif

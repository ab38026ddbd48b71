/* Patterns that are seldom right, offered where no set of the others rejects every failing record: strides that must
 * not reach beyond a tensor, quotients that must come out even, a size that some dimension must have, bounds that only
 * bind where there are elements. */
#ifndef FALLBACK_PATTERNS_H
#define FALLBACK_PATTERNS_H

#include "templates.h"

void uncommon_patterns(solver *s, pattern_offer *offer, void *user);
/* A pattern that some passing record refutes, offered with `or` and each tensor's being empty. */
void patterns_unless_empty(solver *s, pattern_offer *offer, void *user);

#endif

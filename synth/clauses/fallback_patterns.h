/* Fallback templates: patterns that are rarely correct, tried only if the regular ones cannot reject every failing record.
 * Strides that must stay within a tensor, exact quotients, a size that some dimension must have, bounds that apply to
 * nonempty tensors only. */
#ifndef FALLBACK_PATTERNS_H
#define FALLBACK_PATTERNS_H

#include "templates.h"

void fallback_patterns(solver *s, template_offer *offer, void *user);
/* Offers patterns that some passing record refutes, weakened by `or the tensor is empty`. */
void fallback_patterns_unless_empty(solver *s, template_offer *offer, void *user);

#endif

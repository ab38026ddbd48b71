/* Derives how a rule is sampled (docs/explanation/rules.md): in which order its symbols get values, and what
 * then bounds each.
 *
 * The order is Isra's (section 3.3.1): the first tensor's symbols, the attributes, the other tensors'.
 * A symbol is bounded by the clauses whose other symbols have values by then, solved for it, and by
 * projections: what clauses on later symbols imply for it, found by eliminating the later ones
 * (Fourier and Motzkin, with floors and divisibility). Wanted output dimensions are equations.
 */
#ifndef SAMPLER_DERIVE_H
#define SAMPLER_DERIVE_H

#include "sampler.h"

/* With so many projections at most. Memory is the rules'. False when the operator is too wide. */
bool sampler_derive(const rule_set *rules, const rule_op *op, enum sampler_way way,
    unsigned projections, sampler *s);

#endif

/* Derives how a rule is sampled (docs/explanation/rules.md): the order in which its symbols get values, and the
 * bounds of each.
 *
 * The order is Isra's (section 3.3.1): the first tensor's symbols, the attributes, the other tensors'. Two
 * things bound a symbol. Clauses whose other symbols have values are solved for it. Clauses on later symbols are
 * projected: the later ones are eliminated (Fourier and Motzkin, with floors and divisibility). Wanted output
 * dimensions are equations.
 */
#ifndef SAMPLER_DERIVE_H
#define SAMPLER_DERIVE_H

#include "sampler.h"

/* With so many projections at most. Memory is the rules'. False when the operator is too wide. */
bool sampler_derive(const rule_set *rules, const rule_op *op, enum sampler_way way,
    unsigned projections, sampler *s);

#endif

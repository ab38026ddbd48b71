/* Derives the sampler of a rule (docs/explanation/rules.md): the order of its symbols, and the bounds of each.
 *
 * The order is Isra's (section 3.3.1): symbols of the first tensor, attributes, symbols of the other tensors. Bounds come
 * from clauses whose other symbols are known, solved for the symbol, and from projections of clauses on later symbols,
 * which are eliminated (Fourier-Motzkin, with floors and divisibility). Given output dimensions are equations.
 */
#ifndef SAMPLER_DERIVE_H
#define SAMPLER_DERIVE_H

#include "sampler.h"

/* Derives a sampler with at most this many projections. Memory is that of the rules. False if the signature has too
 * many symbols. */
bool sampler_derive(const rule_set *rules, const rule_op *op, enum sampler_way way,
    unsigned projections, sampler *s);

#endif

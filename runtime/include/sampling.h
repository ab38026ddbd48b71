/* What generated code includes: the layout of its table, the arithmetic of its rules, and how its samplers are run
 * (docs/explanation/rules.md): a call to be completed.
 *
 * A sampler gives the unknown symbols values one after another: the first tensor's dimensions, the
 * attributes, the other tensors' (the order of Isra, section 3.3.1). For each, the clauses that speak
 * of it and of what is known by then leave a span; those that are no bounds are tested on its values.
 * samplercode.h is how they are written.
 */
#ifndef SAMPLING_H
#define SAMPLING_H

#include "arith.h"
#include "rng.h"
#include "ruletable.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rs_draw {
	int64_t *s;	/* [nsym] symbols; what is unknown may be anything */
	uint8_t *known; /* [nsym] 1: given. A tensor's symbols are known together. Set as values are found */
	const int64_t *out;    /* [nodim] output dimensions, */
	const uint8_t *wanted; /* [nodim] and which of them are to come out */
	/* [nsym] where values are looked for first; low is a true bound of dimensions only */
	const int64_t *low, *high;
	rng *rng;
};

/* Samplers compute in 64 bits: known symbols, wanted dimensions and bounds must lie within this, and
 * so does what they find. */
#define RS_LIMIT ((int64_t)1 << 31)

/* Completes the call as a sampler's program says, but for the rule's own check. False: a dead end. */
bool rs_run(rs_draw *d, const char *program);

#ifdef __cplusplus
}
#endif

#endif

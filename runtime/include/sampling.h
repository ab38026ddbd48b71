/* The header that generated code includes: table layout, rule arithmetic, samplers (docs/explanation/rules.md).
 *
 * A sampler sets the unknown symbols one by one: dimensions of the first tensor, attributes, dimensions of the other tensors
 * (the order of Isra, section 3.3.1). For each symbol, the clauses over it and the symbols set so far bound an interval;
 * clauses that are not bounds are tested on values of the interval. samplercode.h defines the code of samplers.
 */
#ifndef SAMPLING_H
#define SAMPLING_H

#include "arith.h"
#include "rng.h"
#include "ruletable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A partial call: known symbols, wanted output dimensions, bounds. */
typedef struct rs_draw {
	int64_t *s;	/* [nsym] symbols; unknown ones are unspecified */
	uint8_t *known; /* [nsym] 1: given. The symbols of a tensor are known together. Samplers set it as they go */
	const int64_t *out;    /* [nodim] output dimensions */
	const uint8_t *wanted; /* [nodim] 1: this output dimension is wanted */
	/* [nsym] preferred interval of values; low is a strict bound for dimensions only */
	const int64_t *low, *high;
	rng *rng;
	const int64_t *aim; /* [nsym] the value to try first, 0: any of the interval; NULL: no aims */
} rs_draw;

/* Samplers compute in 64 bits: the magnitudes of known symbols, wanted dimensions, bounds and results are at most this. */
#define RS_LIMIT ((int64_t)1 << 31)

/* Sets the unknown symbols by the program of a sampler. A backward sampler also reaches the wanted output dimensions. The caller
 * must check the call with the rule (rs_op.valid). False: a dead end. */
bool rs_run(rs_draw *d, const char *program);

#ifdef __cplusplus
}
#endif

#endif

/* Completes calls: the one way by which generators give the numbers of a call that are not decided
 * yet. What comes out is a call that the operator's rule accepts, or one of its records where it has
 * no rule that can be trusted. The work is bounded. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "rng.h"
#include "gen_index.h"
#include "solver.h"

/* Where free dimensions are drawn. Those that others force, or that only a record can give, may lie
 * beyond. Attributes are drawn from what the operator's records show. */
typedef struct sample_box {
	int64_t low, high;
	bool zero;     /* tensors without elements are allowed */
	int64_t numel; /* elements that a tensor of the call has at most; 0: no limit */
	solver *solver; /* for what the sampler does not find; NULL: none */
	bool indexed; /* low and high are those that the index was built with: the operators' bounds
			 hold them */
} sample_box;

/* v[o->width]: symbols, then output dimensions. known[nsym]: 1 for the symbols that are given in v.
 * On success v holds the known ones unchanged, the others such that the rule accepts, and the output
 * dimensions. False, and v unspecified, when nothing was found. */
bool sample_forward(
    const index_op *o, int64_t *v, const uint8_t *known, sample_box box, rng *r);

/* The same such that output number `output` has exactly this shape, of that output's rank. */
bool sample_backward(const index_op *o, int64_t *v, const uint8_t *known, unsigned output,
    const int64_t *shape, sample_box box, rng *r);

#endif

/* Completes calls: generators get all undecided numbers of a call here. The result is a call that the rule accepts, or a
 * record if the signature has no rule with enough support. The work is bounded. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "rng.h"
#include "gen_index.h"

/* The range of free dimensions. Numbers that clauses or a record determine may lie outside. Attributes stay in their
 * recorded range. */
typedef struct sample_box {
	int64_t low, high;
	int64_t mixed; /* maximum of dimensions from the mixture of sizes.h, which then replaces low and high; 0: no mixture */
	bool zero;     /* allow zero-size dimensions */
	int64_t numel; /* maximum elements of a tensor of the call; 0: no limit */
	bool indexed; /* low and high are those of the index, so the signatures' precomputed bounds apply */
} sample_box;

/* v[o->width]: symbols, then output dimensions. known[nsym]: 1 for symbols that are given in v. True: v has the known
 * symbols unchanged, other symbols so that the rule accepts, and the output dimensions. False: no call was found; v is
 * unspecified. */
bool sample_forward(
    const index_op *o, int64_t *v, const uint8_t *known, sample_box box, rng *r);

/* The same, so that output number `output` has exactly this shape of that output's rank. */
bool sample_backward(const index_op *o, int64_t *v, const uint8_t *known, unsigned output,
    const int64_t *shape, sample_box box, rng *r);

#endif

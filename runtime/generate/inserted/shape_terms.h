/* Random terms with a given value: small graphs of calls that compute one or several integers from the shapes of tensors, as
 * exporters write them.
 *
 *   [4, -1, 8]  ─►  Concat(Unsqueeze(Gather(Shape(x), 0)), [-1], Slice(Shape(y), 1, 2))
 *   6           ─►  Div(Add(Gather(Shape(x), 2), 3), 2)        Floor(Cast(Gather(Shape(x), 2)) * 0.5)
 *
 * An integer that is a dimension of some tensor is mostly taken from there; else it is computed from one. */
#ifndef SHAPE_TERMS_H
#define SHAPE_TERMS_H

#include "shape_calls.h"

enum { SHAPE_SOURCES = 64 };

/* A dimension that terms may be computed from. */
typedef struct shape_dim {
	uint32_t tensor;
	uint8_t axis;
	int64_t size;
} shape_dim;

/* Terms for one call. Shape of a tensor may be called once and used again. */
typedef struct shape_terms {
	gen *g;
	rng *r;
	uint32_t before; /* the node that terms are inserted before */
	shape_dim dims[SHAPE_SOURCES];
	unsigned ndims, near; /* those of the call's own operands come first: `near` of them */
	uint32_t shapes[SHAPE_SOURCES]; /* Shape of these tensors; GRAPH_NONE: not called yet */
	bool failed; /* out of memory */
} shape_terms;

/* Terms before a call from tensors that exist there. False: there is no dimension to compute from. */
bool shape_terms_begin(shape_terms *t, gen *g, rng *r, uint32_t before);

/* Whether an integer may be computed; larger ones, such as the end of a slice, are always written. */
bool shape_term_exists(int64_t n);
/* A tensor of int64 with these elements: a vector, or a scalar (rank 0, n[0]). At least one is computed, if one may be.
 * GRAPH_NONE: out of memory. */
uint32_t shape_terms_make(shape_terms *t, const int64_t *n, unsigned count, unsigned rank);
/* A cast of a tensor of integers. */
uint32_t shape_terms_cast(shape_terms *t, uint32_t tensor, uint8_t dtype);

#endif

/* Draws new inputs of one signature to check its rule: inputs that the rule accepts, recorded calls with small changes on
 * both sides of the rule's boundary, and joint moves of related numbers (8 channels in 4 groups become 6 in 3).
 *
 * The inputs depend on the signature's name, its rule, its records and the seed only. Impossible inputs are never drawn:
 * negative dimensions, and too large tensors.
 */
#ifndef DRAW_H
#define DRAW_H

#include "arena.h"
#include "rng.h"
#include "gen_index.h"

enum {
	DRAW_NUMEL = 4096,	   /* maximum elements of an input tensor, unless a record has more */
	DRAW_OUT_NUMEL = 1 << 20,  /* maximum elements of a predicted output */
	DRAW_LOW = -8, DRAW_HIGH = 64, /* range of attributes, unless a record exceeds it; DRAW_HIGH also limits dimensions */
};

typedef struct drawer {
	const rs_op *op;
	index_op form;
	rng rng;
	int64_t numel;	    /* maximum elements of an input tensor */
	int64_t *low, *high; /* nsym each: range of each symbol */
	int64_t *s, *best;  /* scratch, nsym */
	int64_t *from, *to; /* scratch, nsym: preferred range of the sampler */
	uint8_t *known;	    /* scratch, nsym */
	int64_t *out;	    /* nodim: the prediction for the last input, if it is valid */
	bool valid;	    /* whether the rule accepts the last input */
	bool side;	    /* the wanted side of the boundary */
	uint64_t *seen;	    /* hashes of the drawn inputs: a table of mask + 1 slots, at most half full */
	uint32_t mask, nseen;
} drawer;

/* The arena owns the memory. False: out of memory. Records of the table are never drawn. */
bool drawer_open(drawer *d, const rs_op *op, uint64_t seed, arena *a);

enum drawn { DRAWN_SAMPLE, DRAWN_MUTANT, DRAWN_JOINT, DRAWN_KINDS };
extern const char *const DRAWN_NAMES[DRAWN_KINDS];

/* Draws a new input into s[nsym]; valid and out as described above. False: none was found. */
bool draw_sample(drawer *d, arena *a, int64_t *s); /* an input that the rule accepts */
bool draw_mutant(drawer *d, arena *a, int64_t *s); /* a changed record, on either side in turn */
/* A joint move of a record or a valid input: all numbers that share a value above 1, or all multiples of it, at least two,
 * move to another value, multiples to the same multiple of it. */
bool draw_joint(drawer *d, arena *a, int64_t *s);
/* An invalid input: a valid one with one number changed so that the rule rejects it. The rule does not report which clause
 * fails; there may be several. */
bool draw_near(drawer *d, arena *a, int64_t *s);
bool draw_input(drawer *d, arena *a, enum drawn kind, int64_t *s); /* one of these, at random */

/* The strata (bits 1 << enum stratum) of an input. */
unsigned draw_strata(const rs_op *op, enum drawn kind, const int64_t *s);

#endif

/* Draws inputs of one operator that a check of its rule has not asked yet: some that the rule
 * accepts, some by changing recorded calls a little, across the rule's boundary, some by moving
 * together what belongs together: 8 channels in 4 groups become 6 in 3.
 *
 * What is drawn depends on the operator's name, its rule, its records and the seed only. Inputs that
 * no call can have are never drawn: negative dimensions, and tensors of too many elements.
 */
#ifndef DRAW_H
#define DRAW_H

#include "arena.h"
#include "rng.h"
#include "gen_index.h"

enum {
	DRAW_NUMEL = 4096,	   /* elements of an input tensor, unless a record has more */
	DRAW_OUT_NUMEL = 1 << 20,  /* of a predicted output */
	DRAW_LOW = -8, DRAW_HIGH = 64, /* attributes, unless a record's is beyond; dimensions end
					  at DRAW_HIGH, too */
};

typedef struct drawer {
	const rs_op *op;
	index_op form;
	rng rng;
	int64_t numel;	    /* elements an input tensor */
	int64_t *low, *high; /* nsym each: what a symbol may be */
	int64_t *s, *best;  /* scratch, nsym */
	int64_t *from, *to; /* scratch, nsym: where a sampler looks for values */
	uint8_t *known;	    /* scratch, nsym */
	int64_t *out;	    /* nodim: the prediction of the input drawn last, if it is valid */
	bool valid;	    /* and whether the rule calls it so */
	bool side;	    /* of the boundary, wanted next */
	uint64_t *seen;	    /* hashes of the inputs drawn: a table of mask + 1, at most half full */
	uint32_t mask, nseen;
} drawer;

/* Memory is the arena's. False: out of memory. The table's own records are never drawn. */
bool drawer_open(drawer *d, const rs_op *op, uint64_t seed, arena *a);

enum drawn { DRAWN_SAMPLE, DRAWN_MUTANT, DRAWN_JOINT, DRAWN_KINDS };
extern const char *const DRAWN_NAMES[DRAWN_KINDS];

/* A new input in s[nsym], valid and out as described above. False when none was found. */
bool draw_sample(drawer *d, arena *a, int64_t *s); /* one that the rule accepts */
bool draw_mutant(drawer *d, arena *a, int64_t *s); /* a changed record, on either side in turn */
/* A joint move: of a record, or of an input that the rule accepts, all numbers that share a value above 1, or all that
 * are multiples of it, at least two, go over to another value, the multiples to the same multiple of that. */
bool draw_joint(drawer *d, arena *a, int64_t *s);
/* A near miss: an input that the rule accepts, with one number moved so that the rule refuses it. The compiled rule says
 * valid or not, and not which of its clauses fails: what one number moves may be more than one of them. */
bool draw_near(drawer *d, arena *a, int64_t *s);
bool draw_input(drawer *d, arena *a, enum drawn kind, int64_t *s); /* one of these */

/* The strata (bits 1 << enum stratum) that an input belongs to. */
unsigned draw_strata(const rs_op *op, enum drawn kind, const int64_t *s);

#endif

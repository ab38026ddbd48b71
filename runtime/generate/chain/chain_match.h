/* The signatures that a call of a chain may become: those of its API that take all tensors that the chain connects to it. */
#ifndef CHAIN_MATCH_H
#define CHAIN_MATCH_H

#include "index_data.h"

enum { CHAIN_INPUTS = 15 }; /* maximum inputs of a call */

#define CHAIN_OTHER_ELEMENTS (UINT64_C(1) << 60) /* in chain_call.ranks */
#define CHAIN_FREE INT64_MIN /* a number that was not recorded */

/* What a chain connects to an input of a signature. */
typedef struct chain_slot {
	uint32_t tensor;  /* a tensor of the chain; GRAPH_NONE: none */
	uint8_t rank;	  /* of elements in the record */
	const char *text; /* of all these elements; NULL: none, or they differ */
} chain_slot;

typedef struct chain_match {
	const index_op *op;
	const chain_slot *slots;    /* op->nin */
	const int64_t *numbers;	    /* if `same`: op->nsym recorded attributes, or CHAIN_FREE */
	const char *const *texts;   /* op->nconsts recorded constants; NULL, or NULL items: none */
	bool same;     /* it has the recorded attributes */
} chain_match;

typedef struct chain_call {
	chain_match *matches; /* n, the nsame first ones with the recorded attributes */
	/* The ranks of the recorded call's inputs, four bits each, and those that each match takes. The highest four bits are 0 if all
	 * recorded elements have the ranks that it takes. */
	uint64_t recorded, *ranks;
	uint32_t n, nsame;
} chain_call;

/* Where the signatures of an API are. Both indices outlive it. */
typedef struct chain_places {
	const gen_index *of[2]; /* the generator's, and that of chains alone; NULL: none */
	const index_api **twins; /* by API of the generator's: the same one of the other; NULL: it lacks it */
} chain_places;

bool chain_find_places(chain_places *p, const gen_index *x, const gen_index *forms, arena *a);

/* Finds the signatures of a node of a chain. Every name of an API is resolved here. False: out of memory. */
bool chain_match_call(chain_call *c, const graph *g, uint32_t node, const chain_places *p, arena *a);

#endif

/* The signatures that can replace a call of a chain: those of its API that take all tensors that the chain connects to it. */
#ifndef CHAIN_MATCH_H
#define CHAIN_MATCH_H

#include "chain_lines.h"
#include "index_data.h"

enum { CHAIN_TEXTS = 256 }; /* maximum constants of a signature */

/* In chain_candidate.ranks: other ranks than those of recorded elements, of one or of several. */
#define CHAIN_OTHER_ELEMENTS (UINT64_C(1) << 60)
#define CHAIN_OTHER_WEIGHTS (UINT64_C(1) << 61)
#define CHAIN_FREE INT64_MIN /* a number that was not recorded */

/* The tensor or elements that a chain connects to an input of a signature. */
typedef struct chain_slot {
	uint32_t tensor;  /* a tensor of the chain; GRAPH_NONE: none */
	uint8_t rank;	  /* of elements in the record */
	uint8_t dtype;	  /* of these */
	bool several;	  /* there are several of them */
	const char *text; /* of all these elements; NULL: none, or they differ */
	const rs_value *value; /* the elements; NULL: none */
} chain_slot;

/* A comparison of a signature with a recorded call. */
typedef struct chain_match {
	const index_op *op;
	const graph *g;
	const graph_node *node;
	uint64_t ranks; /* as in chain_candidate */
	bool fits; /* the signature takes all tensors that the record connects */
	bool same; /* and has the recorded attributes */
	bool told; /* any of the texts */
	uint16_t input, constant; /* the numbers of slots and texts so far */
	uint16_t lists; /* around the current value */
	uint16_t connected;	  /* tensors of the recorded call that the signature takes */
	chain_slot slots[INDEX_TENSORS_MAX];
	int64_t numbers[INDEX_WIDTH_MAX]; /* op->nsym recorded attributes, or CHAIN_FREE */
	const char *texts[CHAIN_TEXTS];	  /* op->nconsts recorded constants; NULL: none */
} chain_match;

typedef struct chain_candidate {
	const index_op *op;
	/* Its ranks for the inputs of the recorded call, four bits each. The highest four bits are 0 if all recorded
	 * elements have the ranks that it takes. */
	uint64_t ranks;
} chain_candidate;

/* The signatures of a kind of calls. */
typedef struct chain_call {
	uint32_t n, nsame;
	chain_candidate of[]; /* n, the nsame first ones with the recorded attributes */
} chain_call;

/* Where the signatures of an API are. Both indices outlive it. */
typedef struct chain_places {
	const gen_index *of[2]; /* the generator's, and that of chains alone; NULL: none */
	const index_api **twins; /* for each API of the generator's index, the same API in the other one; NULL: missing */
} chain_places;

bool chain_find_places(chain_places *p, const gen_index *x, const gen_index *forms, arena *a);
/* The API of that name, of any version, in the generator's index; NULL: none. */
const index_api *chain_find_api(const chain_places *p, const char *name);

void chain_match_op(chain_match *m, const graph *g, uint32_t node, const index_op *o);
/* The recorded shape of a slot's input. False: it has none, or more dimensions than fit. */
bool chain_slot_shape(const chain_slot *s, const graph *g, unsigned *rank, int64_t *dims, unsigned room);
/* Finds the signatures of a node of a chain. Every name of an API is resolved here. NULL: out of memory. */
const chain_call *chain_match_call(const graph *g, uint32_t node, const chain_places *p, arena *a);

#endif

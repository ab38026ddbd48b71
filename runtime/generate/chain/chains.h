/* Chains: calls that occur together in real models (traces/FRAMEWORK/CHAINS.models, docs/explanation/rules.md), inserted as recorded,
 * with their attributes, constants and shapes. */
#ifndef CHAINS_H
#define CHAINS_H

#include "gen_index.h"

enum {
	CHAIN_TENSORS = 128,
	CHAIN_NUMBERS = 256, /* maximum output dimensions of a call */
};

typedef struct chain {
	graph model;
	graph_form *forms; /* per node of the model */
	uint32_t upto;	   /* cumulative weight, this one included */
	int64_t elements;  /* elements of all tensors */
} chain;

typedef struct chains {
	chain *list; /* n chains, short ones first */
	uint32_t n;
} chains;

/* Reads the chains of a framework whose calls are all in the index, with these dtypes, ranks and sizes. False and d: out of
 * memory, or a malformed line. */
bool chains_open(chains *c, const gen_index *x, int64_t max_numel, unsigned rank_max, diag *d);
void chains_close(chains *c);

#endif

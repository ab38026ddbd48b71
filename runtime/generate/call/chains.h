/* Calls that stand together in models of people (traces/FRAMEWORK/CHAINS.models, docs/explanation/rules.md), inserted as they were
 * recorded: with their attributes, constants and shapes. */
#ifndef CHAINS_H
#define CHAINS_H

#include "gen_index.h"

enum {
	CHAIN_TENSORS = 128,
	CHAIN_NUMBERS = 256, /* output dimensions of a call */
};

typedef struct chain {
	graph model;
	graph_form *forms; /* by node of the model */
	uint32_t upto;	   /* the weights of all before and of this */
	int64_t elements;  /* of all tensors */
} chain;

typedef struct chains {
	chain *list; /* n, those of few calls first */
	uint32_t n;
} chains;

/* Those of a framework all of whose calls the index has: their APIs, with these dtypes, ranks and sizes. False and d:
 * out of memory, or a line that cannot be read. */
bool chains_open(chains *c, const gen_index *x, int64_t max_numel, unsigned rank_max, diag *d);
void chains_close(chains *c);

#endif

/* Chains: calls that occur together in real models (traces/FRAMEWORK/CHAINS.models, docs/explanation/models.md). A chain is a
 * pattern: APIs, and which output feeds which input. It can be inserted as recorded, or with the calls of an index. */
#ifndef CHAINS_H
#define CHAINS_H

#include "chain_match.h"
#include "gen_index.h"
#include "literals.h"

enum {
	CHAIN_TENSORS = 128,
	CHAIN_NUMBERS = 256, /* maximum output dimensions of a call */
};

typedef struct chain {
	graph model;
	graph_form *forms; /* per node of the model */
	chain_call *calls; /* per node of the model: the calls that it may become */
	int64_t elements;  /* elements of all tensors */
	bool exact;	   /* all recorded calls are in the index, with these dtypes, ranks and sizes */
} chain;

/* A line of CHAINS.models, read when it is first drawn: there are thousands. */
typedef struct chain_entry {
	uint32_t line;	/* of the table of all */
	uint32_t upto;	/* cumulative weight, this one included */
	uint16_t calls; /* number of its calls */
	chain *chain;	/* NULL: not read yet */
} chain_entry;

typedef struct chains {
	arena *arena;
	chain_entry *list; /* n entries, short ones first */
	uint32_t n;
	gen_index forms; /* signatures that only chains use (generated/forms) */
	chain_places places;
	literals *literals; /* calls with written elements */
	index_filter limits;
} chains;

/* Opens the chains of a framework. The filter is that of x. False and d: out of memory. */
bool chains_open(chains *c, const gen_index *x, const index_filter *filter, diag *d);
void chains_close(chains *c);

/* An entry's chain. NULL and d: out of memory, or a malformed line. */
const chain *chains_read(chains *c, uint32_t entry, const gen_index *x, diag *d);

#endif

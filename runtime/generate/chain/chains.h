/* Chains: calls that occur together in real models (chain_lines.h, docs/explanation/models.md). A chain is a pattern: APIs, and
 * which output feeds which input. A generator inserts it as recorded, or with calls of its index. */
#ifndef CHAINS_H
#define CHAINS_H

#include "chain_match.h"
#include "gen_index.h"
#include "literals.h"
#include "rng.h"

enum {
	CHAIN_TENSORS = 128,
	CHAIN_NUMBERS = 256, /* maximum output dimensions of a call */
};

typedef struct chains {
	arena *arena;
	chain_lines *lines;
	uint32_t *pairs; /* the pairs of APIs (chain_pair_at) that the index has, first the nchanged ones that a pass changes */
	uint32_t npairs, nchanged, nlines;
	uint32_t *consumers; /* npairs APIs of the index: the successors of each API, from after[api] to after[api + 1] */
	uint32_t *after;
	uint8_t *exact; /* per line: whether it can be inserted as recorded; 0: unknown */
	const chain_call **calls; /* by kind of calls; NULL: not found yet */
	uint32_t ncalls;
	gen_index forms; /* signatures that only chains use (generated/forms) */
	chain_places places;
	literals *literals; /* calls with written elements */
	index_filter limits;
} chains;

/* Opens the chains of a framework. The filter is that of x. lines: those of another generator, to share; NULL: new ones. False and d: out of memory. */
bool chains_open(chains *c, const gen_index *x, const index_filter *filter, chain_lines *lines, diag *d);
void chains_close(chains *c);

/* Whether all calls of a line are in the index, with the recorded dtypes, ranks and sizes. */
bool chains_exact(chains *c, uint32_t line, const gen_index *x);
/* A random API of the index that takes results of an API in real models; GRAPH_NONE: none. */
uint32_t chains_draw_consumer(const chains *c, uint32_t api, rng *r);
/* The signatures of a call. NULL: out of memory. */
const chain_call *chains_call(chains *c, const chain_line *line, uint32_t node);

#endif

/* The block corpus (graph-fuzz sections III.A, III.D, IV.B): what a model is made of.
 *
 *   operator   one API; its in-degree is any number of its tensor inputs that other blocks feed,
 *              the rest (filters, biases) being inputs of the model
 *   subgraph   several operators with inner edges, such as compilers fuse or rewrite; what comes
 *              in goes to the operators without an inner predecessor, what goes out is the last's
 */
#ifndef CORPUS_H
#define CORPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "gen_index.h"

enum {
	BLOCK_NODES_MAX = 10,
	BLOCK_EDGES_MAX = 16,
	BLOCK_OUT_MAX = 5, /* out-degrees are 0 … 5 (section IV.B) */
};

typedef struct block {
	const char *name;               /* its operators, joined by "+" */
	uint32_t nnodes;                /* 1: an operator */
	uint32_t apis[BLOCK_NODES_MAX]; /* of the index */
	uint32_t nedges;
	struct {
		uint8_t from, to; /* from < to; the same edge twice: two inputs */
	} edges[BLOCK_EDGES_MAX];
	uint32_t in_high; /* in-degree: 0 … this */
} block;

typedef struct corpus {
	arena *arena;
	block *blocks; /* block i < napis: API i alone; then the subgraphs */
	uint32_t nblocks, napis;
	uint64_t *in_degrees; /* [napis] bits: numbers of tensor inputs that its operators have */
} corpus;

/* Every API of the index, and the subgraphs of the paper whose operators are all there. False when
 * out of memory. */
bool corpus_build(corpus *c, const gen_index *x);
void corpus_free(corpus *c);

/* Whether a node of a block has no predecessor in it. */
bool block_entry(const block *b, unsigned node);

#endif

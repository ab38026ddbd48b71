/* The block corpus (graph-based fuzz testing, sections III.A, III.D, IV.B): the building blocks of models.
 *
 *   operator   one API; its in-degree is the number of its tensor inputs that other blocks feed;
 *              the rest (filters, biases) are inputs of the model
 *   subgraph   several operators with inner edges, which compilers fuse or rewrite; its inputs go to
 *              operators without an inner predecessor, its output is that of the last operator
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
	const char *name;               /* names of its operators, joined by "+" */
	uint32_t nnodes;                /* 1: a single operator */
	uint32_t apis[BLOCK_NODES_MAX]; /* indices of APIs */
	uint32_t nedges;
	struct {
		uint8_t from, to; /* from < to; a repeated edge means two inputs */
	} edges[BLOCK_EDGES_MAX];
	uint32_t in_high; /* maximum in-degree */
} block;

typedef struct corpus {
	arena *arena;
	block *blocks; /* block i < napis is API i alone; then the subgraphs */
	uint32_t nblocks, napis;
	uint64_t *in_degrees; /* [napis] bits: the possible numbers of tensor inputs */
} corpus;

/* Adds every API of the index, and the paper's subgraphs whose operators are all in the index. False: out of memory. */
bool corpus_build(corpus *c, const gen_index *x);
void corpus_free(corpus *c);

/* Whether a node of a block has no predecessor in the block. */
bool block_entry(const block *b, unsigned node);

#endif

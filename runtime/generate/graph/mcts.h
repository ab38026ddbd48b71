/* The block chooser: Monte Carlo tree search (graph-fuzz section III.E).
 *
 *   root ─┬─ Conv2D ─┬─ Relu          a path from the root is the set of blocks of a model
 *         │          └─ Softmax
 *         └─ Tile                     v: models that raised the coverage, n: models
 *
 * A step goes from the root to the child of the greatest potential v/n + e·√(ln N / n), e = 1/√2,
 * until a node that may still have children, which gets one: the caller says which block. The tree
 * has at most `children` children a node and `levels` levels.
 *
 * Potentials are fixed-point: the logarithm by repeated squaring, the root digit by digit, both of
 * 64-bit integers. No library of mathematics can then change which child is taken. */
#ifndef MCTS_H
#define MCTS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	MCTS_ROOT = 0,
	MCTS_NONE = UINT32_MAX,
	MCTS_LEVELS_MAX = 16,
	MCTS_NODES_MAX = 1 << 17, /* then no node gets children any more */
};

typedef struct mcts_node {
	uint32_t parent, child, sibling; /* child: the newest; sibling: the next older */
	uint32_t block;                  /* of the caller; MCTS_NONE at the root */
	uint32_t success, visits;
	uint8_t level, children;
} mcts_node;

typedef struct mcts {
	mcts_node *nodes;
	uint32_t count, room;
	uint8_t levels, children; /* at most */
} mcts;

/* tc1 of the paper (10) and how many children a node may have (3). False when out of memory. */
bool mcts_init(mcts *m, unsigned levels, unsigned children);
void mcts_free(mcts *m);
void mcts_reset(mcts *m); /* the root alone */

uint32_t mcts_select(const mcts *m);              /* a leaf */
bool mcts_terminal(const mcts *m, uint32_t leaf); /* it can have no more children */
bool mcts_taken(
    const mcts *m, uint32_t leaf, uint32_t block); /* in its path or among its children */
/* The new child; MCTS_NONE when out of memory. */
uint32_t mcts_expand(mcts *m, uint32_t leaf, uint32_t block);
/* Blocks from a node up to the root; returns how many. */
unsigned mcts_path(const mcts *m, uint32_t node, uint32_t blocks[MCTS_LEVELS_MAX]);
void mcts_back(mcts *m, uint32_t node, bool success); /* counts a model for the whole path */

/* The parts of the potential, for tests. */
uint64_t mcts_ln(uint32_t n);   /* natural logarithm times 2^32, n > 0; the error is below 2^-26 */
uint64_t mcts_root(uint64_t x); /* rounded down */
uint64_t mcts_potential(uint32_t success, uint32_t visits, uint32_t parent); /* times 2^30 */

#endif

/* The block chooser: Monte Carlo tree search (graph-based fuzz testing, section III.E).
 *
 *   root ─┬─ Conv2D ─┬─ Relu          a path from the root is the set of blocks of a model
 *         │          └─ Softmax
 *         └─ Tile                     v: models that raised the coverage, n: models
 *
 * A step goes from the root to the child with the highest potential v/n + e·√(ln N / n), e = 1/√2, until a node that can
 * get another child, which the caller chooses. The tree has at most `children` children per node and `levels` levels.
 *
 * Potentials are fixed-point numbers: the logarithm by repeated squaring, the root digit by digit, both on 64-bit integers.
 * So the choice does not depend on a math library. */
#ifndef MCTS_H
#define MCTS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	MCTS_ROOT = 0,
	MCTS_NONE = UINT32_MAX,
	MCTS_LEVELS_MAX = 16,
	MCTS_NODES_MAX = 1 << 17, /* when it is reached, no node gets more children */
};

typedef struct mcts_node {
	uint32_t parent, child, sibling; /* child: the newest; sibling: the next older */
	uint32_t block;                  /* set by the caller; MCTS_NONE at the root */
	uint32_t success, visits;
	uint8_t level, children;
} mcts_node;

typedef struct mcts {
	mcts_node *nodes;
	uint32_t count, room;
	uint8_t levels, children; /* maxima */
} mcts;

/* tc1 of the paper (10), and the maximum children of a node (3). False: out of memory. */
bool mcts_init(mcts *m, unsigned levels, unsigned children);
void mcts_free(mcts *m);
void mcts_reset(mcts *m); /* resets to the root */

uint32_t mcts_select(const mcts *m);              /* a leaf */
bool mcts_terminal(const mcts *m, uint32_t leaf); /* it can have no more children */
bool mcts_taken(
    const mcts *m, uint32_t leaf, uint32_t block); /* in its path or among its children */
/* Adds a child; MCTS_NONE: out of memory. */
uint32_t mcts_expand(mcts *m, uint32_t leaf, uint32_t block);
/* Blocks from a node up to the root; returns their number. */
unsigned mcts_path(const mcts *m, uint32_t node, uint32_t blocks[MCTS_LEVELS_MAX]);
void mcts_back(mcts *m, uint32_t node, bool success); /* counts a model for the whole path */

/* The parts of the potential, for tests. */
uint64_t mcts_ln(uint32_t n);   /* natural logarithm times 2^32, n > 0; the error is below 2^-26 */
uint64_t mcts_root(uint64_t x); /* rounded down */
uint64_t mcts_potential(uint32_t success, uint32_t visits, uint32_t parent); /* times 2^30 */

#endif

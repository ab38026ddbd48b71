#include "mcts.h"

#include <stdlib.h>

/* ---- arithmetic */

uint64_t mcts_ln(uint32_t n)
{
	unsigned whole = 31u - (unsigned)__builtin_clz(n);
	uint64_t x = ((uint64_t)n << 31) >> whole; /* n / 2^whole, times 2^31: in [1, 2) */
	uint64_t log2 = (uint64_t)whole << 32;
	for (int bit = 31; bit >= 0; bit--) { /* squaring doubles the logarithm */
		x = x * x >> 31;
		if (x >> 32) {
			x >>= 1;
			log2 |= (uint64_t)1 << bit;
		}
	}
	/* ln 2 = 0.b17217f7d1cf… in hexadecimal; log2 has at most 37 bits */
	return (log2 >> 6) * 0x2c5c85feu >> 24;
}

uint64_t mcts_root(uint64_t x)
{
	uint64_t root = 0, bit = (uint64_t)1 << 62;
	while (bit > x)
		bit >>= 2;
	for (; bit; bit >>= 2) {
		if (x >= root + bit) {
			x -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
	}
	return root;
}

uint64_t mcts_potential(uint32_t success, uint32_t visits, uint32_t parent)
{
	if (!visits)
		return UINT64_MAX;
	/* e² ln N / n times 2^60, whose root is times 2^30: ln N / 2 < 11.1 < 2^4 */
	uint64_t square = parent ? (mcts_ln(parent) / 2 << 28) / visits : 0;
	return ((uint64_t)success << 30) / visits + mcts_root(square);
}

/* ---- the tree */

bool mcts_init(mcts *m, unsigned levels, unsigned children)
{
	*m = (mcts){.levels = (uint8_t)(levels < MCTS_LEVELS_MAX ? levels : MCTS_LEVELS_MAX),
	    .children = (uint8_t)children,
	    .room = 256};
	m->nodes = malloc(m->room * sizeof *m->nodes);
	if (m->nodes)
		mcts_reset(m);
	return m->nodes != NULL;
}

void mcts_free(mcts *m)
{
	free(m->nodes);
}

void mcts_reset(mcts *m)
{
	m->nodes[MCTS_ROOT] = (mcts_node){
	    .parent = MCTS_NONE, .child = MCTS_NONE, .sibling = MCTS_NONE, .block = MCTS_NONE};
	m->count = 1;
}

bool mcts_terminal(const mcts *m, uint32_t leaf)
{
	const mcts_node *n = &m->nodes[leaf];
	return n->level >= m->levels || n->children >= m->children || m->count >= MCTS_NODES_MAX;
}

static uint32_t best_child(const mcts *m, const mcts_node *n)
{
	uint32_t best = MCTS_NONE;
	uint64_t most = 0;
	for (uint32_t c = n->child; c != MCTS_NONE; c = m->nodes[c].sibling) {
		const mcts_node *x = &m->nodes[c];
		uint64_t p = mcts_potential(x->success, x->visits, n->visits);
		if (best == MCTS_NONE || p > most) {
			best = c;
			most = p;
		}
	}
	return best;
}

uint32_t mcts_select(const mcts *m)
{
	uint32_t at = MCTS_ROOT;
	while (mcts_terminal(m, at)) {
		uint32_t next = best_child(m, &m->nodes[at]);
		if (next == MCTS_NONE)
			break;
		at = next;
	}
	return at;
}

bool mcts_taken(const mcts *m, uint32_t leaf, uint32_t block)
{
	for (uint32_t i = leaf; i != MCTS_NONE; i = m->nodes[i].parent)
		if (m->nodes[i].block == block)
			return true;
	for (uint32_t c = m->nodes[leaf].child; c != MCTS_NONE; c = m->nodes[c].sibling)
		if (m->nodes[c].block == block)
			return true;
	return false;
}

uint32_t mcts_expand(mcts *m, uint32_t leaf, uint32_t block)
{
	if (m->count == m->room) {
		mcts_node *nodes = realloc(m->nodes, (size_t)m->room * 2 * sizeof *nodes);
		if (!nodes)
			return MCTS_NONE;
		m->nodes = nodes;
		m->room *= 2;
	}
	mcts_node *parent = &m->nodes[leaf];
	m->nodes[m->count] = (mcts_node){.parent = leaf,
	    .child = MCTS_NONE,
	    .sibling = parent->child,
	    .block = block,
	    .level = (uint8_t)(parent->level + 1)};
	parent->child = m->count;
	parent->children++;
	return m->count++;
}

unsigned mcts_path(const mcts *m, uint32_t node, uint32_t blocks[MCTS_LEVELS_MAX])
{
	unsigned n = 0;
	for (; node != MCTS_ROOT; node = m->nodes[node].parent)
		blocks[n++] = m->nodes[node].block;
	return n;
}

void mcts_back(mcts *m, uint32_t node, bool success)
{
	for (; node != MCTS_NONE; node = m->nodes[node].parent) {
		m->nodes[node].visits++;
		m->nodes[node].success += success;
	}
}

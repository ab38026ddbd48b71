/* Column "Equiv." of Table 5 as the published figures have it, counted without building a tree.
 *
 * The rules look at a tree's largest leaf (constants rank below symbols, 2 below 1), at its top
 * operation and at the largest leaf of its right child. Trees alike in these are one state, and
 * states are multiplied instead of trees. docs/bank.md states the rules.
 */
#include <stdlib.h>

#include "bank_parts.h"

enum top { LEAF, SUM, PRODUCT, OTHER, TOPS };
/* Ranks: the constant 2, the constant 1, then the symbols. */
enum { RANKS = 2 + BANK_MAX_HOLES, FIRST_SYMBOL = 2, MAX_LEAVES = BANK_MAX_OPS + 1 };

/* How many trees have this largest leaf, constants, top operation, and largest leaf on the right. */
typedef struct states {
	uint64_t n[RANKS][MAX_LEAVES + 1][TOPS][RANKS];
} states;

typedef struct state {
	int rank, constants, top, right_rank;
	uint64_t n;
} state;

/* The states that have trees, as a list. */
static int list_states(const states *s, state *out)
{
	int count = 0;
	for (int r = 0; r < RANKS; r++)
		for (int c = 0; c <= MAX_LEAVES; c++)
			for (int t = 0; t < TOPS; t++)
				for (int rr = 0; rr < RANKS; rr++)
					if (s->n[r][c][t][rr])
						out[count++] = (state){r, c, t, rr, s->n[r][c][t][rr]};
	return count;
}

static bool commutes(int op)
{
	return op == OP_ADD || op == OP_MUL || op == OP_MIN || op == OP_MAX;
}

static enum top top_of(int op)
{
	if (op == OP_ADD || op == OP_SUB)
		return SUM;
	return op == OP_MUL || op == OP_DIV ? PRODUCT : OTHER;
}

/* Do the rules keep the tree `a op b`? */
static bool keeps(const state *a, const state *b, int op)
{
	int top = top_of(op);
	if (commutes(op) && a->rank >= b->rank)
		return false;
	if (top == OTHER)
		return true;
	if (b->top == top) /* a + (b + c) is (a + b) + c; so they treat a // (b * c) too */
		return false;
	return a->top != top || a->right_rank < b->rank;
}

static void join(const state *a, const state *b, int leaves, states *out)
{
	int constants = a->constants + b->constants;
	if (4 * constants >= 3 * leaves)
		return;
	int rank = a->rank > b->rank ? a->rank : b->rank;
	for (int op = FIRST_ARITH; op <= LAST_ARITH; op++)
		if (keeps(a, b, op))
			out->n[rank][constants][top_of(op)][b->rank] += a->n * b->n;
}

uint64_t bank_count_formal(int symbols, int ops)
{
	enum { MOST = RANKS * (MAX_LEAVES + 1) * TOPS * RANKS };
	states *level = bank_alloc((size_t)(ops + 1) * sizeof *level);
	state *lists = bank_alloc((size_t)(ops + 1) * MOST * sizeof *lists);
	int counts[BANK_MAX_OPS + 1];
	for (int rank = 0; rank < FIRST_SYMBOL + symbols; rank++)
		level[0].n[rank][rank < FIRST_SYMBOL][LEAF][0] = 1;
	uint64_t sum = 0;
	for (int k = 0; k <= ops; k++) {
		for (int left = 0; left < k; left++)
			for (int i = 0; i < counts[left]; i++)
				for (int j = 0; j < counts[k - 1 - left]; j++)
					join(&lists[left * MOST + i], &lists[(k - 1 - left) * MOST + j],
					    k + 1, &level[k]);
		counts[k] = list_states(&level[k], lists + k * MOST);
		for (int i = 0; i < counts[k]; i++)
			sum += lists[k * MOST + i].rank >= FIRST_SYMBOL ? lists[k * MOST + i].n : 0;
	}
	free(level);
	free(lists);
	return sum;
}

#include "bank_count.h"

#include <stdlib.h>

#include "bank_node.h"

enum { CONSTANTS = 2, EXTREMES = 2, PLAIN = 5 }; /* EXTREMES: min and max; PLAIN: + - * // % */

_Static_assert(PLAIN + EXTREMES == ARITH_COUNT, "bank_count.c: the counts are of NeuRI's seven operations");

static uint64_t power(uint64_t base, int exponent)
{
	uint64_t result = 1;
	while (exponent-- > 0)
		result *= base;
	return result;
}

static uint64_t choose(int n, int k)
{
	uint64_t result = 1;
	for (int i = 0; i < k; i++)
		result = result * (uint64_t)(n - i) / (uint64_t)(i + 1);
	return result;
}

uint64_t bank_count_unpruned(int symbols, int ops)
{
	uint64_t sum = 0;
	for (int k = 0; k <= ops; k++) {
		uint64_t trees = choose(2 * k, k) / (uint64_t)(k + 1); /* Catalan number */
		uint64_t leaves = power((uint64_t)symbols + CONSTANTS, k + 1) - power(CONSTANTS, k + 1);
		sum += trees * power(ARITH_COUNT, k) * leaves;
	}
	return sum;
}

/* The number of ways in which a constant may be an operand: sum over operations, sides and the two constants. */
typedef struct slots {
	uint64_t plain, extreme; /* for + - * // %; for min and max */
	bool one_extreme;
} slots;

static slots slots_of(bank_rarity rarity)
{
	if (rarity == RARE_PUBLISHED) /* + c and c +: 4; - c: 2; 2* and *2: 2; //2: 1 */
		return (slots){.plain = 9, .extreme = 8, .one_extreme = true};
	return (slots){.plain = PLAIN * 2 * CONSTANTS, .extreme = EXTREMES * 2 * CONSTANTS};
}

/* Trees of k operations with h > 0 unnamed holes and this many min and max (if bounded). */
static uint64_t rare_trees(int k, int h, int extremes, slots s)
{
	if (k < 0 || extremes < 0)
		return 0;
	if (k == 0)
		return h == 1 && extremes == 0;
	int spent = s.one_extreme;
	uint64_t sum = s.plain * rare_trees(k - 1, h, extremes, s)
	    + s.extreme * rare_trees(k - 1, h, extremes - spent, s);
	for (int left = 0; left < k; left++)
		for (int i = 1; i < h; i++)
			for (int e = 0; e <= extremes; e++) {
				uint64_t first = rare_trees(left, i, e, s);
				if (!first)
					continue;
				int right = k - 1 - left;
				sum += first * PLAIN * rare_trees(right, h - i, extremes - e, s);
				sum += first * EXTREMES * rare_trees(right, h - i, extremes - e - spent, s);
			}
	return sum;
}

/* At most 5 holes, as in the published bank. */
uint64_t bank_count_rare(int symbols, int ops, bank_rarity rarity)
{
	slots s = slots_of(rarity);
	int most = rarity == RARE_PUBLISHED && symbols > 5 ? 5 : symbols;
	uint64_t sum = 0;
	for (int k = 0; k <= ops; k++) {
		uint64_t fillings = 1; /* of h holes in a row: symbols! / (symbols - h)! */
		for (int h = 1; h <= most && h <= k + 1; h++) {
			fillings *= (uint64_t)(symbols - h + 1);
			for (int e = 0; e <= s.one_extreme; e++)
				sum += rare_trees(k, h, e, s) * fillings;
		}
	}
	return sum;
}

uint64_t bank_total(const bank *b, int symbols)
{
	uint64_t sum = 0;
	for (int h = 1; h <= symbols && h <= b->options.holes; h++)
		for (int ops = 0; ops <= b->options.ops; ops++)
			sum += choose(symbols, h) * b->nodes[h].classes[ops];
	return sum;
}

/* ---- column "Equiv." of Table 5 as published, counted without building trees
 *
 * The rules depend on a tree's largest leaf (constants rank below symbols, 2 below 1), its top operation and the
 * largest leaf of its right child. Trees that agree in these form one state, and states are multiplied instead of
 * trees. docs/explanation/proofs.md states the rules.
 */
enum top { LEAF, SUM, PRODUCT, OTHER, TOPS };
/* Ranks: the constant 2, the constant 1, then the symbols. */
enum { RANKS = 2 + BANK_MAX_HOLES, FIRST_SYMBOL = 2, MAX_LEAVES = BANK_MAX_OPS + 1 };

/* The number of trees by largest leaf, number of constants, top operation, and largest leaf on the right. */
typedef struct states {
	uint64_t n[RANKS][MAX_LEAVES + 1][TOPS][RANKS];
} states;

typedef struct state {
	int rank, constants, top, right_rank;
	uint64_t n;
} state;

/* Lists the states that have trees. */
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

static enum top top_of(int op)
{
	return op == OP_ADD || op == OP_SUB ? SUM : op == OP_MUL || op == OP_DIV ? PRODUCT : OTHER;
}

/* Whether the rules keep the tree `a op b`. */
static bool keeps(const state *a, const state *b, int op)
{
	int top = top_of(op);
	if (OPS[op].commutes && a->rank >= b->rank)
		return false;
	if (top == OTHER)
		return true;
	if (b->top == top) /* a + (b + c) is (a + b) + c; the published rules treat a // (b * c) the same way */
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

/* Counts in closed form, and the sum over ways to fill holes. */
#include "bank_parts.h"

enum { ARITHMETIC = LAST_ARITH - FIRST_ARITH + 1, CONSTANTS = 2 };

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
		uint64_t trees = choose(2 * k, k) / (uint64_t)(k + 1); /* Catalan */
		uint64_t leaves = power((uint64_t)symbols + CONSTANTS, k + 1) - power(CONSTANTS, k + 1);
		sum += trees * power(ARITHMETIC, k) * leaves;
	}
	return sum;
}

/* How a constant may be an operand, counted over operations, sides and the two constants. */
typedef struct slots {
	uint64_t plain, extreme; /* of + - * // %; of min and max */
	bool one_extreme;
} slots;

static slots slots_of(bank_rarity rarity)
{
	if (rarity == RARE_PUBLISHED) /* + c and c +: 4; - c: 2; 2* and *2: 2; //2: 1 */
		return (slots){.plain = 9, .extreme = 8, .one_extreme = true};
	return (slots){.plain = 5 * 2 * CONSTANTS, .extreme = 2 * 2 * CONSTANTS};
}

/* Trees of k operations with h > 0 unnamed holes and so many min and max (if those are bounded). */
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
				sum += first * 5 * rare_trees(right, h - i, extremes - e, s);
				sum += first * 2 * rare_trees(right, h - i, extremes - e - spent, s);
			}
	return sum;
}

/* The published bank has 5 holes at most, and so has its rarity. */
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
			sum += choose(symbols, h) * bank_classes(b, h, ops);
	return sum;
}

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

/* Trees of k operations with h unnamed holes and k + 1 - h constants, none joining two constants. */
static uint64_t rare_trees(int k, int h)
{
	if (k == 0)
		return h == 0 ? CONSTANTS : h == 1;
	uint64_t sum = 0;
	for (int left = 0; left < k; left++)
		for (int i = 0; h && i <= h; i++)
			sum += rare_trees(left, i) * rare_trees(k - 1 - left, h - i);
	return sum * ARITHMETIC;
}

uint64_t bank_count_rare(int symbols, int ops)
{
	uint64_t sum = 0;
	for (int k = 0; k <= ops; k++) {
		uint64_t fillings = 1; /* of h holes in a row: symbols! / (symbols - h)! */
		for (int h = 1; h <= symbols && h <= k + 1; h++) {
			fillings *= (uint64_t)(symbols - h + 1);
			sum += rare_trees(k, h) * fillings;
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

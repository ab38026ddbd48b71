#include "weight.h"

static uint64_t next(uint64_t weight)
{
	return weight / 65536 * 58643 + weight % 65536 * 58643 / 65536; /* 65536 × exp(-1/9) */
}

static uint64_t first(void)
{
	return (uint64_t)1 << 48;
}

uint64_t weight_of(int cost)
{
	uint64_t weight = first();
	for (int i = 0; i < cost && weight > 1; i++)
		weight = next(weight);
	return weight ? weight : 1;
}

void weights_of(uint64_t *to, int n)
{
	uint64_t weight = first();
	for (int i = 0; i < n; i++) {
		to[i] = weight ? weight : 1;
		weight = weight > 1 ? next(weight) : weight;
	}
}

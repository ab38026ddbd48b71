#include "weight.h"

uint64_t weight_of(int cost)
{
	uint64_t weight = (uint64_t)1 << 48;
	for (int i = 0; i < cost && weight > 1; i++)
		weight = weight / 65536 * 58643 + weight % 65536 * 58643 / 65536; /* 65536 × exp(-1/9) */
	return weight ? weight : 1;
}

#include "eliminate.h"

uint64_t elimination_reduce(int64_t v)
{
	int64_t r = v % (int64_t)ELIMINATION_PRIME;
	return (uint64_t)(r < 0 ? r + (int64_t)ELIMINATION_PRIME : r);
}

static uint64_t inverse(uint64_t v)
{
	uint64_t result = 1;
	for (uint64_t e = ELIMINATION_PRIME - 2; e; e >>= 1, v = v * v % ELIMINATION_PRIME)
		if (e & 1)
			result = result * v % ELIMINATION_PRIME;
	return result;
}

bool eliminate(uint64_t *m, int n, int width, int *pivot, int *rank)
{
	int row = 0, step = width + 1;
	for (int j = 0; j < width; j++) {
		int at = row;
		while (at < n && m[at * step + j] == 0)
			at++;
		pivot[j] = at < n ? row : -1;
		if (at == n)
			continue;
		for (int k = 0; k < step; k++) {
			uint64_t swap = m[at * step + k];
			m[at * step + k] = m[row * step + k];
			m[row * step + k] = swap;
		}
		uint64_t scale = inverse(m[row * step + j]);
		for (int k = 0; k < step; k++)
			m[row * step + k] = m[row * step + k] * scale % ELIMINATION_PRIME;
		for (int i = 0; i < n; i++) {
			uint64_t f = i == row ? 0 : m[i * step + j];
			for (int k = j; f && k < step; k++)
				m[i * step + k] = (m[i * step + k] + (ELIMINATION_PRIME - f) * m[row * step + k]) % ELIMINATION_PRIME;
		}
		row++;
	}
	*rank = row;
	for (int i = row; i < n; i++)
		if (m[i * step + width])
			return false;
	return true;
}

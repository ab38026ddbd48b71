#include "vary.h"

#define DIM_MAX 8 /* dimensions grow to this, or to what the records have */

bool vary_is_dimension(const index_op *o, unsigned symbol)
{
	for (unsigned i = 0; i < o->nin; i++)
		if (symbol - o->inputs[i].first < o->inputs[i].rank)
			return true;
	return false;
}

int64_t vary_value(const index_op *o, unsigned symbol, rng *r)
{
	int64_t low = INT64_MAX, high = INT64_MIN;
	for (unsigned k = 0; k < o->nfull; k++) {
		int64_t x = index_record(o, k)[symbol];
		low = x < low ? x : low;
		high = x > high ? x : high;
	}
	if (vary_is_dimension(o, symbol)) {
		low = 1;
		high = high > DIM_MAX ? high : DIM_MAX;
	}
	return low <= high ? rng_range(r, low, high) : 0;
}

void vary_tied(const index_op *o, unsigned symbol, int64_t value, const bool *fixed, int64_t *v)
{
	for (unsigned j = 0; j < o->nsym; j++)
		if (j == symbol
		    || (!(fixed && fixed[j]) && o->ties
			&& o->ties[(size_t)symbol * o->width + j] == o->nrecords))
			v[j] = value;
}

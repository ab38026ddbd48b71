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
	int64_t low = index_low(o, symbol), high = index_high(o, symbol);
	if (!o->nfull)
		return 0;
	if (vary_is_dimension(o, symbol)) {
		low = 1;
		high = high > DIM_MAX ? high : DIM_MAX;
	}
	return rng_range(r, low, high);
}

void vary_tied(const index_op *o, unsigned symbol, int64_t value, const bool *fixed, int64_t *v)
{
	for (unsigned j = 0; j < o->nsym; j++)
		if (j == symbol
		    || (!(fixed && fixed[j]) && o->ties
			&& o->ties[(size_t)symbol * o->width + j] == o->nrecords))
			v[j] = value;
}

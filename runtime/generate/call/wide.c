#include "wide.h"

/* Ends of ranges, as powers of two: beyond the integers of float32, int32 and float64, and at the ends of the dtypes. For 64 bits,
 * the last is a quarter of the end, so that a range has fewer than 2^63 integers. */
static const uint8_t BITS_32[] = {26, 30, 31}, BITS_64[] = {26, 33, 40, 54, 61};

enum { FLOAT_BITS = 50 }; /* floats are converted to integers of 64 bits */

static unsigned bits_of(uint8_t dtype, bool to_long, rng *r)
{
	switch (dtype) {
	case RS_INT32:
	case RS_UINT32:
		return BITS_32[rng_below(r, sizeof BITS_32)];
	case RS_INT64:
	case RS_UINT64:
		return BITS_64[rng_below(r, sizeof BITS_64)];
	case RS_FLOAT32:
	case RS_FLOAT64:
		return to_long ? FLOAT_BITS : 0;
	default:
		return 0;
	}
}

bool wide_make(graph_tensor *t, bool to_long, rng *r)
{
	unsigned bits = bits_of(t->dtype, to_long, r);
	bool positive = t->dtype == RS_UINT32 || t->dtype == RS_UINT64 || rng_below(r, 4) == 0;
	if (!bits)
		return false;
	t->low = positive ? 0 : -(INT64_C(1) << bits);
	t->high = INT64_C(1) << bits;
	t->values = RS_VALUES_FINITE;
	return true;
}

#include "wide.h"

#include "elements.h"

/* Ends of ranges, as powers of two: beyond the integers of float32, int32 and float64, and at the ends of the dtypes. For 64 bits,
 * the last is a quarter of the end, so that a range has fewer than 2^63 integers. Sums of the smaller ones do not wrap around. */
static const uint8_t BITS_8[] = {6, 8}, BITS_16[] = {14, 16}, BITS_32[] = {26, 30, 32}, BITS_64[] = {26, 33, 40, 54, 61};

enum {
	FLOAT_BITS = 50, /* floats are converted to integers of 64 bits */
	NEAR = 4,	 /* integers beside the end of a dtype */
	ENDS_ONE_IN = 4, /* fraction of ranges at an end of the dtype */
};

static unsigned bits_of(uint8_t dtype, bool to_long, rng *r)
{
	switch (dtype) {
	case RS_INT8:
	case RS_UINT8:
		return BITS_8[rng_below(r, sizeof BITS_8)];
	case RS_INT16:
	case RS_UINT16:
		return BITS_16[rng_below(r, sizeof BITS_16)];
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

/* The range, within the dtype. */
static void set_range(graph_tensor *t, unsigned bits, bool positive)
{
	int64_t most = t->dtype <= RS_INT64 ? elements_high(t->dtype) : INT64_MAX;
	int64_t high = INT64_C(1) << bits;
	t->high = high <= most ? high : most + (most < INT64_MAX);
	t->low = positive ? 0 : -high;
	if (t->dtype <= RS_INT64 && t->low < elements_low(t->dtype))
		t->low = elements_low(t->dtype);
}

/* The integers beside an end of the dtype. */
static void set_end(graph_tensor *t, bool positive)
{
	int64_t end = positive ? elements_high(t->dtype) : elements_low(t->dtype);
	t->high = !positive ? end + NEAR + 1 : end < INT64_MAX ? end + 1 : end;
	t->low = positive ? end - NEAR : end;
}

bool wide_make(graph_tensor *t, bool to_long, rng *r)
{
	unsigned bits = bits_of(t->dtype, to_long, r);
	bool positive = (t->dtype <= RS_INT64 && !elements_low(t->dtype)) || rng_below(r, 4) == 0;
	if (!bits)
		return false;
	if (t->dtype <= RS_INT64 && rng_below(r, ENDS_ONE_IN) == 0)
		set_end(t, positive || rng_below(r, 2));
	else
		set_range(t, bits, positive);
	t->values = RS_VALUES_FINITE;
	return true;
}

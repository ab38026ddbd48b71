#include "elements.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "rng.h"

/* ---- numbers of the classes */

static const struct {
	double low, high;	 /* floats, and the parts of complex numbers */
	int64_t first, last; /* integers; the lower bound of unsigned ones is at least 0 */
} CLASSES[] = {[RS_VALUES_UNIT] = {0.1, 0.9, 1, 1},
    [RS_VALUES_POSITIVE] = {0.1, 5, 1, 5},
    [RS_VALUES_SMALL] = {-5, 5, -5, 5},
    [RS_VALUES_LARGE] = {-1e4, 1e4, -10000, 10000}};

static unsigned class_of(const graph_tensor *t)
{
	return t->values < RS_VALUES_LARGE ? t->values : (unsigned)RS_VALUES_LARGE;
}

static bool is_unsigned(uint8_t dtype)
{
	return dtype >= RS_UINT4 && dtype <= RS_UINT64;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int64_t elements_high(uint8_t dtype)
{
	unsigned all = elements_packed(dtype) ? 4 : 8 * rs_dtype_size((rs_dtype)dtype);
	unsigned bits = dtype == RS_BOOL ? 1 : all - !is_unsigned(dtype);
	return bits < 63 ? (INT64_C(1) << bits) - 1 : INT64_MAX;
}

int64_t elements_low(uint8_t dtype)
{
	return dtype == RS_BOOL || is_unsigned(dtype) ? 0 : -elements_high(dtype) - 1;
}

bool elements_have_range(uint8_t dtype)
{
	return dtype != RS_BOOL && (dtype < RS_COMPLEX32 || dtype > RS_COMPLEX128) && dtype != RS_STRING && dtype != RS_OTHER;
}

/* The integers of the input's range, or those of its class that its dtype can represent. */
static void find_limits(const graph_tensor *t, int64_t *first, int64_t *last)
{
	*first = CLASSES[class_of(t)].first;
	*last = CLASSES[class_of(t)].last;
	if (t->low || t->high) {
		*first = t->low;
		*last = t->high - 1;
	} else {
		*first = most(*first, elements_low(t->dtype));
		*last = least(*last, elements_high(t->dtype));
	}
}

/* ---- floats */

/* A number of the class from 53 random bits. The order of operations and the rounding of each are fixed. */
static double real_of(uint64_t bits, unsigned class)
{
	double low = CLASSES[class].low, high = CLASSES[class].high;
	volatile double scaled = (double)(bits >> 11) * (1.0 / 9007199254740992.0) * (high - low); /* volatile prevents a fused multiply-add */
	double x = scaled + low;
	return x > high ? high : x < -high ? -high : x;
}

/* Converts x to a 16-bit float with that many fraction bits; rounds to nearest, ties to even. */
static uint16_t narrow_float(double x, unsigned mantissa, int bias)
{
	uint64_t b;
	memcpy(&b, &x, 8);
	unsigned cut = 52 - mantissa;
	int exponent = (int)(b >> 52 & 0x7ff) - 1023 + bias;
	uint64_t sign = b >> 63 << 15, fraction = b & ((UINT64_C(1) << 52) - 1);
	if ((b << 1) == 0)
		return (uint16_t)sign;
	if (exponent <= 0) { /* subnormal */
		fraction |= UINT64_C(1) << 52;
		cut += 1 - exponent;
		exponent = 0;
		if (cut > 63)
			return (uint16_t)sign;
	}
	uint64_t whole = ((uint64_t)exponent << mantissa) + (fraction >> cut), rest = fraction & ((UINT64_C(1) << cut) - 1),
		 half = UINT64_C(1) << (cut - 1);
	uint64_t infinity = (uint64_t)(2 * bias + 1) << mantissa;
	if (x != x)
		return (uint16_t)(infinity | UINT64_C(1) << (mantissa - 1));
	whole += rest > half || (rest == half && (whole & 1));
	return (uint16_t)(sign | (whole < infinity ? whole : infinity));
}

static void put_real(uint8_t dtype, double x, void *to)
{
	uint16_t narrow;
	float single = (float)x;
	switch (dtype) {
	case RS_FLOAT16:
	case RS_COMPLEX32:
		narrow = narrow_float(x, 10, 15);
		memcpy(to, &narrow, sizeof narrow);
		break;
	case RS_BFLOAT16: /* converts through float32, like the Python package */
		narrow = narrow_float(single, 7, 127);
		memcpy(to, &narrow, sizeof narrow);
		break;
	case RS_FLOAT32:
	case RS_COMPLEX64:
		memcpy(to, &single, sizeof single);
		break;
	default:
		memcpy(to, &x, sizeof x);
	}
}

/* ---- special floats */

static bool is_special(const graph_tensor *t)
{
	return t->values == RS_VALUES_ANY && t->dtype >= RS_FLOAT16 && t->dtype <= RS_FLOAT64;
}

/* The maximum of a dtype, and its minimum normal number. */
static void find_ends(uint8_t dtype, double *most, double *least)
{
	*most = dtype == RS_FLOAT16 ? 65504 : dtype == RS_BFLOAT16 ? 0xffp120 : dtype == RS_FLOAT32 ? (double)FLT_MAX : DBL_MAX;
	*least = dtype == RS_FLOAT16 ? 0x1p-14 : dtype == RS_FLOAT64 ? DBL_MIN : (double)FLT_MIN;
}

/* One of the numbers that a quarter of the elements are; the seed selects the kind of all of them. */
static double special_of(uint64_t bits, uint64_t seed, uint8_t dtype)
{
	static const double ZEROS[] = {0.0, -0.0, 1.0, -1.0};
	double most, least;
	find_ends(dtype, &most, &least);
	const double ends[] = {100, -100, most, -most, least, -least, 100, -100};
	unsigned choice = bits >> 2 & 7;
	switch (seed % 4) {
	case 0:
		return NAN;
	case 1:
		return choice % 2 ? -INFINITY : INFINITY;
	case 2:
		return ZEROS[choice % 4];
	default:
		return ends[choice];
	}
}

static void fill_special(const graph_tensor *t, uint64_t seed, char *out)
{
	size_t size = rs_dtype_size((rs_dtype)t->dtype);
	uint64_t state = seed;
	for (int64_t i = 0; i < t->numel; i++) {
		uint64_t bits = rng_mix(&state);
		put_real(t->dtype, bits % 4 ? real_of(bits, RS_VALUES_SMALL) : special_of(bits, seed, t->dtype), out + (size_t)i * size);
	}
}

/* Complex numbers: all real parts are drawn before the imaginary parts. */
static void fill_reals(const graph_tensor *t, uint64_t seed, char *out)
{
	bool complex = t->dtype >= RS_COMPLEX32 && t->dtype <= RS_COMPLEX128;
	size_t size = rs_dtype_size((rs_dtype)t->dtype), part = complex ? size / 2 : size;
	for (int side = 0; side <= complex; side++)
		for (int64_t i = 0; i < t->numel; i++)
			put_real(t->dtype, real_of(rng_mix(&seed), class_of(t)), out + (size_t)i * size + (size_t)side * part);
}

/* ---- whole numbers and booleans */

/* A whole number in any dtype; of floats, divided by the divisor. */
static void put_whole(uint8_t dtype, int64_t x, uint32_t divisor, char *to)
{
	size_t size = rs_dtype_size((rs_dtype)dtype);
	x = dtype == RS_BOOL ? x != 0 : dtype == RS_UINT4 ? x & 15 : dtype == RS_INT4 ? ((x & 15) ^ 8) - 8 : x;
	if (dtype > RS_INT64) {
		memset(to, 0, size); /* the imaginary part of a complex number */
		put_real(dtype, (double)x / (divisor ? divisor : 1), to);
		return;
	}
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	memcpy(to, (const char *)&x + 8 - size, size);
#else
	memcpy(to, &x, size);
#endif
}

static void fill_whole(const graph_tensor *t, uint64_t seed, char *out)
{
	int64_t first, last;
	size_t size = rs_dtype_size((rs_dtype)t->dtype);
	find_limits(t, &first, &last);
	uint64_t choices = last < first ? 1 : (uint64_t)last - (uint64_t)first + 1;
	for (int64_t i = 0; i < t->numel; i++)
		put_whole(t->dtype, (int64_t)((uint64_t)first + rng_mix(&seed) % choices), t->divisor, out + (size_t)i * size);
}

static void fill_booleans(const graph_tensor *t, uint64_t seed, char *out)
{
	for (int64_t i = 0; i < t->numel; i++)
		out[i] = (char)(class_of(t) < RS_VALUES_SMALL || rng_mix(&seed) >> 63);
}

/* ---- whole numbers in floats */

void elements_make_whole(graph_tensor *t, uint64_t draw)
{
	static const int64_t MOST[] = {
	    [RS_VALUES_UNIT] = 0, [RS_VALUES_POSITIVE] = 5, [RS_VALUES_SMALL] = 5, [RS_VALUES_LARGE] = 64};
	unsigned class = class_of(t);
	int64_t most = t->dtype == RS_BFLOAT16 ? least(MOST[class], 3) : MOST[class];
	if (t->dtype < RS_FLOAT16 || t->dtype > RS_FLOAT64 || !most)
		return;
	unsigned choice = class == RS_VALUES_POSITIVE ? 0 : rng_mix(&draw) % 4;
	t->low = choice == 0 ? 1 : -most;
	t->high = choice == 1 ? 0 : most + 1;
}

/* ---- all */

uint64_t elements_seed(const graph *g, const graph_tensor *t)
{
	return (g->values * 1000003 + t->number) & INT64_MAX;
}

void elements_fill(const graph_tensor *t, uint64_t seed, void *out)
{
	bool ranged = t->low || t->high;
	if (!t->numel)
		return;
	if (t->dtype == RS_BOOL && !ranged)
		fill_booleans(t, seed, out);
	else if (t->dtype <= RS_INT64 || ranged)
		fill_whole(t, seed, out);
	else if (is_special(t))
		fill_special(t, seed, out);
	else
		fill_reals(t, seed, out);
}

/* ---- two elements per byte */

size_t elements_bytes(uint8_t dtype, size_t count)
{
	return elements_packed(dtype) ? (count + 1) / 2 : count * rs_dtype_size((rs_dtype)dtype);
}

bool elements_same(uint8_t dtype, size_t count, const void *a, const void *b)
{
	bool half = elements_packed(dtype) && count % 2; /* the last byte */
	size_t whole = elements_bytes(dtype, count) - half;
	return !count || (memcmp(a, b, whole) == 0 && (!half || !((((const uint8_t *)a)[whole] ^ ((const uint8_t *)b)[whole]) & 15)));
}

void elements_pack(uint8_t dtype, size_t count, void *elements)
{
	uint8_t *all = elements;
	for (size_t i = 0; elements_packed(dtype) && i < count; i += 2)
		all[i / 2] = (uint8_t)((all[i] & 15) | (i + 1 < count ? all[i + 1] << 4 : 0));
}

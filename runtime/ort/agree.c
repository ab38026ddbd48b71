#include "agree.h"

#include <math.h>
#include <string.h>

#include "elements.h"
#include "rulesmith.h"

typedef struct tolerance {
	double absolute, relative;
	bool exact; /* whole numbers are off by a half at most */
} tolerance;

/* The table; a dtype without a row has no tolerance. Floats of at most 8 bits are left to the oracle. */
static const tolerance BY_DTYPE[][RS_DTYPE_COUNT] = {
#define TOLERANCE(preset, dtype, absolute, relative) [AGREE_##preset][RS_##dtype] = {absolute, relative, false},
#define SMALL(preset, absolute, relative)
#define PAIR(absolute, relative)
#define WHOLE(absolute)
#include "tolerances.def"
#undef TOLERANCE
#undef PAIR
#undef WHOLE
};
#define TOLERANCE(preset, dtype, absolute, relative)
#define PAIR(absolute, relative) static const tolerance OF_PAIR = {absolute, relative, false};
#define WHOLE(absolute) static const double OF_WHOLE = absolute;
#include "tolerances.def"
static const tolerance NONE = {0, 0, false};

const char *const AGREE_PRESETS[] = {
    [AGREE_MEASURED] = "measured", [AGREE_NEURI] = "neuri", [AGREE_ISRA] = "isra", NULL};

int agree_parse(const char *preset)
{
	for (int i = 0; AGREE_PRESETS[i]; i++)
		if (strcmp(preset, AGREE_PRESETS[i]) == 0)
			return i;
	return -1;
}

static tolerance tolerance_of(agreement how, uint8_t dtype)
{
	tolerance t = BY_DTYPE[how.preset][dtype];
	if (t.relative == 0.0)
		return NONE;
	if (how.pair && how.preset == AGREE_MEASURED && dtype == RS_FLOAT64)
		t = OF_PAIR;
	t.exact = how.exact && how.preset == AGREE_MEASURED;
	return t;
}

bool agree_bounds(enum agree_preset preset, uint8_t dtype, double *absolute, double *relative)
{
	tolerance t = tolerance_of((agreement){.preset = preset}, dtype < RS_DTYPE_COUNT ? dtype : RS_OTHER);
	*absolute = t.absolute;
	*relative = t.relative;
	return t.relative != 0.0;
}

/* ---- floats of 16 bits */

static double of_float16(uint16_t bits)
{
	int exponent = bits >> 10 & 31, fraction = bits & 1023;
	double x = exponent == 31 ? (fraction ? NAN : INFINITY)
		   : exponent     ? ldexp(1024 + fraction, exponent - 25)
				  : ldexp(fraction, -24);
	return bits >> 15 ? -x : x;
}

static double of_bfloat16(uint16_t bits)
{
	uint32_t wide = (uint32_t)bits << 16;
	float x;
	memcpy(&x, &wide, sizeof x);
	return (double)x;
}

/* The i-th number; a complex one counts as two. */
static double number_at(uint8_t dtype, const void *from, size_t i)
{
	uint16_t half;
	float single;
	double x;
	switch (dtype) {
	case RS_FLOAT16:
	case RS_COMPLEX32:
	case RS_BFLOAT16:
		memcpy(&half, (const char *)from + i * sizeof half, sizeof half);
		return dtype == RS_BFLOAT16 ? of_bfloat16(half) : of_float16(half);
	case RS_FLOAT32:
	case RS_COMPLEX64:
		memcpy(&single, (const char *)from + i * sizeof single, sizeof single);
		return (double)single;
	default:
		memcpy(&x, (const char *)from + i * sizeof x, sizeof x);
		return x;
	}
}

/* ---- elements */

static bool near_enough(double got, double want, tolerance t)
{
	if (got == want || (isnan(got) && isnan(want)))
		return true;
	double far = fabs(got - want);
	return isfinite(got) && isfinite(want) && far <= t.absolute + t.relative * fabs(want)
	       && !(t.exact && far > OF_WHOLE && want == floor(want));
}

static bool is_nan(const double z[2])
{
	return isnan(z[0]) || isnan(z[1]);
}

/* A complex number is NaN if a part is; its size is its absolute value. */
static bool near_complex(const double got[2], const double want[2], tolerance t)
{
	if ((got[0] == want[0] && got[1] == want[1]) || (is_nan(got) && is_nan(want)))
		return true;
	double size = hypot(want[0], want[1]);
	return isfinite(hypot(got[0], got[1])) && isfinite(size)
	       && hypot(got[0] - want[0], got[1] - want[1]) <= t.absolute + t.relative * size;
}

static bool all_complex(tolerance t, uint8_t dtype, const void *got, const void *want, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		double a[2] = {number_at(dtype, got, 2 * i), number_at(dtype, got, 2 * i + 1)};
		double b[2] = {number_at(dtype, want, 2 * i), number_at(dtype, want, 2 * i + 1)};
		if (!near_complex(a, b, t))
			return false;
	}
	return true;
}

bool agree(agreement how, uint8_t dtype, const void *got, const void *want, size_t count)
{
	if (elements_same(dtype, count, got, want))
		return true;
	tolerance t = tolerance_of(how, dtype);
	if (t.relative == 0.0)
		return false;
	if (dtype >= RS_COMPLEX32 && dtype <= RS_COMPLEX128)
		return all_complex(t, dtype, got, want, count);
	for (size_t i = 0; i < count; i++)
		if (!near_enough(number_at(dtype, got, i), number_at(dtype, want, i), t))
			return false;
	return true;
}

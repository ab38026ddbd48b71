#include "agree.h"

#include <math.h>
#include <string.h>

#include "elements.h"
#include "rulesmith.h"

typedef struct tolerance {
	double absolute, relative;
	bool exact; /* whole numbers are off by a half at most */
} tolerance;

#define HALF {1e-2, 2e-2, false}
#define BRAIN {5e-2, 5e-2, false}

/* tolerance.py, bounds(): of what is not here, none. */
static const tolerance MEASURED[RS_DTYPE_COUNT] = {[RS_FLOAT16] = HALF,
    [RS_BFLOAT16] = BRAIN,
    [RS_FLOAT32] = {1e-5, 1.3e-6, false},
    [RS_FLOAT64] = {1e-7, 1e-7, false},
    [RS_COMPLEX32] = HALF,
    [RS_COMPLEX64] = {1e-5, 1.3e-6, false},
    [RS_COMPLEX128] = {1e-7, 1e-7, false}};
static const tolerance NEURI[RS_DTYPE_COUNT] = {[RS_FLOAT16] = HALF,
    [RS_BFLOAT16] = BRAIN,
    [RS_FLOAT32] = {1e-3, 1e-2, false},
    [RS_FLOAT64] = {1e-3, 1e-2, false},
    [RS_COMPLEX32] = HALF,
    [RS_COMPLEX64] = {1e-3, 1e-2, false},
    [RS_COMPLEX128] = {1e-3, 1e-2, false}};
static const tolerance ISRA = {0, 0.1, false}, NONE = {0, 0, false}, PAIR = {1e-12, 1e-8, false};

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
	tolerance t = how.preset == AGREE_MEASURED ? MEASURED[dtype] : NEURI[dtype];
	if (t.relative == 0.0)
		return NONE;
	if (how.preset == AGREE_ISRA)
		t = ISRA;
	if (how.pair && how.preset == AGREE_MEASURED && dtype == RS_FLOAT64)
		t = PAIR;
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
	       && !(t.exact && far > 0.5 && want == floor(want));
}

static bool is_nan(const double z[2])
{
	return isnan(z[0]) || isnan(z[1]);
}

/* A complex number is NaN where a part is, and its size is its absolute value. */
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

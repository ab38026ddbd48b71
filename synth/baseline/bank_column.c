#include "bank_column.h"

#include <math.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "rng.h"

/* ---- the kernels, one set per vector width */

/* Rounds to the nearest integer by an addition, then corrects downwards: needs SSE2 only, exact below 2^51. */
#define LANES 2
#define TARGET
#define NAME(x) x##_2
#define FLOOR(x) floor_by_rounding(x)
#if defined(__x86_64__)
#define PRODUCT(a, b) ((words_2)_mm_mul_epu32((__m128i)(a), (__m128i)(b)))
#else
#define PRODUCT(a, b) (((a) & 0xffffffffu) * ((b) & 0xffffffffu))
#endif

typedef double pair __attribute__((vector_size(2 * sizeof(double)), may_alias));
typedef int64_t pair_mask __attribute__((vector_size(2 * sizeof(int64_t))));

static inline __attribute__((always_inline)) pair floor_by_rounding(pair x)
{
	const pair magic = (pair){} + 0x1.8p52;
	pair r = (x + magic) - magic;
	return r - (pair)((pair_mask)(r > x) & (pair_mask)((pair){} + 1.0));
}

#include "bank_kernel.h"

#if defined(__x86_64__)

#define LANES 4
#define TARGET __attribute__((target("avx2")))
#define NAME(x) x##_4
#define FLOOR(x) ((lanes_4)_mm256_floor_pd((__m256d)(x)))
#define PRODUCT(a, b) ((words_4)_mm256_mul_epu32((__m256i)(a), (__m256i)(b)))
#include "bank_kernel.h"

#define LANES 8
#define TARGET __attribute__((target("avx512f,avx512dq")))
#define NAME(x) x##_8
#define FLOOR(x) ((lanes_8)_mm512_floor_pd((__m512d)(x)))
#define PRODUCT(a, b) ((words_8)_mm512_mul_epu32((__m512i)(a), (__m512i)(b)))
#include "bank_kernel.h"

const column_kernels *column_kernels_of(int lanes)
{
	if (lanes == 8 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
		return &KERNELS_8;
	if (lanes == 4 && __builtin_cpu_supports("avx2"))
		return &KERNELS_4;
	return lanes == 2 ? &KERNELS_2 : NULL;
}

#else

const column_kernels *column_kernels_of(int lanes)
{
	return lanes == 2 ? &KERNELS_2 : NULL;
}

#endif

const column_kernels *column_kernels_widest(void)
{
	for (int lanes = 8; lanes > 2; lanes /= 2)
		if (column_kernels_of(lanes))
			return column_kernels_of(lanes);
	return column_kernels_of(2);
}

/* ---- the points */

void column_constant(column *out, int value)
{
	for (int i = 0; i < POINTS; i++)
		out->at[i] = value;
}

/* The value of a hole at a point of block 0. Expressions such as 2//(□1*□2 + 1) differ from their neighbours at tiny
 * values only, so most points are tiny. Minima and long sums differ at large values. */
static int64_t point(rng *r, int index)
{
	if (index % 8 < 4)
		return rng_range(r, -2, 3);
	if (index % 8 < 6)
		return rng_range(r, -9, 12);
	return rng_range(r, -199, 200);
}

/* A value of the other blocks, with a random scale per hole and point: rare cases of floor need a large dividend and
 * a small divisor, or tiny values only. A quarter of the points are positive. */
static int64_t further_point(rng *r, int block)
{
	bool tiny = block % 4 == 2, positive = block % 4 == 3;
	int64_t reach = (int64_t)1 << (tiny ? 1 + rng_below(r, 2) : rng_below(r, 8));
	return rng_range(r, positive ? 1 : -reach, reach + 1);
}

void column_hole(column *out, int hole, int block)
{
	rng r = rng_seed(0x5eed + (uint64_t)hole + 64 * (uint64_t)block);
	for (int i = 0; i < POINTS; i++)
		out->at[i] = (double)(block ? further_point(&r, block) : point(&r, i));
}

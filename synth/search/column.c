/* Four rows per vector, four vectors per block.
 *
 * Each operation is exact in plain vector arithmetic if both operands are below some power of two (narrow_bits): sums
 * in 64 bits, products of 32 bits by 32, quotients in doubles. Nearly all blocks have only such operands and no
 * division by 0, and use `narrow` alone. In other blocks each vector goes through `checked`: rows without a value get
 * harmless operands, and their result is replaced. Operands that are still too wide go to arith.h row by row, as all
 * rows do without AVX2.
 *
 * Quotients are exact: with |a| <= 2^50, rounding moves a/b by at most 2^-53 |a/b|, which is less than 1/|b|. a/b is
 * either an integer, which a double represents, or at least 1/|b| away from one. So floor(a/b) is right, and a -
 * floor(a/b)*b is a difference of integers below 2^52.
 */
#include "column.h"

#include "problem.h"

/* Keeps cold code out of its many short callers. */
#define NOINLINE __attribute__((noinline))

enum { LIMIT_BITS = 62 };

/* Cases for operations that columns do not support. */
#define NOT_ARITHMETIC LEAF_OPS(OP_CASE) CHOICE_OPS(OP_CASE) COMPARE_OPS(OP_CASE) CONNECTIVE_OPS(OP_CASE)
#define NOT_COMPARISON LEAF_OPS(OP_CASE) ARITH_OPS(OP_CASE) CHOICE_OPS(OP_CASE) CONNECTIVE_OPS(OP_CASE)

/* ---- row by row */

static inline int64_t row_apply(enum op op, int64_t a, int64_t b)
{
	wide v = 0;
	bool ok = a != NOVAL && b != NOVAL;
	if (ok)
		switch (op) {
#define X(NAME, name, ...)                                                                         \
	case OP_##NAME:                                                                            \
		ok = checked_##name(a, b, &v);                                                     \
		break;
			ARITH_OPS(X)
#undef X
		NOT_ARITHMETIC
			ok = false;
		}
	ok = ok && v < (wide)1 << LIMIT_BITS && v > -((wide)1 << LIMIT_BITS);
	return ok ? (int64_t)v : NOVAL;
}

static inline bool row_compare(enum op op, int64_t a, int64_t b)
{
	if (a == NOVAL || b == NOVAL)
		return false;
	switch (op) {
#define X(NAME, name, text, operator, ...)                                                         \
	case OP_##NAME:                                                                            \
		return a operator b;
		COMPARE_OPS(X)
#undef X
	NOT_COMPARISON
		break;
	}
	return false;
}

/* An operand: a column, or one value for all rows. */
typedef struct operand {
	const int64_t *col;
	int64_t value;
	bool fixed;
} operand;

static inline operand column(const int64_t *col)
{
	return (operand){.col = col};
}

static inline operand fixed(int64_t value)
{
	return (operand){.value = value, .fixed = true};
}

static inline int64_t row_of(operand x, int r)
{
	return x.fixed ? x.value : x.col[r];
}

NOINLINE static bool plain_apply(enum op op, operand a, operand b, int64_t *to, int rows)
{
	bool any = false;
	for (int r = 0; r < rows; r++) {
		to[r] = row_apply(op, row_of(a, r), row_of(b, r));
		any |= to[r] != NOVAL;
	}
	return any;
}

static void plain_compare(enum op op, operand a, operand b, uint64_t *bits, int rows)
{
	for (int r = 0; r < rows; r++) {
		uint64_t bit = (uint64_t)row_compare(op, row_of(a, r), row_of(b, r)) << r % 64;
		bits[r / 64] = r % 64 == 0 ? bit : bits[r / 64] | bit;
	}
}

/* ---- hashing
 *
 * Two sums over the rows, each of products of 32 bits by 32. For small values the first is a constant plus the values
 * times the upper halves of the weights; the second is the values times the lower halves. Two columns agree on each
 * sum with probability 2^-32. Adding the upper half distinguishes -1 and NOVAL from 0 in the second sum. Sums do not
 * depend on the order of rows, so they can be computed by vectors. */
typedef struct sums {
	uint64_t upper, lower;
} sums;

static inline void hash_row(sums *s, int64_t a, uint64_t weight)
{
	uint64_t x = (uint64_t)a, y = x + weight;
	s->upper += (y >> 32) * (uint32_t)y;
	s->lower += (uint64_t)(uint32_t)(x + (x >> 32)) * (uint32_t)weight;
}

static inline uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static inline uint64_t hash_end(sums s)
{
	return mix(mix(s.upper) + s.lower);
}

static uint64_t plain_hash(const int64_t *a, const uint64_t *weights, int rows)
{
	sums s = {0, 0};
	for (int r = 0; r < rows; r++)
		hash_row(&s, a[r], weights[r]);
	return hash_end(s);
}

void column_weights(uint64_t *weights, int rows)
{
	uint64_t state = 0;
	for (int r = 0; r < rows; r++)
		weights[r] = mix(state += 0x9e3779b97f4a7c15u);
}

/* ---- vectors */

/* ---- loops that the compiler vectorizes, compiled with and without AVX2 */

#define INLINE static inline __attribute__((always_inline))

/* One loop per constant: AVX2 has no 64-bit multiplication. */
INLINE void subtract(const int64_t *a, int64_t times, const int64_t *b, int64_t *to, int rows)
{
	if (times == 1)
		for (int r = 0; r < rows; r++)
			to[r] = a[r] - b[r];
	else if (times == -1)
		for (int r = 0; r < rows; r++)
			to[r] = a[r] + b[r];
	else if (times == 2)
		for (int r = 0; r < rows; r++)
			to[r] = a[r] - 2 * b[r];
	else if (times == -2)
		for (int r = 0; r < rows; r++)
			to[r] = a[r] + 2 * b[r];
	else
		for (int r = 0; r < rows; r++)
			to[r] = a[r] - times * b[r];
}

INLINE int first_without(const uint64_t *words, uint64_t mask, int k, int n)
{
	while (k < n && words[k] & mask)
		k++;
	return k;
}

/* times·b is a shift of b, followed by a negation (complement plus 1) if times is negative. */
INLINE int first_below(const int64_t *a, int64_t times, const int64_t *b, int64_t limit, int k, int n)
{
	int64_t flip = times < 0 ? -1 : 0;
	int by = times == 2 || times == -2;
	while (k < n && a[k] + (((int64_t)((uint64_t)b[k] << by) ^ flip) - flip) >= limit)
		k++;
	return k;
}

INLINE int64_t extreme(const int64_t *a, int sign, int rows)
{
	int64_t max = sign * a[0];
	for (int r = 1; r < rows; r++)
		max = sign * a[r] > max ? sign * a[r] : max;
	return sign * max;
}

INLINE int within(const int64_t *min, const int64_t *width, int64_t b, uint64_t *bits, int rows)
{
	int n = 0;
	for (int from = 0; from < rows; from += 64) {
		uint64_t word = 0;
		for (int r = from; r < rows && r < from + 64; r++)
			word |= (uint64_t)((min[r] <= b) & (b - min[r] < width[r])) << (r - from);
		bits[from / 64] = word;
		n += __builtin_popcountll(word);
	}
	return n;
}

/* times·c is a shift of c, followed by a negation (complement plus 1) if times is negative. */
INLINE int64_t shift(const int64_t *a, const int64_t *b, int64_t times, const int64_t *c, const int64_t *d, int sign, int64_t *to,
    int rows)
{
	int64_t flip = times < 0 ? -1 : 0, max = INT64_MIN;
	int by = times == 2 || times == -2;
	for (int r = 0; r < rows; r++) {
		int64_t v = a[r] - b[r] - (((int64_t)((uint64_t)c[r] << by) ^ flip) - flip), end = sign * (d ? v + d[r] : v);
		to[r] = v;
		max = end > max ? end : max;
	}
	return sign * max;
}

INLINE int common_bits(const uint64_t *a, const uint64_t *b, int words)
{
	int n = 0;
	for (int w = 0; w < words; w++)
		n += __builtin_popcountll(a[w] & b[w]);
	return n;
}

#if defined __x86_64__ && !defined COLUMN_PLAIN
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE static inline __attribute__((target("avx2"), always_inline))

enum { LANES = 4, VECTORS = 4, BLOCK = LANES * VECTORS };
typedef __m256i lanes;

static inline bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2");
}

AVX2_INLINE lanes all(int64_t value)
{
	return _mm256_set1_epi64x(value);
}

AVX2_INLINE lanes load(operand x, int r)
{
	return x.fixed ? all(x.value)
		       : _mm256_loadu_si256((const lanes *)(const void *)(x.col + r));
}

AVX2_INLINE void store(int64_t *to, lanes v)
{
	_mm256_storeu_si256((lanes *)(void *)to, v);
}

/* All bits of the first n rows. */
AVX2_INLINE lanes first(int n)
{
	return _mm256_cmpgt_epi64(all(n), _mm256_setr_epi64x(0, 1, 2, 3));
}

AVX2_INLINE lanes load_part(operand x, int r, lanes part)
{
	return x.fixed ? all(x.value) : _mm256_maskload_epi64((const long long *)x.col + r, part);
}

/* One bit per row, from a vector with all ones or zeros per row. */
AVX2_INLINE unsigned bits_of(lanes v)
{
	return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(v));
}

AVX2_INLINE lanes choose(lanes no, lanes yes, lanes which)
{
	return _mm256_blendv_epi8(no, yes, which);
}

/* Converts integers to doubles and back, for -2^51 <= x < 2^51: the mantissa of 1.5 * 2^52 + x. */
AVX2_INLINE __m256d to_double(lanes x)
{
	const __m256d magic = _mm256_set1_pd(0x1.8p52);
	return _mm256_sub_pd(
	    _mm256_castsi256_pd(_mm256_add_epi64(x, _mm256_castpd_si256(magic))), magic);
}

AVX2_INLINE lanes from_double(__m256d x)
{
	const __m256d magic = _mm256_set1_pd(0x1.8p52);
	return _mm256_sub_epi64(
	    _mm256_castpd_si256(_mm256_add_pd(x, magic)), _mm256_castpd_si256(magic));
}

/* With -2^bits <= x < 2^bits, `narrow` is exact and its result is below 2^62. MUL would be exact with 31 bits, but
 * (-2^31)^2 is 2^62, which has no value. */
enum { NARROW_ADD = 60, NARROW_SUB = 60, NARROW_MUL = 30, NARROW_DIV = 50, NARROW_MOD = 50, NARROW_MIN = 60, NARROW_MAX = 60 };

AVX2_INLINE int narrow_bits(enum op op)
{
	switch (op) {
#define X(NAME, ...)                                                                               \
	case OP_##NAME:                                                                            \
		return NARROW_##NAME;
		ARITH_OPS(X)
#undef X
	NOT_ARITHMETIC
		break;
	}
	return 0;
}

/* Has bits above narrow_bits + 1 if x is not narrow; the results of several vectors may be or-ed. */
AVX2_INLINE lanes excess(enum op op, lanes x)
{
	return _mm256_add_epi64(x, all((int64_t)1 << narrow_bits(op)));
}

AVX2_INLINE bool is_narrow(enum op op, lanes excess)
{
	return _mm256_testz_si256(excess, all(-((int64_t)2 << narrow_bits(op))));
}

AVX2_INLINE lanes lanes_add(lanes a, lanes b)
{
	return _mm256_add_epi64(a, b);
}

AVX2_INLINE lanes lanes_sub(lanes a, lanes b)
{
	return _mm256_sub_epi64(a, b);
}

AVX2_INLINE lanes lanes_mul(lanes a, lanes b)
{
	return _mm256_mul_epi32(a, b);
}

AVX2_INLINE lanes lanes_min(lanes a, lanes b)
{
	return choose(a, b, _mm256_cmpgt_epi64(a, b));
}

AVX2_INLINE lanes lanes_max(lanes a, lanes b)
{
	return choose(b, a, _mm256_cmpgt_epi64(a, b));
}

AVX2_INLINE lanes lanes_div(lanes a, lanes b)
{
	return from_double(_mm256_floor_pd(_mm256_div_pd(to_double(a), to_double(b))));
}

AVX2_INLINE lanes lanes_mod(lanes a, lanes b)
{
	__m256d x = to_double(a), y = to_double(b), floor = _mm256_floor_pd(_mm256_div_pd(x, y));
	return from_double(_mm256_sub_pd(x, _mm256_mul_pd(floor, y)));
}

AVX2_INLINE lanes narrow(enum op op, lanes a, lanes b)
{
	switch (op) {
#define X(NAME, name, ...)                                                                         \
	case OP_##NAME:                                                                            \
		return lanes_##name(a, b);
		ARITH_OPS(X)
#undef X
	NOT_ARITHMETIC
		break;
	}
	return a;
}

/* A compile-time constant, so that loops of other operations contain no test. */
AVX2_INLINE bool divides(enum op op)
{
	switch (op) {
#define X(NAME, name, text, form, level, commutes, divides, ...)                                   \
	case OP_##NAME:                                                                            \
		return divides;
		ARITH_OPS(X)
#undef X
	NOT_ARITHMETIC
		break;
	}
	return false;
}

/* The result for any operands; *none is all ones in rows without a value. */
AVX2_INLINE lanes checked(enum op op, lanes a, lanes b, lanes *none)
{
	const lanes noval = all(NOVAL);
	lanes bad = _mm256_or_si256(_mm256_cmpeq_epi64(a, noval), _mm256_cmpeq_epi64(b, noval));
	if (divides(op))
		bad = _mm256_or_si256(bad, _mm256_cmpeq_epi64(b, all(0)));
	lanes x = _mm256_andnot_si256(bad, a), y = choose(b, all(1), bad);
	if (is_narrow(op, _mm256_or_si256(excess(op, x), excess(op, y)))) {
		*none = bad;
		return choose(narrow(op, x, y), noval, bad);
	}
	int64_t u[LANES], v[LANES];
	store(u, a);
	store(v, b);
	plain_apply(op, column(u), column(v), u, LANES);
	lanes to = load(column(u), 0);
	*none = _mm256_cmpeq_epi64(to, noval);
	return to;
}

/* Applies `checked` to rows r to end. Returns whether any row has a value. */
AVX2_INLINE bool apply_checked(enum op op, operand a, operand b, int64_t *to, int r, int end)
{
	lanes none = all(-1), bad;
	for (; r + LANES <= end; r += LANES) {
		store(to + r, checked(op, load(a, r), load(b, r), &bad));
		none = _mm256_and_si256(none, bad);
	}
	if (r < end) {
		lanes part = first(end - r);
		int64_t last[LANES];
		store(last, checked(op, load_part(a, r, part), load_part(b, r, part), &bad));
		none =
		    _mm256_and_si256(none, _mm256_or_si256(bad, _mm256_xor_si256(part, all(-1))));
		for (int i = 0; r + i < end; i++)
			to[r + i] = last[i];
	}
	return bits_of(none) != 15;
}

/* One for each operation. */
typedef bool checked_loop(operand a, operand b, int64_t *to, int r, int end);

#define X(NAME, ...)                                                                               \
	AVX2 NOINLINE static bool checked_##NAME(operand a, operand b, int64_t *to, int r, int end)   \
	{                                                                                          \
		return apply_checked(OP_##NAME, a, b, to, r, end);                                 \
	}
ARITH_OPS(X)
#undef X

AVX2_INLINE bool apply_lanes(
    enum op op, checked_loop *rest, operand a, operand b, int64_t *to, int rows)
{
	int r = 0;
	bool any = false;
	for (; r + BLOCK <= rows; r += BLOCK) {
		lanes x[VECTORS], y[VECTORS], over = all(0);
		for (int i = 0; i < VECTORS; i++) {
			x[i] = load(a, r + i * LANES);
			y[i] = load(b, r + i * LANES);
			over = _mm256_or_si256(
			    over, _mm256_or_si256(excess(op, x[i]), excess(op, y[i])));
			if (divides(op))
				over = _mm256_or_si256(over, _mm256_cmpeq_epi64(y[i], all(0)));
		}
		bool plain = is_narrow(op, over);
		if (plain)
			for (int i = 0; i < VECTORS; i++)
				store(to + r + i * LANES, narrow(op, x[i], y[i]));
		any |= plain || rest(a, b, to, r, r + BLOCK);
	}
	return (r < rows && rest(a, b, to, r, rows)) || any;
}

/* Instantiates a loop for each operation and each combination of fixed operands. */
AVX2 static bool avx2_apply(enum op op, operand a, operand b, int64_t *to, int rows)
{
	switch (op) {
#define X(NAME, name, text, form, level, commutes, ...)                                            \
	case OP_##NAME:                                                                            \
		if (commutes && a.fixed)                                                           \
			return apply_lanes(                                                        \
			    OP_##NAME, checked_##NAME, column(b.col), fixed(a.value), to, rows);   \
		if (a.fixed)                                                                       \
			return apply_lanes(                                                        \
			    OP_##NAME, checked_##NAME, fixed(a.value), column(b.col), to, rows);   \
		if (b.fixed)                                                                       \
			return apply_lanes(                                                        \
			    OP_##NAME, checked_##NAME, column(a.col), fixed(b.value), to, rows);   \
		return apply_lanes(                                                                \
		    OP_##NAME, checked_##NAME, column(a.col), column(b.col), to, rows);
		ARITH_OPS(X)
#undef X
	NOT_ARITHMETIC
		break;
	}
	return plain_apply(op, a, b, to, rows);
}

AVX2_INLINE lanes none(lanes x)
{
	return _mm256_cmpeq_epi64(x, all(NOVAL));
}

AVX2_INLINE lanes not_any(lanes x, lanes y)
{
	return _mm256_xor_si256(all(-1), _mm256_or_si256(x, y));
}

/* All ones if both have a value and a op b holds. NOVAL is less than all values, so most comparisons need to test one
 * side only. */
AVX2_INLINE lanes lanes_eq(lanes a, lanes b)
{
	return _mm256_andnot_si256(none(a), _mm256_cmpeq_epi64(a, b));
}

AVX2_INLINE lanes lanes_ne(lanes a, lanes b)
{
	return not_any(_mm256_cmpeq_epi64(a, b), _mm256_or_si256(none(a), none(b)));
}

AVX2_INLINE lanes lanes_lt(lanes a, lanes b)
{
	return _mm256_andnot_si256(none(a), _mm256_cmpgt_epi64(b, a));
}

AVX2_INLINE lanes lanes_le(lanes a, lanes b)
{
	return not_any(_mm256_cmpgt_epi64(a, b), none(a));
}

AVX2_INLINE lanes lanes_gt(lanes a, lanes b)
{
	return _mm256_andnot_si256(none(b), _mm256_cmpgt_epi64(a, b));
}

AVX2_INLINE lanes lanes_ge(lanes a, lanes b)
{
	return not_any(_mm256_cmpgt_epi64(b, a), none(b));
}

AVX2_INLINE lanes compare(enum op op, lanes a, lanes b)
{
	switch (op) {
#define X(NAME, name, ...)                                                                         \
	case OP_##NAME:                                                                            \
		return lanes_##name(a, b);
		COMPARE_OPS(X)
#undef X
	NOT_COMPARISON
		break;
	}
	return all(0);
}

/* Compares eight rows from r, as eight bits: the middle quarters of the shuffled vector are 4 5 and 2 3. */
AVX2_INLINE uint64_t compare_eight(enum op op, operand a, operand b, int r)
{
	lanes low = compare(op, load(a, r), load(b, r)),
	      high = compare(op, load(a, r + LANES), load(b, r + LANES));
	lanes halves = _mm256_castps_si256(
	    _mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), 0x88));
	lanes rows = _mm256_permute4x64_epi64(halves, 0xd8);
	return (uint64_t)(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(rows));
}

/* Compares the last rows, fewer than 64. */
AVX2_INLINE uint64_t compare_rest(enum op op, operand a, operand b, int r, int rows)
{
	uint64_t word = 0;
	for (int i = 0; r + i < rows; i += LANES) {
		lanes part = first(rows - r - i);
		lanes x = compare(op, load_part(a, r + i, part), load_part(b, r + i, part));
		word |= (uint64_t)bits_of(_mm256_and_si256(x, part)) << i;
	}
	return word;
}

AVX2_INLINE void compare_lanes(enum op op, operand a, operand b, uint64_t *bits, int rows)
{
	int r = 0;
	for (; r + 64 <= rows; r += 64) {
		uint64_t word = 0;
		for (int i = 0; i < 64; i += 8)
			word |= compare_eight(op, a, b, r + i) << i;
		bits[r / 64] = word;
	}
	if (r < rows)
		bits[r / 64] = compare_rest(op, a, b, r, rows);
}

AVX2 static void avx2_compare(enum op op, operand a, operand b, uint64_t *bits, int rows)
{
	switch (op) {
#define X(NAME, ...)                                                                               \
	case OP_##NAME:                                                                            \
		if (b.fixed)                                                                       \
			compare_lanes(OP_##NAME, column(a.col), fixed(b.value), bits, rows);       \
		else                                                                               \
			compare_lanes(OP_##NAME, column(a.col), column(b.col), bits, rows);        \
		break;
		COMPARE_OPS(X)
#undef X
	NOT_COMPARISON
		plain_compare(op, a, b, bits, rows);
	}
}

AVX2_INLINE void hash_lanes(lanes *upper, lanes *lower, lanes x, lanes weight)
{
	lanes y = _mm256_add_epi64(x, weight), z = _mm256_add_epi64(x, _mm256_srli_epi64(x, 32));
	*upper = _mm256_add_epi64(*upper, _mm256_mul_epu32(y, _mm256_srli_epi64(y, 32)));
	*lower = _mm256_add_epi64(*lower, _mm256_mul_epu32(z, weight));
}

AVX2_INLINE uint64_t sum_of(lanes v)
{
	uint64_t x[LANES];
	store((int64_t *)x, v);
	return x[0] + x[1] + x[2] + x[3];
}

AVX2 static uint64_t avx2_hash(const int64_t *a, const uint64_t *weights, int rows)
{
	operand x = column(a), w = column((const int64_t *)weights);
	lanes upper[2] = {all(0), all(0)}, lower[2] = {all(0), all(0)};
	int r = 0;
	for (; r + 2 * LANES <= rows; r += 2 * LANES)
		for (int i = 0; i < 2; i++)
			hash_lanes(
			    &upper[i], &lower[i], load(x, r + i * LANES), load(w, r + i * LANES));
	sums s = {sum_of(_mm256_add_epi64(upper[0], upper[1])),
	    sum_of(_mm256_add_epi64(lower[0], lower[1]))};
	for (; r < rows; r++)
		hash_row(&s, a[r], weights[r]);
	return hash_end(s);
}

/* ---- AVX2 versions */

AVX2 static int avx2_first_without(const uint64_t *words, uint64_t mask, int k, int n)
{
	lanes wanted = all((int64_t)mask);
	for (; k + LANES <= n; k += LANES) {
		unsigned free_of = bits_of(_mm256_cmpeq_epi64(_mm256_and_si256(load(column((const int64_t *)words), k), wanted), all(0)));
		if (free_of)
			return k + __builtin_ctz(free_of);
	}
	return first_without(words, mask, k, n);
}

AVX2 static int avx2_first_below(const int64_t *a, int64_t times, const int64_t *b, int64_t limit, int k, int n)
{
	lanes flip = all(times < 0 ? -1 : 0), least = all(limit);
	__m128i by = _mm_cvtsi32_si128(times == 2 || times == -2);
	for (; k + LANES <= n; k += LANES) {
		lanes scaled = _mm256_xor_si256(_mm256_sll_epi64(load(column(b), k), by), flip);
		unsigned below = bits_of(_mm256_cmpgt_epi64(least, _mm256_add_epi64(load(column(a), k), lanes_sub(scaled, flip))));
		if (below)
			return k + __builtin_ctz(below);
	}
	return first_below(a, times, b, limit, k, n);
}

AVX2 static void avx2_subtract(const int64_t *a, int64_t times, const int64_t *b, int64_t *to, int rows)
{
	subtract(a, times, b, to, rows);
}

AVX2 static int64_t avx2_extreme(const int64_t *a, int sign, int rows)
{
	return sign > 0 ? extreme(a, 1, rows) : extreme(a, -1, rows);
}

__attribute__((target("avx2,popcnt"))) static int avx2_within(
    const int64_t *min, const int64_t *width, int64_t b, uint64_t *bits, int rows)
{
	int n = 0, r = 0;
	for (int w = 0; w <= (rows - 1) / 64; w++)
		bits[w] = 0;
	for (; r + LANES <= rows; r += LANES) {
		lanes from = load(column(min), r), past = lanes_sub(all(b), from);
		lanes in = _mm256_andnot_si256(_mm256_cmpgt_epi64(from, all(b)), _mm256_cmpgt_epi64(load(column(width), r), past));
		bits[r / 64] |= (uint64_t)bits_of(in) << r % 64;
	}
	if (r < rows) {
		uint64_t rest;
		within(min + r, width + r, b, &rest, rows - r);
		bits[r / 64] |= rest << r % 64;
	}
	for (int w = 0; w <= (rows - 1) / 64; w++)
		n += __builtin_popcountll(bits[w]);
	return n;
}

AVX2 static int64_t avx2_shift(const int64_t *a, const int64_t *b, int64_t times, const int64_t *c, const int64_t *d, int sign,
    int64_t *to, int rows)
{
	return sign > 0 && !d ? shift(a, b, times, c, NULL, 1, to, rows)
	    : sign < 0 && d   ? shift(a, b, times, c, d, -1, to, rows)
			      : shift(a, b, times, c, d, sign, to, rows);
}

/* Every processor with AVX2 has popcnt. */
__attribute__((target("avx2,popcnt"))) static int avx2_common_bits(const uint64_t *a, const uint64_t *b, int words)
{
	return common_bits(a, b, words);
}

#else

static inline bool has_avx2(void)
{
	return false;
}

#define avx2_apply plain_apply
#define avx2_compare plain_compare
#define avx2_hash plain_hash
#define avx2_first_without first_without
#define avx2_first_below first_below
#define avx2_subtract subtract
#define avx2_extreme extreme
#define avx2_within within
#define avx2_common_bits common_bits
#define avx2_shift shift

#endif

/* ---- derived operations, row by row */

static bool row_holds(const expr *e, int64_t a, int64_t b);

static int64_t row_value(const expr *e, int64_t a, int64_t b)
{
	if (e->op == OP_CONST || e->op == OP_SYM)
		return e->op == OP_CONST ? e->value : e->value ? b : a;
	if (e->op == OP_ITE)
		return row_value(row_holds(e->c, a, b) ? e->a : e->b, a, b);
	return row_apply((enum op)e->op, row_value(e->a, a, b), row_value(e->b, a, b));
}

static bool row_holds(const expr *e, int64_t a, int64_t b)
{
	return row_compare((enum op)e->op, row_value(e->a, a, b), row_value(e->b, a, b));
}

static bool derived_apply(enum op op, operand a, operand b, int64_t *to, int rows)
{
	const expr *definition = expr_definition(op);
	bool any = false;
	for (int r = 0; r < rows; r++) {
		int64_t x = row_of(a, r), y = row_of(b, r);
		to[r] = x == NOVAL || y == NOVAL ? NOVAL : row_value(definition, x, y);
		any |= to[r] != NOVAL;
	}
	return any;
}

/* ---- dispatch */

static bool apply(enum op op, operand a, operand b, int64_t *to, int rows)
{
	if (op_is_derived((int)op))
		return derived_apply(op, a, b, to, rows);
	return has_avx2() ? avx2_apply(op, a, b, to, rows) : plain_apply(op, a, b, to, rows);
}

bool column_apply(enum op op, const int64_t *a, const int64_t *b, int64_t *to, int rows)
{
	return apply(op, column(a), column(b), to, rows);
}

bool column_apply_const(enum op op, const int64_t *a, int64_t b, int64_t *to, int rows)
{
	return apply(op, column(a), fixed(b), to, rows);
}

bool column_const_apply(enum op op, int64_t a, const int64_t *b, int64_t *to, int rows)
{
	return apply(op, fixed(a), column(b), to, rows);
}

void column_compare(enum op op, const int64_t *a, const int64_t *b, uint64_t *bits, int rows)
{
	operand x = column(a), y = column(b);
	has_avx2() ? avx2_compare(op, x, y, bits, rows) : plain_compare(op, x, y, bits, rows);
}

void column_compare_const(enum op op, const int64_t *a, int64_t b, uint64_t *bits, int rows)
{
	operand x = column(a), y = fixed(b);
	has_avx2() ? avx2_compare(op, x, y, bits, rows) : plain_compare(op, x, y, bits, rows);
}

uint64_t column_digest(const int64_t *a, const uint64_t *weights, int rows)
{
	return has_avx2() ? avx2_hash(a, weights, rows) : plain_hash(a, weights, rows);
}

void column_subtract(const int64_t *a, int64_t times, const int64_t *b, int64_t *to, int rows)
{
	has_avx2() ? avx2_subtract(a, times, b, to, rows) : subtract(a, times, b, to, rows);
}

int64_t column_max(const int64_t *a, int rows)
{
	return has_avx2() ? avx2_extreme(a, 1, rows) : extreme(a, 1, rows);
}

int64_t column_min(const int64_t *a, int rows)
{
	return has_avx2() ? avx2_extreme(a, -1, rows) : extreme(a, -1, rows);
}

int column_within(const int64_t *min, const int64_t *width, int64_t b, uint64_t *bits, int rows)
{
	return has_avx2() ? avx2_within(min, width, b, bits, rows) : within(min, width, b, bits, rows);
}

int64_t column_shift(const int64_t *a, const int64_t *b, int64_t times, const int64_t *c, const int64_t *d, int sign, int64_t *to,
    int rows)
{
	return has_avx2() ? avx2_shift(a, b, times, c, d, sign, to, rows) : shift(a, b, times, c, d, sign, to, rows);
}

int column_common_bits(const uint64_t *a, const uint64_t *b, int words)
{
	return has_avx2() ? avx2_common_bits(a, b, words) : common_bits(a, b, words);
}

int column_first_without(const uint64_t *words, uint64_t mask, int k, int n)
{
	return has_avx2() ? avx2_first_without(words, mask, k, n) : first_without(words, mask, k, n);
}

int column_first_below(const int64_t *a, int64_t times, const int64_t *b, int64_t limit, int k, int n)
{
	return has_avx2() ? avx2_first_below(a, times, b, limit, k, n) : first_below(a, times, b, limit, k, n);
}

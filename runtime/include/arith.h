/* The arithmetic of rules, shared by the evaluator and the generated C.
 *
 * Rules are over mathematical integers. Symbols are int64; results are computed in 128 bits, so that sums of millions of symbols
 * and products of two do not overflow. Evaluator, generated C and Z3's unbounded integers therefore agree on all int64 inputs.
 * Division by zero and results beyond 128 bits are undefined: a comparison with an undefined operand is false, and an undefined
 * output makes the call invalid.
 *
 * Division rounds toward minus infinity; the remainder has the sign of the divisor, as in Python.
 */
#ifndef RS_ARITH_H
#define RS_ARITH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

__extension__ typedef __int128 wide;

/* Floor division; b must not be 0. */
static inline wide floordiv(wide a, wide b)
{
	if (a == (int64_t)a && b == (int64_t)b && b > 0) { /* the common case: one 64-bit division */
		int64_t n = (int64_t)a, d = (int64_t)b;
		return n / d - (n % d < 0);
	}
	wide q = a / b;
	return q - (a % b != 0 && (a < 0) != (b < 0));
}

/* The remainder of floor division; b must not be 0. */
static inline wide floormod(wide a, wide b)
{
	if (a == (int64_t)a && b == (int64_t)b && b > 0) {
		int64_t r = (int64_t)a % (int64_t)b;
		return r < 0 ? r + (int64_t)b : r;
	}
	if (b == -1) /* the most negative number divided by -1 traps */
		return 0;
	wide r = a % b;
	return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static inline wide wide_min(wide a, wide b)
{
	return a < b ? a : b;
}

static inline wide wide_max(wide a, wide b)
{
	return a > b ? a : b;
}

/* Checked operations: false if the result is undefined; *r is then unspecified. */
static inline bool checked_add(wide a, wide b, wide *r)
{
	return !__builtin_add_overflow(a, b, r);
}

static inline bool checked_sub(wide a, wide b, wide *r)
{
	return !__builtin_sub_overflow(a, b, r);
}

static inline bool checked_mul(wide a, wide b, wide *r)
{
	return !__builtin_mul_overflow(a, b, r);
}

static inline bool checked_div(wide a, wide b, wide *r)
{
	if (b == 0 || (b == -1 && __builtin_sub_overflow((wide)0, a, r)))
		return false;
	*r = floordiv(a, b);
	return true;
}

static inline bool checked_mod(wide a, wide b, wide *r)
{
	if (b == 0)
		return false;
	*r = floormod(a, b);
	return true;
}

static inline bool checked_min(wide a, wide b, wide *r)
{
	*r = wide_min(a, b);
	return true;
}

static inline bool checked_max(wide a, wide b, wide *r)
{
	*r = wide_max(a, b);
	return true;
}

#ifdef __cplusplus
}
#endif

#endif

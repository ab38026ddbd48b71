/* What generated code includes: the layout of its table, the arithmetic of its rules, and what compiled
 * samplers are made of (docs/sampling.md): a call to be completed, and the values that a symbol may still
 * take.
 *
 * A sampler gives the unknown symbols values one after another: the first tensor's dimensions, the
 * attributes, the other tensors' (the order of Isra, section 3.3.1). For each, the clauses that speak
 * of it and of what is known by then leave a span; those that are no bounds are tested on its values.
 * samplercode.h is how they are written.
 */
#ifndef SAMPLING_H
#define SAMPLING_H

#include "arith.h"
#include "rng.h"
#include "ruletable.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rs_draw {
	int64_t *s;	/* [nsym] symbols; what is unknown may be anything */
	uint8_t *known; /* [nsym] 1: given. A tensor's symbols are known together. Set as values are found */
	const int64_t *out;    /* [nodim] output dimensions, */
	const uint8_t *wanted; /* [nodim] and which of them are to come out */
	/* [nsym] where values are looked for first; low is a true bound of dimensions only */
	const int64_t *low, *high;
	rng *rng;
};

enum { RS_HINTS = 4 };

/* Samplers compute in 64 bits: known symbols, wanted dimensions and bounds must lie within this, and
 * so does what they find. */
#define RS_LIMIT ((int64_t)1 << 31)

typedef struct rs_span {
	int64_t low, high; /* what is allowed */
	int64_t first, last; /* and looked at first */
	int64_t at;
	uint32_t left;	 /* values of this sweep not looked at yet */
	uint8_t sweep;	 /* 0: none yet */
	uint8_t nhints, hint;
	int64_t hints[RS_HINTS]; /* values that a clause names */
} rs_span;

/* ---- arithmetic; what has no value, or none in 64 bits, is false. See arith.h. */

static inline int64_t rs_quotient(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static inline int64_t rs_remainder(int64_t a, int64_t b)
{
	int64_t r = b == -1 ? 0 : a % b;
	return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static inline int64_t rs_least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t rs_most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline bool rs_add(int64_t a, int64_t b, int64_t *r)
{
	return !__builtin_add_overflow(a, b, r);
}

static inline bool rs_sub(int64_t a, int64_t b, int64_t *r)
{
	return !__builtin_sub_overflow(a, b, r);
}

static inline bool rs_mul(int64_t a, int64_t b, int64_t *r)
{
	return !__builtin_mul_overflow(a, b, r);
}

static inline bool rs_div(int64_t a, int64_t b, int64_t *r)
{
	if (b == 0 || (b == -1 && a == INT64_MIN))
		return false;
	*r = rs_quotient(a, b);
	return true;
}

static inline bool rs_mod(int64_t a, int64_t b, int64_t *r)
{
	if (b == 0)
		return false;
	*r = rs_remainder(a, b);
	return true;
}

/* ---- spans: functions, not inline, for a table has tens of thousands of calls */

rs_span rs_span_of(const rs_draw *d, unsigned symbol, bool dimension);
void rs_at_least(rs_span *x, int64_t low);
void rs_at_most(rs_span *x, int64_t high);
void rs_only(rs_span *x, int64_t value);
/* A value that is worth trying first. */
void rs_hint(rs_span *x, int64_t value);
/* Gives some symbols in a row, of which no clause speaks, values within their bounds, unless known. */
void rs_free(rs_draw *d, unsigned first, unsigned count);
/* Gives the symbol a value of the span, any; false when it is empty. */
bool rs_pick(rs_draw *d, unsigned symbol, const rs_span *x);
/* One value of the span after another, in a random order, a few hundred at most; false at the end. */
bool rs_next(const rs_draw *d, rs_span *x, int64_t *value);

#ifdef __cplusplus
}
#endif

#endif

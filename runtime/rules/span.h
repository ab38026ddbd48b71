/* The values that a symbol may still take while a sampler looks for one (sampling.h), and the order in which they
 * are looked at. Inline: there is one caller, and it runs for every number of every call.
 */
#ifndef SPAN_H
#define SPAN_H

#include "sampling.h"

enum { SPAN_HINTS = 4 };

typedef struct span {
	int64_t low, high;   /* what is allowed */
	int64_t first, last; /* and looked at first */
	int64_t at;
	uint32_t left;	/* values of this sweep not looked at yet */
	uint8_t sweep;	/* 0: none yet */
	uint8_t nhints, hint;
	int64_t hints[SPAN_HINTS]; /* values that a clause names */
} span;

/* low is a true bound of dimensions only. */
static inline void span_begin(span *x, const rs_draw *d, unsigned symbol, bool dimension)
{
	x->low = dimension ? d->low[symbol] : -RS_LIMIT;
	x->high = RS_LIMIT;
	x->first = d->low[symbol];
	x->last = d->high[symbol];
	x->left = 0;
	x->sweep = x->nhints = 0;
}

static inline void span_at_least(span *x, int64_t low)
{
	x->low = low > x->low ? low : x->low;
}

static inline void span_at_most(span *x, int64_t high)
{
	x->high = high < x->high ? high : x->high;
}

static inline void span_only(span *x, int64_t value)
{
	span_at_least(x, value);
	span_at_most(x, value);
}

/* A value that is worth trying first. */
static inline void span_hint(span *x, int64_t value)
{
	if (x->nhints < SPAN_HINTS)
		x->hints[x->nhints++] = value;
}

/* Gives the symbol a value of the span, any; false when it is empty. */
bool span_pick(rs_draw *d, unsigned symbol, const span *x);
/* One value of the span after another, in a random order, a few hundred at most; false at the end. */
bool span_next(const rs_draw *d, span *x, int64_t *value);

#endif

/* The interval of values that a symbol may take while a sampler runs (sampling.h), and the order in which a search visits
 * them. Inline, since it has one caller and runs for every number of every call.
 */
#ifndef SPAN_H
#define SPAN_H

#include "sampling.h"

enum { SPAN_HINTS = 4 };

typedef struct span {
	int64_t low, high;   /* allowed values */
	int64_t first, last; /* preferred values */
	int64_t floor;	     /* smaller values are visited only if a clause names them */
	int64_t aim;	     /* value to try first; 0: any */
	int64_t at;
	uint32_t left;	/* values left in this sweep */
	uint8_t sweep;	/* 0: no sweep yet */
	uint8_t nhints, hint;
	int64_t hints[SPAN_HINTS]; /* values that a clause names */
} span;

/* The minimum value that a search visits unless a clause names a smaller one. If no recorded value is below 1, or below 0, the
 * search visits none there: no record covers such values, and most are rejected. */
static inline int64_t span_floor(int64_t low)
{
	return low > 0 ? 1 : low == 0 ? 0 : -RS_LIMIT;
}

/* low is a strict bound for dimensions only. */
static inline void span_begin(span *x, const rs_draw *d, unsigned symbol, bool dimension)
{
	x->low = dimension ? d->low[symbol] : -RS_LIMIT;
	x->high = RS_LIMIT;
	x->first = d->low[symbol];
	x->last = d->high[symbol];
	x->floor = span_floor(x->first);
	x->aim = d->aim ? d->aim[symbol] : 0;
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

/* A value to try first. */
static inline void span_hint(span *x, int64_t value)
{
	if (x->nhints < SPAN_HINTS)
		x->hints[x->nhints++] = value;
}

enum {
	SPAN_BEYOND = 4,    /* values visited outside the bounds if none within is allowed */
	SPAN_SWEEP = 128,   /* values visited per sweep */
	SPAN_HINT_IN = 2,   /* hints come first once in this many searches */
	SPAN_FIRST_HINTS = 1, SPAN_FIRST_RANGE, SPAN_LAST_HINTS, SPAN_BELOW, SPAN_ABOVE, SPAN_NO_SWEEP, /* sweeps */
};

static inline int64_t span_least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t span_most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The allowed values within the bounds, or next to them. False: no value is allowed. */
static inline bool span_window(const span *x, int64_t *first, int64_t *last)
{
	if (x->low > x->high)
		return false;
	*first = span_most(x->low, x->first);
	*last = span_least(x->high, x->last);
	if (*first <= *last)
		return true;
	if (x->low > x->last) {
		*first = x->low;
		*last = span_least(x->high, x->low + SPAN_BEYOND - 1);
	} else {
		*last = x->high;
		*first = span_most(x->low, x->high - SPAN_BEYOND + 1);
	}
	return true;
}

static inline int64_t span_draw(rng *r, int64_t first, int64_t last)
{
	int64_t n = last - first + 1;
	return first + rng_below(r, n > UINT32_MAX ? UINT32_MAX : (uint32_t)n);
}

/* The aim if the interval contains it. For an aim below the interval, one of the smallest values, since the maximum may be far
 * from the aim. */
static inline int64_t span_draw_near(rng *r, int64_t aim, int64_t first, int64_t last)
{
	if (!aim || aim > last)
		return span_draw(r, first, last);
	return aim >= first ? aim : span_draw(r, first, span_least(last, first + SPAN_BEYOND - 1));
}

/* Sets the symbol to a random value of the interval; false: it is empty. */
static inline bool span_pick(rs_draw *d, unsigned symbol, const span *x)
{
	int64_t first, last;
	if (!span_window(x, &first, &last))
		return false;
	d->s[symbol] = first == last ? first : span_draw_near(d->rng, x->aim, first, last);
	d->known[symbol] = 1;
	return true;
}

/* Starts the next sweep: its bounds, its start and its length. */
static inline void span_begin_sweep(const rs_draw *d, span *x, int64_t first, int64_t last, bool anywhere)
{
	int64_t n = last - first + 1;
	x->left = n <= 0 ? 0 : n > SPAN_SWEEP ? SPAN_SWEEP : (uint32_t)n;
	x->at = n > 0 && anywhere ? span_draw_near(d->rng, x->aim, first, last) : first;
}

static inline void span_next_sweep(const rs_draw *d, span *x)
{
	int64_t first, last;
	x->sweep++;
	x->left = 0;
	if (x->sweep == SPAN_FIRST_HINTS) {
		if (!span_window(x, &first, &last)) {
			x->sweep = SPAN_NO_SWEEP;
			return;
		}
		x->first = first, x->last = last;
		if (x->nhints && rng_below(d->rng, SPAN_HINT_IN) == 0)
			x->left = x->nhints;
		x->hint = x->nhints > 1 ? (uint8_t)rng_below(d->rng, x->nhints) : 0;
		if (x->left)
			return;
		x->sweep = SPAN_FIRST_RANGE;
	}
	if (x->sweep == SPAN_FIRST_RANGE) {
		span_begin_sweep(d, x, x->first, x->last, true);
	} else if (x->sweep == SPAN_LAST_HINTS) {
		x->left = x->nhints;
	} else if (x->sweep == SPAN_BELOW) {
		int64_t least = span_most(x->low, x->floor);
		span_begin_sweep(d, x, span_most(least, x->first - SPAN_SWEEP / 2), x->first - 1, false);
	} else if (x->sweep == SPAN_ABOVE) {
		span_begin_sweep(d, x, x->last + 1, span_least(x->high, x->last + SPAN_SWEEP), false);
	}
}

/* Visits the values of the interval in random order, a few hundred at most; false at the end. */
static inline bool span_next(const rs_draw *d, span *x, int64_t *value)
{
	for (;;) {
		while (!x->left) {
			if (x->sweep >= SPAN_ABOVE)
				return false;
			span_next_sweep(d, x);
		}
		x->left--;
		if (x->sweep != SPAN_FIRST_HINTS && x->sweep != SPAN_LAST_HINTS)
			break;
		*value = x->hints[x->hint];
		x->hint = (uint8_t)(x->hint + 1u == x->nhints ? 0 : x->hint + 1u);
		if (*value >= x->low && *value <= x->high)
			return true;
	}
	*value = x->at;
	x->at = x->sweep == SPAN_FIRST_RANGE && x->at == x->last ? x->first : x->at + 1;
	return true;
}

/* The number of next values that are x->at, x->at + 1 and so on. */
static inline unsigned span_ahead(const span *x)
{
	if (x->sweep == SPAN_FIRST_HINTS || x->sweep == SPAN_LAST_HINTS)
		return 0;
	int64_t ahead = x->sweep == SPAN_FIRST_RANGE ? x->last - x->at + 1 : x->left;
	return ahead < x->left ? (unsigned)ahead : x->left;
}

/* Skips n of these. */
static inline void span_leap(span *x, unsigned n)
{
	x->left -= n;
	x->at += n;
	if (x->sweep == SPAN_FIRST_RANGE && x->at > x->last)
		x->at = x->first;
}

#endif

#include "sampling.h"

enum {
	BEYOND = 4,    /* values looked at outside the bounds, where none within is allowed */
	SWEEP = 128,   /* values looked at in a sweep */
	HINT_IN = 2,   /* hints come first one time in so many */
	FIRST_HINTS = 1, FIRST_RANGE, LAST_HINTS, BELOW, ABOVE, END, /* sweeps */
};

rs_span rs_span_of(const rs_draw *d, unsigned symbol, bool dimension)
{
	return (rs_span){.low = dimension ? d->low[symbol] : -RS_LIMIT,
	    .high = RS_LIMIT,
	    .first = d->low[symbol],
	    .last = d->high[symbol]};
}

void rs_at_least(rs_span *x, int64_t low)
{
	x->low = rs_most(x->low, low);
}

void rs_at_most(rs_span *x, int64_t high)
{
	x->high = rs_least(x->high, high);
}

void rs_only(rs_span *x, int64_t value)
{
	rs_at_least(x, value);
	rs_at_most(x, value);
}

void rs_hint(rs_span *x, int64_t value)
{
	if (x->nhints < RS_HINTS)
		x->hints[x->nhints++] = value;
}

/* The allowed values within the bounds, or next to them. False when nothing is allowed. */
static bool window(const rs_span *x, int64_t *first, int64_t *last)
{
	if (x->low > x->high)
		return false;
	*first = rs_most(x->low, x->first);
	*last = rs_least(x->high, x->last);
	if (*first <= *last)
		return true;
	if (x->low > x->last) {
		*first = x->low;
		*last = rs_least(x->high, x->low + BEYOND - 1);
	} else {
		*last = x->high;
		*first = rs_most(x->low, x->high - BEYOND + 1);
	}
	return true;
}

static int64_t draw(rng *r, int64_t first, int64_t last)
{
	int64_t n = last - first + 1;
	return first + rng_below(r, n > UINT32_MAX ? UINT32_MAX : (uint32_t)n);
}

void rs_free(rs_draw *d, unsigned first, unsigned count)
{
	for (unsigned i = first; i < first + count; i++) {
		if (d->known[i])
			continue;
		int64_t low = d->low[i], high = d->high[i];
		d->s[i] = low < high ? draw(d->rng, low, high) : low;
		d->known[i] = 1;
	}
}

bool rs_pick(rs_draw *d, unsigned symbol, const rs_span *x)
{
	int64_t first, last;
	if (!window(x, &first, &last))
		return false;
	d->s[symbol] = first == last ? first : draw(d->rng, first, last);
	d->known[symbol] = 1;
	return true;
}

/* Sets out on the next sweep: its bounds in first and last, where it begins, how far it goes. */
static void begin_sweep(const rs_draw *d, rs_span *x, int64_t first, int64_t last, bool anywhere)
{
	int64_t n = last - first + 1;
	x->left = n <= 0 ? 0 : n > SWEEP ? SWEEP : (uint32_t)n;
	x->at = n > 0 && anywhere ? draw(d->rng, first, last) : first;
}

static void next_sweep(const rs_draw *d, rs_span *x)
{
	int64_t first, last;
	x->sweep++;
	x->left = 0;
	if (x->sweep == FIRST_HINTS) {
		if (!window(x, &first, &last)) {
			x->sweep = END;
			return;
		}
		x->first = first, x->last = last;
		if (x->nhints && rng_below(d->rng, HINT_IN) == 0)
			x->left = x->nhints;
		x->hint = x->nhints > 1 ? (uint8_t)rng_below(d->rng, x->nhints) : 0;
		if (x->left)
			return;
		x->sweep = FIRST_RANGE;
	}
	if (x->sweep == FIRST_RANGE) {
		begin_sweep(d, x, x->first, x->last, true);
	} else if (x->sweep == LAST_HINTS) {
		x->left = x->nhints;
	} else if (x->sweep == BELOW) {
		begin_sweep(d, x, rs_most(x->low, x->first - SWEEP / 2), x->first - 1, false);
	} else if (x->sweep == ABOVE) {
		begin_sweep(d, x, x->last + 1, rs_least(x->high, x->last + SWEEP), false);
	}
}

bool rs_next(const rs_draw *d, rs_span *x, int64_t *value)
{
	while (!x->left) {
		if (x->sweep >= ABOVE)
			return false;
		next_sweep(d, x);
	}
	x->left--;
	if (x->sweep == FIRST_HINTS || x->sweep == LAST_HINTS) {
		*value = x->hints[x->hint];
		x->hint = (uint8_t)((x->hint + 1u) % x->nhints);
		if (*value < x->low || *value > x->high)
			return rs_next(d, x, value);
	} else {
		*value = x->at;
		x->at = x->sweep == FIRST_RANGE && x->at == x->last ? x->first : x->at + 1;
	}
	return true;
}

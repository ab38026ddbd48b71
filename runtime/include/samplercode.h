/* What compiled samplers are written in: one statement a symbol.
 *
 *   SAMPLER(torch_sample_30ad588b)
 *           DIM(0, WANTED(1));                              s[0] is o[1], where that is wanted
 *           FOR(1, 3) DIM(i, KNOWN(i + 4));                 s[1] is s[5], where that is known, and so on
 *           ATTR(4, AT_MOST(s[0] - 1); if (w[2]) AT_LEAST(o[2]));
 *           DIM_WHERE(5, AT_LEAST(1), s[0] % s[5] == 0);    any value from 1 on for which this holds
 *   END(torch_valid_73357874(s))
 *
 * s are the symbols, o the output dimensions; k says which symbols are known, w which dimensions are
 * wanted; low[i] is the least value of s[i]. A symbol that is known is left as it is; where another has
 * no value left, the sampler ends with false: a dead end. sampling.h has the functions.
 */
#ifndef SAMPLERCODE_H
#define SAMPLERCODE_H

#include "sampling.h"

#define SAMPLER(NAME) \
	bool NAME(rs_draw *d) \
	{ \
		int64_t *const s __attribute__((unused)) = d->s; \
		const int64_t *const o __attribute__((unused)) = d->out; \
		const int64_t *const low __attribute__((unused)) = d->low; \
		const uint8_t *const k __attribute__((unused)) = d->known; \
		const uint8_t *const w __attribute__((unused)) = d->wanted; \
		int64_t t0 __attribute__((unused)) = 0, t1 __attribute__((unused)) = 0, \
			t2 __attribute__((unused)) = 0, t3 __attribute__((unused)) = 0;
#define END(VALID) \
		return VALID; \
	}

/* A dimension, or another number, within what BOUNDS leave. */
#define DIM(I, BOUNDS) PICK(I, true, BOUNDS)
#define ATTR(I, BOUNDS) PICK(I, false, BOUNDS)
/* The same, such that TEST holds too. */
#define DIM_WHERE(I, BOUNDS, TEST) SEARCH(I, true, BOUNDS, TEST)
#define ATTR_WHERE(I, BOUNDS, TEST) SEARCH(I, false, BOUNDS, TEST)
/* COUNT symbols from I on of which nothing is asked. */
#define FREE(I, COUNT) rs_free(d, I, COUNT)
/* The statement that follows, for COUNT values of i from FIRST on. */
#define FOR(FIRST, COUNT) for (unsigned i = FIRST; i < FIRST + COUNT; i++)

#define PICK(I, DIMENSION, BOUNDS) \
	if (!k[I]) { \
		rs_span x = rs_span_of(d, I, DIMENSION); \
		BOUNDS; \
		if (!rs_pick(d, I, &x)) \
			return false; \
	}
#define SEARCH(I, DIMENSION, BOUNDS, TEST) \
	if (!k[I]) { \
		rs_span x = rs_span_of(d, I, DIMENSION); \
		BOUNDS; \
		do \
			if (!rs_next(d, &x, &s[I])) \
				return false; \
		while (!(TEST)); \
		d->known[I] = 1; \
	}

/* ---- bounds */

#define AT_LEAST(LOW) rs_at_least(&x, LOW)
#define AT_MOST(HIGH) rs_at_most(&x, HIGH)
#define ONLY(VALUE) rs_only(&x, VALUE)
/* Worth trying first, in a search. */
#define HINT(VALUE) rs_hint(&x, VALUE)
/* The output dimension's value, the other symbol's, where there is one. */
#define WANTED(I) if (w[I]) ONLY(o[I])
#define KNOWN(I) if (k[I]) ONLY(s[I])

#endif

#include "run.h"

#include <limits.h>
#include <string.h>

#include "leap.h"
#include "samplercode.h"
#include "span.h"

enum { PATIENCE = 3 };

static inline int64_t quotient(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static inline int64_t remainder_of(int64_t a, int64_t b)
{
	int64_t r = b == -1 ? 0 : a % b;
	return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static void draw_free(rs_draw *d, unsigned first, unsigned count)
{
	for (unsigned i = first; i < first + count; i++) {
		if (d->known[i])
			continue;
		int64_t low = d->low[i], high = d->high[i];
		d->s[i] = low < high ? span_draw(d->rng, low, high) : low;
		d->known[i] = 1;
	}
}

/* On to the next instruction: by a jump of its own from each, which processors foresee better than one for all. */
#define NEXT goto *GO[(++c)->code]
#define GO_BY(CONDITION) \
	c += (CONDITION) ? c->skip : 0; \
	NEXT;
#define ADDRESS(NAME) [PROGRAM_##NAME##_] = &&NAME,
#define INDEX program_index(c, place)
/* A value put in the place of two, the right operand in any form. */
#define BINARY(CODE, VALUE) \
	CODE##_STACK: { \
		int64_t b = *--top, a = top[-1]; \
		top[-1] = VALUE; \
		NEXT; \
	} \
	CODE##_NUMBER: { \
		int64_t b = c->number, a = top[-1]; \
		top[-1] = VALUE; \
		NEXT; \
	} \
	CODE##_SYMBOL: { \
		int64_t b = s[INDEX], a = top[-1]; \
		top[-1] = VALUE; \
		NEXT; \
	}
#define CHECKED(CODE, HAS_VALUE) \
	CODE##_STACK: { \
		int64_t b = *--top, a = top[-1]; \
		if (HAS_VALUE) \
			NEXT; \
		goto no_value; \
	} \
	CODE##_NUMBER: { \
		int64_t b = c->number, a = top[-1]; \
		if (HAS_VALUE) \
			NEXT; \
		goto no_value; \
	} \
	CODE##_SYMBOL: { \
		int64_t b = s[INDEX], a = top[-1]; \
		if (HAS_VALUE) \
			NEXT; \
		goto no_value; \
	}
/* A comparison, and what goes on by it. */
#define COMPARED(CODE, TAKEN, LEFT, OPERATOR, RIGHT) \
	CODE: \
		top -= TAKEN; \
		ok = (LEFT) OPERATOR (RIGHT); \
		NEXT; \
	CODE##_IF: \
		top -= TAKEN; \
		ok = (LEFT) OPERATOR (RIGHT); \
		GO_BY(!ok) \
	CODE##_OR: \
		top -= TAKEN; \
		ok = (LEFT) OPERATOR (RIGHT); \
		GO_BY(ok) \
	CODE##_TEST: \
		top -= TAKEN; \
		if ((LEFT) OPERATOR (RIGHT)) \
			goto passed; \
		goto failed;
#define COMPARISON(CODE, OPERATOR) \
	COMPARED(CODE##_STACK, 2, top[0], OPERATOR, top[1]) \
	COMPARED(CODE##_NUMBER, 1, *top, OPERATOR, c->number) \
	COMPARED(CODE##_SYMBOL, 1, *top, OPERATOR, s[INDEX]) \
	COMPARED(CODE##_BOTH, 0, s[INDEX], OPERATOR, c->number)
#define BOUND(CODE, NARROW) \
	CODE##_STACK: \
		NARROW(&x, *--top); \
		NEXT; \
	CODE##_NUMBER: \
		NARROW(&x, c->number); \
		NEXT; \
	CODE##_SYMBOL: \
		NARROW(&x, s[INDEX]); \
		NEXT; \
	CODE##_OUTPUT: \
		NARROW(&x, d->out[INDEX]); \
		NEXT;

/* ---- the instructions, by what they do */

/* One value after another, until one passes all tests; the test that the last value failed comes first. */
#define SEARCHES \
	SEARCH: \
		tests = test = c; \
		again = false; \
		failures = 0, patience = PATIENCE; \
		goto next_value; \
	TEST: \
		if (ok) \
			goto passed; \
	failed: \
		again = test != tests; \
		if (++failures > patience) { \
			unsigned n = leap(d, test + 1, symbol, place, x.at, span_ahead(&x)); \
			span_leap(&x, n); \
			patience *= n < PATIENCE ? 2 : 1; \
			failures = 0; \
		} \
	next_value: \
		if (!span_next(d, &x, &s[symbol])) \
			return false; \
		c = test; \
		NEXT; \
	passed: \
		test = c = again ? tests : c; \
		again = false; \
		NEXT;
/* Where to go on. */
#define JUMPS \
	KNOWN: \
		test = c += d->known[INDEX] ? 0 : c->skip; \
		NEXT; \
	WANTED: \
		test = c += d->wanted[INDEX] ? 0 : c->skip; \
		NEXT; \
	IF: \
		GO_BY(!ok) \
	OR: \
		GO_BY(ok) \
	GO_ON: \
		GO_BY(true) \
	no_value: \
		ok = false; \
		top = stack + c->height; \
		GO_BY(true)
/* What narrows the span. */
#define BOUNDS \
	BOUND(AT_LEAST, span_at_least) \
	BOUND(AT_MOST, span_at_most) \
	BOUND(ONLY, span_only) \
	BOUND(HINT, span_hint) \
	ONLY_KNOWN: \
		if (d->known[INDEX]) \
			span_only(&x, s[INDEX]); \
		NEXT; \
	ONLY_WANTED: \
		if (d->wanted[INDEX]) \
			span_only(&x, d->out[INDEX]); \
		NEXT;
/* What is put on the stack. */
#define VALUES \
	SYMBOL: \
		*top++ = s[INDEX]; \
		NEXT; \
	OUTPUT: \
		*top++ = d->out[INDEX]; \
		NEXT; \
	LOW: \
		*top++ = d->low[INDEX]; \
		NEXT; \
	NUMBER: \
		*top++ = c->number; \
		NEXT; \
	WIDE: \
		memcpy(top++, ++c, sizeof *top); \
		NEXT;
/* What takes two values from the stack. */
#define ARITHMETIC \
	BINARY(ADD, (int64_t)((uint64_t)a + (uint64_t)b)) \
	BINARY(SUB, (int64_t)((uint64_t)a - (uint64_t)b)) \
	BINARY(MUL, (int64_t)((uint64_t)a * (uint64_t)b)) \
	BINARY(DIV, quotient(a, b)) \
	BINARY(MOD, remainder_of(a, b)) \
	BINARY(MIN, span_least(a, b)) \
	BINARY(MAX, span_most(a, b)) \
	CHECKED(CHECKED_ADD, !__builtin_add_overflow(a, b, &top[-1])) \
	CHECKED(CHECKED_SUB, !__builtin_sub_overflow(a, b, &top[-1])) \
	CHECKED(CHECKED_MUL, !__builtin_mul_overflow(a, b, &top[-1])) \
	CHECKED(CHECKED_DIV, b != 0 && !(b == -1 && a == INT64_MIN) && (top[-1] = quotient(a, b), true)) \
	CHECKED(CHECKED_MOD, b != 0 && (top[-1] = remainder_of(a, b), true)) \
	COMPARISON(EQ, ==) \
	COMPARISON(NE, !=) \
	COMPARISON(LT, <) \
	COMPARISON(GT, >) \
	COMPARISON(LE, <=) \
	COMPARISON(GE, >=)

bool run_program(const program *p, rs_draw *d)
{
	static const void *const GO[] = {PROGRAM_CODES(ADDRESS)};
	int64_t *const s = d->s, stack[RS_CODE_STACK], *top = stack;
	const instruction *c = p->code, *row = c, *tests = c, *test = c;
	unsigned symbol = 0, place = 0, left = 0; /* in a row: the place, and how many come after it */
	bool ok = true, dimension = false, again = false; /* again: the test that the last value failed comes first */
	unsigned failures = 0, patience = PATIENCE; /* before a leap is tried */
	span x = {.low = 0};
	goto *GO[c->code];
	FINISH:
		return true;
	FREE:
		draw_free(d, c->index, c->skip);
		NEXT;
	ROW:
		left = c->skip - 1u;
		row = c;
		NEXT;
	DIMENSION:
		dimension = true;
		goto symbol;
	ATTRIBUTE:
		dimension = false;
	symbol:
		symbol = INDEX;
		if (d->known[symbol]) {
			c += c->skip;
			goto next_symbol;
		}
		span_begin(&x, d, symbol, dimension);
		NEXT;
	PICK:
		if (!span_pick(d, symbol, &x))
			return false;
		goto next_symbol;
	SEARCHES
	FOUND:
		d->known[symbol] = 1;
	next_symbol:
		if (left) {
			left--;
			place++;
			c = row;
		} else {
			place = 0;
		}
		NEXT;

	JUMPS
	BOUNDS
	VALUES
	ARITHMETIC
}

/* ---- compiled samplers */

/* A call of which all is known, by which a compiled sampler is asked for its program: its generator of random numbers
 * says so, which nothing draws from. */
static const rng ASKS;

typedef struct question {
	rs_draw draw;
	const char *text;
} question;

const char *run_text(rs_sample_fn *sampler)
{
	int64_t numbers[RUN_TEXT_WIDTH] = {0};
	uint8_t known[RUN_TEXT_WIDTH];
	memset(known, 1, sizeof known);
	question q = {.draw = {.s = numbers, .known = known, .out = numbers, .wanted = known, .low = numbers, .high = numbers, .rng = (rng *)&ASKS}};
	sampler(&q.draw);
	return q.text;
}

bool rs_run(rs_draw *d, const char *text)
{
	if (d->rng == &ASKS) {
		((question *)d)->text = text;
		return false;
	}
	arena *a = arena_new();
	const program *p = a ? program_decode(a, text, UINT_MAX, UINT_MAX, NULL) : NULL;
	bool found = p && run_program(p, d);
	arena_free(a);
	return found;
}

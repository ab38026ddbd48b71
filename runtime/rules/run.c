#include "run.h"

#include <limits.h>
#include <string.h>

#include "leap.h"
#include "samplercode.h"
#include "span.h"

enum { PATIENCE = 3 }; /* failures of a search before it tries to skip values */

static inline int64_t quotient(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static inline int64_t remainder_of(int64_t a, int64_t b)
{
	int64_t r = b == -1 ? 0 : a % b;
	return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

/* Not inlined: functions called from run_program with an address would keep its variables out of registers. */
#define APART __attribute__((noinline))

static APART void draw_free(rs_draw *d, unsigned first, unsigned count)
{
	for (unsigned i = first; i < first + count; i++) {
		if (d->known[i])
			continue;
		int64_t low = d->low[i], high = d->high[i], aim = d->aim ? d->aim[i] : 0;
		d->s[i] = low < high ? span_draw_near(d->rng, aim, low, high) : low;
		d->known[i] = 1;
	}
}

/* ---- a symbol that gets a value */

typedef struct search {
	rs_draw *d;
	unsigned symbol, place; /* position in its row */
	span x;
	const instruction *tests, *test; /* the instruction before all tests, and the one before the current test */
	bool again;			 /* the test that the last value failed, unless it is the first; it runs first */
	unsigned failures, patience;	 /* failures since the last skip, and until the next */
} search;

static APART bool pick(const search *q)
{
	return span_pick(q->d, q->symbol, &q->x);
}

/* Sets the next value of the symbol. Returns the instruction before the next test; NULL: no value is left. */
static APART const instruction *next_value(search *q)
{
	return span_next(q->d, &q->x, &q->d->s[q->symbol]) ? q->test : NULL;
}

static const instruction *begin_tests(search *q, const instruction *c)
{
	q->tests = q->test = c;
	q->again = false;
	q->failures = 0;
	q->patience = PATIENCE;
	return next_value(q);
}

/* The same after a failed test, skipping values that are known to fail it, too. */
static APART const instruction *next_after(search *q)
{
	q->again = q->test != q->tests;
	if (++q->failures > q->patience) {
		unsigned n = leap(q->d, q->test + 1, q->symbol, q->place, q->x.at, span_ahead(&q->x));
		span_leap(&q->x, n);
		q->patience *= n < PATIENCE ? 2 : 1;
		q->failures = 0;
	}
	return next_value(q);
}

/* Returns the instruction before the next test. */
static inline const instruction *pass(search *q, const instruction *c)
{
	q->test = q->again ? q->tests : c;
	q->again = false;
	return q->test;
}

/* ---- instructions */

/* Dispatch: one indirect jump per instruction, which processors predict better than a common one. */
#define NEXT goto *GO[(++c)->code]
#define GO_BY(CONDITION) \
	c += (CONDITION) ? c->skip : 0; \
	NEXT;
#define ADDRESS(NAME) [PROGRAM_##NAME##_] = &&NAME,
#define INDEX program_index(c, place)
/* Replaces two values by one; the right operand has any form. */
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
/* A comparison and the jump on it. */
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
		NARROW(&q.x, *--top); \
		NEXT; \
	CODE##_NUMBER: \
		NARROW(&q.x, c->number); \
		NEXT; \
	CODE##_SYMBOL: \
		NARROW(&q.x, s[INDEX]); \
		NEXT; \
	CODE##_OUTPUT: \
		NARROW(&q.x, d->out[INDEX]); \
		NEXT;

/* ---- the instructions, by purpose */

/* Tries values until one passes all tests; the test that the last value failed runs first. */
#define SEARCHES \
	SEARCH: \
		if (!(c = begin_tests(&q, c))) \
			return false; \
		NEXT; \
	TEST: \
		if (ok) \
			goto passed; \
	failed: \
		if (!(c = next_after(&q))) \
			return false; \
		NEXT; \
	passed: \
		c = pass(&q, c); \
		NEXT;
/* Control flow. */
#define JUMPS \
	KNOWN: \
		q.test = c += d->known[INDEX] ? 0 : c->skip; \
		NEXT; \
	WANTED: \
		q.test = c += d->wanted[INDEX] ? 0 : c->skip; \
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
/* Bounds of the interval. */
#define BOUNDS \
	BOUND(AT_LEAST, span_at_least) \
	BOUND(AT_MOST, span_at_most) \
	BOUND(ONLY, span_only) \
	BOUND(HINT, span_hint) \
	ONLY_KNOWN: \
		if (d->known[INDEX]) \
			span_only(&q.x, s[INDEX]); \
		NEXT; \
	ONLY_WANTED: \
		if (d->wanted[INDEX]) \
			span_only(&q.x, d->out[INDEX]); \
		NEXT;
/* Pushes. */
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
/* Operations on two values. */
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
	const instruction *c = p->code, *row = c;
	unsigned place = 0, left = 0; /* in a row: the position, and the number of symbols after it */
	bool ok = true;
	search q; /* only partly initialized; each symbol sets the rest, since clearing takes longer than many runs */
	q.d = d;
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
	ATTRIBUTE:
		if (d->known[INDEX]) {
			c += c->skip;
			goto next_symbol;
		}
		q.symbol = INDEX;
		q.place = place;
		span_begin(&q.x, d, q.symbol, c->code == PROGRAM_DIMENSION_);
		NEXT;
	PICK:
		if (!pick(&q))
			return false;
		goto next_symbol;
	SEARCHES
	FOUND:
		d->known[q.symbol] = 1;
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

/* ---- programs as text */

bool rs_run(rs_draw *d, const char *text)
{
	arena *a = arena_new();
	const program *p = a ? program_decode(a, text, UINT_MAX, UINT_MAX, NULL) : NULL;
	bool found = p && run_program(p, d);
	arena_free(a);
	return found;
}

#include "sampling.h"

#include "samplercode.h"
#include "span.h"

static int64_t long_operand(const char **p)
{
	uint64_t value = 0;
	bool negative = **p == '-';
	for (*p += negative; **p != ';'; ++*p)
		value = value * 10 + (uint64_t)(**p - '0');
	++*p;
	return (int64_t)(negative ? 0 - value : value);
}

static inline unsigned operand(const char **p)
{
	char c = *(*p)++;
	return c == RS_CODE_LONG ? (unsigned)long_operand(p) : (unsigned)(c - RS_CODE_FIRST);
}

static inline int64_t number(const char **p)
{
	char c = *(*p)++;
	return c == RS_CODE_LONG ? long_operand(p) : c - RS_CODE_FIRST - RS_CODE_ZERO;
}

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
#define NEXT goto *GO[(unsigned char)*p++]
#define ADDRESS(NAME, LETTER, ...) [LETTER] = &&NAME,
#define TWIN_ADDRESS(NAME) [RS_CODE_##NAME - RS_CODE_TWIN] = &&NAME##_TWIN,
/* An instruction with an index, and its twin, which adds the place in the row. */
#define INDEXED(CODE, ...) \
	CODE: { \
		unsigned i = operand(&p); \
		__VA_ARGS__ \
		NEXT; \
	} \
	CODE##_TWIN: { \
		unsigned i = operand(&p) + place; \
		__VA_ARGS__ \
		NEXT; \
	}
#define BINARY(CODE, VALUE) \
	CODE: { \
		int64_t b = *--top, a = top[-1]; \
		top[-1] = VALUE; \
		NEXT; \
	}
#define BINARY_NUMBER(CODE, VALUE) \
	CODE##_NUMBER: { \
		int64_t b = number(&p), a = top[-1]; \
		top[-1] = VALUE; \
		NEXT; \
	}
#define BINARY_SYMBOL(CODE, VALUE) \
	CODE##_SYMBOL: { \
		int64_t b = s[operand(&p)], a = top[-1]; \
		top[-1] = VALUE; \
		NEXT; \
	}
#define CHECKED(CODE, HAS_VALUE) \
	CODE: { \
		int64_t b = *--top, a = top[-1]; \
		if (HAS_VALUE) \
			NEXT; \
		ok = false; \
		p = refuge; \
		top = refuge_top; \
		NEXT; \
	}
#define COMPARISON(CODE, OPERATOR) \
	CODE: \
		top -= 2; \
		ok = top[0] OPERATOR top[1]; \
		NEXT; \
	CODE##_NUMBER: \
		top--; \
		ok = *top OPERATOR number(&p); \
		NEXT; \
	CODE##_SYMBOL: \
		top--; \
		ok = *top OPERATOR s[operand(&p)]; \
		NEXT;

/* ---- the instructions of rs_run, by what they do */

/* One value after another, until one passes all tests. */
#define SEARCHES \
	SEARCH: \
		tests = test = p; \
		again = false; \
		goto next_value; \
	TEST: \
		if (!ok) { \
			again = test != tests; \
			goto next_value; \
		} \
		test = p = again ? tests : p; \
		again = false; \
		NEXT; \
	next_value: \
		if (!span_next(d, &x, &s[symbol])) \
			return false; \
		p = test; \
		NEXT;
/* Where to go on. */
#define JUMPS \
	INDEXED(KNOWN, unsigned skip = operand(&p); test = p += d->known[i] ? 0 : skip;) \
	INDEXED(WANTED, unsigned skip = operand(&p); test = p += d->wanted[i] ? 0 : skip;) \
	IF: { \
		unsigned skip = operand(&p); \
		p += ok ? 0 : skip; \
		NEXT; \
	} \
	OR: { \
		unsigned skip = operand(&p); \
		p += ok ? skip : 0; \
		NEXT; \
	} \
	GO_ON: { \
		unsigned skip = operand(&p); \
		p += skip; \
		NEXT; \
	} \
	REFUGE: { \
		refuge_top = stack + operand(&p); \
		unsigned skip = operand(&p); \
		refuge = p + skip; \
		NEXT; \
	}
/* What narrows the span. */
#define BOUNDS \
	AT_LEAST: \
		span_at_least(&x, *--top); \
		NEXT; \
	AT_MOST: \
		span_at_most(&x, *--top); \
		NEXT; \
	ONLY: \
		span_only(&x, *--top); \
		NEXT; \
	HINT: \
		span_hint(&x, *--top); \
		NEXT; \
	INDEXED(ONLY_KNOWN, if (d->known[i]) span_only(&x, s[i]);) \
	INDEXED(ONLY_WANTED, if (d->wanted[i]) span_only(&x, d->out[i]);)
/* What is put on the stack. */
#define VALUES \
	INDEXED(SYMBOL, *top++ = s[i];) \
	INDEXED(OUTPUT, *top++ = d->out[i];) \
	INDEXED(LOW, *top++ = d->low[i];) \
	NUMBER: \
		*top++ = number(&p); \
		NEXT;
/* What takes two values from the stack. */
#define ARITHMETIC \
	BINARY(ADD, (int64_t)((uint64_t)a + (uint64_t)b)) \
	BINARY(SUB, (int64_t)((uint64_t)a - (uint64_t)b)) \
	BINARY(MUL, (int64_t)((uint64_t)a * (uint64_t)b)) \
	BINARY_NUMBER(ADD, (int64_t)((uint64_t)a + (uint64_t)b)) \
	BINARY_NUMBER(SUB, (int64_t)((uint64_t)a - (uint64_t)b)) \
	BINARY_NUMBER(MUL, (int64_t)((uint64_t)a * (uint64_t)b)) \
	BINARY_NUMBER(DIV, quotient(a, b)) \
	BINARY_NUMBER(MOD, remainder_of(a, b)) \
	BINARY_SYMBOL(ADD, (int64_t)((uint64_t)a + (uint64_t)b)) \
	BINARY_SYMBOL(SUB, (int64_t)((uint64_t)a - (uint64_t)b)) \
	BINARY_SYMBOL(MUL, (int64_t)((uint64_t)a * (uint64_t)b)) \
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

bool rs_run(rs_draw *d, const char *program)
{
	int64_t *const s = d->s, stack[RS_CODE_STACK], *top = stack, *refuge_top = stack;
	const char *p = program, *row = p, *tests = p, *test = p, *refuge = p;
	unsigned symbol = 0, place = 0, last = 0; /* in a row: the place, and the last one */
	bool ok = true, dimension = false, again = false; /* again: the test that the last value failed comes first */
	span x = {.low = 0};
	static const void *const GO[] = {RS_CODES(ADDRESS) RS_TWINS(TWIN_ADDRESS)};
	NEXT;
	FINISH:
		return true;
	FREE: {
		unsigned first = operand(&p);
		draw_free(d, first, operand(&p));
		NEXT;
	}
	ROW:
		last = operand(&p) - 1;
		row = p;
		NEXT;
	DIMENSION:
		dimension = true;
		goto symbol;
	ATTRIBUTE:
		dimension = false;
	symbol: {
		symbol = operand(&p) + place;
		unsigned skip = operand(&p);
		if (d->known[symbol]) {
			p += skip;
			goto next_symbol;
		}
		span_begin(&x, d, symbol, dimension);
		NEXT;
	}
	PICK:
		if (!span_pick(d, symbol, &x))
			return false;
		goto next_symbol;
	SEARCHES
	FOUND:
		d->known[symbol] = 1;
	next_symbol:
		if (place < last) {
			place++;
			p = row;
		} else {
			place = last = 0;
		}
		NEXT;

	JUMPS
	BOUNDS
	VALUES
	ARITHMETIC
}

#include "leap.h"

#include <string.h>

#include "samplercode.h"

/* A line: the numbers for the values at, at + 1, … at + n are value, value + rise, … value + n * rise, all within 64 bits. */
typedef struct line {
	int64_t value, rise;
} line;

typedef struct leaper {
	const rs_draw *d;
	unsigned symbol, place;
	int64_t at;
	int64_t n; /* number of further values for which all lines and decisions hold; -1: unknown */
	line stack[RS_CODE_STACK], *top;
	bool ok;
} leaper;

static void give_up(leaper *l)
{
	l->n = -1;
}

static void go_no_further(leaper *l, int64_t n)
{
	l->n = n < l->n ? n : l->n;
}

static line known_line(int64_t value)
{
	return (line){.value = value};
}

static line symbol_line(const leaper *l, const instruction *c)
{
	unsigned i = program_index(c, l->place);
	return i == l->symbol ? (line){l->at, 1} : known_line(l->d->s[i]);
}

static void push(leaper *l, line x)
{
	int64_t last;
	if (x.rise && (__builtin_mul_overflow(x.rise, l->n, &last) || __builtin_add_overflow(x.value, last, &last)))
		give_up(l);
	*l->top++ = x;
}

/* ---- operations */

/* -1, 0 or 1: the order of a and b; limits n to the values for which it holds. */
static int order(leaper *l, line a, line b)
{
	line x = {0, 0};
	if (__builtin_sub_overflow(a.value, b.value, &x.value) || __builtin_sub_overflow(a.rise, b.rise, &x.rise)
	    || x.value == INT64_MIN || x.rise == INT64_MIN)
		give_up(l);
	else if (x.value == 0 && x.rise)
		go_no_further(l, 0);
	else if (x.value > 0 && x.rise < 0)
		go_no_further(l, (x.value - 1) / -x.rise);
	else if (x.value < 0 && x.rise > 0)
		go_no_further(l, (-x.value - 1) / x.rise);
	return (x.value > 0) - (x.value < 0);
}

static line product(leaper *l, line a, line b)
{
	line x = {0, 0};
	if ((a.rise && b.rise) || __builtin_mul_overflow(a.value, b.value, &x.value)
	    || __builtin_mul_overflow(a.rise ? a.rise : b.rise, a.rise ? b.value : a.value, &x.rise))
		give_up(l);
	return x;
}

static line sum(leaper *l, line a, line b)
{
	line x = {0, 0};
	if (__builtin_add_overflow(a.value, b.value, &x.value) || __builtin_add_overflow(a.rise, b.rise, &x.rise))
		give_up(l);
	return x;
}

static line difference(leaper *l, line a, line b)
{
	line x = {0, 0};
	if (__builtin_sub_overflow(a.value, b.value, &x.value) || __builtin_sub_overflow(a.rise, b.rise, &x.rise))
		give_up(l);
	return x;
}

/* Quotient or remainder of a line by a number or a number by a line, as long as the quotient is constant. */
static line division(leaper *l, line a, line b, bool quotient)
{
	line x = {0, 0};
	if (b.value <= 0 || b.rise < 0 || (b.rise && (a.rise || a.value < 0))) {
		give_up(l);
		return x;
	}
	int64_t r = a.value % b.value, q = a.value / b.value - (r < 0);
	r += r < 0 ? b.value : 0;
	if (b.rise && q)
		go_no_further(l, (a.value / q - b.value) / b.rise);
	else if (a.rise > 0)
		go_no_further(l, (b.value - 1 - r) / a.rise);
	else if (a.rise < 0 && a.rise != INT64_MIN)
		go_no_further(l, r / -a.rise);
	else if (a.rise)
		give_up(l);
	if (quotient)
		return known_line(q);
	if (__builtin_mul_overflow(q, b.rise, &x.rise) || __builtin_sub_overflow(a.rise, x.rise, &x.rise))
		give_up(l);
	x.value = r;
	return x;
}

/* ---- instructions */

static line right_operand(leaper *l, const instruction *c, unsigned form)
{
	if (form == PROGRAM_STACK)
		return *--l->top;
	return form == PROGRAM_SYMBOL ? symbol_line(l, c) : known_line(c->number);
}

static void operate(leaper *l, const instruction *c)
{
	unsigned form = (c->code - PROGRAM_ADD_STACK_) % PROGRAM_OUTPUT;
	line b = right_operand(l, c, form), a = *--l->top;
	switch ((enum program_code)(c->code - form)) {
	case PROGRAM_ADD_STACK_:
	case PROGRAM_CHECKED_ADD_STACK_:
		push(l, sum(l, a, b));
		break;
	case PROGRAM_SUB_STACK_:
	case PROGRAM_CHECKED_SUB_STACK_:
		push(l, difference(l, a, b));
		break;
	case PROGRAM_MUL_STACK_:
	case PROGRAM_CHECKED_MUL_STACK_:
		push(l, product(l, a, b));
		break;
	case PROGRAM_DIV_STACK_:
	case PROGRAM_CHECKED_DIV_STACK_:
		push(l, division(l, a, b, true));
		break;
	case PROGRAM_MOD_STACK_:
	case PROGRAM_CHECKED_MOD_STACK_:
		push(l, division(l, a, b, false));
		break;
	case PROGRAM_MIN_STACK_:
		push(l, order(l, a, b) < 0 ? a : b);
		break;
	default:
		push(l, order(l, a, b) > 0 ? a : b);
		break;
	}
}

static bool holds(unsigned comparison, int order)
{
	switch ((enum program_code)comparison) {
	case PROGRAM_EQ_STACK_:
		return order == 0;
	case PROGRAM_NE_STACK_:
		return order != 0;
	case PROGRAM_LT_STACK_:
		return order < 0;
	case PROGRAM_GT_STACK_:
		return order > 0;
	case PROGRAM_LE_STACK_:
		return order <= 0;
	default:
		return order >= 0;
	}
}

/* A comparison of any form; returns the next instruction. */
static enum program_then compare(leaper *l, const instruction *c)
{
	unsigned at = c->code - PROGRAM_EQ_STACK_, form = at / PROGRAM_THENS % PROGRAM_FORMS;
	line b = right_operand(l, c, form), a = form == PROGRAM_BOTH ? symbol_line(l, c) : *--l->top;
	l->ok = holds(c->code - at % (PROGRAM_THENS * PROGRAM_FORMS), order(l, a, b));
	return at % PROGRAM_THENS;
}

/* An instruction that begins with none of the other letters. False: nothing is known about it. */
static bool put_value(leaper *l, const instruction *c)
{
	unsigned i = program_index(c, l->place);
	switch ((enum program_code)c->code) {
	case PROGRAM_SYMBOL_:
		push(l, symbol_line(l, c));
		return true;
	case PROGRAM_OUTPUT_:
		push(l, known_line(l->d->out[i]));
		return true;
	case PROGRAM_LOW_:
		push(l, known_line(l->d->low[i]));
		return true;
	case PROGRAM_NUMBER_:
		push(l, known_line(c->number));
		return true;
	case PROGRAM_WIDE_:
		*l->top = known_line(0);
		memcpy(&l->top++->value, c + 1, sizeof l->top->value);
		return true;
	default:
		return false;
	}
}

unsigned leap(const rs_draw *d, const instruction *test, unsigned symbol, unsigned place, int64_t at, unsigned most)
{
	leaper l = {.d = d, .symbol = symbol, .place = place, .at = at, .n = (int64_t)most - 1};
	l.top = l.stack;
	for (const instruction *c = test; l.n >= 0; c += c->code == PROGRAM_WIDE_ ? 2 : 1) {
		enum program_then then = PROGRAM_ON;
		if (c->code >= PROGRAM_EQ_STACK_)
			then = compare(&l, c);
		else if (c->code >= PROGRAM_ADD_STACK_)
			operate(&l, c);
		else if (c->code == PROGRAM_IF_ || c->code == PROGRAM_OR_ || c->code == PROGRAM_TEST_)
			then = c->code == PROGRAM_IF_ ? PROGRAM_IF : c->code == PROGRAM_OR_ ? PROGRAM_OR : PROGRAM_TEST;
		else if (c->code != PROGRAM_GO_ON_ && !put_value(&l, c))
			return 0;
		if (then == PROGRAM_TEST)
			return l.ok || l.n < 0 ? 0 : (unsigned)l.n + 1;
		if (c->code == PROGRAM_GO_ON_ || (then == PROGRAM_IF && !l.ok) || (then == PROGRAM_OR && l.ok))
			c += c->skip;
	}
	return 0;
}

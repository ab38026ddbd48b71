/* Terms over mathematical integers, and formulas over them, for the audit (docs/explanation/proofs.md).
 *
 * Both are hash-consed and kept in a normal form, so that most equal terms are the same pointer. An
 * integer is a polynomial: sorted monomials over atoms (symbols, quotients, remainders, minima, maxima,
 * choices). A formula is a conjunction or a disjunction, flat and sorted, of comparisons of a polynomial
 * with 0.
 *
 *   s0*(s1 + 1) - s0   TERM_SUM   number 0, 1 * [s0, s1]
 *   a >= b             TERM_LE    of the sum b - a, divided by its coefficients' common factor
 *
 * Terms live until the process ends; a process of the audit does a few hundred functions. If a constant
 * leaves 128 bits or a sum exceeds 4,096 monomials, terms_give_up is called, which does not return.
 */
#ifndef AUDIT_TERM_H
#define AUDIT_TERM_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 int128;

#define INT128_MAX ((int128)(((unsigned __int128)1 << 127) - 1))
#define INT128_MIN (-INT128_MAX - 1)

enum term_kind {
	/* atoms */
	TERM_SYM,   /* number: which */
	TERM_DIV,   /* floor; kids: two sums */
	TERM_MOD,
	TERM_QUOT,  /* C's own, towards 0 */
	TERM_REM,
	TERM_MIN,   /* kids sorted */
	TERM_MAX,
	TERM_CHOICE, /* kids: formula, sum, sum */
	TERM_NARROW, /* of a sum: its value truncated to 64 bits */
	TERM_OPAQUE, /* number: which; an unknown integer */
	/* made of these: */
	TERM_MONOMIAL, /* kids: atoms, sorted */
	TERM_SUM,      /* kids: monomials, sorted; coefficients; number */
	/* formulas */
	TERM_TRUE,
	TERM_FALSE,
	TERM_LE,   /* kid <= 0 */
	TERM_EQ,   /* kid == 0 */
	TERM_NE,
	TERM_FITS, /* kid fits 128 bits */
	TERM_LEAVES, /* kid does not fit */
	TERM_AND,
	TERM_OR
};

/* An interval; under, over: the value may leave 128 bits on that side. */
typedef struct range {
	int128 low, high;
	bool under, over;
} range;

typedef struct term {
	uint8_t kind;
	unsigned id, n;
	uint64_t hash;
	struct term **kid;
	int128 *factor; /* [n] of a sum */
	int128 number;
	range lies;	    /* of integers */
	struct term *opposite; /* of a formula, once computed */
	struct term *next;
} term;

/* terms_give_up jumps to terms_escape (set by setjmp) with a constant message. */
extern jmp_buf terms_escape;
extern const char *terms_trouble;
_Noreturn void terms_give_up(const char *message);

/* ---- ranges */
range range_of(int128 low, int128 high);
range range_add(range a, range b);
range range_mul(range a, range b);
range range_negate(range r);
range range_scale(range r, int128 by); /* by a constant that is not 0 */
range range_meet(range a, range b);
range range_join(range a, range b);
bool range_fits(range r);
bool range_within(range r, int128 low, int128 high);
bool range_holds(range r, int128 value);

/* ---- integers: all are sums */
term *term_number(int128 value);
term *term_symbol(unsigned i);
term *term_opaque(unsigned i, range lies);
term *term_add(term *a, term *b);
term *term_sub(term *a, term *b);
term *term_mul(term *a, term *b);
term *term_div(term *a, term *b); /* floor */
term *term_mod(term *a, term *b);
term *term_quot(term *a, term *b);
term *term_rem(term *a, term *b);
term *term_min(term *a, term *b);
term *term_max(term *a, term *b);
term *term_choice(term *c, term *a, term *b);
term *term_narrow(term *a);
bool term_constant(const term *a, int128 *value);
term *term_direction(const term *a, bool *negative); /* without its constant, the first coefficient positive */

/* ---- formulas */
term *term_true(void);
term *term_false(void);
term *term_le(term *a, term *b);
term *term_lt(term *a, term *b);
term *term_eq(term *a, term *b);
term *term_ne(term *a, term *b);
term *term_fits(term *a);
term *term_not(term *f);
term *term_and(term *a, term *b);
term *term_or(term *a, term *b);
term *term_all(unsigned n, term **f);
term *term_any(unsigned n, term **f);
term *term_within(term *a, int128 low, int128 high);

/* ---- values, for given symbols */
bool term_holds(const term *f, const int64_t *s);
int128 term_value(const term *a, const int64_t *s, long double *about);


#endif

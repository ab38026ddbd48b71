/* Expressions as sums of monomials, to solve comparisons for one symbol.
 *
 * A monomial is an integer times a product of factors; a factor is a symbol, or a quotient,
 * remainder, minimum, maximum or choice, which is taken as a whole. (s2 + 2*s6 - s4)//s8 + 1 is
 * 1*[(s2 + 2*s6 - s4)//s8] + 1.
 */
#ifndef LINEAR_H
#define LINEAR_H

#include "arena.h"
#include "expr.h"

enum { LINEAR_FACTORS = 6, LINEAR_TERMS = 20 };

typedef struct linear_term {
	int64_t times;
	unsigned n;			   /* 0: the constant */
	const expr *factor[LINEAR_FACTORS]; /* sorted by expr_compare */
} linear_term;

typedef struct linear {
	linear_term term[LINEAR_TERMS]; /* none of them 0 times, no two with equal factors */
	unsigned n;
	bool ok; /* false: too large, or beyond 62 bits; the terms then say nothing */
} linear;

linear linear_of(const expr *e);
linear linear_number(int64_t value);
linear linear_of_term(const linear_term *t);
linear linear_negated(const linear *l);
linear linear_add(const linear *a, const linear *b, int64_t times); /* a + times * b */
linear linear_mul(const linear *a, const linear *b);
/* l as f*factor + r, where the factor alone speaks of the symbol x. False: it is not of that form. */
bool linear_split(const linear *l, int64_t x, linear *f, const expr **factor, linear *r);
/* The same as an expression: what is added first, then what is subtracted. */
const expr *linear_expr(expr_pool *p, const linear *l);
/* l >= 0 or l == 0 as a comparison of two sums without a subtraction where that reads well. */
const expr *linear_compare(expr_pool *p, const linear *l, enum op op);
/* e with each sum and product in it as a sum of monomials in their order: equal where e and another come to the same sums. Of
 * what is subtracted from itself nothing is left, though it may have no value. */
const expr *expr_as_sums(expr_pool *p, const expr *e);
bool linear_is_number(const linear *l, int64_t *value);
bool expr_has(const expr *e, int64_t symbol);

#endif

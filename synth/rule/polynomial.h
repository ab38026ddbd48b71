/* Expressions as sums of monomials, used to compare sums and to solve comparisons for a symbol.
 *
 * A monomial is an integer times a product of factors. A factor is a symbol, or a quotient, remainder, minimum,
 * maximum or choice, which is opaque. (s2 + 2*s6 - s4)//s8 + 1 is 1*[(s2 + 2*s6 - s4)//s8] + 1.
 */
#ifndef POLYNOMIAL_H
#define POLYNOMIAL_H

#include "arena.h"
#include "expr.h"

enum { LINEAR_FACTORS = 6, LINEAR_TERMS = 20 };

typedef struct linear_term {
	int64_t times;
	unsigned n;			   /* 0: the constant */
	const expr *factor[LINEAR_FACTORS]; /* sorted by expr_compare */
} linear_term;

typedef struct linear {
	linear_term term[LINEAR_TERMS]; /* no coefficient is 0; the products of factors are distinct */
	unsigned n;
	bool ok; /* false: too many terms, or beyond 62 bits; the terms are then undefined */
} linear;

linear linear_of(const expr *e);
linear linear_number(int64_t value);
linear linear_of_term(const linear_term *t);
linear linear_negated(const linear *l);
linear linear_add(const linear *a, const linear *b, int64_t times); /* a + times * b */
linear linear_mul(const linear *a, const linear *b);
/* Splits l into f*factor + r, where only `factor` contains the symbol x. False if l does not have this form. */
bool linear_split(const linear *l, int64_t x, linear *f, const expr **factor, linear *r);
/* l as an expression: added terms first, then subtracted ones. */
const expr *linear_expr(expr_pool *p, const linear *l);
/* l >= 0 or l == 0 as a comparison of two sums, without subtraction if that is readable. */
const expr *linear_compare(expr_pool *p, const linear *l, enum op op);
/* Normal form: writes each sum and product in e as a sum of monomials in canonical order. Equal results imply equal
 * values. Terms that cancel vanish even if they may lack a value. */
const expr *expr_as_sums(expr_pool *p, const expr *e);
bool linear_is_number(const linear *l, int64_t *value);
bool expr_has(const expr *e, int64_t symbol);

#endif

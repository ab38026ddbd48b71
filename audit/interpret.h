/* Symbolic execution of generated functions: a call form's function becomes the formula that says where it returns true,
 * and a term for each output dimension. Loops run with the bounds that a form binds; branches on symbols become choices.
 *
 * On the way everything that C leaves undefined must be shown not to happen on the path that leads there: a signed
 * result beyond its type, a division by 0, an index beyond its array, a value read that was not written (or written by a
 * checked operation that may have failed). It is shown by the ranges of int64 symbols, else by what the path knows
 * (facts.h), else by Z3 (decide.h). What cannot be shown ends the execution by terms_give_up.
 */
#ifndef AUDIT_INTERPRET_H
#define AUDIT_INTERPRET_H

#include "source.h"
#include "term.h"

typedef struct outcome {
	term *holds;	     /* the function returns true */
	term **value;	     /* [nodim] where it does */
	unsigned solver;     /* how often the solver was asked */
} outcome;

void interpret_valid(const source *s, const char *name, unsigned nsym, outcome *result);
void interpret_shape(const source *s, const char *name, unsigned nsym, unsigned nodim, outcome *result);

/* A function of arith.h of two wide arguments, which are opaque numbers 0 and 1, executed as it is written; `assuming` of
 * these. Where it has a third, *stored is what it is left at, where it returns true. */
term *interpret_arithmetic(const source *s, const char *name, term *assuming, term **stored, bool *is_formula);

#endif

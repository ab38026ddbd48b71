/* Symbolic execution of generated functions. The function of a signature becomes the formula under which it
 * returns true, and a term for each output dimension. Loops run with the bounds that the signature binds.
 * Branches on symbols become choices.
 *
 * Each operation that C leaves undefined must be shown not to happen on its path:
 *
 *   - a signed result outside its type,
 *   - a division by 0,
 *   - an index outside its array,
 *   - a read of a value that was not written, or that a checked operation may have failed to write.
 *
 * The proof tries the ranges of int64 symbols, then the facts of the path (facts.h), then Z3 (decide.h). If all
 * fail, terms_give_up ends the execution.
 */
#ifndef AUDIT_INTERPRET_H
#define AUDIT_INTERPRET_H

#include "source.h"
#include "term.h"

typedef struct outcome {
	term *holds;	     /* the formula under which the function returns true */
	term **value;	     /* [nodim] output dimensions, valid under `holds` */
	unsigned solver;     /* number of solver calls */
} outcome;

void interpret_valid(const source *s, const char *name, unsigned nsym, outcome *result);
void interpret_shape(const source *s, const char *name, unsigned nsym, unsigned nodim, outcome *result);

/* Executes a function of arith.h as it is written, on two opaque 128-bit numbers 0 and 1 under the formula
 * `assuming`. If it has a third argument, *stored is the value left in it if it returns true. */
term *interpret_arithmetic(const source *s, const char *name, term *assuming, term **stored, bool *is_formula);

#endif

/* A rule's clauses in the words of a call (docs/reference/rule-notation.md).
 *
 *   s9 >= 0, s10 >= 0                                  padding[i] >= 0 for each i
 *
 * "For i but dim": all positions but the one that a constant names.
 */
#ifndef NOTATION_H
#define NOTATION_H

#include "place_words.h"

/* A clause in a reading, and where it holds. */
void notation_clause(buf *to, const notation *n, const quantified_clause *s, instantiation how);
/* An expression of one signature as it is, its symbols by their names. */
void notation_plain(buf *to, const notation *n, const operator *op, const expr *e);

/* A clause written as left == right, if no side is a comparison. */
typedef struct equation {
	buf left, right, where; /* " for each i" */
} equation;

/* The same of a clause in a reading, and of one as it stands; false, and nothing is appended, where it is written otherwise. */
bool notation_equation(equation *to, const notation *n, const quantified_clause *s, instantiation how);
bool notation_plain_equation(equation *to, const notation *n, const operator *op, const expr *e);

#endif

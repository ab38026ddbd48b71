/* Symmetric dimensions: an output dimension gets the expression of another one of its tensor, with both exchanged. What holds
 * for height and width also holds for width and height. This finds expressions that the records of one dimension do not
 * determine. */
#ifndef SYMMETRIC_DIMENSION_H
#define SYMMETRIC_DIMENSION_H

#include "solve.h"

/* The expression for output dimension d, derived from another one of its tensor, if it holds on all passing records; NULL:
 * none. */
const expr *symmetric_dimension_search(solver *s, int d);

#endif

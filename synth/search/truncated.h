/* Outputs that are cut off: at 0, or quotients towards 0, as C has them. */
#ifndef TRUNCATED_H
#define TRUNCATED_H

#include "target.h"

/* max(F, 0), where F is found on the rows whose output is above 0; or y/q + 1 with the quotient of C, written as `y//q + 1 if
 * y >= 0 else 1 - (0 - y)//q`: where the result exceeds 1 it is a floor template, which is sought there. Either is checked on
 * all rows. */
answer truncated_search(solver *s, int d, const int *rows, int nrows);

#endif

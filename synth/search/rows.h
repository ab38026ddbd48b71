/* The stages over some of an operator's passing records: all, or one side of a guard. */
#ifndef ROWS_H
#define ROWS_H

#include "target.h"

enum { STAGES = SHAPE_STAGES, WINDOW_STAGE = 3, CHEAP_STAGES = 5, CLAMP_STAGE = 6 };

/* Stages from … to - 1 until one finds an expression of output dimension d that holds on all the rows. */
answer search_rows(solver *s, int d, const int *rows, int nrows, int from, int to, enum leaves leaves);

#endif

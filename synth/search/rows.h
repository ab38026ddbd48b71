/* Runs the search stages on a subset of the passing records: all, or one part of a guard. */
#ifndef ROWS_H
#define ROWS_H

#include "target.h"

enum { STAGES = SHAPE_STAGES, WINDOW_STAGE = 3, QUICK_STAGES = 5, CLAMP_STAGE = 6 };

/* Runs stages from … to - 1 until one finds an expression for output dimension d that holds on all rows. */
answer rows_search(solver *s, int d, const int *rows, int nrows, int from, int to, enum leaves leaves);

#endif

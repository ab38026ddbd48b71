/* NeuRI's grammar bottom-up by columns: observational equivalence, look-up in both directions. */
#ifndef ENUMERATE_H
#define ENUMERATE_H

#include "problem.h"

/* With max_ops operations at most, and 3 at most. */
answer enumerate_search(problem *p, int max_ops);

#endif

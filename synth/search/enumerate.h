/* Bottom-up enumeration of NeuRI's grammar with observational equivalence and look-up from both ends. */
#ifndef ENUMERATE_H
#define ENUMERATE_H

#include "problem.h"

/* Searches expressions of at most max_ops operations (1 to 3). */
answer enumerate_search(problem *p, int max_ops);

#endif

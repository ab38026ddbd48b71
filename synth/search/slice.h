/* Windows: how many positions from a start to an end by a step there are on an axis. */
#ifndef SLICE_H
#define SLICE_H

#include "problem.h"

answer window_search(problem *p);

#endif

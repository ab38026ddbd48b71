/* Slices: how many positions lie between a start and an end with a step on an axis. */
#ifndef SLICE_H
#define SLICE_H

#include "problem.h"

answer slice_search(problem *p);

#endif

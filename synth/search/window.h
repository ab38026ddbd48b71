/* Pooling: how many positions a kernel has that slides over an axis, as pools and convolutions have it. */
#ifndef WINDOW_H
#define WINDOW_H

#include "problem.h"

answer pool_search(problem *p);

#endif

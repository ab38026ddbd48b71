/* Pooling: how many positions a kernel has that slides over an axis, as pools and convolutions have it. */
#ifndef POOL_H
#define POOL_H

#include "problem.h"

answer pool_search(problem *p);

#endif

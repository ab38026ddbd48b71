/* Windows: how many positions a kernel has that slides over an axis, as in pooling and convolution. */
#ifndef WINDOW_H
#define WINDOW_H

#include "problem.h"

answer window_search(problem *p);

#endif

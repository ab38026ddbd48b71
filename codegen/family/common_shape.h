/* The output shapes of a family, of all its call forms together: each output tensor a shape as a whole, or lines of
 * templates that together say each dimension once. Those that are said alike are members. */
#ifndef COMMON_SHAPE_H
#define COMMON_SHAPE_H

#include "walk.h"
#include "whole_shape.h"

enum { MAX_LINES = 8 };

typedef struct shape_line {
	template t;
	walk where;
} shape_line;

typedef struct tensor_shape {
	bool is_whole;
	whole_shape whole;
	shape_line lines[MAX_LINES];
	int nlines;
} tensor_shape;

typedef struct common_shape {
	tensor_shape *tensors;
	unsigned ntensors;
	bool *members; /* of the forms */
	int nmembers;
} common_shape;

/* What most of the forms in `among` share. */
common_shape common_shape_of(const family_forms *f, const bool *among);

#endif

/* The output shapes of a family, of all its call forms together: each output tensor a shape as a whole, or lines of
 * templates that together say each dimension once. Those that are said alike are members. */
#ifndef FIT_SHAPES_H
#define FIT_SHAPES_H

#include "index_range.h"
#include "whole_shape.h"

enum { MAX_LINES = 8 };

typedef struct shape_line {
	template t;
	index_range where;
} shape_line;

/* The rank of an output: a number plus the lengths of lists. */
typedef struct output_rank {
	bool known;
	int plus, n;
	list_name lists[2];
} output_rank;

typedef struct tensor_shape {
	bool is_whole;
	whole_shape whole;
	shape_line lines[MAX_LINES];
	int nlines;
	output_rank rank; /* of lines; a whole shape has that of its lists */
} tensor_shape;

typedef struct api_shapes {
	tensor_shape *tensors;
	unsigned ntensors;
	bool *members; /* of the forms */
	int nmembers;
} api_shapes;

/* What most of the forms in `among` share. */
api_shapes fit_shapes(const api_calls *f, const bool *among);
/* Finds the ranks of the outputs that are lines. */
void fit_ranks(const api_calls *f, api_shapes *s);

#endif

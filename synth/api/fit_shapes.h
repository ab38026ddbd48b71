/* Fits the output shapes of an API over all its signatures. Each output tensor is a whole shape, or a list of lines
 * (templates) that give each dimension once. Signatures that the same description fits are members. */
#ifndef FIT_SHAPES_H
#define FIT_SHAPES_H

#include "index_range.h"
#include "whole_shape.h"

enum { MAX_LINES = 8 };

typedef struct shape_line {
	template t;
	index_range where;
} shape_line;

/* The rank of an output: a constant plus the lengths of lists. */
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
	output_rank rank; /* for lines only; the rank of a whole shape follows from its lists */
} tensor_shape;

typedef struct api_shapes {
	tensor_shape *tensors;
	unsigned ntensors;
	bool *members; /* per signature */
	int nmembers;
} api_shapes;

/* Finds the description that fits most signatures in `among`. */
api_shapes fit_shapes(const api_calls *f, const bool *among);
/* Finds the ranks of outputs that are described by lines. */
void fit_ranks(const api_calls *f, api_shapes *s);

#endif

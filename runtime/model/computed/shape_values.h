/* The elements of small tensors that a model computes from shapes and written numbers, such as
 * Concat(Gather(Shape(x), 0), [-1]): exporters write these for sizes of the traced program.
 *
 * The operators are those of the table in shape_values.c, in every version of the standard. Other results have no known elements,
 * nor have divisions of negative numbers, in which runtimes differ. */
#ifndef SHAPE_VALUES_H
#define SHAPE_VALUES_H

#include "graph.h"

enum { SHAPE_VALUES_MAX = 16 }; /* elements of a tensor */

typedef struct shape_values {
	uint8_t dtype, rank; /* rank 0 or 1 */
	unsigned count;
	int64_t n[SHAPE_VALUES_MAX]; /* integers and booleans, */
	double x[SHAPE_VALUES_MAX];  /* or floats */
} shape_values;

/* Where the shapes of tensors are read; `of` returns as many dimensions as the tensor's rank. */
typedef struct shape_source {
	const int64_t *(*of)(const void *context, uint32_t tensor);
	const void *context;
} shape_source;

/* The shapes of a model in a shape instance. */
typedef struct shape_instance {
	const graph *g;
	uint32_t assignment;
} shape_instance;
shape_source shapes_in(const shape_instance *i);

/* False: the elements of the tensor are not known. */
bool shape_values_of(const graph *g, uint32_t tensor, shape_source s, shape_values *v);
/* Whether two tensors have the same dtype, shape and elements. */
bool shape_values_equal(const shape_values *a, const shape_values *b);

#endif

/* Shape arithmetic: integers that decide the shape of a call's results are computed from the shapes of tensors of the model,
 * instead of being written into it:
 *
 *   Reshape(x, [4, -1])  ─►  Reshape(x, Concat(Slice(Shape(x), 0, 1), [-1]))
 *
 * The rules determine which arguments decide shapes. The elements are the written ones, or others with which the rule predicts
 * the same shapes: the dimension in place of -1. The inserted calls are ordinary ones. */
#ifndef SHAPE_ARITHMETIC_H
#define SHAPE_ARITHMETIC_H

#include "gen.h"

/* Computes shapes in `features.shape_arithmetic` of a thousand models. False: out of memory. */
bool gen_compute_shapes(gen *g, rng *r);

#endif

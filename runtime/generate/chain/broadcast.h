/* Shapes of operands that broadcast. */
#ifndef BROADCAST_H
#define BROADCAST_H

#include "gen.h"

/* Draws a shape that broadcasts with an operand's. Some dimensions are 1. Some are larger where the operand has 1 or no
 * dimension, so that the result is larger than the operand. base: NULL: no operand. */
void broadcast_draw(gen *g, const graph_tensor *base, unsigned rank, int64_t *shape);
/* The same, but larger in all dimensions that are 1 or missing in the operand. base: NULL: a shape whose last dimension is 1. */
void broadcast_expand(gen *g, const graph_tensor *base, unsigned rank, int64_t *shape);

#endif

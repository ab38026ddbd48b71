/* Shapes of operands that broadcast. */
#ifndef BROADCAST_H
#define BROADCAST_H

#include "gen.h"

/* Draws a shape that broadcasts with an operand's. Some dimensions are 1, and some are larger than those of 1 or of none in the
 * operand, so that the result is larger than it. base: NULL: no operand. */
void broadcast_draw(gen *g, const graph_tensor *base, unsigned rank, int64_t *shape);
/* The same, larger than the operand in all dimensions of 1 or of none. base: NULL: a shape whose last dimension is 1. */
void broadcast_expand(gen *g, const graph_tensor *base, unsigned rank, int64_t *shape);

#endif

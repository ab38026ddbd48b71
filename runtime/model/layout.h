/* Memory layout of a model input that is not contiguous: strides and offset in elements. A stride of 0 belongs to an
 * expanded dimension, along which one element is stored. Apart from that, no two elements overlap. The memory between
 * elements is not part of the input. Only models of frameworks with strided tensors have layouts. The graph owns all
 * memory. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "graph.h"

enum { LAYOUT_PLACES_MAX = 1 << 28 }; /* maximum elements of a buffer */

/* Sets the layout of an input; strides: one per dimension. False: out of memory. */
bool layout_set(graph *g, uint32_t tensor, const int64_t *strides, int64_t offset);
/* Makes an input an alias of an earlier one; may_be_same must hold. False: out of memory. */
bool layout_share(graph *g, uint32_t tensor, uint32_t same);
/* Whether one input can be an alias of another: both are fed and have the same shape, dtype, class and range, and the first
 * is not an alias. */
bool layout_may_share(const graph *g, uint32_t tensor, uint32_t same);

/* Whether a layout is valid: no negative number, no overlapping elements except along strides of 0, at most
 * LAYOUT_PLACES_MAX places. */
bool layout_valid(unsigned rank, const int64_t *shape, const int64_t *strides, int64_t offset);

/* The number of elements of the buffer. */
int64_t layout_places(const graph_tensor *t);
/* The shape of the stored elements: 1 for strides of 0. shape: room for the tensor's rank. Returns the number of stored
 * elements. */
int64_t layout_stored(const graph_tensor *t, int64_t *shape);
/* Expands the stored elements, of this shape and `size` bytes each, to all elements of the tensor in out. */
void layout_spread(const graph_tensor *t, const int64_t *stored, size_t size, void *out);

#endif

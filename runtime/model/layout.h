/* How an input of a model lies in memory, where that is not the usual: its elements one after another, the last
 * dimension the densest, in a buffer of its own. Strides and offsets count elements; a stride of 0 belongs to a
 * dimension along which an element is stored once and seen again (an expanded tensor). No other two elements lie at one
 * place. What of the buffer is between the elements is no part of the input. Only frameworks whose tensors have strides
 * have such models. All memory is the graph's. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "graph.h"

enum { LAYOUT_PLACES_MAX = 1 << 28 }; /* elements of a buffer */

/* Gives an input a layout; strides: of its rank. False: out of memory. */
bool layout_set(graph *g, uint32_t tensor, const int64_t *strides, int64_t offset);
/* Makes an input the same tensor as an earlier one that may_be_same. False: out of memory. */
bool layout_share(graph *g, uint32_t tensor, uint32_t same);
/* Whether two inputs can be one: both fed, of the same shape, dtype, class and range, the first one a tensor of its own. */
bool layout_may_share(const graph *g, uint32_t tensor, uint32_t same);

/* Whether a layout is one: nothing negative, elements that do not overlap but along strides of 0, at most
 * LAYOUT_PLACES_MAX places. */
bool layout_valid(unsigned rank, const int64_t *shape, const int64_t *strides, int64_t offset);

/* Of how many elements the buffer is. */
int64_t layout_places(const graph_tensor *t);
/* The shape of what is stored: 1 where a stride is 0. shape: room for the tensor's rank. Returns how many elements. */
int64_t layout_stored(const graph_tensor *t, int64_t *shape);
/* Makes of the elements stored, of this shape and so many bytes each, all that are seen; out: room for these. */
void layout_spread(const graph_tensor *t, const int64_t *stored, size_t size, void *out);

#endif

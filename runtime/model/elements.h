/* Elements of a model's inputs: a function of the model's `values`, the input's number, its class and its
 * range (docs/reference/file-formats.md, "Elements of inputs"). The Python package makes the same, bit by bit. */
#ifndef ELEMENTS_H
#define ELEMENTS_H

#include "graph.h"

/* The seed of an input of a model, which is numbered (graph_number). */
uint64_t elements_seed(const graph *g, const graph_tensor *t);

/* Has an input of floats hold whole numbers of its class from now on, as its range: few and small, so that sums of
 * products are exact and come out the same in every order. By `draw` with zero and of both signs, or without zero
 * and of one. What has no such numbers in its class stays as it is. */
void elements_make_whole(graph_tensor *t, uint64_t draw);

/* Whether it was made so: of constants it says nothing, which may hold ones among what is not whole. */
static inline bool elements_are_whole(const graph_tensor *t)
{
	return t->dtype > RS_INT64 && (t->low || t->high) && !t->constant;
}

/* Fills out with numel elements of the tensor's dtype, which has a size, in the machine's order. A class
 * beyond `large` counts as `large`. */
void elements_fill(const graph_tensor *t, uint64_t seed, void *out);

#endif

/* Elements of a model's inputs: a function of the model's `values`, the input's number, its class and its range
 * (docs/reference/file-formats.md, "Elements of inputs"). The Python package computes the same bits. */
#ifndef ELEMENTS_H
#define ELEMENTS_H

#include "graph.h"

/* The seed of an input; the model must be numbered (graph_number). */
uint64_t elements_seed(const graph *g, const graph_tensor *t);

/* Restricts a float input to small integers of its class, as its range, so that sums of products are exact in any order.
 * `draw` selects: including 0 and both signs, or without 0 and of one sign. Inputs whose class has no such integers are
 * unchanged. */
void elements_make_whole(graph_tensor *t, uint64_t draw);

/* Whether an input was restricted. Not meaningful for constants, which may hold ones among other numbers. */
static inline bool elements_are_whole(const graph_tensor *t)
{
	return t->dtype > RS_INT64 && (t->low || t->high) && !t->divisor && !t->constant;
}

/* The integers that an integer dtype or bool can represent; of uint64 those up to INT64_MAX. */
int64_t elements_low(uint8_t dtype);
int64_t elements_high(uint8_t dtype);
/* Whether an input of this dtype may have a range. */
bool elements_have_range(uint8_t dtype);

/* Whether files and onnxruntime keep two elements of a dtype in a byte, the first in the low bits. */
static inline bool elements_packed(uint8_t dtype)
{
	return dtype == RS_UINT4 || dtype == RS_INT4;
}

/* The bytes of elements there; stores them so, in place; and whether two such arrays have the same elements. */
size_t elements_bytes(uint8_t dtype, size_t count);
void elements_pack(uint8_t dtype, size_t count, void *elements);
bool elements_same(uint8_t dtype, size_t count, const void *a, const void *b);

/* Writes numel elements of the tensor's dtype to out, in native byte order. The dtype must have a size. Floats of class
 * `any` are small or special ones (NaN, infinities, zeros, ends of the dtype); otherwise, classes beyond `large` count as `large`. */
void elements_fill(const graph_tensor *t, uint64_t seed, void *out);

#endif

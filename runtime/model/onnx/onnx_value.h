/* Tensors of a file by name, with a type. */
#ifndef ONNX_VALUE_H
#define ONNX_VALUE_H

#include "arena.h"
#include "onnx.pb-c.h"

/* A value of that name and element type, without a shape. NULL: out of memory. */
Onnx__ValueInfoProto *onnx_value(arena *a, char *name, int element_type);
/* The same with a shape. */
Onnx__ValueInfoProto *onnx_shaped_value(arena *a, char *name, int element_type, size_t rank, const int64_t *shape);

#endif

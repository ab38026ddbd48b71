#include "onnx_value.h"

#include <stdbool.h>

typedef struct typed {
	Onnx__ValueInfoProto info;
	Onnx__TypeProto type;
	Onnx__TypeProto__Tensor tensor;
	Onnx__TensorShapeProto shape;
} typed;

static typed *new_typed(arena *a, char *name, int element_type)
{
	typed *m = ARENA_NEW(a, typed);
	if (!m)
		return NULL;
	*m = (typed){ONNX__VALUE_INFO_PROTO__INIT, ONNX__TYPE_PROTO__INIT, ONNX__TYPE_PROTO__TENSOR__INIT,
	    ONNX__TENSOR_SHAPE_PROTO__INIT};
	m->info.name = name;
	m->info.type = &m->type;
	m->type.value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
	m->type.tensor_type = &m->tensor;
	m->tensor.has_elem_type = true;
	m->tensor.elem_type = element_type;
	return m;
}

Onnx__ValueInfoProto *onnx_value(arena *a, char *name, int element_type)
{
	typed *m = new_typed(a, name, element_type);
	return m ? &m->info : NULL;
}

Onnx__ValueInfoProto *onnx_shaped_value(arena *a, char *name, int element_type, size_t rank, const int64_t *shape)
{
	typedef Onnx__TensorShapeProto__Dimension dimension;
	typed *m = new_typed(a, name, element_type);
	dimension **dims = ARENA_ARRAY(a, dimension *, rank + 1), *all = ARENA_ARRAY(a, dimension, rank + 1);
	if (!m || !dims || !all)
		return NULL;
	m->tensor.shape = &m->shape;
	m->shape.n_dim = rank;
	m->shape.dim = dims;
	for (size_t i = 0; i < rank; i++) {
		all[i] = (dimension)ONNX__TENSOR_SHAPE_PROTO__DIMENSION__INIT;
		all[i].value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
		all[i].dim_value = shape[i];
		dims[i] = &all[i];
	}
	return &m->info;
}

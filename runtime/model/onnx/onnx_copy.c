#include "onnx_copy.h"

#include <stdbool.h>

#include "onnx.pb-c.h"
#include "onnx_types.h"
#include "rulesmith.h"

size_t copy_model(int opset, int ir, uint8_t to[COPY_MODEL_ROOM])
{
	Onnx__TensorShapeProto__Dimension one = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__INIT, *dims[] = {&one};
	Onnx__TensorShapeProto shape = ONNX__TENSOR_SHAPE_PROTO__INIT;
	Onnx__TypeProto__Tensor tensor = ONNX__TYPE_PROTO__TENSOR__INIT;
	Onnx__TypeProto type = ONNX__TYPE_PROTO__INIT;
	Onnx__ValueInfoProto in = ONNX__VALUE_INFO_PROTO__INIT, out = ONNX__VALUE_INFO_PROTO__INIT, *ins[] = {&in}, *outs[] = {&out};
	Onnx__NodeProto node = ONNX__NODE_PROTO__INIT, *nodes[] = {&node};
	Onnx__GraphProto graph = ONNX__GRAPH_PROTO__INIT;
	Onnx__OperatorSetIdProto set = ONNX__OPERATOR_SET_ID_PROTO__INIT, *sets[] = {&set};
	Onnx__ModelProto model = ONNX__MODEL_PROTO__INIT;
	one.value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE, one.dim_value = 1;
	shape.n_dim = 1, shape.dim = dims;
	tensor.has_elem_type = true, tensor.elem_type = onnx_element_type(RS_FLOAT32), tensor.shape = &shape;
	type.value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE, type.tensor_type = &tensor;
	in.name = "x", in.type = &type;
	out.name = "y", out.type = &type;
	node.op_type = "Identity", node.n_input = node.n_output = 1, node.input = &in.name, node.output = &out.name;
	graph.name = "g", graph.n_node = graph.n_input = graph.n_output = 1, graph.node = nodes, graph.input = ins, graph.output = outs;
	set.domain = "", set.has_version = true, set.version = opset;
	model.has_ir_version = true, model.ir_version = ir, model.graph = &graph, model.n_opset_import = 1, model.opset_import = sets;
	return onnx__model_proto__get_packed_size(&model) <= COPY_MODEL_ROOM ? onnx__model_proto__pack(&model, to) : 0;
}

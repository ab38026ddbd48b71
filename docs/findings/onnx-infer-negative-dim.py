"""onnxruntime: shape inference infers -1 for a kernel larger than the input (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

from onnx import TensorProto, helper, shape_inference

node = helper.make_node("Conv", ["X", "W"], ["y"])
inputs = [
    helper.make_tensor_value_info("X", TensorProto.FLOAT, [2, 1, 1, 5, 1]),
    helper.make_tensor_value_info("W", TensorProto.FLOAT, [2, 1, 1, 3, 3]),
]
graph = helper.make_graph([node], "g", inputs, [helper.make_value_info("y", helper.make_tensor_type_proto(TensorProto.FLOAT, None))])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)
try:
    inferred = shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
except shape_inference.InferenceError:
    raise SystemExit(0) from None
print("expected: an error")
print("actual:  ", [dim.dim_value for dim in inferred.graph.output[0].type.tensor_type.shape.dim])
raise SystemExit(1)

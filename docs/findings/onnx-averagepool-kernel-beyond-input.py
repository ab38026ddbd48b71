"""AveragePool with a kernel larger than its input invents a window.

Prints [(2, 1, 1, 2, 3)]: (1 - 2) / 2 is rounded towards zero. floor((1 - 2) / 2) + 1 = 0 windows are due, as the
reference evaluator returns; onnx's shape inference makes the same mistake.
onnx 1.23.2, onnxruntime 1.31.1, CPU provider, graph optimisation disabled.
"""

import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

inputs = {"X": np.zeros((2, 1, 1, 5, 5), np.float32)}
constants = {}
nodes = [helper.make_node("AveragePool", ["X"], ["y"], kernel_shape=[2, 2, 1], strides=[2, 2, 2])]
graph = helper.make_graph(
    nodes,
    "g",
    [helper.make_tensor_value_info(k, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape) for k, v in inputs.items()],
    [helper.make_value_info(name, helper.make_tensor_type_proto(TensorProto.FLOAT, None)) for name in nodes[0].output if name],
    [numpy_helper.from_array(v, k) for k, v in constants.items()],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)
options = ort.SessionOptions()
options.log_severity_level = 4
options.intra_op_num_threads = 1
options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
print([output.shape for output in session.run(None, inputs)])

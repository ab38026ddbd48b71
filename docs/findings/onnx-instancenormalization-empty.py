"""InstanceNormalization in float16 over an empty spatial dimension crashes.

Killed by SIGSEGV; the model passes onnx's strict shape inference. In float32 it returns an empty tensor.
onnx 1.23.2, onnxruntime 1.31.1, CPU provider, graph optimisation disabled.
"""

import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper

inputs = {"X": np.zeros((3, 4, 2, 0), np.float16), "S": np.ones(4, np.float16), "B": np.ones(4, np.float16)}
nodes = [helper.make_node("InstanceNormalization", ["X", "S", "B"], ["y"])]
graph = helper.make_graph(
    nodes,
    "g",
    [helper.make_tensor_value_info(k, TensorProto.FLOAT16, v.shape) for k, v in inputs.items()],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT16, None)],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)
options = ort.SessionOptions()
options.log_severity_level = 4
options.intra_op_num_threads = 1
options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
print([output.shape for output in session.run(None, inputs)])

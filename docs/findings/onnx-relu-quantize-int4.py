"""onnxruntime: ReluQuantRewrite drops a Relu before a QuantizeLinear of int4 (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[3] x) => (float[3] y) <float s = {1}, int4 z = {0}> {
    r = Relu (x)
    q = QuantizeLinear (r, s, z)
    y = DequantizeLinear (q, s, z)
}""").SerializeToString()

FED = {"x": np.array([-3, 1, 2], np.float32)}

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    results.append(ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
print("expected:", results[0])
print("actual:  ", results[1])
raise SystemExit(results[0] != results[1])

"""onnxruntime: quantized MatMul ignores the axis of scales (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (uint8[1,2] a, uint8[2,2] b) => (float[1,2] y) <float s = {1}, uint8 z = {0}, float[2] t = {1, 4}, uint8[2] u = {0, 0}> {
    p = DequantizeLinear (a, s, z)
    q = DequantizeLinear <axis = 0> (b, t, u)
    y = MatMul (p, q)
}""").SerializeToString()

FED = {"a": np.ones((1, 2), np.uint8), "b": np.ones((2, 2), np.uint8)}

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    results += [ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist()]
print("expected:", results[0], "\nactual:  ", results[1])
raise SystemExit(int(results[0] != results[1]))

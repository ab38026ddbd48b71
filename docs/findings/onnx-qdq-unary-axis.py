"""onnxruntime: quantized Softmax applies the first scale to all channels (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (uint8[2,2] x) => (uint8[2,2] y) <float s = {1}, uint8 z = {0}, float[2] t = {0.125, 0.0625}, uint8[2] u = {0, 0}> {
    d = DequantizeLinear (x, s, z)
    p = Softmax (d)
    y = QuantizeLinear <axis = 0> (p, t, u)
}""").SerializeToString()

FED = {"x": np.zeros((2, 2), np.uint8)}

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    results += [ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist()]
print("expected:", results[0], "\nactual:  ", results[1])
raise SystemExit(int(results[0] != results[1]))

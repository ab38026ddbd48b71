"""onnxruntime: optimized quantized Softmax over one element returns 0, not 1 (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 25]>
g (float[1,1,64,1] x) => (float[1,1,64,1] y)
<float s = {3.436824e-05}, int8 z = {11}, float t = {0.003921569}, int8 u = {-128}> {
    q = QuantizeLinear (x, s, z)
    d = DequantizeLinear (q, s, z)
    soft = Softmax <axis: int = -1> (d)
    r = QuantizeLinear (soft, t, u)
    y = DequantizeLinear (r, t, u)
}""").SerializeToString()

FED = {"x": np.zeros((1, 1, 64, 1), np.float32)}

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    results += [ort.InferenceSession(MODEL, options).run(None, FED)[0].ravel()[0]]
print("expected:", results[0], "\nactual:  ", results[1])
raise SystemExit(int(results[0] != results[1]))

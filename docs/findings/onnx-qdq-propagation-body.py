"""onnxruntime: QDQPropagation crashes on a Loop body that uses a Reshape (onnxruntime 1.32.0, onnx 1.23.2). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 16]>
g (uint8[1,2] x) => (float[2] y)
<float s = {0.5}, uint8 z = {0}, int64[1] flat = {2}, int64 n = {1}, bool go = {1}, float[2] first = {0, 0}> {
    d = DequantizeLinear (x, s, z)
    r = Reshape (d, flat)
    y = Loop (n, go, first) <body = b (int64 i, bool c, float[2] v) => (bool k, float[2] w) {
        k = Identity (c)
        w = Neg (r)
    }>
}""").SerializeToString()

print("expected: [-0.5, -1.0]", flush=True)
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    result = ort.InferenceSession(MODEL, options).run(None, {"x": np.array([[1, 2]], np.uint8)})[0].tolist()
print("actual:  ", result)
raise SystemExit(int(result != [-0.5, -1.0]))

"""onnxruntime: fusions of Clip crash on a min dequantized without a zero point (onnxruntime 1.32.0, onnx 1.23.2). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (float[1] x, uint8 m) => (uint8[1] y) <float s = {1}, uint8 z = {0}> {
    least = DequantizeLinear (m, s)
    c = Clip (x, least)
    y = QuantizeLinear (c, s, z)
}""").SerializeToString()

FED = {"x": np.array([-3], np.float32), "m": np.array(1, np.uint8)}

print("expected: [1]", flush=True)
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    result = ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist()
print("actual:  ", result)
raise SystemExit(int(result != [1]))

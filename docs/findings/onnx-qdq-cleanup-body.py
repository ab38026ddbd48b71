"""onnxruntime: QDQFinalCleanup crashes on a body that uses the quantized tensor (onnxruntime 1.32.0, onnx 1.23.2). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (uint8[1] x, bool c) => (float[1] y) <float s = {1}, uint8 z = {0}> {
    d = DequantizeLinear (x, s, z)
    q = QuantizeLinear (d, s, z)
    y = If (c) <then_branch = a () => (float[1] t) { t = DequantizeLinear (q, s, z) },
                else_branch = b () => (float[1] e) { e = Cast <to = 1> (q) }>
}""").SerializeToString()

FED = {"x": np.array([3], np.uint8), "c": np.array(True)}

print("expected: [3.0]", flush=True)
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    result = ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist()
print("actual:  ", result)
raise SystemExit(int(result != [3.0]))

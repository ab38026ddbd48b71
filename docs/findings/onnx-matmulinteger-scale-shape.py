"""onnxruntime: MatMulIntegerToFloat fusion ignores the shape of the scale (onnxruntime 1.32.0, onnx 1.23.2). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (uint8[1,1] a, uint8[1,1] b, float[2] s) => (float[1,2] y) <float half = {0.5}> {
    p = MatMulInteger (a, b)
    f = Cast <to = 1> (p)
    m = Mul (s, half)
    y = Mul (f, m)
}""").SerializeToString()

FED = {"a": np.array([[2]], np.uint8), "b": np.array([[3]], np.uint8), "s": np.ones(2, np.float32)}

print("expected: [[3.0, 3.0]]", flush=True)
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    result = ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist()
print("actual:  ", result)
raise SystemExit(int(result != [[3.0, 3.0]]))

"""onnxruntime: DivMulFusion drops the dimensions of its constant (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (float[2] x, float[2] d) => (float[1,2] y) <float[1,1] one = {1}> {
    q = Div (one, d)
    y = Mul (q, x)
}""").SerializeToString()

FED = {"x": np.array([6, 8], np.float32), "d": np.array([2, 4], np.float32)}

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    results += [ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist()]
print("expected:", results[0], "\nactual:  ", results[1])
raise SystemExit(int(results[0] != results[1]))

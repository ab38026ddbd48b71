"""onnxruntime: QDQPropagation returns 0 for negative int8 without a zero point (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]>
g (int8[4] x) => (float[2,2] y) <float s = {1}, int64[2] to = {2, 2}> {
    d = DequantizeLinear (x, s)
    y = Reshape (d, to)
}""").SerializeToString()

FED = {"x": np.array([-3, -1, 2, 100], np.int8)}

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    results += [ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist()]
print("expected:", results[0], "\nactual:  ", results[1])
raise SystemExit(int(results[0] != results[1]))

"""onnxruntime: MatmulTransposeFusion drops a Transpose before MatMul with a vector (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (float[2,3] x, float[2] v) => (float[3] y) {
    t = Transpose (x)
    y = MatMul (t, v)
}""").SerializeToString()

FED = {"x": np.array([[0, 1, 2], [3, 4, 5]], np.float32), "v": np.ones(2, np.float32)}

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    results += [ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist()]
print("expected:", results[0], "\nactual:  ", results[1])
raise SystemExit(int(results[0] != results[1]))

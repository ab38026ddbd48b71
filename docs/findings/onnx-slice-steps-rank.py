"""onnxruntime: the Shape of a Slice is wrong if its steps have no rank (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[4] x, int64[] steps) => (y) <int64[1] first = {0}, int64[1] last = {4}, int64[1] axis = {0}> {
    s = Slice (x, first, last, axis, steps)
    y = Shape (s)
}""").SerializeToString()

FED = {"x": np.ones(4, np.float32), "steps": np.array([2], np.int64)}

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    results.append(ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
print("expected:", results[0])
print("actual:  ", results[1])
raise SystemExit(results[0] != results[1])

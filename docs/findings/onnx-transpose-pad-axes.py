"""onnxruntime: TransposeOptimizer ignores the axes of Pad (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]>
g (float[1,2,2] x) => (float[a,b,c] y) <int64[6] pads = {1, 0, 0, 0, 0, 0}, float v = {9}, int64[3] axes = {2, 1, 0}> {
    t = Transpose <perm = [0, 2, 1]> (x)
    p = Pad (t, pads, v, axes)
    y = Transpose <perm = [0, 2, 1]> (p)
}""").SerializeToString()

FED = {"x": np.array([[[1, 2], [3, 4]]], np.float32)}

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    results += [ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist()]
print("expected:", results[0], "\nactual:  ", results[1])
raise SystemExit(int(results[0] != results[1]))

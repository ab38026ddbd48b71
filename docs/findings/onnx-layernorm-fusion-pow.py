"""onnxruntime: LayerNormFusion ignores the exponent and the order of arguments (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (float[1,2] x) => (float[1,2] y) <float four = {4}, float e = {0.00001}, float[2] one = {1, 1}, float[2] none = {0, 0}> {
    mean = ReduceMean <axes = [-1]> (x)  d = Sub (x, mean)
    p = Pow (d, four)  v = ReduceMean <axes = [-1]> (p)
    a = Add (v, e)  s = Sqrt (a)  n = Div (d, s)
    w = Mul (n, one)  y = Add (w, none)
}""").SerializeToString()

FED = {"x": np.array([[0, 4]], np.float32)}

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    results += [ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist()]
print("expected:", results[0], "\nactual:  ", results[1])
raise SystemExit(int(not np.allclose(results[0], results[1], 1e-3)))

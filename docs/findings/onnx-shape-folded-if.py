"""onnxruntime: constant folding removes a node that the branch of an If uses (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[1] x) => (int64[1] s, float[1] y) <bool yes = {1}> {
    t = Cos (x)
    s = Shape (t)
    y = If (yes) <then_branch = b () => (float[1] v) { v = Neg (t) }, else_branch = e () => (float[1] w) { w = Neg (x) }>
}""").SerializeToString()

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_BASIC:
    options = ort.SessionOptions()
    options.graph_optimization_level, options.log_severity_level = level, 4
    try:
        session = ort.InferenceSession(MODEL, options)
        results.append([out.tolist() for out in session.run(None, {"x": np.zeros(1, np.float32)})])
    except Exception as error:
        results.append(str(error))
print(f"expected: {results[0]}\nactual:   {results[1]}")
raise SystemExit(int(results[0] != results[1]))

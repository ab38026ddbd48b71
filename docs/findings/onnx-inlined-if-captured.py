"""onnxruntime: subgraph in two inlined Ifs loses a captured value (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 16]>
g (float[1] x, bool fed) => (float[1] y) <bool yes = {1}> {
    y = If (yes) <then_branch = a () => (float[1] y1) {
        y1 = If (yes) <then_branch = b () => (float[1] y2) {
            t = Neg (x)
            y2 = If (fed) <then_branch = c () => (float[1] y3) { y3 = Neg (t) }, else_branch = d () => (float[1] z3) { z3 = Abs (t) }>
        }, else_branch = e () => (float[1] z2) { z2 = Abs (x) }> }, else_branch = f () => (float[1] z1) { z1 = Abs (x) }>
}""").SerializeToString()
print("expected: [2.0]")
try:
    for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
        options = ort.SessionOptions()
        options.graph_optimization_level = level
        fed = {"x": np.array([2], np.float32), "fed": np.array(True)}
        result = ort.InferenceSession(MODEL, options).run(None, fed)[0].tolist()
except Exception as error:
    result = error
print("actual:  ", result)
raise SystemExit(int(result != [2.0]))

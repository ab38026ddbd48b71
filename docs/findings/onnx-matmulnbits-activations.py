"""onnxruntime: MatMul by dequantized weights rounds the other factor to 8 bits (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

ONES = ",".join(["1"] * 256)
MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[1,16] x) => (float[1,16] y) <float s = {1}> {
    q = Constant <value = int8[16,16] {ONES}> ()
    w = DequantizeLinear (q, s)
    y = MatMul (x, w)
}""".replace("ONES", ONES)).SerializeToString()

FED = {"x": np.array([[1000.0] + [1.0] * 15], np.float32)}

for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    found = ort.InferenceSession(MODEL, options).run(None, FED)[0].ravel()[:4].tolist()
    print("actual:  " if level.value else "expected:", found)
raise SystemExit(found[0] != 1015.0)

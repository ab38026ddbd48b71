"""onnxruntime: quantized Gemm ignores the scale of its bias (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (uint8[1,1] a, uint8[1,1] b, int32[1] c) => (float[1,1] y) <float s = {0.5}, uint8 z = {0}, float t = {2}> {
    p = DequantizeLinear (a, s, z)
    q = DequantizeLinear (b, s, z)
    r = DequantizeLinear (c, t)
    y = Gemm (p, q, r)
}""").SerializeToString()

FED = {"a": np.array([[2]], np.uint8), "b": np.array([[3]], np.uint8), "c": np.array([5], np.int32)}

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    results += [ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist()]
print("expected:", results[0], "\nactual:  ", results[1])
raise SystemExit(int(results[0] != results[1]))

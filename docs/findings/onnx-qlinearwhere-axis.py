"""onnxruntime: quantized Where applies the first scale to all channels (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 13]>
g (bool[1] c, uint8[2,1] x) => (uint8[2,1] y)
<float[2] s = {1, 10}, uint8[2] zeros = {0, 0}, float one = {1}, uint8 zero = {0}> {
    a = DequantizeLinear <axis: int = 0> (x, s, zeros)
    b = DequantizeLinear (x, one, zero)
    w = Where (c, a, b)
    y = QuantizeLinear (w, one, zero)
}""").SerializeToString()

FED = {"c": np.array([True]), "x": np.array([[3], [4]], np.uint8)}

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    results.append(ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
    print("actual:  " if level.value else "expected:", results[-1])
raise SystemExit(results[0] != results[1])

"""onnxruntime: quantized average pools reject scales of different sizes (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (uint8[1,1,2] x) => (uint8[1,1,1] y) <float s = {1}, uint8 z = {0}, float t = {0.001}> {
    d = DequantizeLinear (x, s, z)
    p = GlobalAveragePool (d)
    y = QuantizeLinear (p, t, z)
}""").SerializeToString()

FED = {"x": np.array([[[3, 5]]], np.uint8)}

for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

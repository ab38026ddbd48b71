"""onnxruntime: QDQ fusion makes a QLinearConv of activations per axis (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 13]>
g (uint8[1,2,1] x, uint8[1,2,1] w) => (uint8[1,1,1] y)
<float[2] s = {1, 10}, uint8[2] zeros = {0, 0}, float one = {1}, uint8 zero = {0}> {
    a = DequantizeLinear (x, s, zeros)
    b = DequantizeLinear (w, one, zero)
    c = Conv (a, b)
    y = QuantizeLinear (c, one, zero)
}""").SerializeToString()

FED = {"x": np.array([[[1], [2]]], np.uint8), "w": np.array([[[1], [1]]], np.uint8)}

for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

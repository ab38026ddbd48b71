"""onnxruntime: QDQ fusion passes dilations to QLinearAveragePool (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 9, opset_import: ["" : 19]>
g (uint8[1,1,3] x, float s, uint8 z) => (uint8[1,1,1] y) {
    a = DequantizeLinear (x, s, z)
    p = AveragePool <kernel_shape: ints = [2], dilations: ints = [2]> (a)
    y = QuantizeLinear (p, s, z)
}""").SerializeToString()

FED = {"x": np.array([[[2, 9, 6]]], np.uint8), "s": np.array(1, np.float32), "z": np.array(0, np.uint8)}

for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

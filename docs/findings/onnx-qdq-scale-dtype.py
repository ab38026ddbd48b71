"""onnxruntime: QDQ fusion ignores the dtype of QuantizeLinear's scale (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 23]>
g (uint8[2] x, float s, float16 t, uint8 z) => (uint8[2] y) {
    a = DequantizeLinear (x, s, z)
    m = Mul (a, a)
    y = QuantizeLinear (m, t, z)
}""").SerializeToString()

FED = {"x": np.array([3, 4], np.uint8), "s": np.array(1, np.float32), "t": np.array(1, np.float16), "z": np.array(0, np.uint8)}

for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

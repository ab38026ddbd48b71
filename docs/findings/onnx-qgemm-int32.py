"""onnxruntime: QDQ fusion makes a QGemm of an int32 matrix (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 13]>
g (uint8[1,2] x, int32[2,1] w, float s, uint8 z, int32 zero) => (float[1,1] y) {
    a = DequantizeLinear (x, s, z)
    b = DequantizeLinear (w, s, zero)
    y = Gemm (a, b)
}""").SerializeToString()

FED = {"x": np.array([[3, 4]], np.uint8), "w": np.array([[2], [5]], np.int32), "s": np.array(1, np.float32), "z": np.array(0, np.uint8), "zero": np.array(0, np.int32)}

for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

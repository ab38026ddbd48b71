"""onnxruntime: TransposeOptimizer adds a QuantizeLinear of int32 (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 13]>
g (int32[1,2] x, float s, int32 z) => (float[2,1] y) {
    d = DequantizeLinear (x, s, z)
    y = Transpose (d)
}""").SerializeToString()

FED = {"x": np.array([[3, 4]], np.int32), "s": np.array(1, np.float32), "z": np.array(0, np.int32)}

for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

"""onnxruntime: QDQ fusion takes the scale of a QuantizeLinear for its input (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (uint8 x, float[1] v) => (uint8[1] y) <float s = {1}, uint8 z = {0}> {
    d = DequantizeLinear (x, s, z)
    scale = Sigmoid (d)
    y = QuantizeLinear (v, scale)
}""").SerializeToString()

FED = {"x": np.array(0, np.uint8), "v": np.array([3], np.float32)}

for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

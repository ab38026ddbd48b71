"""onnxruntime: QDQPropagation makes a float32 value float16 (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 23]>
g (float[1,2] x) => (uint8[2] y) <float16 s = {15360}, uint8 z = {0}, int64[1] shape = {2}> {
    r = Reshape (x, shape)
    y = QuantizeLinear (r, s, z)
}""").SerializeToString()

FED = {"x": np.array([[3, 4]], np.float32)}  # the scale has the bits 0x3C00, 1 in float16

for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

"""onnxruntime: PadFusion fuses a Pad of the weights as one of the data (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 19]>
g (float[1,1,3,3] x, float[1,1,1,1] w) => (float[1,1,2,2] y) <int64[8] pads = {0,0,0,0,0,0,1,1}> {
    padded = Pad (w, pads)
    y = Conv (x, padded)
}""").SerializeToString()

x, w = np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3), np.ones((1, 1, 1, 1), np.float32)
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_BASIC:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", ort.InferenceSession(MODEL, options).run(None, {"x": x, "w": w})[0].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

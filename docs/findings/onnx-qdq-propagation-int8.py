"""onnxruntime: QDQS8ToU8 leaves output_dtype int8 beside a uint8 zero point (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 23]>
g (int8[1,6,16] x) => (float[1,6,4,4] y) <float s = {0.0014820835}, int8 z = {6}, int64[4] shape = {1,6,-1,4}> {
    d = DequantizeLinear (x, s, z)
    y = Reshape <allowzero: int = 1> (d, shape)
}""").SerializeToString()

FED = {"x": np.zeros((1, 6, 16), np.int8)}

for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", ort.InferenceSession(MODEL, options).run(None, FED)[0].ravel()[:4].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

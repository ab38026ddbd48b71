"""onnxruntime: QDQS8ToU8 gives a zero point of another shape (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[1,2] x) => (float[1,2] y) <float[1,1] s = {1}, int8[1,1] z = {0}> {
    q = QuantizeLinear <axis: int = 1, block_size: int = 2> (x, s, z)
    y = DequantizeLinear <axis: int = 1, block_size: int = 2> (q, s, z)
}""").SerializeToString()

FED = {"x": np.array([[3, 4]], np.float32)}

for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

"""onnxruntime: a fusion removes a Cast that a Mul still uses (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 24]>
g (float[1,6,1] d, float[1,6,16] x) => (float[1,6,16] y) <float one = {1}> {
    cast = Cast <to: int = 1> (x)
    quotient = Div (one, d)
    y = Mul (cast, quotient)
}""").SerializeToString()

FED = {"d": np.ones((1, 6, 1), np.float32), "x": np.ones((1, 6, 16), np.float32)}

for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", ort.InferenceSession(MODEL, options).run(None, FED)[0].ravel()[:4].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

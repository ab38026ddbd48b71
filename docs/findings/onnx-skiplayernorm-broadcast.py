"""onnxruntime: SkipLayerNormFusion accepts a Scale or B that broadcasts (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (float[1,2,2] a, float[1,2,2] b, float[1] scale) => (float[1,2,2] y) {
    sum = Add (a, b)
    y = LayerNormalization (sum, scale)
}""").SerializeToString()

FED = {"a": np.array([[[1, 3], [5, 9]]], np.float32), "b": np.zeros((1, 2, 2), np.float32), "scale": np.array([2], np.float32)}

for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

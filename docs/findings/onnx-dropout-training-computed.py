"""onnxruntime: EliminateDropout fails if training_mode is computed (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 13]>
g (float[2] x, bool c) => (float[2] y) <float ratio = {0.5}> {
    training = Not (c)
    d = Dropout (x, ratio, training)
    y = Neg (d)
}""").SerializeToString()

FED = {"x": np.array([3, 4], np.float32), "c": np.array(True)}

for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

"""onnxruntime: QDQ fusion gives int8 to a ReduceMax that does not accept it (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 5, opset_import: ["" : 11]>
g (int8[1,2] x) => (int8[1,1] y) <float s = {1}, int8 z = {0}> {
    d = DequantizeLinear (x, s, z)
    m = ReduceMax <axes = [1]> (d)
    y = QuantizeLinear (m, s, z)
}""").SerializeToString()

FED = {"x": np.array([[2, 4]], np.int8)}

for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    try:
        print("actual:  " if level.value else "expected:", ort.InferenceSession(MODEL, options).run(None, FED)[0].tolist())
    except Exception as error:
        raise SystemExit(f"actual: {error}") from None

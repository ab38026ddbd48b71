"""onnxruntime: NhwcTransformer drops the sizes of a Resize after QLinearConv (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 19]>
g (uint8[1,1,2,2] x) => (uint8[1,1,1,1] y) <float s = {1}, uint8 z = {0}, uint8[1,1,1,1] w = {1}, int64[2] sizes = {1, 1}> {
    c = QLinearConv (x, s, z, w, s, z, s, z)
    y = Resize <axes = [2, 3], mode = "nearest"> (c, "", "", sizes)
}""").SerializeToString()

results = []
for level in ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL:
    options = ort.SessionOptions()
    options.graph_optimization_level, options.log_severity_level = level, 4
    try:
        session = ort.InferenceSession(MODEL, options)
        results.append(session.run(None, {"x": np.arange(4, dtype=np.uint8).reshape(1, 1, 2, 2)})[0].tolist())
    except Exception as error:
        results.append(str(error))
print(f"expected: {results[0]}\nactual:   {results[1]}")
raise SystemExit(int(results[0] != results[1]))

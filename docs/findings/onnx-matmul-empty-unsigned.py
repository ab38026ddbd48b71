"""onnxruntime: MatMul of uint32 with an inner dimension of 0 fails (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 13]>
g (uint32[2,0] a, uint32[0,3] b) => (uint32[2,3] y) { y = MatMul (a, b) }""").SerializeToString()

a, b = np.zeros((2, 0), np.uint32), np.zeros((0, 3), np.uint32)
options = ort.SessionOptions()
options.log_severity_level = 4
expected = (a @ b).tolist()
try:
    actual = ort.InferenceSession(MODEL, options).run(None, {"a": a, "b": b})[0].tolist()
except Exception as error:
    actual = str(error).strip()[-140:]
print(f"expected: {expected}\nactual:   {actual}")
raise SystemExit(int(actual != expected))

"""onnxruntime: PRelu accepts a slope that broadcasts x to another shape (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 16]>
g (float[3,1] x, float[2] slope) => (float[3,1] y) { y = PRelu (x, slope) }""").SerializeToString()

print("expected: an error, or a result of (3, 1)")
options = ort.SessionOptions()
options.log_severity_level = 4
fed = {"x": np.ones((3, 1), np.float32), "slope": np.ones(2, np.float32)}
try:
    shape = ort.InferenceSession(MODEL, options).run(None, fed)[0].shape
except Exception as error:
    raise SystemExit(print("actual:  ", error)) from None
print("actual:   a result of", shape)
raise SystemExit(int(shape != (3, 1)))

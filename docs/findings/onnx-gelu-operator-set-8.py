"""onnxruntime: com.microsoft.Gelu of float16 fails in operator set 8 (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 8, "com.microsoft" : 1]>
g (float16[2] x) => (float16[2] y) {
    y = com.microsoft.Gelu (x)
}""").SerializeToString()

FED = {"x": np.array([0, 0], np.float16)}

print("expected:", [0.0, 0.0])
try:
    print("actual:  ", ort.InferenceSession(MODEL).run(None, FED)[0].tolist())
except Exception as error:
    raise SystemExit(f"actual: {error}") from None

"""onnxruntime: com.microsoft.DequantizeLinear of float16 fails in a function (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1, "local" : 1]>
g (uint8[2] x, float16 s) => (float16[2] y) {
    y = local.dequantize (x, s)
}
<domain: "local", opset_import: ["com.microsoft" : 1]>
dequantize (a, b) => (c) {
    c = com.microsoft.DequantizeLinear (a, b)
}""").SerializeToString()

FED = {"x": np.array([3, 4], np.uint8), "s": np.array(1, np.float16)}

print("expected:", [3.0, 4.0])
try:
    print("actual:  ", ort.InferenceSession(MODEL).run(None, FED)[0].tolist())
except Exception as error:
    raise SystemExit(f"actual: {error}") from None

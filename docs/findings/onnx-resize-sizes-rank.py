"""onnxruntime: Resize rejects sizes from the shape of a tensor without a rank (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[] a, float[1,1,1] x) => (y) <int64[2] k = {2, 1}> {
    n = Shape <end: int = 1> (a)
    sizes = Concat <axis: int = 0> (n, k)
    y = Resize (x, "", "", sizes)
}""").SerializeToString()

print("expected:", [[[5.0], [5.0]]])
try:
    session = ort.InferenceSession(MODEL)
except Exception as error:
    raise SystemExit(f"actual: {error}") from None
print("actual:  ", session.run(None, {"a": np.ones((1, 7), np.float32), "x": np.full((1, 1, 1), 5, np.float32)})[0].tolist())

"""onnxruntime: Loop body loses the outer result of two chained CastLike (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 24]>
g (float[1] x) => (float[1] y) <int64 n = {1}, bool k = {1}> {
    d = CastLike (x, x)
    c = CastLike (d, x)
    y = Loop (n, k, x) <body = b (int64 i, bool t, float[1] p) => (bool u, float[1] q) { u = Identity (t) q = Identity (c) }>
}""")
EXPECTED = np.array([3], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    actual = ort.InferenceSession(MODEL.SerializeToString()).run(None, {"x": EXPECTED})[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3)))

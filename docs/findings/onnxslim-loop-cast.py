"""onnxslim: a Cast in a Loop that casts nothing makes an invalid model (onnxslim 0.1.98, onnx 1.23.2, onnxruntime 1.32.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime as ort
import onnxslim

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]>
g (float[1] x, int64 n) => (float[1] y) <bool k = {1}> { t = Neg (x)
  y = Loop (n, k, t) <body = body (int64 i, bool c, float[1] p) => (bool c_out, float[1] q) { c_out = Identity (c) q = Cast <to = 1> (t) }> }""")
INPUTS = [np.ones(1, np.float32), np.array(1, np.int64)]
EXPECTED = np.array([-1], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    rewritten = onnxslim.slim(MODEL)
    none = ort.SessionOptions()
    none.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(rewritten.SerializeToString(), none)
    actual = session.run(None, dict(zip([info.name for info in MODEL.graph.input], INPUTS, strict=True)))[0]
except Exception as error:
    sys.exit("actual: " + type(error).__name__ + ": " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

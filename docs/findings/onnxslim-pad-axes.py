"""onnxslim: Pad with axes is fused into Conv with too few pads (onnxslim 0.1.98). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime
import onnxslim

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,2,2] x) => (float[1,1,3,3] y) <float[1,1,1,1] w = {1}, int64[4] p = {0, 0, 1, 1}, int64[2] a = {2, 3}, float v = {0}> { z = Pad(x, p, v, a) y = Conv(z, w) }""")
INPUTS = [np.array([[[[1, 2], [3, 4]]]], np.float32)]
EXPECTED = np.array([[[[1, 2, 0], [3, 4, 0], [0, 0, 0]]]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    rewritten = onnxslim.slim(MODEL)
    feed = {info.name: x for info, x in zip(MODEL.graph.input, INPUTS, strict=True)}
    actual = onnxruntime.InferenceSession(rewritten.SerializeToString()).run(["y"], feed)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:60]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

"""onnxruntime: Resize of int8 with antialias returns 0 for negative values (onnxruntime 1.32.0). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime as ort

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (int8[1,1,1,1] x) => (int8[1,1,1,2] y) <int64[4] s = {1, 1, 1, 2}> { y = Resize <antialias = 1, mode = "linear"> (x, "", "", s) }""")
INPUTS = {"x": np.array([[[[-2]]]], np.int8)}
EXPECTED = np.array([[[[-2, -2]]]], np.int8)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
actual = ort.InferenceSession(MODEL.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3)))

"""onnxruntime: ArgMax of an empty tensor over a negative axis keeps its length (onnxruntime 1.31.1, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 13]>
g (float[0,2,3,4] x) => (int64[0,2,3,1] y) { y = ArgMax <axis = -1, keepdims = 1> (x) }""")
INPUTS = [np.zeros((0, 2, 3, 4), np.float32)]
EXPECTED = np.zeros((0, 2, 3, 1), np.int64)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
session = onnxruntime.InferenceSession(MODEL.SerializeToString(), providers=["CPUExecutionProvider"])
actual = session.run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

"""onnxruntime: DivMulFusion rewrites (1 / d) * x of integers to x / d (onnxruntime 1.32.0, onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (int32[2] x, int32[2] d) => (int32[2] y) <int32 one = {1}> {
    q = Div (one, d)
    y = Mul (q, x) }""")
INPUTS = [np.array([8, 9], np.int32), np.array([4, 1], np.int32)]
EXPECTED = np.array([0, 9], np.int32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
session = onnxruntime.InferenceSession(MODEL.SerializeToString(), providers=["CPUExecutionProvider"])
actual = session.run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.array_equal(actual, EXPECTED)))

"""onnx: the reference evaluator's LSTM ignores sequence_lens (onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,1,1] x, float[1,4,1] w, float[1,4,1] r, float[1,8] b, int32[1] s) => (float[2,1,1,1] y) {
    y = LSTM <hidden_size = 1> (x, w, r, b, s) }""")
INPUTS = [np.ones((2, 1, 1), np.float32), np.ones((1, 4, 1), np.float32), np.ones((1, 4, 1), np.float32), np.zeros((1, 8), np.float32), np.array([1], np.int32)]
EXPECTED = np.array([[[[0.36960638]]], [[[0]]]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
actual = ReferenceEvaluator(MODEL).run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

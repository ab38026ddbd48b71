"""onnx: the reference evaluator's RNN does not know Relu (onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,1] x, float[1,1,1] w, float[1,1,1] r) => (float[1,1,1,1] y) {
    y = RNN <activations = ["Relu"], hidden_size = 1> (x, w, r) }""")
INPUTS = [np.array([[[5]]], np.float32), np.ones((1, 1, 1), np.float32), np.ones((1, 1, 1), np.float32)]
EXPECTED = np.array([[[[5]]]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    actual = ReferenceEvaluator(MODEL).run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:40]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

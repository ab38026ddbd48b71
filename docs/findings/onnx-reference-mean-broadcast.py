"""onnx: the reference evaluator's Mean does not broadcast (onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,1] a, float[1,2] b) => (float[2,2] y) { y = Mean (a, b) }""")
INPUTS = [np.array([[1], [2]], np.float32), np.array([[10, 20]], np.float32)]
EXPECTED = np.array([[5.5, 10.5], [6, 11]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    actual = ReferenceEvaluator(MODEL).run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:40]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

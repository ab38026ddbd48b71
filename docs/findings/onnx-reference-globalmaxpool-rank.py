"""onnx: the reference evaluator's GlobalMaxPool adds a dimension (onnx 1.23.2). Exit code 1: the bug reproduces; 0: it does not."""

import sys

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,1,1,2] x) => (float[1,1,1,1,1] y) { y = GlobalMaxPool (x) }""")
INPUTS = [np.array([1, 2], np.float32).reshape(1, 1, 1, 1, 2)]
EXPECTED = np.array([[[[[2]]]]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
actual = ReferenceEvaluator(MODEL).run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

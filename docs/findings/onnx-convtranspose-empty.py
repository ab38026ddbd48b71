"""onnxruntime: ConvTranspose with a zero-size dimension reads out of bounds (onnxruntime 1.32.0, onnx 1.23.2). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,0,4,5] x, float[1,2,3,3,3] w) => (float[1,2,2,6,7] y) { y = ConvTranspose (x, w) }""")
INPUTS = [np.zeros((1, 1, 0, 4, 5), np.float32), np.zeros((1, 2, 3, 3, 3), np.float32)]
EXPECTED = np.zeros((1, 2, 2, 6, 7), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
session = onnxruntime.InferenceSession(MODEL.SerializeToString(), providers=["CPUExecutionProvider"])
actual = session.run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

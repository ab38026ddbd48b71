"""onnxruntime: float16 InstanceNormalization of a zero-size dimension crashes (onnxruntime 1.32.0, onnx 1.23.2). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float16[3,4,2,0] x, float16[4] s, float16[4] b) => (float16[3,4,2,0] y) { y = InstanceNormalization (x, s, b) }""")
INPUTS = [np.zeros((3, 4, 2, 0), np.float16), np.ones(4, np.float16), np.ones(4, np.float16)]
EXPECTED = np.zeros((3, 4, 2, 0), np.float16)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
session = onnxruntime.InferenceSession(MODEL.SerializeToString(), providers=["CPUExecutionProvider"])
actual = session.run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

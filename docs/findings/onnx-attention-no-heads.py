"""onnxruntime: Attention with 0 heads divides by zero (onnxruntime 1.31.1, onnx 1.23.2). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import sys

import numpy as np
import onnx
import onnxruntime

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 23]>
g (float[1,0,4,8] q, float[1,0,6,8] k, float[1,0,6,8] v) => (float[1,0,4,8] y) { y = Attention (q, k, v) }""")
INPUTS = [np.zeros((1, 0, 4, 8), np.float32), np.zeros((1, 0, 6, 8), np.float32), np.zeros((1, 0, 6, 8), np.float32)]
EXPECTED = np.zeros((1, 0, 4, 8), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
session = onnxruntime.InferenceSession(MODEL.SerializeToString(), providers=["CPUExecutionProvider"])
try:
    actual = session.run(["y"], dict(zip([i.name for i in MODEL.graph.input], INPUTS, strict=True)))[0]
except onnxruntime.capi.onnxruntime_pybind11_state.Fail as error:  # a rejection of 0 heads is as good
    sys.exit(print("rejected:", str(error).splitlines()[0]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

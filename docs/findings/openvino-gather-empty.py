"""OpenVINO: Gather with 0 indices crashes (OpenVINO 2026.4.1). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,2] x, int64[0] i) => (float[0,2] y) { y = Gather (x, i) }""")
INPUTS = [np.ones((2, 2), np.float32), np.zeros(0, np.int64)]
EXPECTED = np.zeros((0, 2), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
core = openvino.Core()
compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
actual = compiled(INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

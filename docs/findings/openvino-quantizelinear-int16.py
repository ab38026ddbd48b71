"""OpenVINO: QuantizeLinear to int16 with a constant scale truncates (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[3] x) => (int16[3] y) <float s = {1}, int16 k = {0}> { y = QuantizeLinear (x, s, k) }""")
INPUTS = [np.array([0.4, 0.7, 1.8], np.float32)]
EXPECTED = np.array([0, 1, 2], np.int16)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
core = openvino.Core()
compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
actual = compiled(INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3)))

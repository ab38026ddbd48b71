"""OpenVINO: QLinearConv with constant uint8 weights and zero point 0 fails (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (uint8[1,1,1,1] x) => (uint8[1,1,1,1] y) <float s = {1}, uint8 z = {1}, uint8[1,1,1,1] w = {2}, uint8 u = {0}> {
    y = QLinearConv (x, s, z, w, s, u, s, z) }""")
INPUTS = [np.array([[[[3]]]], np.uint8)]
EXPECTED = np.array([[[[5]]]], np.uint8)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:40]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

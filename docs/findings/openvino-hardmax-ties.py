"""OpenVINO: Hardmax of 16 elements does not mark the first maximum (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,16] x) => (float[1,16] y) { y = Hardmax (x) }""")
INPUTS = [np.array([[0] * 10 + [1, 0, 1, 0, 0, 0]], np.float32)]
EXPECTED = np.array([[0] * 10 + [1, 0, 0, 0, 0, 0]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, "a one at", EXPECTED.argmax(), flush=True)
core = openvino.Core()
compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
actual = compiled(INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape, "a one at", actual.argmax())
sys.exit(not np.array_equal(actual, EXPECTED))

"""OpenVINO: float16 operand shared with an empty result is read as 0 (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float16[2] x, float16[0] z, float16[1] c) => (float16[2] y, float16[0] e) {
    y = Add (x, c)
    e = Add (z, c) }""")
INPUTS = [np.array([3, 5], np.float16), np.zeros(0, np.float16), np.array([2], np.float16)]
EXPECTED = np.array([5, 7], np.float16)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
model = openvino.Core().read_model(io.BytesIO(MODEL.SerializeToString()))
actual = openvino.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.array_equal(actual, EXPECTED)))

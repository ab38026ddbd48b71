"""OpenVINO: Sub of -128 in int8 is off by one (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (int8[2] a, int8[2] b) => (int8[2] y) { y = Sub (a, b) }""")
INPUTS = [np.array([-1, -128], np.int8), np.array([-128, -128], np.int8)]
EXPECTED = np.array([127, 0], np.int8)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
model = openvino.Core().read_model(io.BytesIO(MODEL.SerializeToString()))
actual = openvino.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.array_equal(actual, EXPECTED)))

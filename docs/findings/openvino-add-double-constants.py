"""OpenVINO: compiling two additions of float64 constants hangs (OpenVINO 2026.4.1). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import io
import signal
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g () => (double[1] y) <double[1] a = {1}, double[1] b = {2}, double[1] c = {4}> { t = Add (a, b) y = Add (t, c) }""")
EXPECTED = np.array([7], np.float64)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
signal.alarm(10)
model = openvino.Core().read_model(io.BytesIO(MODEL.SerializeToString()))
actual = openvino.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})([])[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.array_equal(actual, EXPECTED)))

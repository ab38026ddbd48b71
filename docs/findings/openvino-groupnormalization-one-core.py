"""OpenVINO: Max after GroupNormalization crashes on one core (OpenVINO 2026.4.1). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import io
import os
import sys

import numpy as np
import onnx

os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])  # one core, before OpenVINO counts them
import openvino  # noqa: E402

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[1,1,1,1] x, float[1] s) => (float[1,1,1,1] y) {
    n = GroupNormalization <num_groups = 1> (x, s, s)
    y = Max (x, x, n) }""")
INPUTS = [np.ones((1, 1, 1, 1), np.float32), np.ones(1, np.float32)]
EXPECTED = np.ones((1, 1, 1, 1), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
model = openvino.Core().read_model(io.BytesIO(MODEL.SerializeToString()))
actual = openvino.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED)))

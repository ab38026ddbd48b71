"""OpenVINO: BatchNormalization of float16 with float32 parameters is rejected (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float16[1,1,1] x, float[1] s, float[1] b, float[1] m, float[1] v) => (float16[1,1,1] y) {
    y = BatchNormalization (x, s, b, m, v) }""")
INPUTS = [np.array([[[2]]], np.float16), np.ones(1, np.float32), np.zeros(1, np.float32), np.zeros(1, np.float32), np.ones(1, np.float32)]
EXPECTED = np.array([[[2]]], np.float16)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split()[:40]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

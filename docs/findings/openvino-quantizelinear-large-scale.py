"""OpenVINO: QuantizeLinear with a scale above FLT_MAX / 255 returns the minimum (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[3] x) => (int8[3] y) <float s = {2e36}> { y = QuantizeLinear <output_dtype: int = 3> (x, s) }""")
INPUTS = [np.array([0, 4e36, -2e36], np.float32)]
EXPECTED = np.array([0, 2, -1], np.int8)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
core = openvino.Core()
compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
actual = compiled(INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 0, equal_nan=True)))

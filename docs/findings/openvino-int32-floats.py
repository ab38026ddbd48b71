"""OpenVINO: int32 above 2^24 is computed in float32 (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 14]>
g (int32[3] x, int32[1] d) => (int32[3] y) { y = Div (x, d) }""")
INPUTS = [np.array([16777217, 2147483647, -16777217], np.int32), np.array([1], np.int32)]
EXPECTED = INPUTS[0]
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and np.array_equal(actual, EXPECTED)))

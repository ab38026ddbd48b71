"""OpenVINO: reverse Slice that starts before a dynamic dimension fails (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 13]>
g (float[N,2] x) => (float[M,2] y) <int64[1] s = {-6}, int64[1] e = {-5}, int64[1] a = {0}, int64[1] t = {-1}> { y = Slice (x, s, e, a, t) }""")
INPUTS = [np.arange(6, dtype=np.float32).reshape(3, 2)]
EXPECTED = np.array([[0, 1]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and np.array_equal(actual, EXPECTED)))

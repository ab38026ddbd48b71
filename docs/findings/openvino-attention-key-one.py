"""OpenVINO: attention with a constant of one element does not compile (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 24]>
g (float[1,1,2,1] q, float[1,1,1,1] v) => (float[1,1,2,1] y) <float[1,1,1,1] k = {1}> { y = Attention (q, k, v) }""")
INPUTS = [np.ones((1, 1, 2, 1), np.float32), np.full((1, 1, 1, 1), 3, np.float32)]
EXPECTED = np.full((1, 1, 2, 1), 3, np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    loaded = core.read_model(io.BytesIO(MODEL.SerializeToString()))
    compiled = core.compile_model(loaded, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[-200:])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

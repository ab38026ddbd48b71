"""OpenVINO: RNN of an empty batch divides by zero (OpenVINO 2026.4.1). A signal kills the process if the bug reproduces; exit code 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 14]>
g (float[2,0,2] x) => (float[1,0,2] y) <float[1,2,2] w = {1,1,1,1}, float[1,2,2] r = {1,1,1,1}> { z, y = RNN <hidden_size = 2> (x, w, r) }""")
INPUTS = [np.ones((2, 0, 2), np.float32)]
EXPECTED = np.zeros((1, 0, 2), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape))

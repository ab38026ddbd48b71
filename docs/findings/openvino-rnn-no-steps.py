"""OpenVINO: RNN, GRU and LSTM with 0 steps do not compile (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[0,2,1] x, float[1,1,1] w, float[1,1,1] r) => (float[0,1,2,1] y) { y = RNN <hidden_size = 1> (x, w, r) }""")
INPUTS = [np.zeros((0, 2, 1), np.float32), np.ones((1, 1, 1), np.float32), np.ones((1, 1, 1), np.float32)]
EXPECTED = np.zeros((0, 1, 2, 1), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
core = openvino.Core()
try:
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[-120:])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3)))

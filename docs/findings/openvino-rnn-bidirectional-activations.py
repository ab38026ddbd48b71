"""OpenVINO: bidirectional RNN uses the first activation for both directions (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,1] x, float[2,1,1] w, float[2,1,1] r) => (float[1,2,1,1] y) {
    y = RNN <activations = ["Tanh", "Relu"], direction = "bidirectional", hidden_size = 1> (x, w, r) }""")
INPUTS = [np.array([[[5]]], np.float32), np.ones((2, 1, 1), np.float32), np.ones((2, 1, 1), np.float32)]
EXPECTED = np.array([[[[0.9999092]], [[5]]]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
core = openvino.Core()
compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
actual = compiled(INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3, equal_nan=True)))

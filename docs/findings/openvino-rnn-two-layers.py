"""OpenVINO: two RNNs of one input: the first swaps time and batch (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,2,1] x) => (float[2,1,2,1] y, float[2,1,2,1] z) <float[1,1,1] w = {1}, float[1,1,1] r = {0}, float[1,1,1] q = {1}> {
  y = RNN <hidden_size = 1> (x, w, r)
  z = RNN <hidden_size = 1> (x, w, q)
}""")
INPUTS = [np.array([[[0], [0]], [[9], [9]]], np.float32)]
EXPECTED = np.array([[[[0], [0]]], [[[1], [1]]]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
core = openvino.Core()
compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
actual = compiled(INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3)))

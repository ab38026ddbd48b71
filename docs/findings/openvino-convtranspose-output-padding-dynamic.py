"""OpenVINO: dynamic ConvTranspose with a small output_shape does not compile (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,1,w] x, float[1,1,3] k) => (float[1,1,3] y) {
  y = ConvTranspose <strides = [2], output_padding = [1], output_shape = [3]> (x, k)
}""")
INPUTS = [np.array([[[1, 2, 3, 4, 5]]], np.float32), np.ones((1, 1, 3), np.float32)]
EXPECTED = np.array([[[3, 7, 4]]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED, 1e-3, 1e-3)))

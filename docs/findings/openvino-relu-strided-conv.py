"""OpenVINO: strided, padded 1 × 1 Conv after Relu samples before padding (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
g (float[1,1,3] x) => (float[1,1,3] y) <float[1,1,1] w = {1}> {
  z = Relu(x)
  y = Conv <strides = [2], pads = [1, 1]> (z, w)
}""")
INPUTS = [np.array([[[1, 2, 3]]], np.float32)]
EXPECTED = np.array([[[0, 2, 0]]], np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
core = openvino.Core()
compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
actual = compiled(INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.shape == EXPECTED.shape and np.allclose(actual, EXPECTED)))

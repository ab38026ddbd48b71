"""OpenVINO: Flatten of an empty tensor from axis 2 on has a wrong shape (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 13]>
g (float[2,3,0] x) => (float[6,0] y) {
  y = Flatten <axis = 2> (x)
}""")
INPUTS = [np.zeros((2, 3, 0), np.float32)]
EXPECTED = np.zeros((6, 0), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, flush=True)
core = openvino.Core()
compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
actual = compiled(INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape)
sys.exit(actual.shape != EXPECTED.shape)

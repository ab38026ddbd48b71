"""OpenVINO: ScatterElements accepts indices larger than the data (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,1] x, int64[1,2] i, float[1,2] u) => (float[2,1] y) { y = ScatterElements <axis = 0> (x, i, u) }""")
INPUTS = [np.ones((2, 1), np.float32), np.zeros((1, 2), np.int64), np.full((1, 2), 7, np.float32)]
print("expected: an error", flush=True)
core = openvino.Core()
try:
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU")
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

"""OpenVINO: integer MatMul of an empty tensor does not compile (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (int64[0,1] x, int64[1,1] w) => (int64[0,1] y) { y = MatMul (x, w) }""")
INPUTS = [np.ones((0, 1), np.int64), np.ones((1, 1), np.int64)]
EXPECTED = np.ones((0, 1), np.int64)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
core = openvino.Core()
try:
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU")
except RuntimeError as error:
    sys.exit("actual: " + " ".join(str(error).split())[-60:])
actual = compiled(INPUTS)[0]
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and actual.shape == EXPECTED.shape))

"""OpenVINO: Conv with 0 input channels returns uninitialized memory (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,0,1] x, float[1,0,1] w) => (float[1,1,1] y) { y = Conv (x, w) }""")
INPUTS = [np.ones((1, 0, 1), np.float32), np.ones((1, 0, 1), np.float32)]
EXPECTED = np.zeros((1, 1, 1), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
core = openvino.Core()
compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
actual = [compiled(INPUTS)[0].copy() for _ in range(10)]  # memory may hold zeros at times
for a in actual:
    print("actual:  ", a.dtype, a.shape, a.tolist())
sys.exit(not all(a.dtype == EXPECTED.dtype and a.shape == EXPECTED.shape and np.array_equal(a, EXPECTED) for a in actual))

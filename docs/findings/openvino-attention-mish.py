"""OpenVINO: Mish after attention does not compile (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,3,4] q, float[2,4,3] k, float[2,3,4] v) => (float[2,3,4] y) {
    s = MatMul (q, k) p = Softmax (s) t = MatMul (p, v) y = Mish (t) }""")
INPUTS = [np.zeros((2, 3, 4), np.float32), np.ones((2, 4, 3), np.float32), np.zeros((2, 3, 4), np.float32)]
EXPECTED = np.zeros((2, 3, 4), np.float32)
print("expected:", EXPECTED.dtype, EXPECTED.shape, EXPECTED.tolist(), flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(not (actual.dtype == EXPECTED.dtype and np.array_equal(actual, EXPECTED)))

"""OpenVINO: Squeeze of a dimension that is not 1 returns its input (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[2,2,3] x) => (float[2,3] y) <int64[1] axes = {1}> { y = Squeeze (x, axes) }""")
INPUTS = [np.ones((2, 2, 3), np.float32)]
print("expected: an error", flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit(print("rejected:", error))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

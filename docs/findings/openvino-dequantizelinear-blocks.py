"""OpenVINO: DequantizeLinear accepts fewer scales than blocks (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (int8[1,4] x, float[1,1] s) => (float[1,4] y) { y = DequantizeLinear <axis = 1, block_size = 2> (x, s) }""")
INPUTS = [np.array([[1, 2, 3, 4]], np.int8), np.array([[2]], np.float32)]
print("expected: an error", flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    print("rejected:", " ".join(str(error).split())[:200])
    sys.exit(0)
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

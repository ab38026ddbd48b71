"""OpenVINO: Gemm accepts a C that is larger than the product (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1,2] a, float[2,1] b, float[1,2] c) => (y) { y = Gemm (a, b, c) }""")
INPUTS = [np.ones((1, 2), np.float32), np.ones((2, 1), np.float32), np.ones((1, 2), np.float32)]
print("expected: an error, C is [1, 2] and the product [1, 1]", flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled(INPUTS)[0]
except Exception as error:
    sys.exit(print("rejected:", " ".join(str(error).split())[:200]))
print("actual:  ", actual.dtype, actual.shape, actual.tolist())
sys.exit(1)

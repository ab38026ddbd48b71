"""OpenVINO: Gemm with transB that shares its weights with a MatMul is wrong (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 14]>
g (float[1,6,2] x, float[1,2] a) => (float[1,6,2] y, float[1,2] z) <float[2,2] w = {1, 2, 3, 4}> {
  y = MatMul (x, w)
  z = Gemm <transB = 1> (a, w)
}""")
print("expected:", [[3.0, 7.0]], flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled([np.ones((1, 6, 2), np.float32), np.ones((1, 2), np.float32)])[1]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.tolist())
sys.exit(actual.tolist() != [[3.0, 7.0]])

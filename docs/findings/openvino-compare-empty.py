"""OpenVINO: Neg whose result is also compared with an empty tensor is not computed (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[0,2] nothing, float[2] x) => (float[2] y, bool[0,2] z) {
  y = Neg (x)
  z = Less (nothing, y)
}""")
print("expected:", [-1.0, -2.0], flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled([np.zeros((0, 2), np.float32), np.array([1, 2], np.float32)])[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split())[:300])
print("actual:  ", actual.tolist())
sys.exit(actual.tolist() != [-1.0, -2.0])

"""OpenVINO: Mul before a Resize does not compile if the model quantizes (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[1,2] x, float[1] w) => (float[1,2] y, int8[1] q) <float[1,2] c = {3, 4}, float[2] one = {1, 1}, float s = {0.5}, int8 z = {6}> {
  u = Mul (x, c)
  y = Resize (u, , one)
  q = QuantizeLinear (w, s, z)
}""")
print("expected:", [[3.0, 4.0]], flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled([np.ones((1, 2), np.float32), np.zeros(1, np.float32)])[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split("CPU] ")[-1].split())[:300])
print("actual:  ", actual.tolist())
sys.exit(actual.tolist() != [[3.0, 4.0]])

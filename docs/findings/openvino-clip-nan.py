"""OpenVINO: Clip with a NaN bound does not compile (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[2] x) => (float[2] y) <float z = {0}> {
  m = Div (z, z)
  u = Max (x, z)
  y = Min (u, m)
}""")
print("expected:", [float("nan")] * 2, flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled([np.array([1, 2], np.float32)])[0]
except Exception as error:
    sys.exit("actual: " + " ".join(str(error).split("END: ")[-1].split())[:300])
print("actual:  ", actual.tolist())
sys.exit(not np.isnan(actual).all())

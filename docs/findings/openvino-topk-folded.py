"""OpenVINO: TopK of a constant accepts k above its length (OpenVINO 2026.4.1). Exit code 1: the bug reproduces; 0: it does not."""

import io
import sys

import numpy as np
import onnx
import openvino

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 22]>
g (float[1] i) => (float[n] v, int64[n] t, float[1] o) <int64[1] k = {5}, float[4] x = {1, 2, 3, 4}> {
  v, t = TopK <axis = 0> (x, k)
  o = Neg (i)
}""")
print("expected: an error, k is 5 of 4", flush=True)
try:
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(MODEL.SerializeToString())), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
except Exception as error:
    sys.exit(print("rejected:", " ".join(str(error).split())[:200]))
print("actual:  ", compiled([np.ones(1, np.float32)])[0].tolist())
sys.exit(1)
